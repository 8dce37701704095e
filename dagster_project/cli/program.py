"""The program as a whole: with `--json`, a command line that cannot be parsed is told as JSON too."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperGroup

from dagster_project.cli.console import print_json

T = TypeVar("T")
_ORDER = (
    *("init", "run", "ask", "status", "report", "search", "recall", "map"),
    *("eval", "check", "verify", "doctor", "repair", "strip", "spend", "dev"),
)
# Typer brings its own copy of Click, whose names are private: every error of the command line is one of these.
_UsageError: type[Any] = typer.BadParameter.__mro__[1]


def wants_json() -> bool:
    """Whether the command line asks for JSON, also where it cannot be parsed otherwise."""
    return "--json" in sys.argv[1:] and sys.stdout is not None  # None where it is closed


def print_json_error(told: str) -> None:
    """Print what ended the command as one line of JSON, where JSON was asked for."""
    if wants_json():
        print_json({"error": told}, indent=None)


class Program(TyperGroup):
    """The group of all commands; errors of the command line go to standard error as ever, and end with 2."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands in the order in which one comes to need them; one that has no place there is the last."""
        return sorted(
            super().list_commands(ctx), key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER)
        )

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Parse what comes before the command's name."""
        return _told(super().make_context, *args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Parse the rest, and run the command."""
        return _told(super().invoke, ctx)


def _told(step: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    try:
        return step(*args, **kwargs)
    except Exception as error:
        if isinstance(error, _UsageError):
            print_json_error(error.format_message())
        raise
