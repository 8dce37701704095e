"""The deployment: definitions, resources, jobs, schedules and the command line."""
