"""`sekisho status`: what is published, withheld, stale or unreadable, what fails since when, which alerts wait."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dagster_project.cli.console import safe, stdout
from sekisho.alerts import AlertBook, Letter, Standing
from sekisho.moments import shown_moment
from sekisho.overview import Overview, read_overview
from sekisho.records import Gap
from sekisho.settings import Settings, load_settings, project_root


@dataclass(frozen=True, slots=True)
class Failing:
    """A check or job that fails, and since when."""

    kind: str
    on: str
    check: str
    severity: str
    since_run: str
    since: str
    findings: int


@dataclass(frozen=True, slots=True)
class WaitingAlert:
    """An alert that has not reached every channel."""

    alert: str
    kind: str
    on: str
    check: str
    attempts: int
    next_attempt: str
    error: str


@dataclass(frozen=True, slots=True)
class Status:
    """How things stand."""

    view: Overview
    failing: list[Failing]
    waiting: list[WaitingAlert]
    given_up: int
    unreadable: dict[Path, str]
    set_aside: list[Path]
    state: Path
    sample: bool = False  # whether the data are those of the project itself

    @property
    def withheld(self) -> list[Gap]:
        """What the gates turned back."""
        return self.view.withheld

    @property
    def code(self) -> int:
        """The exit code: 2 where something cannot be read, 1 where it may be a little later, else 0."""
        if self.unreadable or any(not problem.passes for problem in self.view.problems):
            return 2
        return 1 if self.view.problems else 0

    def as_dict(self) -> dict[str, Any]:
        """The status as plain JSON values."""
        return {
            **self.view.as_dict(),
            "failing": [asdict(found) for found in self.failing],
            "alerts": {
                "waiting": [asdict(found) for found in self.waiting],
                "given_up": self.given_up,
                "unreadable": {str(path): reason for path, reason in self.unreadable.items()},
                "set_aside": [str(path) for path in self.set_aside],
            },
            "state": str(self.state),
        }


def read_status(settings: Settings | None = None) -> Status:
    """Read the state folder and look at the data folder; nothing is written and nothing delivered."""
    settings = settings or load_settings()
    book = AlertBook(settings.state)
    page = book.read()
    return Status(
        view=read_overview(settings),
        failing=[_failing(standing) for standing in page.standings if standing.failing],
        waiting=[_waiting(letter) for letter in book.outbox.letters()],
        given_up=page.dropped,
        unreadable=book.unreadable() | _no_folder(book.outbox.folder),
        set_aside=book.outbox.aside(),
        state=settings.state,
        sample=settings.data.resolve() == project_root() / "data",
    )


def show_status(status: Status) -> None:
    """Print the status."""
    _show_overview(status.view, sample=status.sample)
    for found in status.failing:
        name = f"{found.check} on {found.on}" if found.check else f"job {found.on}"
        since = f"({found.severity}) since run {found.since_run}, {shown_moment(found.since)}"
        stdout.print("failing:", safe(name, "bold"), safe(since))
    for waiting in status.waiting:
        name = f"{waiting.check} on {waiting.on}" if waiting.check else f"job {waiting.on}"
        after = f"attempts: {waiting.attempts}, next: {shown_moment(waiting.next_attempt)}"
        tried = after if waiting.attempts else "not tried yet"
        told = f"{waiting.kind}, {tried}" + (f", {waiting.error}" if waiting.error else "")
        stdout.print("alert waiting:", safe(name, "bold"), safe(told))
    if status.given_up:
        stdout.print(f"alerts given up: {status.given_up} (see log.jsonl)", style="yellow")
    for path, reason in status.unreadable.items():
        told = f"cannot be read, and will be set aside: {path}: {reason} (move it away, or wait for the next alert)"
        stdout.print(safe(told, "yellow"))
    for path in status.set_aside:
        stdout.print(safe(f"cannot be read, and set aside: {path}", "yellow"))
    if not (status.failing or status.waiting or status.unreadable):
        stdout.print("no check fails, no alert waits")


def _show_overview(view: Overview, *, sample: bool) -> None:
    counts = ", ".join(f"{name}: {count}" for name, count in view.counts.items() if count)
    if view.generation:
        since = f" since {shown_moment(view.since)}" if view.since else ""
        stdout.print(safe(f"published: generation {view.generation}{since}, {counts}"))
    elif not view.problems:
        stdout.print(
            safe(f"published: nothing yet{f' ({counts})' if counts else ''}: {_first_step(view, sample=sample)}")
        )
    for gap in view.withheld:
        stdout.print("withheld:", safe(gap.item, "bold"), safe(gap.reason))
    for remark in view.stale:
        stdout.print("stale:", safe(remark.what, "bold"), safe(f"{remark.told} → {remark.remedy}", "yellow"))
    for remark in view.problems:
        stdout.print("cannot be read:", safe(remark.what, "bold"), safe(f"{remark.told} → {remark.remedy}", "red"))
    if view.month_usd or view.month_unknown:
        unknown = f", and {view.month_unknown} attempts of unknown cost" if view.month_unknown else ""
        stdout.print(f"spent in {view.month} (UTC): {view.month_usd:.4f} USD{unknown}")


def _first_step(view: Overview, *, sample: bool) -> str:
    if view.withheld:
        return "see what was turned back, then sekisho run"
    return "sekisho run" + ("; with documents of your own, sekisho init DIR first" if sample else "")


def _no_folder(path: Path) -> dict[Path, str]:
    return {path: "not a folder"} if path.exists() and not path.is_dir() else {}


def _failing(standing: Standing) -> Failing:
    verdict = standing.verdict
    return Failing(
        kind=verdict.subject.kind,
        on=verdict.subject.on,
        check=verdict.subject.name,
        severity=verdict.severity,
        since_run=standing.since_run,
        since=_time(standing.since_at),
        findings=verdict.total,
    )


def _waiting(letter: Letter) -> WaitingAlert:
    open_attempts = [attempt for attempt in letter.to.values() if not attempt.delivered]
    subject = letter.alert.verdict.subject
    return WaitingAlert(
        alert=letter.alert.id,
        kind=letter.alert.kind,
        on=subject.on,
        check=subject.name,
        attempts=max((attempt.attempts for attempt in open_attempts), default=0),
        next_attempt=_time(min((attempt.next_at for attempt in open_attempts), default=letter.queued_at)),
        error=next((attempt.error for attempt in open_attempts if attempt.error), ""),
    )


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
