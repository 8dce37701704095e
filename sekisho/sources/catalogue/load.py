"""Loading a catalogue: every record that can be used, and what is amiss with the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from sekisho.catalogue import Catalogue, CatalogueProblem, ProblemKind, Term
from sekisho.errors import InputError
from sekisho.sources.catalogue import ontology
from sekisho.sources.catalogue.checking import Told, usable
from sekisho.sources.catalogue.curated import load_curated
from sekisho.sources.catalogue.tables import SUFFIXES, read_table
from sekisho.sources.inside import kept_inside

COLUMNS = ("id", "name", "acronym", "synonyms", "parent_id")
_NAMES = ("terms.tsv", "terms.csv")


def load_catalogue(path: Path, *, columns: Mapping[str, str] | None = None) -> tuple[Catalogue, list[CatalogueProblem]]:
    """The catalogue in a file, or in `terms.tsv` or `terms.csv` of a folder, and what is to be told of its records.

    `columns` says what the table calls our `id, name, acronym, synonyms (parted by |), parent_id`. The curated tables
    are read from beside it. `.obo`, `.owl` and `.json` (OBO graphs) are read with the extra `ontology`. `InputError`
    where the file as a whole cannot be used.
    """
    file, *unread = _files_in(path)
    told = Told(file.name)
    for other in unread:
        told.add("", "row", f"is not read beside {file.name}: keep one of them", path=other.name)
    terms = usable(_rows(file, columns, told), told)
    if not terms:
        raise InputError("holds no record that can be used", file=file, remedy="one row for each, with id and name")
    curated = load_curated(file.parent, {term.id for term in terms}, told)
    return Catalogue.of(terms, curated), sorted(told.problems, key=lambda p: (p.path, p.item, p.kind, p.message))


def _files_in(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = [path / name for name in _NAMES if kept_inside(path / name, path).is_file()]
    if not found:
        raise InputError("no catalogue in this folder", file=path, remedy=f"put {' or '.join(_NAMES)} into it")
    return found


def _rows(file: Path, columns: Mapping[str, str] | None, told: Told) -> Iterable[Term]:
    suffix = file.suffix.lower()
    if suffix in ontology.SUFFIXES:
        return ontology.read_ontology(file, told)
    if suffix not in SUFFIXES:
        raise InputError(f"no reader for {suffix or 'a name without a suffix'}", file=file, remedy="write TSV or CSV")
    return _table(file, columns, told)


def _table(file: Path, columns: Mapping[str, str] | None, told: Told) -> Iterator[Term]:
    for row in read_table(file, COLUMNS, ("id", "name"), columns, lambda reason: told.add("", "row", reason)):
        cells = row.cells
        line = f"line {row.number}"
        # A row without an id is called by its line, any other one by its id, and its line stands in the message.
        item, before = (cells["id"], f"{line}: ") if cells["id"] else (line, "")
        kind: ProblemKind
        for kind, missing in (("empty_id", not cells["id"]), ("empty_name", not cells["name"])):
            if missing:
                told.add(item, kind, f"{before}no {kind[6:]}, left out: write one")
        if row.surplus > 0:
            told.add(item, "row", f"{before}{row.surplus} cells beyond the header, not read")
        if ";" in cells["synonyms"] and "|" not in cells["synonyms"]:
            told.add(item, "row", f"{before}synonyms are parted by |, this cell holds ';': read as one synonym")
        if cells["id"] and cells["name"]:
            told.lines.setdefault(cells["id"], []).append(row.number)
            synonyms = tuple(filter(None, (part.strip() for part in cells["synonyms"].split("|"))))
            yield Term.model_construct(
                id=cells["id"],
                name=cells["name"],
                acronym=cells["acronym"],
                synonyms=synonyms,
                parent_id=cells["parent_id"],
            )
