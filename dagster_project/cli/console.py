"""Where text for people goes: results to standard output, progress and errors to standard error."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.text import Text

from sekisho.text import printable

_PIPE_WIDTH = 140  # columns of a table that no terminal limits

stdout = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else _PIPE_WIDTH)
stderr = Console(stderr=True, highlight=False, soft_wrap=True)


def safe(text: str, style: str = "") -> Text:
    """Text from outside on one line: no markup in it and no control character gets to the terminal."""
    return Text(printable(text), style=style)
