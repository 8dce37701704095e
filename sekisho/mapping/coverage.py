"""How the words of asked texts and those of labels cover each other, rare words counting for more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix

from sekisho.mapping.grams import Floats, Ints
from sekisho.mapping.index import Index
from sekisho.mapping.softwords import SoftWords
from sekisho.mapping.words import Name


class Coverage:
    """`covered`: what part of each text a label has; `covers`: what part of each label a text has. Texts x labels."""

    def __init__(self, index: Index, soft: SoftWords, names: Sequence[Name]) -> None:
        distinct = sorted({word for name in names for word in name.words})
        place = {word: at for at, word in enumerate(distinct)}
        rows = [soft[word] for word in distinct]
        known = _as_rows(rows, len(index.words))
        self._index = index
        self._of = [np.array([place[word] for word in dict.fromkeys(name.words)], dtype=np.int32) for name in names]
        self._weight = np.array([_rarity(index, row) for row in rows], dtype=np.float32)
        self._total = np.array([self._weight[of].sum() for of in self._of], dtype=np.float32)
        self._total[self._total == 0] = 1
        self._in_label = np.minimum((known @ index.by_word).toarray(), 1)
        self._in_above = np.minimum((known @ index.above).toarray(), 1)
        # Sparse on purpose: sums then run in the same order whatever else is asked for at once.
        has = _as_rows([dict.fromkeys(of.tolist(), 1.0) for of in self._of], len(distinct))
        weighted = csr_matrix((self._weight[has.indices], has.indices, has.indptr), has.shape)
        self.covered: Floats = (weighted @ self._in_label) / self._total[:, None]
        said = has @ known
        data = np.minimum(said.data, 1) * index.word_idf[said.indices]
        weighted = csr_matrix((data, said.indices, said.indptr), said.shape)
        covers = (weighted @ index.by_word).toarray()
        # One word of the text is one word of the label, however many of its words it could be.
        self.covers: Floats = np.minimum(covers, self.covered * self._total[:, None]) / np.maximum(index.mass, 1e-6)

    def with_context(self, rows: Ints, labels: Ints) -> Floats:
        """What part of each text a label has, or, faded, the ancestors of its record."""
        sizes = np.array([len(of) for of in self._of])
        begin = np.cumsum(sizes) - sizes
        size = sizes[rows]
        pair = np.repeat(np.arange(len(rows)), size)
        within = np.arange(len(pair)) - np.repeat(np.cumsum(size) - size, size)
        word = np.concatenate(self._of)[begin[rows][pair] + within]
        owner = self._index.owner[labels[pair]]
        value = np.maximum(self._in_label[word, labels[pair]], self._in_above[word, owner]) * self._weight[word]
        return np.asarray(np.bincount(pair, value, len(rows)) / self._total[rows], dtype=np.float32)


def _as_rows(rows: Sequence[dict[int, float]], width: int) -> csr_matrix:
    ordered = [sorted(row.items()) for row in rows]
    starts = np.cumsum([0, *map(len, ordered)]).astype(np.int32)
    columns = np.array([column for row in ordered for column, _ in row], dtype=np.int32)
    values = np.array([value for row in ordered for _, value in row], dtype=np.float32)
    return csr_matrix((values, columns, starts), (len(rows), width))


def _rarity(index: Index, row: dict[int, float]) -> float:
    """The weight of a word: that of what it most likely stands for; the highest of all where it is unknown."""
    if not row:
        return float(index.word_idf.max(initial=1))
    best = max(row.values())
    return max(float(index.word_idf[at]) for at, weight in row.items() if weight == best)
