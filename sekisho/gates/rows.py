"""The gate on files of many rows: what could not be used is named, the rest is there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sekisho.gates.finding import Finding
from sekisho.records import ViewProblem

if TYPE_CHECKING:
    from sekisho.catalogue import CatalogueProblem


def every_row_was_read(problems: Iterable[CatalogueProblem | ViewProblem]) -> list[Finding]:
    """A finding for each file, record or row that could not be used as it is."""
    return [
        Finding(
            "every_file_was_read", problem.path, ": ".join(filter(None, (problem.path, problem.item, problem.message)))
        )
        for problem in problems
    ]
