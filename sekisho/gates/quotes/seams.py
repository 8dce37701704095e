"""Whether a quote goes over the end of a row, an item or a paragraph so that pieces read as if they were one."""

from __future__ import annotations

import re

from sekisho.gates.quotes.prepared import Prepared, letters

# What shows in the quote that something ends there.
_SHOWN = re.compile("[.!?。:：;；,、…」』)\\]\"'-]\\Z")
_HEADING = re.compile(r"(?:\A|[\r\n])[ \t>]*#{1,6}[ \t]+\Z")
_BREAK = re.compile(r"[^\S\r\n]*(?:\r\n|\r|\n)[^\S\r\n]*")


def is_apart(source: Prepared, block: tuple[int, int, int], first: int, last: int) -> bool:
    """Whether `source.text[first:last]`, which begins in a block, puts pieces together that are no neighbours.

    Over the end of a table's row both rows must be whole; over any other end that no stop shows, both sentences.
    """
    number, start, end = block
    final, final_start, final_end = source.block(last - 1)
    row, row_start, _ = source.row(number)
    last_row, _, row_end = source.row(final)
    if row != last_row:
        begins_within = row >= 0 and _says(source.text[row_start:first])
        return begins_within or (last_row >= 0 and _says(source.text[last:row_end]))
    if row >= 0:
        return False
    if _is_unseen(source, start, end) and _says(source.text[source.sentence(first, number, start, end)[0] : first]):
        return True
    if _joins_headings(source, start, end, last):
        return True
    before = source.block(final_start - 1)
    if _heads(source, before[1]) or not _is_unseen(source, before[1], final_start):
        return False
    return _says(source.text[last : source.sentence(last - 1, final, final_start, final_end)[1]])


def _says(words: str) -> bool:
    return bool(letters(words).strip(".。[]"))


def _is_unseen(source: Prepared, start: int, end: int) -> bool:
    """Whether nothing in the words shows that one block ends and that another one begins at `end`."""
    block = source.text[start:end].rstrip()
    if not block or _SHOWN.search(block):
        return False
    between = source.original[source.words.ends[start + len(block) - 1] : source.words.starts[end]]
    return not _BREAK.fullmatch(between) and (bool(between.strip()) or not source.text[end].islower())


def _joins_headings(source: Prepared, start: int, end: int, last: int) -> bool:
    """Whether a stretch, whose first block is `start` to `end`, puts two headings together as one phrase."""
    while last > end:
        if _is_unseen(source, start, end) and _heads(source, start) and _heads(source, end):
            return True
        start, end = source.block(end)[1:]
    return False


def _heads(source: Prepared, at: int) -> bool:
    begin = source.words.starts[at]
    return _HEADING.search(source.original, max(0, begin - 20), begin) is not None
