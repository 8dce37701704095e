"""The exact method: everything from a BEGIN marker's line to its END marker's line goes, every other byte stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sekisho.strip.lines import lines_of, without

BEGIN = "# --- DeciKG ONLY BEGIN ---"
END = "# --- DeciKG ONLY END ---"

_HEADER = re.compile(r"(?:^|[:?-][ \t]|^---[ \t])[ \t]*(?:[&!]\S*[ \t]+)*[|>](?:[1-9][+-]?|[+-][1-9]?)?[ \t]*(?:#.*)?$")
_FENCE = re.compile(r"[ \t]*(```|~~~)")
# A quote that opens where a value may begin and is still open at the line's end.
_OPEN_QUOTE = re.compile(r"""(?:^|[:?,\[{-])[ \t]*(?:[&!]\S*[ \t]+)*(?:"(?:[^"\\]|\\.)*\\?|'(?:[^']|'')*)$""")
_CLOSING = {'"': re.compile(r'(?:[^"\\]|\\.)*"'), "'": re.compile(r"(?:[^']|'')*'(?!')")}


def strip_markers(text: str) -> str | None:
    """The text without its marked blocks; None where there is none, or where a marker cannot be trusted.

    A marker is a line of its own. One that has no partner, stands inside another pair, or is itself quoted (in a block
    scalar, a quoted scalar or a code fence) makes this method refuse them all. What stands between two is not looked
    at.
    """
    if BEGIN not in text or END not in text:
        return None
    lines = lines_of(text)
    gone: list[tuple[int, int]] = []
    first: int | None = None
    for number, mark in _marks(lines):
        if mark == "quoted" or (mark == BEGIN) != (first is None):
            return None
        if first is None:
            first = number
        else:
            gone.append((first, number + 1))
            first = None
    return without(lines, gone) if gone and first is None else None


def _marks(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The markers in order, as BEGIN or END, or as `quoted`; only what stands outside a pair can quote one."""
    inside = False
    quotes = _Quotes()
    for number, line in enumerate(lines):
        bare = line.rstrip("\r\n").removeprefix("\ufeff" if number == 0 else "")
        mark = bare.strip(" \t")
        if mark in (BEGIN, END):
            yield number, "quoted" if not inside and quotes.holds(bare) else mark
            inside = mark == BEGIN
        elif not inside:
            quotes.read(bare)


class _Quotes:
    """Whether the next line is content of a scalar or a fence, from the lines so far."""

    def __init__(self) -> None:
        self._block: int | None = None  # the indentation that the content of a block scalar exceeds
        self._quote = ""
        self._fence = ""

    def holds(self, line: str) -> bool:
        """Whether a line is quoted where it stands."""
        return bool(self._quote or self._fence) or (self._block is not None and _indent(line) > self._block)

    def read(self, line: str) -> None:
        """Take one more line."""
        if self._block is not None:
            if not line.strip() or _indent(line) > self._block:
                return
            self._block = None
        if self._quote:
            closed = _CLOSING[self._quote].match(line)
            if closed is None:
                return
            self._quote = ""
            line = line[closed.end() :]
        fence = _FENCE.match(line)
        if self._fence or fence:
            if fence and self._fence in ("", fence[1]):
                self._fence = "" if self._fence else fence[1]
            return
        self._open(line)

    def _open(self, line: str) -> None:
        if line.lstrip().startswith("#"):
            return
        if _HEADER.search(line):
            self._block = -1 if line.startswith(("---", "|", ">")) else _indent(line)
        elif quote := _OPEN_QUOTE.search(line):
            self._quote = min((mark for mark in "\"'" if mark in quote[0]), key=quote[0].index)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
