"""Recall fails open, so frequent failures would switch it off in silence: what its events say, week by week."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from sekisho.gates.finding import Finding
from sekisho.text import printable, shortened

_REASON_LENGTH = 80
_REASONS_SHOWN = 5


@dataclass(slots=True)
class RecallWeek:
    """Recall's outcomes in one ISO week, counted in UTC; each run has exactly one of them."""

    week: str
    skipped: Counter[str] = field(default_factory=Counter)
    embedding_failed: int = 0
    no_candidates: int = 0
    model_failed: Counter[str] = field(default_factory=Counter)
    filtered: int = 0
    returned: int = 0
    kept: int = 0
    dropped: int = 0
    misattributed: int = 0
    prompts: Counter[str] = field(default_factory=Counter)

    @property
    def runs(self) -> int:
        """Drafts that recall was asked about."""
        return self.skipped.total() + self.tried

    @property
    def tried(self) -> int:
        """Runs that were not skipped on purpose."""
        return self.failed + self.no_candidates + self.filtered

    @property
    def failed(self) -> int:
        """Runs in which the embedding, the index or the model failed."""
        return self.embedding_failed + self.model_failed.total()

    @property
    def failure_rate(self) -> float:
        """The part of the tried runs that failed, 0 to 1; 0 where none was tried."""
        return self.failed / self.tried if self.tried else 0.0

    @property
    def no_candidates_rate(self) -> float:
        """The part of the tried runs that found no candidate, 0 to 1; 0 where none was tried."""
        return self.no_candidates / self.tried if self.tried else 0.0

    def as_row(self) -> dict[str, str]:
        """The week as a row of a table."""
        return {
            "week": self.week,
            "runs": str(self.runs),
            "skipped": _told(self.skipped),
            "embedding failed": str(self.embedding_failed),
            "model failed": _told(self.model_failed),
            "failure rate": f"{self.failure_rate:.1%}",
            "no candidates": f"{self.no_candidates} ({self.no_candidates_rate:.1%})",
            "citations": f"returned {self.returned}, kept {self.kept}, dropped {self.dropped}",
            "misattributed": str(self.misattributed),
            "prompts": _told(self.prompts),
        }


@dataclass(frozen=True, slots=True)
class RecallHealth:
    """The weeks in which recall ran, oldest first, and how many lines of the log could not be used."""

    weeks: tuple[RecallWeek, ...]
    malformed: int


def recall_health(log: Path) -> RecallHealth:
    """Recall's health from an event log and what was rotated away from it (`log.jsonl.1`, `log.jsonl-20261130.gz`).

    A line that is no event, or an event of recall's without what it must carry, is counted and left out.
    """
    weeks: dict[str, RecallWeek] = {}
    malformed = 0
    for line in _lines(log):
        try:
            _count(json.loads(line), weeks)
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            malformed += 1
    return RecallHealth(tuple(weeks[week] for week in sorted(weeks)), malformed)


def recall_is_healthy(found: RecallHealth, limit: float) -> list[Finding]:
    """A finding where more than a share of the last week's tried runs could not look."""
    if not found.weeks or found.weeks[-1].failure_rate <= limit:
        return []
    week = found.weeks[-1]
    failures = Counter({"embedding": week.embedding_failed}) + week.model_failed
    why = f"{week.failed} of {week.tried} runs could not look: {_told(failures)}"
    return [Finding("recall_is_healthy", week.week, f"{week.week}: {why}; the limit is {limit:.0%}")]


def in_words(found: RecallHealth, limit: float) -> str:
    """The last week's failures beside the limit; empty where recall never ran."""
    if not found.weeks:
        return ""
    week = found.weeks[-1]
    return f"{week.week}: {week.failed} of {week.tried} could not look ({week.failure_rate:.1%}, limit {limit:.0%})"


def _count(event: Mapping[str, Any], weeks: dict[str, RecallWeek]) -> None:
    name = event["event"]
    if not (name == "prompt_loaded" or str(name).startswith("recall_pre_gate_")):
        return
    key = _week_of(event["at"])
    week = weeks.get(key) or RecallWeek(key)
    match name:
        case "recall_pre_gate_skipped":
            week.skipped[_reason(event, "reason")] += 1
        case "recall_pre_gate_embedding_failed":
            week.embedding_failed += 1
        case "recall_pre_gate_no_candidates":
            week.no_candidates += 1
        case "recall_pre_gate_llm_failed":
            week.model_failed[_reason(event, "reason")] += 1
        case "recall_pre_gate_citations_filtered":
            returned, kept, dropped = (_number(event, part) for part in ("returned", "kept", "dropped"))
            week.filtered, week.returned = week.filtered + 1, week.returned + returned
            week.kept, week.dropped = week.kept + kept, week.dropped + dropped
            week.misattributed += _number(event, "misattributed") if "misattributed" in event else 0
        case "prompt_loaded":
            week.prompts[_reason(event, "origin")] += 1
        case _:
            return
    weeks[key] = week


def _week_of(at: str) -> str:
    moment = datetime.fromisoformat(at)
    if moment.tzinfo is None:
        raise ValueError(f"a time without its zone: {at!r}")
    year, number, _ = moment.astimezone(UTC).isocalendar()
    return f"{year}-W{number:02}"


def _number(event: Mapping[str, Any], name: str) -> int:
    value = event[name]
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name} is no count: {value!r}")
    return value


def _reason(event: Mapping[str, Any], name: str) -> str:
    return shortened(printable(str(event.get(name) or "not said")), _REASON_LENGTH)


def _told(counts: Counter[str]) -> str:
    """The total and its commonest parts."""
    if not counts:
        return "0"
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    parts = [f"{name}: {number}" for name, number in ordered[:_REASONS_SHOWN]]
    rest = sum(number for _, number in ordered[_REASONS_SHOWN:])
    return f"{counts.total()} ({', '.join([*parts, *([f'others: {rest}'] if rest else [])])})"


def _lines(log: Path) -> Iterator[str]:
    """Every line of the log and its rotated parts; one empty line stands for the rest of a file that cannot be read."""
    rotated = re.compile(re.escape(log.name) + r"([.-]\d+)?(\.gz)?")
    for path in sorted(log.parent.glob(f"{log.name}*")):
        if not rotated.fullmatch(path.name):
            continue
        try:
            with _opened(path) as file:
                yield from (line for line in file if line.strip())
        except (OSError, EOFError, zlib.error):
            yield ""


def _opened(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", errors="replace")
    return path.open(encoding="utf-8", errors="replace")
