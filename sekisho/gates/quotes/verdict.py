"""What the quote gate says of a quote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Reason = Literal[
    "exact",
    "typographic",
    "not_found",
    "misattributed",
    "elided",
    "stitched",
    "truncated",
    "too_short",
    "empty",
    "unknown_source",
]
ACCEPTED: frozenset[Reason] = frozenset({"exact", "typographic"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a quote stands in its source, and why not where it does not.

    `source` is the id as it was given; where the reason is `misattributed` it is the source that does hold the quote.
    `start` and `end` are offsets into that source's original text: `text[start:end]` says what the quote says. They are
    0 where the quote was not found. `hint` is the nearest known id for `unknown_source`, the words left out for
    `truncated` and `stitched` where they are known, else empty; it never holds words of the quote alone.
    """

    reason: Reason
    source: str
    start: int = 0
    end: int = 0
    hint: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the quote may be published."""
        return self.reason in ACCEPTED

    @property
    def place(self) -> tuple[int, int]:
        """`start` and `end`."""
        return self.start, self.end
