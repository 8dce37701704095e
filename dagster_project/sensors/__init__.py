"""The sensors: what is looked at between runs, and what follows from it."""
