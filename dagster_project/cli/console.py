"""Where text for people goes: results to standard output, progress and errors to standard error."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import typer
from rich.console import Console
from rich.text import Text

from sekisho.errors import InputError
from sekisho.text import json_text, printable

_PIPE_WIDTH = 140  # columns of a table that no terminal limits

stdout = Console(highlight=False, soft_wrap=True, width=None if sys.stdout and sys.stdout.isatty() else _PIPE_WIDTH)
stderr = Console(stderr=True, highlight=False, soft_wrap=True)


def safe(text: str, style: str = "") -> Text:
    """Text from outside on one line: no markup in it and no control character gets to the terminal."""
    return Text(printable(text), style=style)


def print_json(value: Any, *, indent: int | None = 2, file: TextIO | None = None) -> None:
    """Print a JSON value to standard output or to `file`: plain ASCII where the stream's encoding is not UTF-8."""
    file = file or sys.stdout
    # What the encoding lacks would come out as `\xe9`, and that is no escape of JSON's.
    is_utf8 = codecs.lookup(file.encoding or "ascii").name == "utf-8"
    print(json_text(value, ensure_ascii=not is_utf8, allow_nan=False, indent=indent), file=file)


@contextmanager
def written() -> Iterator[None]:
    """Where standard output takes no more: the end, with 1 if its reader has seen enough, else an error with its name.

    What is still held for it then goes nowhere, so that the interpreter does not stumble over it at its own end.
    """
    try:
        yield
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise typer.Exit(1) from None
        reason = f"cannot be written: {error.strerror}"
        raise InputError(reason, item="standard output", remedy="free space, or send it elsewhere") from None
