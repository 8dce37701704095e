"""The exact method: everything from a BEGIN marker's line to its END marker's line goes, every other byte stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sekisho.strip.lines import lines_of, without
from sekisho.strip.scalars import all_are_comments, indent, left_open, past_quote

BEGIN = "# --- DeciKG ONLY BEGIN ---"
END = "# --- DeciKG ONLY END ---"

_FENCE = re.compile(r"[ \t]*(```|~~~)")


def strip_markers(text: str) -> str | None:
    """The text without its marked blocks; None where there is none, or where a marker cannot be trusted.

    A marker is a line of its own. One that has no partner, stands inside another pair, or is itself quoted (in a block
    scalar, a quoted scalar or a code fence) makes this method refuse them all. What stands between two is not looked
    at. Whether a marker is quoted is told line by line, for the text need not be YAML; where that says yes and the
    text is YAML, its parser has the last word.
    """
    if BEGIN not in text or END not in text:
        return None
    lines = lines_of(text)
    marks = list(_marks(lines))
    if not marks or [mark for _, mark, _ in marks] != [BEGIN, END] * (len(marks) // 2):
        return None
    gone = [(first, last + 1) for (first, _, _), (last, _, _) in zip(marks[::2], marks[1::2], strict=True)]
    if any(quoted for _, _, quoted in marks) and not all_are_comments(lines, gone):
        return None
    return without(lines, gone)


def _marks(lines: Sequence[str]) -> Iterator[tuple[int, str, bool]]:
    """The markers in order, as line, BEGIN or END, and quoted or not; only what stands outside a pair can quote one."""
    inside = False
    quotes = _Quotes()
    for number, line in enumerate(lines):
        bare = line.rstrip("\r\n").removeprefix("\ufeff" if number == 0 else "")
        mark = bare.strip(" \t")
        if mark in (BEGIN, END):
            yield number, mark, not inside and quotes.holds(bare)
            inside = mark == BEGIN
        elif bare and not inside:
            quotes.read(bare)


class _Quotes:
    """Whether the next line is content of a scalar or a fence, from the lines so far."""

    def __init__(self) -> None:
        self._block: int | None = None  # the indentation that the content of a block scalar exceeds
        self._quote = ""
        self._fence = ""

    def holds(self, line: str) -> bool:
        """Whether a line is quoted where it stands."""
        return bool(self._quote or self._fence) or (self._block is not None and indent(line) > self._block)

    def read(self, line: str) -> None:
        """Take one more line."""
        if self._block is not None:
            if not line.strip() or indent(line) > self._block:
                return
            self._block = None
        at = 0
        if self._quote:
            closed = past_quote(line, 0, self._quote)
            if closed is None:
                return
            self._quote, at = "", closed
        fence = _FENCE.match(line, at)
        if self._fence or fence:
            if fence and self._fence in ("", fence[1]):
                self._fence = "" if self._fence else fence[1]
            return
        self._open(line, at)

    def _open(self, line: str, at: int) -> None:
        opened = left_open(line, at)
        if opened == "|":
            # The header alone on its line leans on one before it: whose indentation counts, only the parser knows.
            alone = line.startswith("---") or line.lstrip(" ").startswith(("|", ">", "&", "!"))
            self._block = -1 if alone else indent(line)
        else:
            self._quote = opened
