"""Which words of a catalogue a word of a query may stand for, and how surely."""

from __future__ import annotations

from functools import cached_property

from rapidfuzz import fuzz, process

from sekisho.mapping.index import Index
from sekisho.mapping.lexicon import NEAR
from sekisho.mapping.weights import DEEP, FUZZY, FUZZY_FLOOR, NEARLY
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
        for near in self._near.get(word, ()):
            for at in index.stems.get(deep(near), ()):
                found.setdefault(at, NEARLY)
        if not any(weight >= DEEP for weight in found.values()) and len(word) > 3 and not is_cjk(word):
            for _, score, at in process.extract(
                word, index.words, scorer=fuzz.ratio, score_cutoff=100 * FUZZY_FLOOR, limit=_KEPT
            ):
                if not is_designator(index.words[at]):
                    weight = FUZZY * (score / 100 - FUZZY_FLOOR) / (1 - FUZZY_FLOOR)
                    found[at] = max(found.get(at, 0.0), weight)
        return found

    @cached_property
    def _near(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for group in NEAR:
            words = [light(word) for word in group.split()]
            for word in words:
                found.setdefault(word, []).extend(other for other in words if other != word)
        return found
