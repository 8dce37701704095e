"""What a gate reports, and the rule that a gate which cannot look does not pass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from sekisho.text import printable


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a gate found wrong: the gate, the item it concerns, and the message."""

    gate: str
    item: str
    message: str


def guarded(gate: str, predicate: Callable[..., list[Finding]], *values: Any) -> list[Finding]:
    """The predicate's findings; an exception in it becomes a finding, for a gate that cannot look must not pass."""
    try:
        return predicate(*values)
    except Exception as error:
        return [Finding(gate, gate, f"the gate itself failed: {type(error).__name__}: {error}")]


def by_item(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """The findings grouped by the item they concern, in their order."""
    grouped: defaultdict[str, list[Finding]] = defaultdict(list)
    for found in findings:
        grouped[found.item].append(found)
    return dict(grouped)


def validation_reasons(error: ValidationError) -> list[str]:
    """One line per problem of a reply, the field's path first; the reply's own words are cut at 80 characters."""
    reasons = []
    for problem in error.errors():
        path = ".".join(str(part) for part in problem["loc"]) or "reply"
        given = (
            "" if problem["type"] in ("missing", "value_error") else f" (got {printable(repr(problem['input']))[:80]})"
        )
        reasons.append(f"{printable(path)}: {problem['msg']}{given}")
    return reasons
