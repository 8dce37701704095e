"""A quote marked in the text of its source: the whole text where it is short, else a window around the quote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sekisho.evidence.shown import weight
from sekisho.records import SourceText

WHOLE = 6_000  # characters of a source that are shown for one quote at the most; a longer quote is shown all the same
LEAST = 600
ALL_PLACES = 8_000_000  # the same over all quotes, with marks: with more than 1,333 less is shown around each

Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Marked:
    """What is shown of a source for one quote: `before`, the `quote`, `after`.

    `number` names it on the page, from 1. `start` and `end` are the quote's offsets in the source, `first` and `last`
    those of what is shown, of `length` characters in all.
    """

    number: int
    source: str
    path: str
    reader: str
    start: int
    end: int
    first: int
    last: int
    length: int
    before: str
    quote: str
    after: str

    @property
    def is_whole(self) -> bool:
        """Whether all of the source is shown."""
        return self.first == 0 and self.last == self.length


class Places:
    """The places of quotes on a page, each once however many quotes it has; `add` numbers them, `marked` shows them."""

    def __init__(self, sources: Mapping[str, SourceText]) -> None:
        self._sources = sources
        self._numbers: dict[Place, int] = {}

    def add(self, source: str, start: int, end: int) -> int:
        """The number of a place, from 1; 0 where the source on record has no such place."""
        found = self._sources.get(source)
        if found is None or not 0 <= start < end <= len(found.text):
            return 0
        return self._numbers.setdefault((source, start, end), len(self._numbers) + 1)

    def marked(self) -> tuple[Marked, ...]:
        """Every place that was added, by its number."""
        room = min(WHOLE, max(LEAST, ALL_PLACES // max(1, len(self._numbers))))
        return tuple(
            _mark(self._sources[source], start, end, number, room)
            for (source, start, end), number in self._numbers.items()
        )


def _mark(source: SourceText, start: int, end: int, number: int, room: int) -> Marked:
    text = source.text
    first, last = _around(text, start, end, room)
    return Marked(
        number=number,
        source=source.source,
        path=source.path,
        reader=source.reader,
        start=start,
        end=end,
        first=first,
        last=last,
        length=len(text),
        before=text[first:start],
        quote=text[start:end],
        after=text[end:last],
    )


def _around(text: str, start: int, end: int, room: int) -> tuple[int, int]:
    """The window of a quote; a smaller one where characters that cannot be seen would make it longer than `room`."""
    quote, most = end - start, max(0, room - (end - start))
    first, last = _window(len(text), start, end, room)
    while room > quote and weight(text[first:start]) + weight(text[end:last]) > most:
        room = max(quote, room // 2)
        first, last = _window(len(text), start, end, room)
    return first, last


def _window(length: int, start: int, end: int, room: int) -> tuple[int, int]:
    """The offsets of `room` characters of a text with the quote in their middle; what one side lacks the other gets."""
    if length <= room:
        return 0, length
    spare = max(0, room - (end - start))
    before = min(start, max(spare // 2, spare - (length - end)))
    return start - before, min(length, end + spare - before)
