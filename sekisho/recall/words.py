"""Past decisions by the words they share with a draft, prepared once as sparse matrices."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sekisho.decision import Decision
from sekisho.recall.terms import terms

Scores = NDArray[np.float32]
_K1, _B = 1.5, 0.75
_LARGE, _COMMON = 10_000, 0.1  # terms of over a tenth of a large log tell little apart, and cost nearly all the time


class WordIndex:
    """Decisions to be scored by the terms they share with a query; all scores have shape (count,).

    `bm25` is that of Robertson and Zaragoza (2009) with Lucene's idf, a query's term counting 1 + ln(times): a draft
    is no keyword query. `tfidf` is the cosine with 1 + ln(tf). `names` is the share of a title, its terms weighed by
    squared idf, that the query mentions.
    """

    def __init__(self, decisions: Sequence[Decision]) -> None:
        records = _Counts([Counter(terms(f"{one.title}\n{one.body}")) for one in decisions])
        names = _Counts([Counter(set(_name(one))) for one in decisions])
        length = records.column_sums(records.often)
        norm = _K1 * (1 - _B + _B * length / max(float(length.mean()) if len(length) else 0.0, 1.0))
        idf = np.log1p((records.count - records.spread + 0.5) / (records.spread + 0.5))
        weights = (1 + np.log(records.often)) * records.idf[records.rows]
        squares = names.idf[names.rows] ** 2
        self._count = len(decisions)
        self._words, self._names = records.telling(), names.telling()
        self._idf = records.idf
        self._bm25 = records.matrix(idf[records.rows] * records.often / (records.often + norm[records.columns]))
        self._tfidf = records.matrix(weights / np.sqrt(records.column_sums(weights**2))[records.columns])
        self._titles = names.matrix(squares / names.column_sums(squares)[names.columns])

    def scores(self, query: str) -> dict[str, Scores]:
        """The scores of all decisions for a query, by the signal's name."""
        often = Counter(terms(query))
        rows, damped = _rows(self._words, often, lambda times: 1 + np.log(times))
        cosine = damped * self._idf[rows]
        named, once = _rows(self._names, often, np.ones_like)
        return {
            "bm25": self._sum(self._bm25, rows, damped),
            "tfidf": self._sum(self._tfidf, rows, cosine / max(float(np.linalg.norm(cosine)), 1e-12)),
            "names": self._sum(self._titles, named, once),
        }

    def _sum(self, matrix: Any, rows: NDArray[np.int32], weights: Scores) -> Scores:
        return np.asarray(matrix[rows].T @ weights) if len(rows) else np.zeros(self._count, dtype=np.float32)


class _Counts:
    """How often each term occurs in each of some texts: a sparse matrix, one row a term, as its three arrays."""

    def __init__(self, texts: Sequence[Mapping[str, int]]) -> None:
        self.count = len(texts)
        self.vocabulary = {word: row for row, word in enumerate(sorted({word for words in texts for word in words}))}
        self.rows = np.array([self.vocabulary[word] for words in texts for word in words], dtype=np.int32)
        self.columns = np.repeat(np.arange(self.count, dtype=np.int32), [len(words) for words in texts])
        self.often = np.array([times for words in texts for times in words.values()], dtype=np.float32)
        self.spread = np.bincount(self.rows, minlength=len(self.vocabulary)).astype(np.float32)
        self.idf = (np.log((1 + self.count) / (1 + self.spread)) + 1).astype(np.float32)

    def telling(self) -> dict[str, int]:
        """The rows of the terms that a query is compared by."""
        most = self.count if self.count <= _LARGE else self.count * _COMMON
        return {word: row for word, row in self.vocabulary.items() if self.spread[row] <= most}

    def column_sums(self, values: Scores) -> Scores:
        return np.bincount(self.columns, values, minlength=self.count).astype(np.float32)

    def matrix(self, values: NDArray[np.floating]) -> Any:
        from scipy.sparse import csr_matrix  # late, as all that only ranking needs

        shape = (len(self.vocabulary), self.count)
        return csr_matrix((values.astype(np.float32), (self.rows, self.columns)), shape=shape)


def _rows(
    vocabulary: Mapping[str, int], often: Mapping[str, int], weigh: Callable[[Scores], Scores]
) -> tuple[NDArray[np.int32], Scores]:
    """The rows of a query's terms, in a fixed order so that sums are too, and the weight of each."""
    known = sorted((vocabulary[word], times) for word, times in often.items() if word in vocabulary)
    times = np.array([times for _, times in known], dtype=np.float32)
    return np.array([row for row, _ in known], dtype=np.int32), weigh(times).astype(np.float32)


def _name(decision: Decision) -> Iterable[str]:
    """The terms that a decision goes by: its title's, and those that its file's name adds to them."""
    path = PurePosixPath(decision.path)
    stem = path.parent.name if path.stem.casefold() in ("readme", "index") else path.stem
    return [*terms(decision.title), *(term for term in terms(re.sub(r"[-_]", " ", stem)) if not term.isdigit())]
