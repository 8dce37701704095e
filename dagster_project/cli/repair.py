"""`sekisho repair`: what is damaged in the state is named, set aside, and made again from what remains."""

from __future__ import annotations

import typer

from dagster_project.cli.console import print_json, safe, stdout
from dagster_project.cli.options import Json
from dagster_project.cli.progress import working


def repair(as_json: Json = False) -> None:
    """Look for damage in the state folder, set it aside, and make again what can be without a model."""
    from sekisho.repair import repair_state
    from sekisho.settings import load_settings

    with working("looking for damage"):
        repaired = repair_state(load_settings())
    if as_json:
        print_json({"repaired": repaired.done, "failed": repaired.failed})
    else:
        for line in repaired.done:
            stdout.print("✓", safe(line))
        for line in repaired.failed:
            stdout.print("✗", safe(line, "red"))
        if not repaired.done and not repaired.failed:
            stdout.print("nothing is damaged")
    raise typer.Exit(1 if repaired.failed else 0)
