"""Outside text made fit to be shown on one line."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from typing import Any


def printable(text: str) -> str:
    """The text on one line, with control, bidi, private and unassigned characters and line separators as escapes."""
    return "".join(
        char
        if unicodedata.category(char)[0] != "C" and unicodedata.category(char) not in ("Zl", "Zp")
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


class _Escapes(dict[int, str]):
    """What `printable` would not let stand, as JSON's own escapes; looked up once for each character."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        plain = char == "\n" or printable(char) == char
        self[code] = char if plain else json.dumps(char)[1:-1]
        return self[code]


_ESCAPES = _Escapes()


def json_text(value: Any, **options: Any) -> str:
    """The value as JSON in which control, bidi and other unseen characters are escapes: the same value, read back.

    `options` are those of `json.dumps`; letters of any script stand as they are unless `ensure_ascii` says otherwise.
    """
    return json.dumps(value, **{"ensure_ascii": False, **options}).translate(_ESCAPES)


def shortened(text: str, size: int = 200) -> str:
    """The text as `printable` has it, cut after `size` characters with a sign that it was."""
    shown = printable(text[: size + 1])
    return shown if len(text) <= size else f"{shown[:size]}… ({len(text)} characters)"


def first_of(names: Sequence[str], most: int) -> str:
    """The first names in a row, and how many more there are: `a, b and 3 more`."""
    more = len(names) - most
    return f"{', '.join(names[:most])}{f' and {more} more' if more > 0 else ''}"
