"""The index of a catalogue on disk: one file for each catalogue and version, checked as it is read."""

from __future__ import annotations

import os
import tempfile
import zipfile
import zlib
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from sekisho.catalogue import Catalogue
from sekisho.hashing import sha256_text
from sekisho.mapping.index import Index

_SUFFIX = ".index.npz"
_KEPT = 8  # files in a folder: the last written, of other catalogues and of earlier versions
_OWNER = "catalogue"  # a file that was renamed is not used
_TEXTS = ("texts", "joined", "words", "grams", "starts", "signatures")
_MODULES = ("building", "grams", "index", "initials", "lexicon", "words")
_MATRICES = ("by_word", "by_gram", "by_start", "above")


def load_index(folder: Path, catalogue: Catalogue) -> Index | None:
    """The kept index of a catalogue; None where there is none that is whole and of this version."""
    try:
        with np.load(_path(folder, catalogue), allow_pickle=False) as kept:
            arrays = dict(kept.items())
            if arrays.pop(_OWNER).tobytes().decode("ascii") != catalogue.sha256:
                return None
            return _index(arrays)
    except (OSError, ValueError, KeyError, EOFError, UnicodeDecodeError, zipfile.BadZipFile, zlib.error):
        return None


def save_index(folder: Path, catalogue: Catalogue, index: Index) -> None:
    """Keep an index, whole or not at all; a folder that cannot be written to costs only the time to build it again."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=folder, prefix=".index.")
        try:
            with os.fdopen(handle, "wb") as file:
                own: dict[str, Any] = {_OWNER: np.frombuffer(catalogue.sha256.encode("ascii"), dtype=np.uint8)}
                np.savez(file, **_arrays(index), **own)
            Path(aside).replace(_path(folder, catalogue))
            _clear(folder)
        except BaseException:
            Path(aside).unlink(missing_ok=True)
            raise


def _clear(folder: Path) -> None:
    """Delete all but the last written files of a folder; what another process deletes meanwhile is gone too."""
    written: list[tuple[int, str, Path]] = []
    for path in folder.glob(f"*{_SUFFIX}"):
        with suppress(FileNotFoundError):
            written.append((path.stat().st_mtime_ns, path.name, path))
    for _, _, path in sorted(written)[:-_KEPT]:
        path.unlink(missing_ok=True)


def _path(folder: Path, catalogue: Catalogue) -> Path:
    return folder / f"{sha256_text(f'{catalogue.sha256} {_version()}')[:32]}{_SUFFIX}"


def _version() -> str:
    """A digest of the code that an index comes from: another one, and it is built again."""
    here = Path(__file__).parent
    return sha256_text("".join((here / f"{name}.py").read_text("utf-8") for name in _MODULES))


def _arrays(index: Index) -> dict[str, Any]:
    arrays: dict[str, Any] = {}
    for field in fields(index):
        value = getattr(index, field.name)
        if field.name in _TEXTS:
            arrays[field.name] = np.frombuffer("\n".join(value).encode("utf-8"), dtype=np.uint8)
            arrays[f"{field.name}.count"] = np.array(len(value))
        elif field.name in _MATRICES:
            arrays |= {f"{field.name}.{part}": getattr(value, part) for part in ("data", "indices", "indptr")}
            arrays[f"{field.name}.shape"] = np.array(value.shape)
        else:
            arrays[field.name] = value
    return arrays


def _index(arrays: dict[str, Any]) -> Index:
    values: dict[str, Any] = {}
    for field in fields(Index):
        name = field.name
        if name in _TEXTS:
            count = int(arrays[f"{name}.count"])
            values[name] = tuple(arrays[name].tobytes().decode("utf-8").split("\n")) if count else ()
            if len(values[name]) != count:
                raise ValueError(name)
        elif name in _MATRICES:
            data, indices, indptr = (arrays[f"{name}.{part}"] for part in ("data", "indices", "indptr"))
            values[name] = csr_matrix((data, indices, indptr), tuple(arrays[f"{name}.shape"].tolist()))
        else:
            values[name] = arrays[name]
    return Index(**values)
