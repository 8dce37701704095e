"""`sekisho repair`: what is damaged in the state is named, set aside, and made again from what remains."""

from __future__ import annotations

from typing import Annotated

import typer

from dagster_project.cli.console import print_json, safe, stdout
from dagster_project.cli.progress import working


def repair(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Look for damage in the state folder, set it aside, and make again what can be without a model."""
    from sekisho.repair import repair_state
    from sekisho.settings import load_settings

    with working("looking for damage"):
        done = repair_state(load_settings())
    if as_json:
        print_json({"repaired": done})
        return
    for line in done:
        stdout.print("✓", safe(line))
    if not done:
        stdout.print("nothing is damaged")
