"""The command line: `sekisho`."""

from dagster_project.cli.main import app, main

__all__ = ["app", "main"]
