"""What curators wrote beside a catalogue: `aliases.tsv`, `abbreviations.tsv`, `tokens.tsv`, each optional."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from sekisho.catalogue import Abbreviation, Alias, Curated, Token, TokenKind
from sekisho.errors import InputError
from sekisho.sources.catalogue.checking import Told
from sekisho.sources.catalogue.tables import Row, read_table
from sekisho.sources.inside import kept_inside

_KINDS: tuple[str, ...] = get_args(TokenKind)


def load_curated(folder: Path, known: set[str], told: Told) -> Curated:
    """The curated tables of a folder, ordered by their texts; a row that cannot be used is told, the rest is read.

    `known` are the ids of the catalogue. A table that cannot be used as a whole is told, too.
    """
    return Curated(
        aliases=_aliases(folder / "aliases.tsv", known, told),
        abbreviations=_abbreviations(folder / "abbreviations.tsv", known, told),
        tokens=_tokens(folder / "tokens.tsv", told),
    )


def _rows(path: Path, columns: tuple[str, ...], required: tuple[str, ...], told: Told) -> list[Row]:
    try:
        if not kept_inside(path, path.parent).exists():
            return []
        if not path.is_file():
            raise InputError("not a regular file", file=path, remedy="put a table here")
        rows = list(
            read_table(path, columns, required, misspelt=lambda reason: told.add("", "curated", reason, path=path.name))
        )
    except InputError as error:  # optional: the catalogue is of use without it
        where = f"{error.item}: " if error.item else ""
        told.add("", "curated", f"not used: {where}{error.message} ({error.remedy})", path=path.name)
        return []
    for row in rows:
        if not row.cells["text"]:
            told.add(f"line {row.number}", "curated", "no text, left out: write it", path=path.name)
    return [row for row in rows if row.cells["text"]]


def _aliases(path: Path, known: set[str], told: Told) -> tuple[Alias, ...]:
    found: set[tuple[str, str]] = set()
    for row in _rows(path, ("text", "id"), ("text", "id"), told):
        text, id = row.cells["text"], row.cells["id"]
        if id in known:
            found.add((text, id))
        else:
            told.add(text, "curated", f"no record has the id {id!r}, left out: correct it", path=path.name)
    return tuple(Alias(text=text, id=id) for text, id in sorted(found))


def _abbreviations(path: Path, known: set[str], told: Told) -> tuple[Abbreviation, ...]:
    found: set[tuple[str, str, str, str]] = set()
    columns = ("text", "id", "expansion", "note")
    for row in _rows(path, columns, ("text",), told):
        text, id, expansion, note = (row.cells[name] for name in columns)
        if id and id not in known:
            told.add(text, "curated", f"no record has the id {id!r}, left out: correct it", path=path.name)
        elif not id and not expansion:
            told.add(text, "curated", "neither id nor expansion, left out: write one of them", path=path.name)
        else:
            if id and expansion:
                told.add(text, "curated", "has id and expansion: the id stands, delete one of them", path=path.name)
            found.add((text, id, "" if id else expansion, note))
    return tuple(Abbreviation(text=t, id=i, expansion=e, note=n) for t, i, e, n in sorted(found))


def _tokens(path: Path, told: Told) -> tuple[Token, ...]:
    found: dict[str, str] = {}
    for row in _rows(path, ("text", "kind"), ("text", "kind"), told):
        text, kind = row.cells["text"], row.cells["kind"].lower()
        if kind not in _KINDS:
            told.add(text, "curated", f"kind {kind!r}, left out: one of {', '.join(_KINDS)}", path=path.name)
        elif found.setdefault(text, kind) != kind:
            told.add(text, "curated", f"is {found[text]} and {kind}: the first stands, delete one", path=path.name)
    return tuple(Token.model_validate({"text": text, "kind": kind}) for text, kind in sorted(found.items()))
