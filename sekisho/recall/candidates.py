"""The candidates of recall: the past decisions nearest to a draft, by words, meaning and links, before anyone judges.

The weights are plain numbers for all logs; `benchmarks/recall` says what they come to and how they were chosen.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sekisho.decision import Decision
from sekisho.errors import VectorsUnusable
from sekisho.recall.links import LinkGraph
from sekisho.recall.vectors import DecisionVectors, decision_documents
from sekisho.recall.words import WordIndex
from sekisho.retrieval.encoder import Embedder, Vectors
from sekisho.retrieval.index import VectorIndex
from sekisho.retrieval.searcher import query_vector
from sekisho.retrieval.store import EmbeddingStore

__all__ = ["Candidate", "DecisionFinder", "decision_documents"]

Values = NDArray[np.float64]
Rows = NDArray[np.int64]
_WEIGHTS = {"bm25": 1.0, "tfidf": 1.0, "dense": 0.75, "names": 0.6}
_CITED, _BESIDE = 0.25, 0.15
_BLIND = 3.0  # a model that has no token for a third of a draft says nothing about it
_ALL = 10_000  # up to so many decisions every one gets its full score; of more, the best of each signal
_BEST = 200


@dataclass(frozen=True, slots=True)
class Candidate:
    """One related past decision, before anyone judged it; `signals` add up to `score`."""

    decision: Decision
    score: float
    signals: dict[str, float]


class DecisionFinder:
    """The past decisions most related to a text; everything is read once and then kept.

    A decision without a current vector is ranked by its words, or with `dense_only` left out. `find` raises what the
    embedder raises, and `VectorsUnusable` where no vector can be compared.
    """

    def __init__(
        self,
        decisions: Sequence[Decision],
        store: EmbeddingStore,
        embedder: Embedder,
        index_folder: Path,
        *,
        dense_only: bool = False,
    ) -> None:
        self._decisions = sorted(decisions, key=lambda decision: decision.id)
        self._row = {decision.id: row for row, decision in enumerate(self._decisions)}
        self._store = store
        self._embedder = embedder
        self._folder = index_folder
        self._dense_only = dense_only

    @property
    def indexed(self) -> frozenset[str]:
        """The ids of the decisions that have a current vector."""
        return frozenset(self._decisions[row].id for row in self._vectors.rows)

    @property
    def index(self) -> VectorIndex | str:
        """The index, or the reason why exact search stands in for it."""
        return self._vectors.index

    def find(self, query: str, *, k: int = 20, without: Collection[str] = ()) -> list[Candidate]:
        """The k decisions most related to a text, best first, ties by id; superseded ones too, `without` left out."""
        allowed = np.ones(len(self._decisions), dtype=bool)
        allowed[[self._row[one] for one in without if one in self._row]] = False
        if not allowed.any():
            return []
        vector = query_vector(query, self._embedder)
        self._check_vectors(vector, allowed)
        if self._dense_only:
            rows, signals = self._by_meaning(vector, allowed, k)
        else:
            rows, signals = self._by_all(query, vector, allowed, k)
        total = np.sum(list(signals.values()), axis=0)
        return [
            Candidate(
                self._decisions[rows[i]],
                float(total[i]),
                {name: float(values[i]) for name, values in signals.items()},
            )
            for i in np.lexsort((rows, -total.round(9)))[:k]
        ]

    def _check_vectors(self, vector: Vectors, allowed: NDArray[np.bool_]) -> None:
        """Vectors that are not there yet are made up for by words; ones that should be there are a failure."""
        if not abs(float(np.linalg.norm(vector)) - 1) < 0.02:  # so written, NaN is none either
            raise VectorsUnusable("the embedding model gave no usable vector for the draft", remedy="check the model")
        rows, lost = self._vectors.rows, self._vectors.lost
        if (self._dense_only and not allowed[rows].any()) or (lost and not len(rows)):
            told = f"{lost} of their vectors cannot be used" if lost else "nothing was embedded as it is now"
            count = len(self._decisions)
            raise VectorsUnusable(f"none of {count} decisions has a vector: {told}", remedy="run `sekisho run`")

    def _by_meaning(self, vector: Vectors, allowed: NDArray[np.bool_], k: int) -> tuple[Rows, dict[str, Values]]:
        """What has a vector, and its cosine."""
        rows = self._vectors.rows
        if len(rows) > _ALL:
            near = self._nearest(vector, k + int((~allowed).sum()))
            rows = rows if near is None or int(allowed[near].sum()) < k else near
        rows = rows[allowed[rows]]
        return rows, {"dense": self._vectors.cosines(vector, rows)}

    def _by_all(
        self, query: str, vector: Vectors, allowed: NDArray[np.bool_], k: int
    ) -> tuple[Rows, dict[str, Values]]:
        """The decisions in question, and the signals of each, weighed."""
        words = self._words.scores(query)
        rows = self._in_question(words, vector, allowed, k)
        near = rows if len(rows) == int(allowed.sum()) else self._links.with_neighbours(rows)
        weights = _WEIGHTS | {"dense": _WEIGHTS["dense"] * self._sight(query)}
        scaled = {name: _z(values[near], values[allowed]) for name, values in words.items()}
        scaled["dense"] = self._z_dense(vector, near, allowed)
        parts = {name: weights[name] * scaled[name] for name in weights}
        base = np.zeros(len(allowed))
        base[near] = np.sum(list(parts.values()), axis=0)
        cited = self._links.cited(allowed)
        found = {name: values[np.searchsorted(near, rows)] for name, values in parts.items()}
        found["cited"] = _CITED * _z(cited[rows], cited[allowed])
        found["beside"] = _BESIDE * self._links.beside(base, allowed, rows)
        return rows, found

    def _in_question(
        self, words: dict[str, NDArray[np.float32]], vector: Vectors, allowed: NDArray[np.bool_], k: int
    ) -> Rows:
        """All rows, or of a large log those that are best by one signal."""
        if len(allowed) <= _ALL or k > _BEST // 2:
            return np.flatnonzero(allowed)
        best = [_top(np.where(allowed, values, -np.inf)) for values in words.values()]
        near = self._nearest(vector, _BEST)
        if near is None:
            cosines = self._vectors.cosines(vector)
            near = _top(np.where(allowed & ~np.isnan(cosines), cosines, -np.inf))
        rows = np.unique(np.concatenate([*best, near]))
        return np.asarray(rows[allowed[rows]])

    def _nearest(self, vector: Vectors, k: int) -> Rows | None:
        """What the index finds nearest; None where too little of that are decisions, or it cannot be believed."""
        near = self._vectors.nearest(vector, max(k, _BEST))
        return None if near is None or len(near) < _BEST // 4 else near

    def _z_dense(self, vector: Vectors, rows: Rows, allowed: NDArray[np.bool_]) -> Values:
        """The cosines of some rows in standard deviations from the mean of all allowed, 0 without a vector."""
        cosines = self._vectors.cosines(vector, rows)
        mean, spread = self._vectors.spread(vector, np.flatnonzero(~allowed))
        return np.zeros(len(rows)) if spread < 1e-9 else np.nan_to_num((cosines - mean) / spread)

    def _sight(self, query: str) -> float:
        """How far the embedding model can read a query, from 0 to 1."""
        return max(0.0, 1.0 - _BLIND * self._embedder.unknown_share(query))

    @cached_property
    def _words(self) -> WordIndex:
        return WordIndex(self._decisions)

    @cached_property
    def _links(self) -> LinkGraph:
        return LinkGraph(self._decisions)

    @cached_property
    def _vectors(self) -> DecisionVectors:
        return DecisionVectors(self._decisions, self._store, self._embedder.fingerprint, self._folder)


def _z(scores: NDArray[np.floating], population: NDArray[np.floating]) -> Values:
    """Scores in standard deviations from the mean of a population; 0 where it has none."""
    mean, spread = float(population.mean(dtype=np.float64)), float(population.std(dtype=np.float64))
    return np.zeros(len(scores)) if spread < 1e-9 else np.asarray((scores - mean) / spread, dtype=np.float64)


def _top(scores: NDArray[np.floating]) -> Rows:
    """The rows of the best scores, those as good as the last of them too: which come does not hang on their order."""
    count = min(_BEST, len(scores))
    least = np.partition(scores, -count)[-count]
    return np.flatnonzero(scores >= least) if least > 0 else np.flatnonzero(scores > 0)
