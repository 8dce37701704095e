"""What lies in the data folder, seen cheaply: what is new, changed or removed since the last ingest.

The ingest writes what it found beside its rows; whoever watches the folder compares with that. A file is taken as
unchanged by size and modification time, and by its content where only the time differs.
"""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sekisho.hashing import sha256_file
from sekisho.publish import write_atomically
from sekisho.sources.folder import DataFolder
from sekisho.sources.notes import walk

DOCUMENTS = ("notes", "decisions", "drafts", "portal_views", "catalogue")
CONFIGURATION = ("sekisho.yaml", "notes.schema.yaml", "questions.yaml")
_MOST_READ = 2**30  # bytes; the tick of a sensor has one minute


class Stamp(NamedTuple):
    """A file's size in bytes and modification time in nanoseconds; -1 and 0 for what no ingest would read."""

    size: int
    mtime_ns: int


_UNREAD = Stamp(-1, 0)


class Ingested(NamedTuple):
    """A file as an ingest found it; `sha256` of its bytes is empty where they could not be read."""

    stamp: Stamp
    sha256: str


@dataclass(frozen=True, slots=True)
class Changes:
    """Paths below the data folder, each list in order."""

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.new or self.changed or self.removed)


@dataclass(frozen=True, slots=True)
class Inventory:
    """The documents and configuration files of a data folder with their stamps, by path below it."""

    root: Path
    stamps: Mapping[str, Stamp]

    @property
    def digest(self) -> str:
        """The SHA-256 of paths and stamps: another one where anything was touched."""
        lines = (f"{path}\0{stamp.size}\0{stamp.mtime_ns}\n" for path, stamp in sorted(self.stamps.items()))
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()

    def emptied(self, removed: Iterable[str]) -> list[str]:
        """The folders of documents from which files were removed and in which none is left."""
        names = {name for path in removed for name in DOCUMENTS if path.startswith(f"{name}/")}
        return sorted(name for name in names if not any(path.startswith(f"{name}/") for path in self.stamps))

    def changes_since(self, before: Mapping[str, Ingested]) -> Changes:
        """What differs from an ingest; reads a file only where its time alone does, and a gigabyte at the most."""
        both = self.stamps.keys() & before.keys()
        touched = {path for path in both if self.stamps[path] != before[path].stamp}
        resized = {path for path in touched if self.stamps[path].size != before[path].stamp.size}
        retimed = touched - resized
        if sum(self.stamps[path].size for path in retimed) <= _MOST_READ:
            retimed = {path for path in retimed if _sha256(self.root / path) != before[path].sha256}
        return Changes(
            new=tuple(sorted(self.stamps.keys() - before.keys())),
            changed=tuple(sorted(resized | retimed)),
            removed=tuple(sorted(before.keys() - self.stamps.keys())),
        )

    def write(self, path: Path) -> None:
        """Keep this inventory as what an ingest found; content is read again only where the stamp is another."""
        before = read_ingested(path)
        files = {name: [*stamp, self._sha256_of(name, before)] for name, stamp in sorted(self.stamps.items())}
        write_atomically(path, json.dumps({"files": files}, indent=0))

    def _sha256_of(self, name: str, before: Mapping[str, Ingested]) -> str:
        known = before.get(name)
        if self.stamps[name] == _UNREAD or (known and known.stamp == self.stamps[name]):
            return known.sha256 if known else ""
        return _sha256(self.root / name)


def take_inventory(folder: DataFolder) -> Inventory:
    """List a data folder by the ingest's own rules; an entry that cannot be looked at is listed and never raises."""
    stamps = {name: _stamp(folder.root / name, folder.root) for name in CONFIGURATION}
    stamps = {name: stamp for name, stamp in stamps.items() if stamp.size >= 0}
    for below in (folder.root / name for name in DOCUMENTS):
        found = [path for path in walk(below) if not folder.excluded(path)] if below.is_dir() else []
        stamps |= {path.relative_to(folder.root).as_posix(): _stamp(path, below) for path in found}
    return Inventory(folder.root, stamps)


def read_ingested(path: Path) -> Mapping[str, Ingested]:
    """The files as the last ingest found them; none where there was no ingest, or where its list cannot be read."""
    try:
        files = json.loads(path.read_bytes())["files"]
        return {name: _ingested(entry) for name, entry in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _ingested(entry: object) -> Ingested:
    match entry:
        case [int(size), int(time), str(sha)] if not isinstance(size, bool) and not isinstance(time, bool):
            return Ingested(Stamp(size, time), sha)
    raise ValueError(entry)


def _stamp(path: Path, inside: Path) -> Stamp:
    try:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            if not path.resolve(strict=True).is_relative_to(inside.resolve()):
                return _UNREAD
            found = path.stat()
    except (OSError, RuntimeError):
        return _UNREAD
    return Stamp(found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else _UNREAD


def _sha256(path: Path) -> str:
    try:
        return sha256_file(path)
    except OSError:
        return ""
