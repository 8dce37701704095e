"""The sensors: what is looked at between the schedules' ticks."""
