"""The bill: the ledger of model calls by month, prompt and model, with rejected output apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sekisho.agents.spend import LedgerLine, LedgerReader
from sekisho.text import first_of

_REJECTED = ("invalid", "length", "refusal")
_LINES_NAMED = 10


@dataclass(frozen=True, slots=True)
class BillRow:
    """What one prompt cost with one model in one month (UTC).

    `calls` are the items asked about in each run, `attempts` the requests made for them. `usd` is their sum, None where
    the cost of one is unknown; `known_usd` is what is known all the same, `unknown_cost` counts the others. `rejected`
    attempts gave output that could not be used (invalid, cut, refused), for `rejected_usd` of the sum.
    """

    month: str
    prompt: str
    model: str
    calls: int
    attempts: int
    input_tokens: int
    output_tokens: int
    usd: float | None
    known_usd: float
    unknown_cost: int
    rejected: int
    rejected_usd: float | None


@dataclass(frozen=True, slots=True)
class Bill:
    """The rows by month, prompt and model; `malformed` are the numbers of the ledger's lines that are none of it."""

    rows: tuple[BillRow, ...]
    malformed: tuple[int, ...]

    @property
    def usd(self) -> float:
        """All that is known to be spent."""
        return round(sum(row.known_usd for row in self.rows), 9)

    @property
    def unknown_cost(self) -> int:
        """How many attempts' cost is not known."""
        return sum(row.unknown_cost for row in self.rows)

    @property
    def problem(self) -> str:
        """The malformed lines in words; empty without any."""
        if not self.malformed:
            return ""
        return f"malformed lines: {len(self.malformed)} ({first_of([*map(str, self.malformed)], _LINES_NAMED)})"

    def as_dict(self) -> dict[str, Any]:
        """The bill as plain JSON values."""
        rows = [asdict(row) for row in self.rows]
        return {"rows": rows, "usd": self.usd, "unknown_cost": self.unknown_cost, "malformed": list(self.malformed)}


def read_bill(ledger: Path) -> Bill:
    """The bill of a ledger; a missing one has no rows, a line that is none of it is counted and left out."""
    reader = LedgerReader(ledger)
    groups: dict[tuple[str, str, str], list[LedgerLine]] = defaultdict(list)
    for line in _attempts(reader.new_lines(unfinished=True)):
        groups[(line.month, line.prompt, line.model)].append(line)
    return Bill(tuple(_row(*key, groups[key]) for key in sorted(groups)), tuple(reader.malformed))


def _attempts(lines: Iterable[LedgerLine]) -> list[LedgerLine]:
    """One line per attempt: its end, or its begin where it has no end."""
    read = [line for line in lines if line.outcome != "over_budget"]
    ended = {line.attempt for line in read if line.outcome != "started"}
    return [line for line in read if line.outcome != "started" or line.attempt not in ended]


def _row(month: str, prompt: str, model: str, lines: list[LedgerLine]) -> BillRow:
    rejected = [line for line in lines if line.outcome in _REJECTED]
    return BillRow(
        month=month,
        prompt=prompt,
        model=model,
        calls=len({(line.run, line.key) for line in lines}),
        attempts=len(lines),
        input_tokens=sum(line.input_tokens or 0 for line in lines),
        output_tokens=sum(line.output_tokens or 0 for line in lines),
        usd=_sum(lines),
        known_usd=_sum(line for line in lines if line.cost_usd is not None) or 0.0,
        unknown_cost=sum(line.cost_usd is None for line in lines),
        rejected=len(rejected),
        rejected_usd=_sum(rejected),
    )


def _sum(lines: Iterable[LedgerLine]) -> float | None:
    costs = [line.cost_usd for line in lines]
    return None if None in costs else round(sum(cost or 0.0 for cost in costs), 9)


def shown_usd(value: float | None) -> str:
    """US dollars for a reader; never 0 for what nobody knows."""
    return "unknown" if value is None else f"{value:.4f}"
