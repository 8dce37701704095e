"""The installation: Python, the packages, the index's library, the embedding model."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib import metadata

import numpy as np
from packaging.requirements import Requirement

from sekisho.doctor.diagnosis import Check, Diagnosis, ok, wrong
from sekisho.retrieval.encoder import encoder_of
from sekisho.settings import Settings

_NAMED = ("dagster", "duckdb", "sentence-transformers", "torch", "instructor")
_AGAIN = "pip install -c constraints.txt -e . in the checkout"


def installation_checks(settings: Settings) -> list[tuple[str, Check]]:
    """Whether what is installed fits, and works."""
    return [
        ("python", _python),
        ("packages", _packages),
        ("hnswlib", _index_library),
        ("embedding model", lambda: _embedding_model(settings)),
    ]


def _python() -> Iterator[Diagnosis]:
    yield ok("installation", "python", f"Python {platform.python_version()} at {sys.executable}")


def _packages() -> Iterator[Diagnosis]:
    bad = False
    for line in metadata.requires("sekisho") or []:
        wanted = Requirement(line)
        if wanted.marker is not None and not wanted.marker.evaluate({"extra": ""}):
            continue
        found = _version(wanted.name)
        if not found or not wanted.specifier.contains(found, prereleases=True):
            bad = True
            told = f"{wanted.name} {found or 'is missing'}, where {wanted} is needed"
            yield wrong("installation", "packages", told, _AGAIN)
    if not bad:
        named = ", ".join(f"{name} {_version(name)}" for name in _NAMED)
        yield ok("installation", "packages", f"sekisho {_version('sekisho')} with {named}")


def _index_library() -> Iterator[Diagnosis]:
    import hnswlib

    index = hnswlib.Index(space="ip", dim=2)
    index.init_index(max_elements=1)
    index.add_items(np.eye(1, 2, dtype=np.float32), [7], num_threads=1)
    labels, _ = index.knn_query(np.eye(1, 2, dtype=np.float32), k=1, num_threads=1)
    if int(labels[0][0]) != 7:
        yield wrong("installation", "hnswlib", "does not find what it holds", "pip install --force-reinstall hnswlib")
    else:
        yield ok("installation", "hnswlib", "built and working; no compiler is needed any more")


def _embedding_model(settings: Settings) -> Iterator[Diagnosis]:
    encoder = encoder_of(settings)
    encoder.check()
    vectors = encoder.encode(["A short text.", "短い文。"])
    lengths = np.linalg.norm(vectors, axis=1)  # of NaN is NaN, which is close to nothing
    if vectors.shape[0] != 2 or not np.allclose(lengths, 1, atol=0.02):
        remedy = "set SEKISHO_EMBEDDING_DTYPE=float32, or name another SEKISHO_EMBEDDING_MODEL"
        yield wrong("installation", "embedding model", "its vectors are not finite or not of length one", remedy)
        return
    name = settings.embedding_model or "all-MiniLM-L6-v2, as a package"
    told = f"{name} encodes on the processor: dimension {vectors.shape[1]}, up to {encoder.max_tokens} tokens a text"
    yield ok("installation", "embedding model", told)


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""
