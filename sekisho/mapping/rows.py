"""Rows of queries from a stream: one at a time as they come, a bad one as its own error beside the others."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from sekisho.catalogue import MapQuery
from sekisho.errors import InputError
from sekisho.nearest import nearest
from sekisho.sources.catalogue.tables import misspelt_columns, unquoted
from sekisho.text import is_blank, printable, shortened

_KINDS = {
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"PK\x03\x04": "a spreadsheet or another archive",
    b"%PDF-": "PDF",
    b"\x89PNG": "a picture",
    b"\x1f\x8b": "a compressed file",
}
# What people call the column instead.
_MEANT = frozenset(["queries", "name", "names", "label", "labels", "term", "terms", "text", "texts", "title", "titles"])
_LONE_RETURN = re.compile(r"\r(?=[^\r\n])")  # the line end of old files, within what else is one line
_FIELDS = ("expected_id", "kind", "difficulty", "relation", "context")


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be mapped: its line (0 for an argument), what of it is readable, and why."""

    line: int
    query: str
    error: str

    def as_reply(self) -> dict[str, str | int]:
        """The error as plain JSON values."""
        return {"query": self.query, **({"line": self.line} if self.line else {}), "error": self.error}


def read_rows(
    stream: Iterable[bytes], name: str | Path, tell: Callable[[str], None] = lambda _: None
) -> Iterator[MapQuery | BadRow]:
    """The rows of TSV or CSV lines with a header that has a column `query`, `context` and the columns of a golden set.

    The header says which it is: tabs, else commas or semicolons; a header of one column has the whole line as query.
    Blank rows are passed over. Lines of one column without such a header are a list of queries. `tell` is told of that,
    and of a column that is misspelt. `InputError` where the header is not usable.
    """
    lines = _decoded(stream)
    at, head = next(((number, line) for number, line in enumerate(lines, start=1) if line.strip()), (1, ""))
    _refuse_binary(head, name)
    _, cells, problem = next(_cut(iter([head]), head, at), (at, [], ""))
    if problem:
        raise InputError(problem, file=name, item=f"line {at}", remedy="the first line names the columns")
    header = [cell.strip().lower() for cell in cells]
    if len(header) == 1 and header[0] not in ("", "query", *_FIELDS) and not _meant(header):
        tell("no column is called query: every line is taken for a query, the first one too")
        rows, header = _plain(chain([head], lines), at), ["query"]
    else:
        rows = _cut(lines, head, at + 1)
    _check_header(header, name)
    unread = [cell for cell in header if cell not in ("query", *_FIELDS)]
    for told in misspelt_columns(unread, [field for field in _FIELDS if field not in header]):
        tell(told)
    for line, cells, problem in rows:
        if problem or any(cell.strip() for cell in cells):
            yield _row(line, cells, problem, header)


def _refuse_binary(head: str, name: str | Path) -> None:
    raw = head.encode("utf-8", "surrogateescape")
    kind = next((told for start, told in _KINDS.items() if raw.startswith(start)), "")
    kind = kind or ("a binary file" if "\0" in head else "")
    if kind:
        raise InputError(f"looks like {kind}", file=name, remedy="save it as TSV or CSV in UTF-8")


def _check_header(header: Sequence[str], name: str | Path) -> None:
    """`InputError` where not exactly one column is called query."""
    count = header.count("query")
    if count == 1:
        return
    meant = _meant(header) if not count else ""
    seen = printable(", ".join(filter(None, header))[:200]) or "none"
    reason = f"has {count or 'no'} column{'s' * bool(count)} 'query' (its columns: {seen})"
    if meant:
        raise InputError(reason, file=name, remedy=f"write query for {printable(meant)!r}")
    several = "name the columns in the first line, one of them query (texts with commas, one a line: query alone)"
    raise InputError(reason, file=name, remedy=several if len(header) > 1 else "write one text a line")


def _meant(header: Sequence[str]) -> str:
    """The column that was probably meant to be called query; empty where there is none."""
    return nearest("query", header) or next((cell for cell in header if cell in _MEANT), "")


def as_query(text: str, *, context: str = "", line: int = 0, **fields: str) -> MapQuery | BadRow:
    """One text as a query, or why it cannot be one."""
    if any(0xD800 <= ord(char) < 0xE000 for char in text + context):
        return BadRow(line, _shown(text), "is not UTF-8")
    if "\0" in text:
        return BadRow(line, _shown(text), "holds the character NUL: is it text?")
    if is_blank(text):
        return BadRow(line, "", "no query: nothing that can be seen stands there")
    return MapQuery(query=text.strip(), context=context, **fields)


def _row(line: int, cells: Sequence[str], problem: str, header: Sequence[str]) -> MapQuery | BadRow:
    cells = [cell.strip() for cell in cells]
    found = dict(zip(header, cells, strict=False))
    text = found.get("query", "")
    if problem:
        return BadRow(line, _shown(text), problem)
    if any(cells[len(header) :]):
        many = f"{len(cells)} cells, the header has {len(header)}: put a text that holds the separator in quotes"
        return BadRow(line, _shown(text), many)
    given = {name: found[name] for name in _FIELDS if name in found}
    if any(0xD800 <= ord(char) < 0xE000 for char in "".join(given.values())):
        return BadRow(line, _shown(text), "is not UTF-8")
    return as_query(text, line=line, **given)


def _decoded(stream: Iterable[bytes]) -> Iterator[str]:
    """Lines as text, a byte that is not UTF-8 as a lone surrogate, so that it is the error of its own row."""
    for number, raw in enumerate(stream):
        text = raw.decode("utf-8", "surrogateescape")
        yield from _LONE_RETURN.split(text.removeprefix("\ufeff") if number == 0 else text)


def _cut(lines: Iterator[str], head: str, start: int) -> Iterator[tuple[int, list[str], str]]:
    """Line, cells and what is wrong with them, counted from `start`; the header `head` says how they are cut."""
    if "\t" in head:
        for number, line in enumerate(lines, start=start):
            yield number, [unquoted(cell) for cell in line.rstrip("\r\n").split("\t")], ""
    elif "," in head or ";" in head:
        yield from _csv(lines, "," if "," in head else ";", start)
    else:
        yield from _plain(lines, start)


def _plain(lines: Iterable[str], start: int) -> Iterator[tuple[int, list[str], str]]:
    for number, line in enumerate(lines, start=start):
        yield number, [unquoted(line.rstrip("\r\n"))], ""


def _csv(lines: Iterator[str], delimiter: str, start: int) -> Iterator[tuple[int, list[str], str]]:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        first = start + reader.line_num
        try:
            yield first, next(reader), ""
        except StopIteration:
            return
        except csv.Error as error:
            last = start + reader.line_num - 1
            taken = f", and lines {first} to {last} were taken for one row" if last > first else ""
            yield first, [], f"{error}{taken}: correct the quotes"


def _shown(text: str) -> str:
    return shortened(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
