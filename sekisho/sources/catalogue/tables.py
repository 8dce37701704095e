"""Tables of text: TSV and CSV with a header, row by row."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sekisho.errors import InputError
from sekisho.nearest import nearest
from sekisho.sources.notes import Unreadable, decode
from sekisho.text import printable

SUFFIXES = frozenset({".tsv", ".csv"})


class Row(NamedTuple):
    """The cells of one row by column, and where it stands; `surplus` counts cells beyond the header."""

    number: int
    cells: dict[str, str]
    surplus: int


def misspelt_columns(unread: Iterable[str], missing: Sequence[str]) -> Iterator[str]:
    """What to tell of columns that nobody reads, where one is near to the name of one that is missing."""
    for name in unread:
        if meant := nearest(name, missing):
            yield f"nobody reads the column {printable(name)!r}; the nearest is {meant!r}"


def read_table(
    path: Path,
    columns: Sequence[str],
    required: Sequence[str],
    given: Mapping[str, str] | None = None,
    misspelt: Callable[[str], None] = lambda _: None,
) -> Iterator[Row]:
    """The rows that are not blank, with our names for the columns; missing cells are empty.

    `given` says what a file calls a column of ours. A header is compared without regard to case. `misspelt` is told of
    a column that nobody reads and whose name is near to that of a column that is missing: others are the user's own.
    `InputError` where the file cannot be read, or lacks a required column.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", file=path, remedy="check the path and its rights"
        ) from None
    try:
        text = decode(content, ("utf-8",))
    except Unreadable:
        raise _undecoded(content, path) from None
    rows = _tsv(text) if path.suffix.lower() == ".tsv" else _csv(text, path)
    _, header = next(rows, (0, []))
    header = [cell.strip() for cell in header]
    places = _places(path, header, columns, required, given or {})
    missing = [name for name in columns if name not in places]
    for told in misspelt_columns([cell for at, cell in enumerate(header) if at not in places.values()], missing):
        misspelt(told)
    for number, cells in rows:
        if any(cell.strip() for cell in cells):
            found = {name: cells[at].strip() if at < len(cells) else "" for name, at in places.items()}
            yield Row(number, {name: found.get(name, "") for name in columns}, len(cells) - len(header))


def _undecoded(content: bytes, path: Path) -> InputError:
    """What keeps bytes from being text, and the line where it stands."""
    nul = content.find(b"\0")
    if nul >= 0 and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        line = content.count(b"\n", 0, nul) + 1
        return InputError("holds a NUL character", file=path, item=f"line {line}", remedy="take it out")
    at = 0
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.start
    line = content.count(b"\n", 0, at) + 1
    return InputError("is not UTF-8", file=path, item=f"line {line}", remedy="save it as UTF-8")


def _places(
    path: Path, header: Sequence[str], columns: Sequence[str], required: Sequence[str], given: Mapping[str, str]
) -> dict[str, int]:
    unknown = sorted(given.keys() - set(columns))
    if unknown:
        raise InputError(
            f"no column of ours is called {unknown[0]!r}", file=path, remedy=f"one of {', '.join(columns)}"
        )
    lowered = [cell.lower() for cell in header]
    places: dict[str, int] = {}
    for name in columns:
        wanted = given.get(name, name)
        exact = [at for at, cell in enumerate(header) if cell == wanted]
        found = exact or [at for at, cell in enumerate(lowered) if cell == wanted.lower()]
        if len(found) > 1:
            raise InputError(f"has {len(found)} columns {wanted!r}", file=path, remedy="rename all but one")
        if found:
            places[name] = found[0]
        elif name in required or name in given:
            seen = printable(", ".join(filter(None, header))) or "none"
            raise InputError(
                f"has no column {wanted!r} (its columns: {seen})",
                file=path,
                remedy="name the columns in the first line",
            )
    return places


def _tsv(text: str) -> Iterator[tuple[int, list[str]]]:
    """Lines cut at tabs, their cells unquoted."""
    for number, line in enumerate(text.split("\n"), start=1):
        yield number, [unquoted(cell) for cell in line.removesuffix("\r").split("\t")]


def unquoted(cell: str) -> str:
    """The cell without the quotes that spreadsheets put around it; any other quote is a letter."""
    if len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in cell[1:-1].replace('""', ""):
        return cell[1:-1].replace('""', '"')
    return cell


def _csv(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    head = text.partition("\n")[0]
    delimiter = ";" if ";" in head and "," not in head else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    first = 1
    try:
        for cells in reader:
            yield reader.line_num, cells
            first = reader.line_num + 1
    except csv.Error as error:
        raise InputError(str(error), file=path, item=f"line {first}", remedy="correct its quotes") from None
