"""The candidates of recall: the past decisions nearest to a draft, by words and by meaning, before anyone judges."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sekisho.decision import Decision
from sekisho.hashing import sha256_text
from sekisho.recall.words import WordIndex
from sekisho.retrieval.embeddings import Document
from sekisho.retrieval.encoder import Embedder, Vectors
from sekisho.retrieval.index import IndexUnusable, VectorIndex, open_index
from sekisho.retrieval.searcher import query_vector
from sekisho.retrieval.store import EmbeddingStore

_EMBEDDED = 1000  # characters of the body: what was measured; vectors of whole records added nothing to the words
_NEAREST = 100  # of the index, per query
_EXACT = 10_000  # up to so many vectors comparing all takes less than a millisecond or two


@dataclass(frozen=True, slots=True)
class Candidate:
    """One related past decision, before anyone judged it; `signals` are z-scores by name."""

    decision: Decision
    score: float
    signals: dict[str, float]


def decision_documents(decisions: Sequence[Decision]) -> list[Document]:
    """The decisions as what is embedded of them: the title and the beginning of the body."""
    return [Document("decision", one.id, text, sha256_text(text)) for one in decisions for text in [_embedded(one)]]


class DecisionFinder:
    """The past decisions nearest to a text; everything is read once and then kept.

    A decision without a current vector is ranked by its words, or with `dense_only` left out. `find` raises what the
    embedder raises.
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
        self._store = store
        self._embedder = embedder
        self._folder = index_folder
        self._dense_only = dense_only

    @property
    def indexed(self) -> frozenset[str]:
        """The ids of the decisions that have a current vector."""
        return frozenset(self._decisions[row].id for row in self._vectors.rows)

    @cached_property
    def index(self) -> VectorIndex | str:
        """The index, or the reason why exact search stands in for it."""
        try:
            fingerprint = self._embedder.fingerprint
            return open_index(self._folder, fingerprint, self._store.hashes(fingerprint))
        except IndexUnusable as error:
            return str(error)

    def find(self, query: str, *, k: int = 20, without: Collection[str] = ()) -> list[Candidate]:
        """The k decisions most related to a text, best first, ties by id; superseded ones too, `without` left out."""
        allowed = np.array([decision.id not in without for decision in self._decisions], dtype=bool)
        dense = self._dense(query_vector(query, self._embedder)) if self._decisions else np.empty(0)
        signals = {"dense": dense} if self._dense_only else self._words.scores(query) | {"dense": dense}
        if self._dense_only:
            allowed &= ~np.isnan(dense)
        rows = np.flatnonzero(allowed)
        scaled = {name: _z(values[rows]) for name, values in signals.items()}
        total = np.sum(list(scaled.values()), axis=0) if len(rows) else np.empty(0)
        order = np.lexsort((rows, -total.round(9)))[:k]
        return [
            Candidate(
                self._decisions[rows[i]],
                float(total[i]),
                {name: float(values[i]) for name, values in scaled.items()},
            )
            for i in order
        ]

    def _dense(self, vector: Vectors) -> NDArray[np.float64]:
        """The cosine of each decision to a query, NaN where it has no vector."""
        found = np.full(len(self._decisions), np.nan)
        if len(self._vectors.rows):
            found[self._vectors.rows] = self._vectors.matrix @ vector
        return found

    @cached_property
    def _words(self) -> WordIndex:
        return WordIndex([decision.text for decision in self._decisions])

    @cached_property
    def _vectors(self) -> _DecisionVectors:
        return _read_vectors(self._decisions, self._store, self._embedder.fingerprint)


@dataclass(frozen=True, slots=True)
class _DecisionVectors:
    """One unit vector, shape (dim,), for each of some rows of the decisions."""

    rows: NDArray[np.int64]
    matrix: Vectors


def _read_vectors(decisions: Sequence[Decision], store: EmbeddingStore, fingerprint: str) -> _DecisionVectors:
    """The vectors of the decisions whose every chunk is current and has one; of several chunks their mean."""
    hashes, vectors = store.vectors(fingerprint)
    place = {digest: number for number, digest in enumerate(hashes)}
    wanted = {document.source: document.sha256 for document in decision_documents(decisions)}
    pieces: dict[str, list[str]] = {}
    for chunk in store.chunks():
        current = (chunk.document_sha256, chunk.fingerprint) == (wanted.get(chunk.source), fingerprint)
        if chunk.kind == "decision" and current:
            pieces.setdefault(chunk.source, []).append(chunk.text_sha256)
    rows, means = [], []
    for row, decision in enumerate(decisions):
        own = pieces.get(decision.id, [])
        if own and all(digest in place for digest in own):
            mean = vectors[[place[digest] for digest in own]].mean(axis=0)
            rows.append(row)
            means.append(mean / max(float(np.linalg.norm(mean)), 1e-12))
    dim = vectors.shape[1]
    matrix = np.asarray(means, dtype=np.float32).reshape(len(rows), dim)
    return _DecisionVectors(np.asarray(rows, dtype=np.int64), matrix)


def _embedded(decision: Decision) -> str:
    return f"{decision.title}\n\n{decision.body[:_EMBEDDED]}"


def _z(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores less their mean, in standard deviations; what has none is at the mean."""
    known = ~np.isnan(scores)
    scaled = np.zeros(len(scores))
    spread = float(scores[known].std()) if known.any() else 0.0
    if spread > 1e-12:
        scaled[known] = (scores[known] - scores[known].mean()) / spread
    return scaled
