"""What must be true of vectors and index; none of it blocks, for readers fall back to exact search."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sekisho.gates.finding import Finding
from sekisho.records import Chunk
from sekisho.retrieval.encoder import Vectors
from sekisho.retrieval.index import IndexUnusable, open_index

_SAMPLE = 200
_NEIGHBOURS = 10
_LEAST_RECALL = 0.95


def vectors_match_chunks(
    chunks: Sequence[Chunk], fingerprint: str, hashes: Sequence[str], vectors: Vectors
) -> list[Finding]:
    """Findings where a live chunk has no vector of this model, a vector no chunk, or a vector is no direction."""
    gate = "vectors_match_chunks"
    wanted = {chunk.text_sha256: chunk.id for chunk in chunks}
    have = set(hashes)
    findings = [Finding(gate, name, f"no vector for {name}") for digest, name in wanted.items() if digest not in have]
    findings += [
        Finding(gate, digest, f"a vector of no chunk: {digest[:12]}") for digest in sorted(have - wanted.keys())
    ]
    findings += [
        Finding(gate, chunk.id, f"cut for another embedding model: {chunk.id}")
        for chunk in chunks
        if chunk.fingerprint != fingerprint
    ]
    if len(hashes):
        lengths = np.linalg.norm(vectors, axis=1)
        bad = [hashes[int(row)] for row in np.flatnonzero(~(np.abs(lengths - 1) < 1e-2))]
        findings += [Finding(gate, digest, f"a vector that is not of length one: {digest[:12]}") for digest in bad]
    return findings


def index_is_fresh(folder: Path, fingerprint: str, hashes: Sequence[str]) -> list[Finding]:
    """A finding where the index is missing, stale, broken or of another model."""
    if not hashes:
        return []
    try:
        open_index(folder, fingerprint, hashes)
    except IndexUnusable as error:
        return [Finding("index_is_fresh", "vector_index", f"{error}: materialise vector_index")]
    return []


def index_finds_itself(folder: Path, fingerprint: str, hashes: Sequence[str], vectors: Vectors) -> list[Finding]:
    """A finding where, over a sample, the index finds under 95 % of the ten nearest that exact search finds."""
    gate = "index_finds_itself"
    if not hashes:
        return []
    try:
        index = open_index(folder, fingerprint, hashes)
        rows = np.unique(np.linspace(0, len(hashes) - 1, min(_SAMPLE, len(hashes))).astype(int))
        k = min(_NEIGHBOURS, len(hashes))
        found = 0
        for row in rows:
            scores = vectors @ vectors[row]
            least = np.partition(scores, -k)[-k]  # ties count: whichever of them is named is right
            near = {hashes[int(i)] for i in np.flatnonzero(scores >= least - 1e-6)}
            found += len(near.intersection(index.search(vectors[row], k)))
    except IndexUnusable as error:
        return [Finding(gate, "vector_index", str(error))]
    recall = found / (len(rows) * k)
    if recall < _LEAST_RECALL:
        return [Finding(gate, "vector_index", f"recall {recall:.3f} < {_LEAST_RECALL} over {len(rows)} texts")]
    return []
