"""The sensors: what watches by itself while the daemon runs."""
