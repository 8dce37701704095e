"""The catalogue and the queries of a data folder: both optional, and neither ever in the way of the rest of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sekisho.catalogue import Catalogue, CatalogueProblem, MapQuery
from sekisho.errors import InputError
from sekisho.mapping.reply import RELATIONS_JA
from sekisho.mapping.rows import BadRow, read_rows
from sekisho.sources.catalogue.load import load_catalogue
from sekisho.sources.folder import DataFolder
from sekisho.text import shortened

_QUERIES = ("queries.tsv", "queries.csv")


def read_catalogue(folder: DataFolder) -> tuple[Catalogue | None, list[CatalogueProblem]]:
    """The catalogue of a data folder and what cannot be used of it; an empty one without `catalogue/`.

    None where there is one that cannot be used at all: what was read before then stands.
    """
    path = folder.root / "catalogue"
    try:
        if not folder.below("catalogue").exists():
            return Catalogue.of([]), []
        return load_catalogue(path)
    except InputError as error:
        return None, [_problem(error, path)]


def read_queries(folder: DataFolder) -> tuple[list[MapQuery], list[CatalogueProblem]]:
    """The queries of a data folder, in file order, and the rows that are none; nothing without the file."""
    try:
        paths = [folder.below(f"catalogue/{name}") for name in _QUERIES]
    except InputError as error:
        return [], [_problem(error, folder.root / "catalogue")]
    found = [path for path in paths if path.is_file()]
    if not found:
        return [], []
    path = found[0]
    queries: list[MapQuery] = []
    problems = [_of_row(other, f"is not read beside {path.name}: keep one of them") for other in found[1:]]
    try:
        with path.open("rb") as stream:
            for row in read_rows(stream, path, lambda told: problems.append(_of_row(path, told))):
                if isinstance(row, BadRow):
                    problems.append(_of_row(path, row.error, f"line {row.line}"))
                else:
                    queries.append(row)
    except InputError as error:
        return [], [_problem(error, path)]
    except OSError as error:
        return [], [_of_row(path, f"cannot be read: {error.strerror}")]
    return queries, problems


def read_golden_queries(folder: DataFolder) -> tuple[Catalogue | None, list[MapQuery], list[CatalogueProblem]]:
    """Catalogue and queries as above, and all that is wrong with them for an evaluation."""
    catalogue, problems = read_catalogue(folder)
    queries, bad = read_queries(folder)
    problems += bad
    if catalogue is not None and queries:
        file = next((name for name in _QUERIES if (folder.root / "catalogue" / name).is_file()), _QUERIES[0])
        problems += golden_problems(queries, catalogue, file)
    return catalogue, queries, problems


def golden_problems(queries: Sequence[MapQuery], catalogue: Catalogue, file: str) -> list[CatalogueProblem]:
    """What an evaluation cannot hold a query against: an expected id that is no record, a relation that is none."""
    found = []

    def add(query: MapQuery, message: str) -> None:
        told = f"{message}: correct it, or leave it empty"
        found.append(CatalogueProblem(path=file, item=shortened(query.query), kind="row", message=told))

    for query in queries:
        if query.expected_id and query.expected_id not in catalogue.by_id:
            add(query, f"expected_id {query.expected_id!r} is no record and counts as not found")
        if query.relation and query.relation not in RELATIONS_JA:
            add(query, f"relation {query.relation!r} is none of {', '.join(RELATIONS_JA)} and is not counted")
    return found


def _problem(error: InputError, path: Path) -> CatalogueProblem:
    message = shortened(f"{error.message} ({error.remedy})" if error.remedy else error.message, 400)
    return _of_row(Path(error.file or path), message, error.item or "")


def _of_row(path: Path, message: str, item: str = "") -> CatalogueProblem:
    return CatalogueProblem(path=path.name, item=item, kind="row", message=message)
