"""Which words of a catalogue a word of a query may stand for, and how surely."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import takewhile

from rapidfuzz import fuzz, process

from sekisho.mapping.index import Index
from sekisho.mapping.lexicon import NEAR
from sekisho.mapping.weights import BEGUN, BEGUN_FROM, DEEP, EXCHANGED, FUZZY, FUZZY_FLOOR, FUZZY_FLOOR_SHORT, NEARLY
from sekisho.mapping.words import deep, is_cjk, is_designator, light

_KEPT = 8
_MOST = 100_000


class SoftWords:
    """Looks words up, each one once."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._rows: dict[str, dict[int, float]] = {}

    def __getitem__(self, word: str) -> dict[int, float]:
        """The places of the words that it may be, with weights in (0, 1]; its own first where it is known."""
        row = self._rows.get(word)
        if row is None:
            if len(self._rows) > _MOST:
                self._rows.clear()
            row = self._rows[word] = self._look_up(word)
        return row

    def _look_up(self, word: str) -> dict[int, float]:
        index = self._index
        found: dict[int, float] = {}
        own = index.word_places.get(word)
        if own is not None:
            found[own] = 1.0
        if is_designator(word):
            return found
        for at in index.stems.get(deep(word), ()):
            found.setdefault(at, DEEP)
        sure = list(found)
        for at, weight in self._exchanged(sure):
            found[at] = max(found.get(at, 0.0), weight)
        self._add_near(found, word, 1.0)
        if not sure and len(word) >= BEGUN_FROM and not is_cjk(word):
            found |= dict.fromkeys(self._begun(word), BEGUN)
        if not sure and len(word) > 2 and not is_cjk(word):
            self._add_alike(found, word)
        return found

    def _begun(self, word: str) -> list[int]:
        """The words that begin with a text which is no word itself: `cardio` of cardiology."""
        words = self._index.words
        first = bisect_left(words, word)
        return list(takewhile(lambda at: words[at].startswith(word), range(first, len(words))))

    def _exchanged(self, places: Sequence[int]) -> Iterator[tuple[int, float]]:
        for place in places:
            yield from ((other, EXCHANGED) for other in self._pairs.get(place, ()))

    def _add_near(self, found: dict[int, float], word: str, factor: float) -> None:
        for near in self._near.get(word, ()):
            for at in self._index.stems.get(deep(near), ()):
                found[at] = max(found.get(at, 0.0), factor * NEARLY)

    def _add_alike(self, found: dict[int, float], word: str) -> None:
        """The words that a mistyped word may be, and what they stand for."""
        words = self._index.words
        floor = FUZZY_FLOOR if len(word) > 3 else FUZZY_FLOOR_SHORT
        alike = process.extract(word, words, scorer=fuzz.ratio, score_cutoff=100 * floor, limit=_KEPT)
        for _, score, at in sorted(alike, key=lambda one: (-one[1], one[2])):
            if not is_designator(words[at]):
                weight = FUZZY * (score / 100 - FUZZY_FLOOR) / (1 - FUZZY_FLOOR)
                found[at] = max(found.get(at, 0.0), weight)
                self._add_near(found, words[at], weight)

    @cached_property
    def _pairs(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for first, second, _ in self._index.exchanged.tolist():
            found.setdefault(first, []).append(second)
            found.setdefault(second, []).append(first)
        return found

    @cached_property
    def _near(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for group in NEAR:
            words = [light(word) for word in group.split()]
            for word in words:
                found.setdefault(word, []).extend(other for other in words if other != word)
        return found
