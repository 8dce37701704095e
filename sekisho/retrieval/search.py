"""Hybrid search: dense, BM25 and TF-IDF scores, each as z-scores over the union of their best, added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sekisho.retrieval.encoder import Vectors
from sekisho.retrieval.lexical import tokens

Scores = NDArray[np.float64]
_BEST = 50  # of each signal, per query


@dataclass(frozen=True, slots=True)
class Hit:
    """One passage found: its id, the fused score, and each signal's z-score."""

    id: str
    score: float
    signals: dict[str, float]


class Corpus:
    """Passages to be searched; lexical indices are made when they are first needed.

    `ids` order ties; `vectors`, shape (count, dim), may be None: then words alone decide.
    """

    def __init__(self, ids: Sequence[str], texts: Sequence[str], vectors: Vectors | None = None) -> None:
        self.ids = list(ids)
        self._texts = list(texts)
        self._vectors = vectors

    def search(
        self, query: str, vector: Vectors | None = None, *, k: int = 10, nearest: Sequence[int] | None = None
    ) -> list[Hit]:
        """The k best passages, best first, ties by id; `vector` is the query's, shape (dim,).

        `nearest` may hold the rows that an index found; without it all vectors are compared.
        """
        if not self.ids:
            return []
        signals = {"bm25": self._bm25(query), "tfidf": self._tfidf(query)}
        best = {name: _top(scores) for name, scores in signals.items()}
        if vector is not None and self._vectors is not None:
            signals["dense"] = (self._vectors @ vector).astype(np.float64)
            best["dense"] = np.asarray(nearest, dtype=np.int64) if nearest is not None else _top(signals["dense"])
        rows = np.unique(np.concatenate(list(best.values())))
        scaled = {name: _z(scores[rows]) for name, scores in sorted(signals.items())}
        total = np.sum(list(scaled.values()), axis=0)
        order = sorted(range(len(rows)), key=lambda i: (-round(float(total[i]), 9), self.ids[rows[i]]))[:k]
        return [
            Hit(self.ids[rows[i]], float(total[i]), {name: float(values[i]) for name, values in scaled.items()})
            for i in order
        ]

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the passages."""
        return frozenset(word for words in self._tokens for word in words)

    def _bm25(self, query: str) -> Scores:
        words = [word for word in tokens(query) if word in self._bm25_index.vocab_dict]
        if not words:
            return np.zeros(len(self.ids))
        return np.asarray(self._bm25_index.get_scores(words), dtype=np.float64)

    @cached_property
    def _tokens(self) -> list[list[str]]:
        return [tokens(text) for text in self._texts]

    @cached_property
    def _bm25_index(self):  # type: ignore[no-untyped-def]  # bm25s has no types
        import bm25s  # late, as all that is needed for searching alone

        index = bm25s.BM25()
        index.index(self._tokens, show_progress=False)
        return index

    def _tfidf(self, query: str) -> Scores:
        vectorizer, matrix = self._tfidf_index
        return np.asarray((matrix @ vectorizer.transform([tokens(query)]).T).toarray()[:, 0], dtype=np.float64)

    @cached_property
    def _tfidf_index(self):  # type: ignore[no-untyped-def]  # scikit-learn has no types
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectorizer = TfidfVectorizer(analyzer=lambda words: words, sublinear_tf=True)
        return vectorizer, vectorizer.fit_transform(self._tokens)


def _top(scores: Scores) -> NDArray[np.int64]:
    return np.argsort(-scores, kind="stable")[:_BEST].astype(np.int64)


def _z(scores: Scores) -> Scores:
    spread = float(scores.std())
    return np.zeros_like(scores) if spread == 0 else (scores - scores.mean()) / spread
