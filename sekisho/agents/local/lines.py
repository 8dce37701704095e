"""Lines that are sentences of their own, though no full stop tells: `Open: no` above `Height: 21 m`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sekisho.sentences import Kind, Span

_MARK = r"[*_`]{0,3}"
# A label of some words before its sign and a value; a row of cells; the box of a task.
_LABELLED = re.compile(
    rf"[>\s]*(?:{_MARK}[^\W\d_][^\n:：=.!?。|]{{0,50}}(?::{_MARK}(?=[^\S\n])|：|\s=\s|\s[-–—]\s(?=\S+(?:\s\S+){{0,2}}\s*$))"
    r"[^\S\n]*\S|\[[ xX]\]\s|\|[^\n|]*\|)",
    re.MULTILINE,
)
_BREAK = re.compile("\n")
_MOST_WORDS = 8
_SIGN = re.compile(r"[:：=]|\s[-–—]\s")


def cut_lines(text: str, spans: Sequence[tuple[Span, Kind]]) -> Iterator[tuple[Span, Kind]]:
    """The sentences, where one that runs over two labelled lines is cut at them."""
    for span, kind in spans:
        if kind not in ("prose", "item"):
            yield span, kind
            continue
        cuts = _lines(text, span)
        for start, end in zip([span.start, *cuts], [*cuts, span.end], strict=True):
            is_row = text[text.rfind("\n", 0, start) + 1 : start + 1].lstrip()[:1] == "|"
            yield from _bare(text, start, end, "row" if is_row else kind)


def _lines(text: str, span: Span) -> list[int]:
    """Where labelled lines begin, but for the first line, where two of them follow each other."""
    starts = [span.start, *(one.end() for one in _BREAK.finditer(text, span.start, span.end))]
    own = [_is_labelled(text, start, span.end) for start in starts]
    if not any(one and after for one, after in pairwise(own)):
        return []
    return [start for start, is_own in zip(starts[1:], own[1:], strict=True) if is_own]


def _is_labelled(text: str, start: int, end: int) -> bool:
    line = text[start:end].partition("\n")[0]
    return _LABELLED.match(line) is not None and len(_SIGN.split(line)[0].split()) <= _MOST_WORDS


def _bare(text: str, start: int, end: int, kind: Kind) -> Iterator[tuple[Span, Kind]]:
    """The piece without white space, and a row without bars, at its ends."""
    marks = " \t\r\n|" if kind == "row" else " \t\r\n"
    words = text[start:end].rstrip(marks)
    start, end = start + len(words) - len(words.lstrip(marks + ">")), start + len(words)
    if any(char.isalnum() for char in text[start:end]):
        yield Span(start, end), kind
