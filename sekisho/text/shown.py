"""Outside text made fit to be shown on one line."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """The text on one line, with control, bidi, private and unassigned characters and line separators as escapes."""
    return "".join(
        char
        if unicodedata.category(char)[0] != "C" and unicodedata.category(char) not in ("Zl", "Zp")
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def shortened(text: str, size: int = 200) -> str:
    """The text as `printable` has it, cut after `size` characters with a sign that it was."""
    shown = printable(text[: size + 1])
    return shown if len(text) <= size else f"{shown[:size]}… ({len(text)} characters)"
