"""The gate on portal views: what could not be used is named, the rest is there."""

from __future__ import annotations

from collections.abc import Iterable

from sekisho.gates.finding import Finding
from sekisho.records import ViewProblem


def every_view_was_read(problems: Iterable[ViewProblem]) -> list[Finding]:
    """A finding for each file or row that could not be used."""
    return [
        Finding(
            "every_file_was_read", problem.path, ": ".join(filter(None, (problem.path, problem.item, problem.message)))
        )
        for problem in problems
    ]
