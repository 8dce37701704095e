"""A source made ready once for many quotes: its words without marks, their places, blocks and sentences."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property

from sekisho.sentences import sentence_starts
from sekisho.text.folding import Folded, fold
from sekisho.text.lines import own_lines
from sekisho.text.markup import plain

# What may stand between two letters of a source and be missing in a quote of it, or the other way round.
LOOSE = " -+*_`#>|\\•・◦‣▪●○"
_MARKS = frozenset('"()')
_NO_MARKS = str.maketrans('"()', "   ")
_REACH = 1000
_CELL = 60


class Prepared:
    """One source; `words` are its folded words without marks, whose `starts` and `ends` point into the original.

    `denials` is kept by those who look at its blocks: what denies a block from outside it, by the block's number.
    """

    def __init__(self, original: str, with_struck: bool = True) -> None:
        self.original = original
        shown = plain(original, with_struck)
        folded = fold(shown.text)
        self.words = Folded(
            folded.text,
            array("q", map(shown.starts.__getitem__, folded.starts)),
            array("q", [shown.ends[end - 1] for end in folded.ends]),
        )
        self.text = folded.text
        self._blocks = array("q", (bisect_left(folded.starts, at) for at in shown.blocks))
        self._leads, self._rows = shown.leads, shown.rows
        self._struck, self._numbers = shown.struck, shown.numbers
        self._sentences: dict[int, list[int]] = {}
        self._lines: set[int] = set()
        self.denials: dict[int, str] = {}

    @cached_property
    def raw(self) -> Folded:
        """The folded original with all its marks."""
        return fold(self.original)

    @cached_property
    def letters(self) -> str:
        """The words without white space and without all that may be a mark."""
        return letters(self.text)

    @cached_property
    def places(self) -> array[int]:
        """Where each of the `letters` stands in the words."""
        return array("q", (match.start() for match in _FIRM.finditer(self.text)))

    @cached_property
    def amended(self) -> Prepared | None:
        """The same source without what is crossed out, where anything is."""
        return Prepared(self.original, with_struck=False) if self._struck else None

    def block(self, at: int) -> tuple[int, int, int]:
        """The number of the block that holds a place of the words, and its bounds."""
        number = max(0, bisect_right(self._blocks, at) - 1)
        start = self._blocks[number] if self._blocks else 0
        end = self._blocks[number + 1] if number + 1 < len(self._blocks) else len(self.text)
        return number, start, end

    def has_number(self, at: int, number: str) -> bool:
        """Whether a place of the words is where an item of a list begins, and its number the given one."""
        block, start, _ = self.block(at)
        return number in self._numbers.get(block, ()) and not letters(self.text[start:at])

    def is_numbered(self, at: int) -> bool:
        """Whether a place of the words is where an item of a numbered list begins."""
        block, start, _ = self.block(at)
        return bool(self._numbers.get(block)) and not letters(self.text[start:at])

    def row(self, number: int) -> tuple[int, int, int]:
        """The table's row in which a block is a cell, or -1, and the row's bounds."""
        row = self._rows[number] if self._rows else -1
        low, high = number, number + 1
        while row >= 0 and low and self._rows[low - 1] == row:
            low -= 1
        while row >= 0 and high < len(self._rows) and self._rows[high] == row:
            high += 1
        return row, self._blocks[low], self._blocks[high] if high < len(self._blocks) else len(self.text)

    def leads(self, number: int) -> Iterator[str]:
        """The block that introduces the list or column in which a block is an item or a cell, and what introduces it in
        its turn."""
        lead = self._leads[number] if self._leads else -1
        while lead >= 0:
            end = self._blocks[lead + 1]
            yield self.text[max(self._blocks[lead], end - _REACH) : end].strip()
            lead = self._leads[lead]

    def beside(self, number: int, first: int, last: int) -> Iterator[str]:
        """The cells of a block's row that a stretch of the words does not touch."""
        row = self._rows[number] if self._rows else -1
        if row < 0:
            return
        low, high = number, number + 1
        while low and self._rows[low - 1] == row:
            low -= 1
        while high < len(self._rows) and self._rows[high] == row:
            high += 1
        for cell in range(low, high):
            start, end = self.block(self._blocks[cell])[1:]
            if end <= first or start >= last:
                yield self.text[start : min(end, start + _CELL)].strip()

    def sentence(self, place: int, number: int, start: int, end: int) -> tuple[int, int]:
        """The bounds of the sentence that holds a place of the words, in the block that `block` gave for it."""
        if number not in self._sentences:
            found = {start + at for at in _sentences(self.text[start:end])}
            self._sentences[number] = sorted(found | self._own_lines(start, end))
        starts = self._sentences[number]
        at = bisect_right(starts, place) - 1
        first = starts[at] if at >= 0 else start
        last = starts[at + 1] if at + 1 < len(starts) else end
        return first, last

    def is_own_line(self, at: int) -> bool:
        """Whether a place of the words begins a line that does not go on with the line before it."""
        return at in self._lines

    def _own_lines(self, start: int, end: int) -> set[int]:
        if start >= end:
            return set()
        first, last = self.words.starts[start], self.words.ends[end - 1]
        found = {bisect_left(self.words.starts, at) for at in own_lines(self.original, first, last)}
        self._lines |= found
        return found

    def is_struck(self, start: int, end: int) -> bool:
        """Whether a stretch of the original was crossed out."""
        at = bisect_right(self._struck, (start, len(self.original))) - 1
        return at >= 0 and end <= self._struck[at][1]

    def words_at(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the words that comes from a stretch of the original."""
        return bisect_left(self.words.starts, start), bisect_left(self.words.starts, end)


def _sentences(block: str) -> list[int]:
    """Where the sentences of a block begin, also between quotation marks or brackets, where the segmenter sees none."""
    starts = set(sentence_starts(block))
    if not _MARKS.isdisjoint(block):
        inner = sentence_starts(block.translate(_NO_MARKS))
        starts |= {at - 1 if at and block[at - 1] in '"(' else at for at in inner}
    return sorted(starts)


_FIRM = re.compile(f"[^{re.escape(LOOSE)}]")


def letters(words: str) -> str:
    """Folded words without white space and without all that may be a mark."""
    for mark in LOOSE:  # several times as fast as str.translate
        words = words.replace(mark, "")
    return words
