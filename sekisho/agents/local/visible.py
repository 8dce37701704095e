"""A text as a reader sees it: without the marks of emphasis, code and links, and with the way back to the original."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from sekisho.sentences import Span

_TARGET = r"\]\([^()\s]{0,2000}(?:\s+(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\)"
_MARK = re.compile(
    r"(?P<gap>\n[^\S\n]*\n)|(?P<escape>\\(?=[!-/:-@\[-`{-~]).)|(?P<run>\*+|_+|~~|`+)|"
    r"(?P<tag></?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]{0,300})?/?>)|"
    rf"(?P<label>!?\[(?=[^\[\]\n]{{0,300}}{_TARGET}))|(?P<target>{_TARGET})",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Visible:
    """The visible text; its character i stands at `starts[i]` in the original."""

    text: str
    starts: array[int]

    def place(self, span: Span) -> Span:
        """Where a stretch of the original is in the visible text."""
        return Span(bisect_left(self.starts, span.start), bisect_left(self.starts, span.end))


def visible(text: str) -> Visible:
    """Leave out marks that CommonMark would not show; unpaired ones stay, and so do those between digits."""
    hidden = sorted([*_marks(text), *_comments(text)])
    out: list[str] = []
    starts = array("l")
    at = 0
    for start, end in [*hidden, (len(text), len(text))]:
        if start > at:
            out.append(text[at:start])
            starts.extend(range(at, start))
        at = max(at, end)
    return Visible("".join(out), starts)


def _comments(text: str) -> Iterator[tuple[int, int]]:
    end = 0
    while (start := text.find("<!--", end)) >= 0 and (end := text.find("-->", start) + 3) > 2:
        yield start, end


def _marks(text: str) -> list[tuple[int, int]]:
    """Where marks stand, in any order."""
    found: list[tuple[int, int]] = []
    open_runs: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for mark in _MARK.finditer(text):
        if mark.lastgroup == "gap":
            open_runs.clear()
        elif _joins_digits(text, *mark.span()):
            continue
        elif mark.lastgroup == "run":
            _run(text, mark, open_runs[mark[0][0]], found)
        elif mark.lastgroup == "escape":
            found.append((mark.start(), mark.start() + 1))
        else:
            found.append(mark.span())
    return found


def _joins_digits(text: str, start: int, end: int) -> bool:
    """Whether two numbers would become one: `2*3*4`, `10<sup>3</sup>`."""
    return text[start - 1 : start].isdigit() and text[end : end + 1].isdigit()


def _run(text: str, mark: re.Match[str], opened: list[tuple[int, int]], found: list[tuple[int, int]]) -> None:
    """Pair a run of marks with the ones that are open, inner ones first, or open it."""
    start, end = mark.span()
    before, after = text[start - 1 : start], text[end : end + 1]
    is_word = mark[0][0] == "_"
    while opened and start < end and before.strip() and not (is_word and (after.isalnum() or after == "_")):
        first, last = opened.pop()
        size = min(last - first, end - start)
        found += [(last - size, last), (start, start + size)]
        start += size
        if last - size > first:
            opened.append((first, last - size))
    if start < end and after.strip() and not (is_word and before.isalnum()):
        opened.append((start, end))
