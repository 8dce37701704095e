"""Which of somebody's own files a new data folder takes, and which it leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sekisho.errors import InputError
from sekisho.sources.decisions import load_decisions
from sekisho.sources.documents import SUFFIXES
from sekisho.sources.notes import Unreadable, decode, load_notes
from sekisho.text import printable

_TABLES = {".tsv": "\t", ".csv": ","}
_OTHER_CATALOGUES = frozenset({".obo", ".owl"})


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that is not taken, by its path below the folder of its kind."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Taken:
    """Paths below a folder that are taken, in order, and what is left out."""

    root: Path
    paths: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def take_notes(root: Path, encodings: tuple[str, ...], inside: Path) -> Taken:
    """The notes below a folder that can be read, of two with one source id the first; never what lies in `inside`.

    `InputError` where there is no folder or nothing that can be read.
    """
    _present(root, "--notes")
    nested = inside != root and inside.is_relative_to(root)
    taken: dict[str, str] = {}
    left_out = []
    for note in load_notes(root, encodings=encodings, excluded=lambda path: nested and path.is_relative_to(inside)):
        if note.status == "unreadable":
            left_out.append(LeftOut(note.path, _without_remedy(note.problem, note.path)))
        elif note.source in taken:
            left_out.append(LeftOut(note.path, f"has the source id of {taken[note.source]}: rename one of them"))
        else:
            taken[note.source] = note.path
    if not taken:
        told = "; ".join(f"{printable(one.path)}: {one.reason}" for one in left_out[:3])
        raise InputError(
            f"no note can be read here{f' ({told})' if told else ''}", file=root, remedy="name a folder of documents"
        )
    return Taken(root, tuple(taken.values()), tuple(left_out))


def take_decisions(root: Path, encodings: tuple[str, ...]) -> Taken:
    """The decision records below a folder; `InputError` where there is none."""
    _present(root, "--decisions")
    found, files = load_decisions(root, encodings=encodings)
    if not found:
        raise InputError("no decision record is found here", file=root, remedy="name the folder of your decisions")
    paths = sorted(one.path for one in found)
    left_out = [LeftOut(one.path, one.message) for one in files if one.path not in set(paths)]
    return Taken(root, tuple(paths), tuple(left_out))


def catalogue_name(path: Path) -> str:
    """What a catalogue's file is called in a data folder; `InputError` where it is none that could be used."""
    suffix = path.suffix.lower()
    if not path.is_file():
        raise InputError("no such file", file=path, item="--catalogue", remedy="name a TSV or CSV file of terms")
    if suffix in _TABLES:
        _check_header(path, _TABLES[suffix])
    elif suffix not in _OTHER_CATALOGUES:
        known = ", ".join(sorted([*_TABLES, *_OTHER_CATALOGUES]))
        raise InputError(f"a catalogue is one of {known}", file=path, item="--catalogue", remedy="save it as TSV")
    return f"terms{suffix}"


def pattern_of(path: str) -> str:
    """The pattern of .gitignore's kind that names this one path of a data folder."""
    return re.sub(r"([\\*?\[\]!# ])", r"\\\1", path)


def _present(root: Path, option: str) -> None:
    if not root.is_dir():
        told = "is a file, not a folder" if root.exists() else "no such folder"
        raise InputError(told, file=root, item=option, remedy=f"name {'its' if root.exists() else 'a'} folder")


def _without_remedy(problem: str, path: str) -> str:
    """What follows the last colon is a remedy within a data folder; here it is to be left out or named differently."""
    if Path(path).suffix.lower() in SUFFIXES and "is installed" in problem:
        return "its reader is not installed: pip install -e '.[documents]'"
    reason = problem.rpartition(": ")[0] or problem
    return f"{reason}: name its encoding with --encoding" if "encoding" in problem else reason


def _check_header(path: Path, between: str) -> None:
    try:
        header = next(_lines(path), "")
    except (OSError, Unreadable) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise InputError(f"cannot be read: {reason}", file=path, remedy="save it as UTF-8") from None
    cells = {cell.strip().strip('"').lower() for cell in header.split(between)}
    if not {"id", "name"} <= cells:
        remedy = "call the columns id, name, acronym, synonyms, parent_id; the first two are needed"
        raise InputError("its first line has no columns id and name", file=path, remedy=remedy)


def _lines(path: Path) -> Iterator[str]:
    yield from decode(path.read_bytes(), ("utf-8",)).splitlines()
