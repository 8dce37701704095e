"""Past decisions by meaning: one vector each from the store, nothing is encoded anew."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sekisho.decision import Decision
from sekisho.hashing import sha256_text
from sekisho.retrieval.embeddings import Document
from sekisho.retrieval.encoder import Vectors
from sekisho.retrieval.index import IndexUnusable, VectorIndex, open_index
from sekisho.retrieval.store import EmbeddingStore

KIND = "decision"
_EMBEDDED = 1000  # characters of the body: vectors of whole records added nothing to the words


def decision_documents(decisions: Sequence[Decision]) -> list[Document]:
    """The decisions as what is embedded of them: the title and the beginning of the body."""
    texts = [f"{one.title}\n\n{one.body[:_EMBEDDED]}" for one in decisions]
    return [Document(KIND, one.id, text, sha256_text(text)) for one, text in zip(decisions, texts, strict=True)]


class DecisionVectors:
    """The unit vectors, shape (count, dim), of those of some decisions that have a current one; of chunks their mean.

    `rows`, sorted, says which decisions they are. A decision lacks one where its text changed, or a chunk of it was
    not encoded, since. `lost` is how many were encoded as they are and have no usable vector all the same.
    """

    def __init__(
        self, decisions: Sequence[Decision], store: EmbeddingStore, fingerprint: str, index_folder: Path
    ) -> None:
        self._fingerprint = fingerprint
        self._folder = index_folder
        self._hashes, vectors = store.vectors(fingerprint)
        place = {digest: number for number, digest in enumerate(self._hashes)}
        wanted = {document.source: document.sha256 for document in decision_documents(decisions)}
        pieces: dict[str, list[str]] = {}
        for chunk in store.chunks():
            current = (chunk.document_sha256, chunk.fingerprint) == (wanted.get(chunk.source), fingerprint)
            if chunk.kind == KIND and current:
                pieces.setdefault(chunk.source, []).append(chunk.text_sha256)
        self._pieces = {
            row: pieces[one.id]
            for row, one in enumerate(decisions)
            if one.id in pieces and all(digest in place for digest in pieces[one.id])
        }
        self.lost = len(pieces) - len(self._pieces)
        self.rows = np.array(list(self._pieces), dtype=np.int64)
        self._matrix = _means([[place[digest] for digest in own] for own in self._pieces.values()], vectors)
        self._place = np.full(len(decisions), -1, dtype=np.int64)
        self._place[self.rows] = np.arange(len(self.rows))

    @cached_property
    def index(self) -> VectorIndex | str:
        """The index, or the reason why exact search stands in for it."""
        try:
            return open_index(self._folder, self._fingerprint, self._hashes)
        except IndexUnusable as error:
            return str(error)

    def nearest(self, vector: Vectors, k: int) -> NDArray[np.int64] | None:
        """The rows of decisions that a piece among the k nearest is of; None where the index cannot be believed."""
        if isinstance(self.index, str):
            return None
        try:
            found = self.index.search(vector, k)
        except IndexUnusable:
            return None
        return np.array(sorted({row for digest in found for row in self._owners.get(digest, ())}), dtype=np.int64)

    def cosines(self, vector: Vectors, rows: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
        """The cosine of a query, shape (dim,), to each decision, or to some rows, sorted; NaN without a vector."""
        if rows is None:
            rows = np.arange(len(self._place))
        found = np.full(len(rows), np.nan)
        known = self._place[rows] >= 0
        if known.any():
            places = self._place[rows[known]]
            whole = len(places) == len(self._matrix)  # rows are unique: then all of them, and no copy
            found[known] = self._matrix @ vector if whole else self._matrix[places] @ vector
        return found

    def spread(self, vector: Vectors, without: NDArray[np.int64]) -> tuple[float, float]:
        """Mean and standard deviation of the cosines to all decisions but some, without computing them.

        By the vectors' mean and second moment, which take the time of one small product however many there are.
        """
        out = self.cosines(vector, without)
        out = out[~np.isnan(out)]
        left = len(self._matrix) - len(out)
        if left < 1:
            return 0.0, 0.0
        first, second = self._moments
        query = vector.astype(np.float64)
        mean = (float(first @ query) - out.sum()) / left
        square = (float(query @ second @ query) - (out**2).sum()) / left
        return mean, float(np.sqrt(max(square - mean**2, 0.0)))

    @cached_property
    def _owners(self) -> dict[str, list[int]]:
        owners: dict[str, list[int]] = {}
        for row, own in self._pieces.items():
            for digest in own:
                owners.setdefault(digest, []).append(row)
        return owners

    @cached_property
    def _moments(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self._matrix.sum(axis=0, dtype=np.float64), (self._matrix.T @ self._matrix).astype(np.float64)


def _means(groups: Sequence[Sequence[int]], vectors: Vectors) -> Vectors:
    """The mean of each group of vectors, of length one."""
    if not groups:
        return np.empty((0, vectors.shape[1]), dtype=np.float32)
    starts = np.cumsum([0, *map(len, groups)])[:-1]
    sums = np.add.reduceat(vectors[[place for group in groups for place in group]], starts, axis=0)
    return np.ascontiguousarray(sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12))
