"""Lines as YAML has them, with their breaks: joined again they are the text, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def lines_of(text: str) -> list[str]:
    """All lines, breaks included; unlike `str.splitlines`, no form feed and no U+2028 ends one."""
    return _LINE.findall(text)


def without(lines: Sequence[str], gone: Sequence[tuple[int, int]]) -> str:
    """The text without some stretches of lines, each `(first, after the last)` and in order."""
    return "".join(_kept(lines, gone))


def _kept(lines: Sequence[str], gone: Sequence[tuple[int, int]]) -> Iterator[str]:
    at = 0
    for first, after in gone:
        yield from lines[at:first]
        at = after
    yield from lines[at:]
