"""What a finder hands back: a value, the sentence that shows it, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from sekisho.sentences import Span


@dataclass(frozen=True, slots=True)
class Found:
    """A value with its evidence in the document as given; `score` is compared with the threshold of its kind.

    `is_contradicted`: another sentence says otherwise, and as surely as this one, which was as sure as `was`.
    """

    value: Any
    evidence: Span
    score: float
    is_contradicted: bool = False
    was: float = 0.0

    def contradicted(self) -> Found:
        """The same, as sure as nothing."""
        return replace(self, score=0.0, is_contradicted=True, was=self.score)


def best(found: Iterable[Found]) -> Found | None:
    """The surest, ties to the one that stands first."""
    return min(found, key=lambda one: (-round(one.score, 4), one.evidence.start), default=None)
