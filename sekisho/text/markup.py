"""Markdown, HTML and reStructuredText marks in a text: where they are, and the words without them.

The scan is made for quotes, not for rendering: a mark that may be words (a `*` between numbers, a `>` before one)
stays, so that leaving it out of a quote is no harmless difference. Time is linear in the text.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from sekisho.text.blocks import Block, Cut, read_blocks
from sekisho.text.hidden import merged
from sekisho.text.inline import cut_inline


@dataclass(frozen=True, slots=True)
class Plain:
    """A text without its marks; character i of `text` comes from `original[starts[i]:ends[i]]`.

    `blocks` are where paragraphs, headings, list items, table cells and lines of code begin in `text`; `leads[n]` is
    the block that introduces the list in which block n is an item or heads the column in which it is a cell, and
    `rows[n]` the number of its table's row, each else -1. `struck` are stretches of the original
    that were crossed out, in order; `numbers` has by block what an item's own number may be.
    """

    text: str
    starts: array[int]
    ends: array[int]
    blocks: array[int]
    leads: array[int]
    rows: array[int]
    struck: tuple[tuple[int, int], ...]
    numbers: dict[int, tuple[str, ...]]


def plain(text: str, with_struck: bool = True) -> Plain:
    """The text without its marks, on demand also without what is crossed out; blocks are kept apart by white space."""
    cuts, blocks, found = _marks(text)
    struck = merged(found)
    if not with_struck:
        struck = merged(_with_marks(text, start, end) for start, end in struck)
        begins = [start for start, _ in struck]
        cuts = [cut for cut in cuts if (at := bisect_right(begins, cut[0]) - 1) < 0 or cut[0] >= struck[at][1]]
        cuts = sorted([*cuts, *((start, end, "") for start, end in struck)])
    return _without(text, cuts, blocks, tuple(struck))


def words_of(text: str) -> str:
    """`plain(text).text`, without the way back."""
    cuts = _marks(text)[0]
    return "".join(shown or text[start:end] for start, end, shown in _pieces(text, cuts))


def _marks(text: str) -> tuple[list[Cut], list[Block], list[tuple[int, int]]]:
    blocks, cuts, labels, struck = read_blocks(text)
    for block in blocks:
        if block.is_prose:
            cut_inline(text, block.start, block.end, labels, cuts, struck)
    return sorted(cuts), blocks, struck


def _with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    return (start - 2, end + 2) if text.endswith("~~", 0, start) and text.startswith("~~", end) else (start, end)


def _pieces(text: str, cuts: list[Cut]) -> Iterator[Cut]:
    """What is left of a text between its marks, and what a mark shows instead of itself."""
    at = 0
    for start, end, shown in [*cuts, (len(text), len(text), "")]:
        if start > at:
            yield at, start, ""
        if end > at and shown:
            yield max(start, at), end, shown
        at = max(at, end)


def _without(text: str, cuts: list[Cut], blocks: list[Block], struck: tuple[tuple[int, int], ...]) -> Plain:
    pieces: list[str] = []
    starts, ends = array("q"), array("q")
    for start, end, shown in _pieces(text, cuts):
        pieces.append(shown or text[start:end])
        starts.extend([start] * len(shown) if shown else range(start, end))
        ends.extend([end] * len(shown) if shown else range(start + 1, end + 1))
    begins = array("q", (bisect_left(starts, block.start) for block in blocks))
    leads, rows = (array("q", column) for column in ((b.lead for b in blocks), (b.row for b in blocks)))
    numbers = {at: block.numbers for at, block in enumerate(blocks) if block.numbers}
    return Plain("".join(pieces), starts, ends, begins, leads, rows, struck, numbers)
