"""`sekisho run --until-done`: round after round, until nothing is turned back or asking again cannot help."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from dagster_project.cli.console import safe, stderr, stdout
from dagster_project.cli.report import RunReport, show_report
from dagster_project.cli.run import Runner, ready
from dagster_project.rounds import REPAIR, SHELL, tags_of
from sekisho.records import Gap
from sekisho.rounds import Round, items_of, repairable
from sekisho.settings import load_settings
from sekisho.warehouse import Warehouse

_NAMED = 10  # items that the line before a round names


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round: its run, how many documents and questions were asked about, and how many items were turned back."""

    round: int
    run: str
    asked: int
    turned_back: int


@dataclass(frozen=True, slots=True)
class LoopReport:
    """What a loop came to: its last run, its rounds, how many there could have been, what another could repair."""

    last: RunReport
    rounds: list[RoundLine]
    limit: int
    left: list[Gap]

    @property
    def done(self) -> bool:
        """Whether the last round passed every gate."""
        return self.last.passed

    def as_dict(self) -> dict[str, Any]:
        """The report of the last run as plain JSON values, with the rounds."""
        return {"done": self.done, "rounds": [asdict(line) for line in self.rounds], **self.last.as_dict()}


def run_until_done(limit: int | None = None, *, progress: bool = True) -> LoopReport:
    """Materialise the graph, then ask again about what was turned back, at most `limit` rounds in all.

    Without a limit that of the settings holds. What passed is not asked again. Ends early where asking again cannot
    repair what remains, and where a run failed of itself. Raises `InputError` as a single run does.
    """
    limit = load_settings().max_rounds if limit is None else limit
    with ready(progress=progress) as runner:
        return _rounds(runner, limit)


def _rounds(runner: Runner, limit: int) -> LoopReport:
    lines: list[RoundLine] = []
    left: list[Gap] = []
    while True:
        this = Round(len(lines) + 1, limit)
        if runner.progress is not None:
            stderr.print(safe(_opening(this, left), "bold"))
        before = runner.asked
        parent, root = (lines[-1].run, lines[0].run) if lines else ("", "")
        tags = tags_of(this, parent, root) | {SHELL: "true"}
        last = runner.run(REPAIR if lines else "pipeline", tags)
        gaps = Warehouse(runner.settings.warehouse_path, wait=runner.settings.lock_wait).gaps()
        left = [] if last.failures else repairable(gaps)
        lines.append(RoundLine(this.number, last.run_id, runner.asked - before, len(items_of(last.gaps))))
        if last.passed or not left or this.number >= limit:
            return LoopReport(last, lines, limit, left)


def _opening(this: Round, left: list[Gap]) -> str:
    items = items_of(left)
    more = f" and {len(items) - _NAMED} more" if len(items) > _NAMED else ""
    about = f": asking again about {', '.join(items[:_NAMED])}{more}" if items else ""
    return f"round {this.number} of {this.limit}{about}"


def show_loop(report: LoopReport) -> None:
    """Print the last run's report, a line for each round, and how the loop ended."""
    show_report(report.last)
    for line in report.rounds:
        stdout.print(f"round {line.round}: {line.asked} asked, {line.turned_back} turned back")
    stdout.print(_ending(report), style="bold")


def _ending(report: LoopReport) -> str:
    made = f"{len(report.rounds)} of {report.limit} rounds"
    if report.done:
        return f"DONE after {made}"
    if report.last.failures:
        return f"not done after {made}: the run failed"
    if not report.left:
        return f"not done after {made}: asking again cannot repair what remains"
    return f"not done after {made}: the limit was reached"
