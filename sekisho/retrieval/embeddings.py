"""Embedding documents: what has not changed is neither cut, encoded nor stored again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sekisho.errors import SekishoError
from sekisho.events import EventLog
from sekisho.hashing import sha256_text
from sekisho.records import Chunk, KnowledgeBase, PortalView
from sekisho.retrieval.chunking import chunk_spans
from sekisho.retrieval.encoder import Embedder, Vectors
from sekisho.retrieval.store import EmbeddingStore

_SLICE = 256  # texts encoded between two commits: what a killed run loses at most


@dataclass(frozen=True, slots=True)
class Document:
    """A text to be found again; `kind` tells notes from decisions and views."""

    kind: str
    source: str
    text: str
    sha256: str


def documents_in(base: KnowledgeBase) -> list[Document]:
    """The sources of a knowledge base as documents."""
    return [Document("note", source.source, source.text, source.sha256) for source in base.sources]


def view_documents(views: Sequence[PortalView]) -> list[Document]:
    """The portal views as documents."""
    return [Document("view", view.view_id, view.doc_text, view.sha256) for view in views]


@dataclass(frozen=True, slots=True)
class Embedded:
    """What one embedding pass came to; counts of distinct texts."""

    fingerprint: str
    chunks: int
    texts: int
    encoded: int


def embed_documents(
    documents: Sequence[Document], encoder: Embedder, store: EmbeddingStore, events: EventLog
) -> Embedded:
    """Bring chunks and vectors in line with the documents; vectors are committed every 256 texts.

    Chunks of changed and removed documents go with them, and vectors that no chunk needs. Raises `SekishoError`
    where the model gives vectors that are not finite.
    """
    fingerprint = encoder.fingerprint
    live = {(chunk.kind, chunk.source): chunk for chunk in store.chunks()}
    wanted = {(document.kind, document.source): document for document in documents}
    changed = [
        document
        for key, document in sorted(wanted.items())
        if key not in live or (live[key].document_sha256, live[key].fingerprint) != (document.sha256, fingerprint)
    ]
    gone = sorted({*(live.keys() - wanted.keys()), *((d.kind, d.source) for d in changed)})
    events.begin("embed")  # to cut a document the model is loaded, which takes seconds
    if changed or gone:
        limit = encoder.max_tokens if changed else 0
        store.replace_chunks(gone, [chunk for document in changed for chunk in _cut(document, encoder, limit)])
    missing = store.missing(fingerprint)
    texts = _texts(missing, documents)
    events.begin("embed", of=len(texts))
    for done, (hashes, vectors) in enumerate(_encode(texts, encoder), start=1):
        store.upsert(fingerprint, hashes, vectors)
        events.emit("embed", ok=True, encoded=min(done * _SLICE, len(texts)), of=len(texts))
    store.prune()
    chunks = store.chunks()
    return Embedded(fingerprint, len(chunks), len({chunk.text_sha256 for chunk in chunks}), len(texts))


def check_vectors(vectors: Vectors, count: int) -> None:
    """`SekishoError` where vectors have not one finite, non-zero row for each of `count` texts."""
    if vectors.ndim != 2 or vectors.shape[0] != count:
        raise SekishoError(f"the model gave vectors of shape {vectors.shape} for {count} texts")
    if not np.isfinite(vectors).all() or not np.linalg.norm(vectors, axis=1).all():
        raise SekishoError("the model gave a vector that is not finite or is zero", remedy="try dtype float32")


def _cut(document: Document, encoder: Embedder, limit: int) -> Iterator[Chunk]:
    for number, (start, end) in enumerate(chunk_spans(document.text, encoder.token_spans, limit)):
        yield Chunk(
            id=f"{document.source}#c{number}",
            kind=document.kind,
            source=document.source,
            start=start,
            end=end,
            text_sha256=sha256_text(document.text[start:end]),
            document_sha256=document.sha256,
            fingerprint=encoder.fingerprint,
        )


def _texts(missing: Sequence[Chunk], documents: Sequence[Document]) -> dict[str, str]:
    """Each text that lacks a vector once, by its hash, shortest first so that batches hardly need padding."""
    whole = {(document.kind, document.source): document.text for document in documents}
    texts: dict[str, str] = {}
    for chunk in missing:
        text = whole.get((chunk.kind, chunk.source), "")[chunk.start : chunk.end]
        if sha256_text(text) == chunk.text_sha256:  # another run may have cut the document anew meanwhile
            texts[chunk.text_sha256] = text
    return dict(sorted(texts.items(), key=lambda item: (len(item[1]), item[0])))


def _encode(texts: dict[str, str], encoder: Embedder) -> Iterator[tuple[list[str], Vectors]]:
    hashes = list(texts)
    for start in range(0, len(hashes), _SLICE):
        part = hashes[start : start + _SLICE]
        vectors = encoder.encode([texts[digest] for digest in part])
        check_vectors(vectors, len(part))
        yield part, vectors
