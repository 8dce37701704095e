"""How the words of an asked text and those of labels cover each other, rare words counting for more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sekisho.mapping.grams import Floats, Ints, add_rows
from sekisho.mapping.index import Index
from sekisho.mapping.softwords import SoftWords
from sekisho.mapping.words import Name

_CELLS = 16_000_000  # of the rows that are kept: 64 MB


class _Word(NamedTuple):
    """How surely each label, and each record by what stands above it, has a word; what the word weighs."""

    in_label: Floats
    in_above: Floats
    weight: float


class Coverage(NamedTuple):
    """`covered`: what part of a text each label has; `covers`: what part of each label the text has."""

    covered: Floats
    covers: Floats
    in_label: Floats  # words x labels
    in_above: Floats  # words x records
    weights: Floats

    def with_context(self, labels: Ints, owners: Ints) -> Floats:
        """What part of the text labels have, or, faded, the ancestors of their records."""
        value = np.maximum(self.in_label[:, labels], self.in_above[:, owners])
        return np.asarray(self.weights @ value, dtype=np.float32)


class Coverages:
    """Computes coverages over one index; what labels have a word is worked out once for each word."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._soft = SoftWords(index)
        self._known: dict[str, _Word] = {}
        self._most = max(64, _CELLS // max(1, len(index.texts) + index.above.shape[1]))
        self._rarest = float(index.word_idf.max(initial=1))

    def of(self, name: Name) -> Coverage:
        """The coverage of one text, whatever else is asked for."""
        index = self._index
        words = list(dict.fromkeys(name.words))
        known = [self._word(word) for word in words]
        weights = np.array([word.weight for word in known], dtype=np.float32)
        total = weights.sum()
        in_label = np.stack([word.in_label for word in known])
        covered = np.asarray(weights / total @ in_label, dtype=np.float32)
        said: dict[int, float] = {}
        for word in words:
            for at, weight in self._soft[word].items():
                said[at] = min(1.0, said.get(at, 0.0) + weight)
        places = sorted(said)
        reached = add_rows(index.by_word, places, [said[at] * float(index.word_idf[at]) for at in places])
        # One word of the text is one word of the label, however many of its words it could be.
        covers = np.minimum(reached, covered * total) / np.maximum(index.mass, 1e-6)
        return Coverage(covered, covers, in_label, np.stack([word.in_above for word in known]), weights / total)

    def _word(self, word: str) -> _Word:
        if word not in self._known:
            if len(self._known) >= self._most:
                self._known.clear()
            self._known[word] = self._look_up(word)
        return self._known[word]

    def _look_up(self, word: str) -> _Word:
        index, row = self._index, self._soft[word]
        places = sorted(row)
        weights = [row[at] for at in places]
        return _Word(
            np.minimum(add_rows(index.by_word, places, weights), 1),
            np.minimum(add_rows(index.above, places, weights), 1),
            self._rarity(places, weights),
        )

    def _rarity(self, places: Sequence[int], weights: Sequence[float]) -> float:
        """The weight of a word: that of what it most likely stands for; the highest of all where it is unknown."""
        if not places:
            return self._rarest
        best = max(weights)
        idf = self._index.word_idf
        return max(float(idf[at]) for at, weight in zip(places, weights, strict=True) if weight == best)
