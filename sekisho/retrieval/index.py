"""The hnswlib index beside DuckDB: verified before it is believed, and replaced as a whole."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from sekisho.errors import SekishoError
from sekisho.hashing import sha256_file, sha256_json
from sekisho.publish import DAMAGED, set_aside, write_atomically
from sekisho.retrieval.encoder import Vectors

_SPACE = "ip"  # vectors are of length one, so the inner product is the cosine
_PARAMETERS = {"M": 16, "ef_construction": 200, "random_seed": 100}
_EF = 100  # 10 again after every load
_PROBES = 20
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


class IndexBehind(IndexUnusable):
    """The same, where nothing is wrong with it: it is missing, older than the vectors, or of another model."""


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

    A few added and deleted texts change a copy of the last index; more of them, or an index that is stale, broken or
    does not find what it holds, make a new one. Built by one thread with a fixed seed; written aside, checked, and
    only then renamed: the last index stays readable until the new one is. `SekishoError` where the disk refuses.
    """
    if not hashes:
        shutil.rmtree(folder, ignore_errors=True)
        return None
    last = _last(folder, fingerprint, hashes)
    if last and last.manifest.generation == generation_of(fingerprint, hashes):
        if last.manifest.dim == vectors.shape[1] and _finds_itself(last, hashes, vectors):
            return last.manifest
        last = None
    try:
        changed = last and _changed(last, hashes, vectors)
        made = changed and _publish(folder, fingerprint, hashes, vectors, *changed)
        made = made or _publish(folder, fingerprint, hashes, vectors, *_built(hashes, vectors))
        if made:
            return made
    except OSError as error:
        raise SekishoError(
            f"cannot be written: {error.strerror}", file=folder, remedy="check rights and space"
        ) from None
    raise SekishoError("the index was cut short while it was written", file=folder, remedy="check the free space")


def _last(folder: Path, fingerprint: str, hashes: Sequence[str]) -> VectorIndex | None:
    """The last index of this model, even if it is older than the vectors; one that is damaged is set aside."""
    try:
        last = _open_current(folder, fingerprint)
        with contextlib.suppress(IndexBehind):
            _check_texts(last, fingerprint, hashes)
        return last
    except IndexBehind:
        return None
    except IndexUnusable:
        with contextlib.suppress(SekishoError):  # it is replaced all the same
            set_aside(folder, folder.parent / DAMAGED)
        return None


def _publish(
    folder: Path, fingerprint: str, hashes: Sequence[str], vectors: Vectors, labels: list[str], index: object
) -> Manifest | None:
    """Write an index aside, open it again, and make it the current one where it finds what it holds."""
    generation = generation_of(fingerprint, hashes)
    folder.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{generation}.", dir=folder))
    try:
        index.save_index(str(aside / "vectors.hnsw"))  # type: ignore[attr-defined]
        manifest = Manifest(
            generation=generation,
            fingerprint=fingerprint,
            dim=int(vectors.shape[1]),
            space=_SPACE,
            count=len(hashes),
            labels=tuple(labels),
            parameters=_PARAMETERS,
            sha256=sha256_file(aside / "vectors.hnsw"),
        )
        write_atomically(aside / "manifest.json", manifest.model_dump_json())
        if not _finds_itself(_load(aside, fingerprint), hashes, vectors):
            return None
        shutil.rmtree(folder / generation, ignore_errors=True)
        aside.chmod(0o755)  # as all else in the state folder; a temporary one is its maker's alone
        aside.rename(folder / generation)
    except IndexUnusable:
        return None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    write_atomically(folder / "current", generation + "\n")
    for old in folder.iterdir():
        if old.is_dir() and old.name != generation:
            shutil.rmtree(old, ignore_errors=True)
    return manifest


def _finds_itself(index: VectorIndex, hashes: Sequence[str], vectors: Vectors) -> bool:
    """Whether a few of the texts are found by their own vectors; an equal vector will do."""
    row = {digest: number for number, digest in enumerate(hashes)}
    try:
        for number in range(0, len(hashes), max(1, len(hashes) // _PROBES)):
            (found,) = index.search(vectors[number], 1)
            if float(vectors[row[found]] @ vectors[number]) < 0.999:
                return False
    except (IndexUnusable, KeyError, ValueError):
        return False
    return True


def open_index(folder: Path, fingerprint: str, hashes: Sequence[str]) -> VectorIndex:
    """The current index, checked against its manifest, the model and the texts that now have vectors.

    `IndexUnusable` says what is wrong: missing, of another model, stale, or not what was written.
    """
    opened = _open_current(folder, fingerprint)
    _check_texts(opened, fingerprint, hashes)
    return opened


def _check_texts(opened: VectorIndex, fingerprint: str, hashes: Sequence[str]) -> None:
    if opened.manifest.generation != generation_of(fingerprint, hashes):
        raise IndexBehind("the index is older than the vectors")
    if sorted(filter(None, opened.manifest.labels)) != sorted(hashes):
        raise IndexUnusable("the manifest does not hold the texts it is named after")


def _open_current(folder: Path, fingerprint: str) -> VectorIndex:
    try:
        name = (folder / "current").read_text(encoding="ascii").strip()
    except FileNotFoundError as error:
        raise IndexBehind(_missing(error)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise IndexUnusable(_missing(error)) from None
    if not re.fullmatch("[0-9a-f]{16}", name):
        raise IndexUnusable("there is no readable index (its name is none)")
    return _load(folder / name, fingerprint)


def _missing(error: Exception) -> str:
    return "there is no index yet" if isinstance(error, FileNotFoundError) else "there is no readable index"


def _load(path: Path, fingerprint: str) -> VectorIndex:
    import hnswlib

    try:
        manifest = Manifest.model_validate_json((path / "manifest.json").read_bytes())
        digest = sha256_file(path / "vectors.hnsw")
    except (OSError, ValidationError) as error:
        raise IndexUnusable(_missing(error)) from None
    if digest != manifest.sha256:
        raise IndexUnusable("the index file is not what was written")
    if manifest.parameters != _PARAMETERS:
        raise IndexUnusable("the manifest names other parameters")
    if (manifest.fingerprint, manifest.space) != (fingerprint, _SPACE):
        raise IndexBehind("the index is of another embedding model")
    try:
        index = hnswlib.Index(space=manifest.space, dim=manifest.dim)
        index.load_index(str(path / "vectors.hnsw"))
    except (RuntimeError, TypeError, ValueError, OverflowError, MemoryError) as error:
        raise IndexUnusable(f"the index cannot be loaded: {error}") from None
    if index.get_current_count() != len(manifest.labels) or manifest.count != sum(map(bool, manifest.labels)):
        raise IndexUnusable("the index holds another number of vectors than its manifest")
    return VectorIndex(manifest, index)


def _changed(last: VectorIndex, hashes: Sequence[str], vectors: Vectors) -> tuple[list[str], object] | None:
    """The last index with a few texts added and deleted; None where a new one is better."""
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


def manifest_summary(manifest: Manifest) -> dict[str, object]:
    """The manifest without its labels, for people."""
    summary: dict[str, object] = json.loads(manifest.model_dump_json(exclude={"labels"}))
    return summary
