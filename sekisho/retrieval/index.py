"""The hnswlib index beside DuckDB: verified before it is believed, and replaced as a whole."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from sekisho.hashing import sha256_json
from sekisho.publish import write_atomically
from sekisho.retrieval.encoder import Vectors

_SPACE = "ip"  # vectors are of length one, so the inner product is the cosine
_PARAMETERS = {"M": 16, "ef_construction": 200, "random_seed": 100}
_EF = 100  # 10 again after every load
_MOST_CHANGED = 0.3  # above this share of dead or new vectors a new index is the better one


class Manifest(BaseModel):
    """What an index holds, and what it must be checked against; hnswlib itself checks none of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    generation: str
    fingerprint: str
    dim: int
    space: str
    count: int
    labels: tuple[str, ...]
    parameters: dict[str, int]
    sha256: str


class IndexUnusable(Exception):
    """An index that must not be believed; its message is the reason. Readers fall back to exact search."""


class VectorIndex:
    """Nearest texts by approximate search; labels are text hashes, a label of "" is a deleted one."""

    def __init__(self, manifest: Manifest, index: object) -> None:
        self.manifest = manifest
        self._index = index

    def search(self, vector: Vectors, k: int) -> list[str]:
        """The hashes of at most k nearest texts of a unit vector of shape (dim,)."""
        k = min(k, self.manifest.count)
        if k < 1:
            return []
        if vector.shape != (self.manifest.dim,) or not np.isfinite(vector).all():
            raise IndexUnusable(f"a query of shape {vector.shape} for an index of dimension {self.manifest.dim}")
        self._index.set_ef(max(_EF, 2 * k))  # type: ignore[attr-defined]
        labels, _ = self._index.knn_query(vector, k=k, num_threads=1)  # type: ignore[attr-defined]
        return [self.manifest.labels[label] for label in labels[0]]


def generation_of(fingerprint: str, hashes: Sequence[str]) -> str:
    """The name of the index over these texts and this model: the same content has the same name."""
    return sha256_json([fingerprint, list(hashes), _SPACE, _PARAMETERS])[:16]


def update_index(folder: Path, fingerprint: str, hashes: Sequence[str], vectors: Vectors) -> Manifest | None:
    """Bring the index under `folder` in line with the vectors, row by row of `hashes`; None where there are none.

    A few added and deleted texts change a copy of the last index; more of them, or an index that is stale or broken,
    make a new one. Built by one thread with a fixed seed; written aside, checked again and renamed.
    """
    generation = generation_of(fingerprint, hashes)
    if not hashes:
        shutil.rmtree(folder, ignore_errors=True)
        return None
    try:
        return open_index(folder, fingerprint, hashes).manifest
    except IndexUnusable:
        pass
    labels, index = _changed(folder, fingerprint, hashes, vectors) or _built(hashes, vectors)
    aside = folder / f".{generation}.new"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    index.save_index(str(aside / "vectors.hnsw"))  # type: ignore[attr-defined]
    manifest = Manifest(
        generation=generation,
        fingerprint=fingerprint,
        dim=int(vectors.shape[1]),
        space=_SPACE,
        count=len(hashes),
        labels=tuple(labels),
        parameters=_PARAMETERS,
        sha256=_sha256(aside / "vectors.hnsw"),
    )
    write_atomically(aside / "manifest.json", manifest.model_dump_json())
    shutil.rmtree(folder / generation, ignore_errors=True)
    aside.rename(folder / generation)
    write_atomically(folder / "current", generation + "\n")
    open_index(folder, fingerprint, hashes)
    for old in folder.iterdir():
        if old.is_dir() and old.name != generation:
            shutil.rmtree(old, ignore_errors=True)
    return manifest


def open_index(folder: Path, fingerprint: str, hashes: Sequence[str]) -> VectorIndex:
    """The current index, checked against its manifest, the model and the texts that now have vectors.

    `IndexUnusable` says what is wrong: missing, of another model, stale, or not what was written.
    """
    opened = _open_current(folder, fingerprint)
    if opened.manifest.generation != generation_of(fingerprint, hashes):
        raise IndexUnusable("the index is older than the vectors")
    if sorted(filter(None, opened.manifest.labels)) != sorted(hashes):
        raise IndexUnusable("the manifest does not hold the texts it is named after")
    return opened


def _open_current(folder: Path, fingerprint: str) -> VectorIndex:
    import hnswlib

    try:
        path = folder / (folder / "current").read_text(encoding="ascii").strip()
        manifest = Manifest.model_validate_json((path / "manifest.json").read_bytes())
        digest = _sha256(path / "vectors.hnsw")
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise IndexUnusable(f"there is no readable index ({type(error).__name__})") from None
    if digest != manifest.sha256:
        raise IndexUnusable("the index file is not what was written")
    if (manifest.fingerprint, manifest.space) != (fingerprint, _SPACE):
        raise IndexUnusable("the index is of another embedding model")
    index = hnswlib.Index(space=manifest.space, dim=manifest.dim)
    try:
        index.load_index(str(path / "vectors.hnsw"))
    except RuntimeError as error:
        raise IndexUnusable(f"the index cannot be loaded: {error}") from None
    if index.get_current_count() != len(manifest.labels) or manifest.count != sum(map(bool, manifest.labels)):
        raise IndexUnusable("the index holds another number of vectors than its manifest")
    return VectorIndex(manifest, index)


def _changed(
    folder: Path, fingerprint: str, hashes: Sequence[str], vectors: Vectors
) -> tuple[list[str], object] | None:
    """The last index with a few texts added and deleted; None where a new one is better."""
    try:
        last = _open_current(folder, fingerprint)
    except IndexUnusable:
        return None
    labels = list(last.manifest.labels)
    wanted = set(hashes)
    dead = [label for label, digest in enumerate(labels) if digest and digest not in wanted]
    known = set(labels)
    added = [row for row, digest in enumerate(hashes) if digest not in known]
    removed = len(dead) + sum(not digest for digest in labels)
    if last.manifest.dim != vectors.shape[1] or removed + len(added) > _MOST_CHANGED * len(hashes):
        return None
    index = last._index
    index.resize_index(len(labels) + len(added))  # type: ignore[attr-defined]
    for label in dead:
        index.mark_deleted(label)  # type: ignore[attr-defined]
        labels[label] = ""
    if added:
        numbers = np.arange(len(labels), len(labels) + len(added))
        index.add_items(vectors[added], numbers, num_threads=1)  # type: ignore[attr-defined]
    return [*labels, *(hashes[row] for row in added)], index


def _built(hashes: Sequence[str], vectors: Vectors) -> tuple[list[str], object]:
    import hnswlib

    index = hnswlib.Index(space=_SPACE, dim=int(vectors.shape[1]))
    index.init_index(max_elements=len(hashes), **_PARAMETERS)
    index.set_num_threads(1)
    index.add_items(vectors, np.arange(len(hashes)), num_threads=1)
    return list(hashes), index


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def manifest_summary(manifest: Manifest) -> dict[str, object]:
    """The manifest without its labels, for people."""
    summary: dict[str, object] = json.loads(manifest.model_dump_json(exclude={"labels"}))
    return summary
