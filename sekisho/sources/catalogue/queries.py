"""The file of queries: what is to be mapped, and what is expected where somebody knows it."""

from __future__ import annotations

from pathlib import Path

from sekisho.catalogue import MapQuery
from sekisho.sources.catalogue.tables import read_table

_COLUMNS = ("query", "expected_id", "kind", "difficulty", "relation", "context")


def load_queries(path: Path) -> list[MapQuery]:
    """The queries of a TSV or CSV file in its order; a column `query` is needed, `InputError` without it."""
    return [MapQuery(**row.cells) for row in read_table(path, _COLUMNS, ("query",))]
