"""Options that several commands have."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Fixtures = Annotated[
    Path | None,
    typer.Option(help="A file or folder of replies that replace those of data/fixtures (mock agent only)."),
]
Ai = Annotated[bool | None, typer.Option("--ai/--no-ai", help="Let a model choose among the candidates [MAP_USE_AI].")]


def overlay(fixtures: Path | None) -> None:
    """Make the option the variable that it stands for: resources read the environment when the run starts."""
    if fixtures is not None:
        os.environ["SEKISHO_FIXTURES"] = str(fixtures.absolute())
