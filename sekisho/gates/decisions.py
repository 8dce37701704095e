"""The gate on the past decisions; it warns, for the records that were read are there all the same."""

from __future__ import annotations

from collections.abc import Iterable

from sekisho.decision import DecisionFile
from sekisho.gates.finding import Finding
from sekisho.text import printable


def every_decision_was_read(files: Iterable[DecisionFile]) -> list[Finding]:
    """A finding for each file that could not be read or shares its number, and one where there is no record at all."""
    return [
        Finding("every_file_was_read", printable(file.path), f"{file.path}: {file.message}")
        for file in files
        if file.is_fault
    ]
