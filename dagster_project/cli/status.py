"""`sekisho status`: what is published, what is withheld, what fails since when, and which alerts wait."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dagster_project.cli.console import safe, stdout
from sekisho.alerts import AlertBook, Letter, Standing
from sekisho.records import Gap
from sekisho.settings import Settings, load_settings
from sekisho.warehouse import Warehouse


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
    """How things stand, from the state folder alone."""

    generation: str
    facts: int
    answers: int
    withheld: list[Gap]
    failing: list[Failing]
    waiting: list[WaitingAlert]
    given_up: int
    unreadable: dict[Path, str]
    set_aside: list[Path]
    state: Path

    def as_dict(self) -> dict[str, Any]:
        """The status as plain JSON values."""
        return {
            "published": {"generation": self.generation, "facts": self.facts, "answers": self.answers},
            "withheld": [gap.model_dump(mode="json") for gap in self.withheld],
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
    """Read the state folder; nothing is written and nothing delivered."""
    settings = settings or load_settings()
    warehouse = Warehouse(settings.warehouse_path, wait=settings.lock_wait)
    exists = settings.warehouse_path.exists()
    book = AlertBook(settings.state)
    page, base = book.read(), warehouse.knowledge() if exists else None
    return Status(
        generation=base.generation if base else "",
        facts=len(base.facts) if base else 0,
        answers=len(warehouse.answers()) if exists else 0,
        withheld=warehouse.gaps() if exists else [],
        failing=[_failing(standing) for standing in page.standings if standing.failing],
        waiting=[_waiting(letter) for letter in book.outbox.letters()],
        given_up=page.dropped,
        unreadable=book.unreadable(),
        set_aside=book.outbox.aside(),
        state=settings.state,
    )


def show_status(status: Status) -> None:
    """Print the status."""
    what = f"generation {status.generation}, facts: {status.facts}" if status.generation else "nothing"
    stdout.print(f"published: {what}, answers: {status.answers}")
    for gap in status.withheld:
        stdout.print("  ✗", safe(gap.item, "bold"), safe(gap.reason))
    for found in status.failing:
        name = f"{found.check} on {found.on}" if found.check else f"job {found.on}"
        stdout.print(
            "failing:", safe(name, "bold"), safe(f"({found.severity}) since run {found.since_run}, {found.since}")
        )
    for waiting in status.waiting:
        name = f"{waiting.check} on {waiting.on}" if waiting.check else f"job {waiting.on}"
        tried = f"attempts: {waiting.attempts}, next: {waiting.next_attempt}" if waiting.attempts else "not tried yet"
        told = f"{waiting.kind}, {tried}" + (f", {waiting.error}" if waiting.error else "")
        stdout.print("alert waiting:", safe(name, "bold"), safe(told))
    if status.given_up:
        stdout.print(f"alerts given up: {status.given_up} (see log.jsonl)", style="yellow")
    for path, reason in status.unreadable.items():
        stdout.print(safe(f"cannot be read, and will be set aside: {path}: {reason}", "yellow"))
    for path in status.set_aside:
        stdout.print(safe(f"cannot be read, and set aside: {path}", "yellow"))
    if not (status.failing or status.waiting or status.unreadable):
        stdout.print("no check fails, no alert waits")


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
