"""Searching what is stored: the index where it can be believed, exact search where it cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from sekisho.errors import InputError
from sekisho.events import EventLog
from sekisho.records import Chunk
from sekisho.retrieval.chunking import chunk_spans
from sekisho.retrieval.embeddings import Document
from sekisho.retrieval.encoder import Embedder, Vectors
from sekisho.retrieval.index import IndexUnusable, VectorIndex, open_index
from sekisho.retrieval.lexical import tokens
from sekisho.retrieval.search import Corpus
from sekisho.retrieval.store import EmbeddingStore
from sekisho.sentences import sentences
from sekisho.text.stemming import english_stem

_NEAREST = 50


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage found: `text` is `original[start:end]` of its document; `signals` are z-scores that add to `score`."""

    id: str
    kind: str
    source: str
    start: int
    end: int
    text: str
    score: float
    signals: dict[str, float]


class Searcher:
    """Hybrid search over the live chunks of some documents; everything is read once and then kept.

    `InputError` where chunks are of another embedding model than the encoder's: never mixed, refused until indexed.
    """

    def __init__(
        self, documents: Sequence[Document], store: EmbeddingStore, embedder: Embedder, index_folder: Path
    ) -> None:
        self._texts = {(document.kind, document.source): document for document in documents}
        self._store = store
        self._embedder = embedder
        self._folder = index_folder

    @cached_property
    def index(self) -> VectorIndex | str:
        """The index, or the reason why exact search stands in for it."""
        try:
            return open_index(self._folder, self._embedder.fingerprint, self._vectors[0])
        except IndexUnusable as error:
            return str(error)

    def search(self, query: str, *, k: int = 10) -> list[Passage]:
        """The k best passages, best first, ties by id."""
        if not self._chunks:
            return []
        vector = query_vector(query, self._embedder)
        hits = self._corpus.search(query, vector, k=k, nearest=self._nearest(vector))
        by_id = {f"{chunk.kind}:{chunk.id}": chunk for chunk in self._chunks}
        return [self._passage(by_id[hit.id], hit.score, hit.signals) for hit in hits]

    def has_words_of(self, query: str) -> bool:
        """Whether a passage has a word of a query; how they count: `excerpt`."""
        stems, telling = _query_stems(query)
        return not (telling or stems).isdisjoint(_stems(self._corpus.words))

    def rank_sources(self, query: str) -> list[str]:
        """All sources, most relevant first by the best of their passages."""
        return list(dict.fromkeys(passage.source for passage in self.search(query, k=len(self._chunks))))

    @cached_property
    def _chunks(self) -> list[Chunk]:
        live = [chunk for chunk in self._store.chunks() if self._is_current(chunk)]
        for chunk in live:
            if chunk.fingerprint != self._embedder.fingerprint:
                raise InputError(
                    "indexed with another embedding model",
                    item=chunk.id,
                    remedy="run `sekisho run` to index with this one, or set SEKISHO_EMBEDDING_MODEL back",
                )
        have = set(self._vectors[0])
        return [chunk for chunk in live if chunk.text_sha256 in have]

    def _is_current(self, chunk: Chunk) -> bool:
        document = self._texts.get((chunk.kind, chunk.source))
        return document is not None and document.sha256 == chunk.document_sha256

    @cached_property
    def _vectors(self) -> tuple[list[str], Vectors]:
        return self._store.vectors(self._embedder.fingerprint)

    @cached_property
    def _corpus(self) -> Corpus:
        hashes, vectors = self._vectors
        row = {digest: number for number, digest in enumerate(hashes)}
        ids = [f"{chunk.kind}:{chunk.id}" for chunk in self._chunks]
        return Corpus(
            ids, [self._text(chunk) for chunk in self._chunks], vectors[[row[c.text_sha256] for c in self._chunks]]
        )

    def _nearest(self, vector: Vectors) -> list[int] | None:
        """Rows of the corpus that the index finds nearest; None where it cannot be believed."""
        if isinstance(self.index, str):
            return None
        try:
            near = set(self.index.search(vector, _NEAREST))
        except IndexUnusable:
            return None
        return [number for number, chunk in enumerate(self._chunks) if chunk.text_sha256 in near]

    def _text(self, chunk: Chunk) -> str:
        return self._texts[chunk.kind, chunk.source].text[chunk.start : chunk.end]

    def _passage(self, chunk: Chunk, score: float, signals: dict[str, float]) -> Passage:
        place = {"kind": chunk.kind, "source": chunk.source, "start": chunk.start, "end": chunk.end}
        return Passage(id=chunk.id, text=self._text(chunk), score=score, signals=signals, **place)  # type: ignore[arg-type]


def query_vector(query: str, embedder: Embedder) -> Vectors:
    """A query's unit vector, shape (dim,); one longer than the model can hold is the mean of its pieces."""
    spans = chunk_spans(query, embedder.token_spans, embedder.max_tokens)
    pieces = [query[start:end] for start, end in spans] or [query]
    mean = embedder.encode_queries(pieces).mean(axis=0)
    return np.ascontiguousarray(mean / max(float(np.linalg.norm(mean)), 1e-12), dtype=np.float32)


def excerpt(text: str, query: str) -> str:
    """A passage from the sentence on that shares most words with a query; the first of several, whole without any.

    English words count by their stems, and those that every text has (how, to) only where the others say no more.
    """
    stems, telling = _query_stems(query)
    spans = sentences(text)
    found = [_stems(tokens(span.of(text))) for span in spans]
    shared = [(len(telling & own), len(stems & own)) for own in found]
    if not shared or max(shared) == (0, 0):
        return text
    return text[spans[shared.index(max(shared))].start :]


def _query_stems(query: str) -> tuple[set[str], set[str]]:
    """The stems of a query's words, and of those alone that not every English text has."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # late, as all that is needed for searching alone

    words = set(tokens(query))
    return _stems(words), _stems(words - ENGLISH_STOP_WORDS)


def _stems(words: Iterable[str]) -> set[str]:
    return {english_stem(word) for word in words}


def make_ranker(searcher: Searcher, events: EventLog) -> Callable[[str], list[str]]:
    """Sources by relevance to a question; where the search fails none, so that words alone decide, and an event."""

    def ranked(question: str) -> list[str]:
        try:
            return searcher.rank_sources(question)
        except Exception as error:
            events.emit("retrieval_failed", reason=f"{type(error).__name__}: {error}")
            return []

    return ranked
