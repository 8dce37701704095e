"""Portal views: rows of YAML or CSV files, and the text of each that is embedded."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import jinja2
from pydantic import BaseModel, ConfigDict, Field, StrictStr, ValidationError

from sekisho.errors import InputError
from sekisho.hashing import sha256_text
from sekisho.records import PortalView, ViewProblem
from sekisho.refusal import refusal
from sekisho.sources.folder import DataFolder
from sekisho.sources.notes import Unreadable, read_file, walk
from sekisho.strip import StripRules, sanitize_ai_purpose_for_chroma
from sekisho.text import is_blank, printable
from sekisho.yamlio import parse_yaml

_BEYOND = "cells beyond the header"
_SUFFIXES = frozenset({".csv", ".yaml", ".yml"})
_DOC_TEXT = jinja2.Environment(
    undefined=jinja2.StrictUndefined, autoescape=False, keep_trailing_newline=True
).from_string("{{ title }}\n\n{{ description }}\n\n{{ ai_purpose }}")


class _Row(BaseModel):
    """One view as it was written."""

    model_config = ConfigDict(extra="forbid")

    view_id: StrictStr = Field(pattern=r"\S")
    title: StrictStr = ""
    description: StrictStr = ""
    ai_purpose: StrictStr = ""


def load_views(folder: DataFolder, rules: StripRules) -> tuple[list[PortalView], list[ViewProblem]]:
    """All views below `portal_views/`, by id, and what cannot be used of the files; none without the folder.

    A bad file or row never hides another. Of two rows with one id neither is used.
    """
    root = folder.below("portal_views")
    views: dict[str, list[PortalView]] = {}
    problems: list[ViewProblem] = []
    paths = sorted(path for path in walk(root) if not folder.excluded(path)) if root.is_dir() else []
    for path in paths:
        shown = printable(path.relative_to(root).as_posix())
        try:
            rows = list(_rows(path, folder.config.encodings))
        except (Unreadable, InputError) as error:
            problems.append(ViewProblem(path=shown, item="", message=str(error)))
            continue
        for number, row in rows:
            try:
                view = make_view(shown, _Row.model_validate(row), rules)
                views.setdefault(view.view_id, []).append(view)
            except ValidationError as error:
                problems.append(ViewProblem(path=shown, item=f"row {number}", message=_first(error, path)))
    for view_id, same in views.items():
        if len(same) > 1:
            where = ", ".join(dict.fromkeys(view.path for view in same))
            problems.append(
                ViewProblem(path=same[0].path, item=view_id, message=f"this id stands {len(same)} times: {where}")
            )
    return [same[0] for _, same in sorted(views.items()) if len(same) == 1], problems


def make_view(path: str, row: _Row, rules: StripRules) -> PortalView:
    """A row with its doc_text: the machine-only block is taken out just before the template is filled."""
    done = sanitize_ai_purpose_for_chroma(row.ai_purpose, rules)
    doc_text = _DOC_TEXT.render(title=row.title, description=row.description, ai_purpose=done.text)
    return PortalView(
        path=path, **row.model_dump(), doc_text=doc_text, sha256=sha256_text(doc_text), **done.diagnostics()
    )


def _rows(path: Path, encodings: tuple[str, ...]) -> Iterator[tuple[int, Any]]:
    if not path.is_dir() and path.suffix.lower() not in _SUFFIXES:
        raise Unreadable(f"no reader for {path.suffix or 'a name without a suffix'}: write YAML or CSV")
    text, _ = read_file(path, path.parent, encodings, also=_SUFFIXES)
    if path.suffix.lower() == ".csv":
        yield from _csv_rows(text)
    else:
        value = parse_yaml(text, file=path.name)
        yield from enumerate(value if isinstance(value, list) else [value] if value is not None else [], start=1)


def _csv_rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows below the header that are not blank, each with its place; `Unreadable` where the file is no CSV."""
    csv.field_size_limit(max(len(text) + 1, csv.field_size_limit()))  # a guide may be longer than the usual 128 KB
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next((row for row in reader if not _blank(row)), [])
        twice = [name for name, count in Counter(header).items() if count > 1 and not is_blank(name)]
        if twice:
            raise Unreadable(f"the column {twice[0]!r} stands twice: rename one of the two")
        yield from ((number, _csv_row(header, row)) for number, row in enumerate(reader, start=1) if not _blank(row))
    except csv.Error as error:
        raise Unreadable(f"no CSV at line {reader.line_num}: {error}") from None


def _blank(row: Sequence[str]) -> bool:
    return all(is_blank(cell) for cell in row)


def _csv_row(header: Sequence[str], row: Sequence[str]) -> dict[str, str]:
    """The cells that are there; those under no name are kept, where they hold anything, under one that is refused."""
    named = dict(zip(header, row, strict=False))
    beyond = [cell for name, cell in zip_longest(header, row, fillvalue="") if is_blank(name) and not is_blank(cell)]
    found = {name: cell for name, cell in named.items() if not is_blank(name)}
    return {**found, _BEYOND: beyond[0]} if beyond else found


def _first(error: ValidationError, path: Path) -> str:
    """The first thing that is wrong in a row, by the column."""
    problem = error.errors()[0]
    where = ".".join(str(part) for part in problem["loc"])
    if where in ("title", "description", "ai_purpose") and problem["type"] == "string_type":
        return f"{where} is no text: write it as a block, `{where}: |`"
    if where == _BEYOND:
        return f"{_BEYOND}: put a text that holds a comma in quotes"
    wrong = refusal(error, path, [_Row])
    return f"{wrong.item}: {wrong.message}" if wrong.item else "a mapping with view_id is expected"
