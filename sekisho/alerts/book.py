"""The book of alerts: what is failing, how far the runs were read, and what was not yet put into the outbox.

One file, replaced in one step, is the truth. An alert is decided in the same step that remembers it as told; only then
does it go into the outbox. Whoever holds the lock next finishes what a killed process left, so nothing is lost and
nothing is told twice, whenever that was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from sekisho.alerts.outbox import Letter, Outbox
from sekisho.alerts.standing import Standing, judge
from sekisho.alerts.values import Alert, Cursor, Severity, Subject, Verdict
from sekisho.digested import read_digested, reason_of, render_digested
from sekisho.errors import SekishoError
from sekisho.events import EventLog
from sekisho.publish import remove_leftovers, set_aside, write_atomically
from sekisho.records import Record

_DAY = 86_400.0  # seconds; no writer takes as long


class Page(Record):
    """What the book holds. `pending` alerts are decided and not yet in the outbox, `dropped` counts those given up."""

    cursor: Cursor | None = None
    standings: tuple[Standing, ...] = ()
    pending: tuple[Alert, ...] = ()
    dropped: int = 0


class AlertBook:
    """The book under a state folder, for several processes; `wait` is how long, in seconds, another is waited for.

    Each method raises `SekishoError` where the disk refuses.
    """

    def __init__(self, state: Path, *, wait: float = 10.0, clock: Callable[[], float] = time.time) -> None:
        self.path = state / "alerts.json"
        self.outbox = Outbox(state / "outbox")
        self._lock = state / "alerts.lock"
        self._wait = wait
        self._clock = clock

    def read(self) -> Page:
        """The page as it is; an empty one where there is none, or none that can be read."""
        found = self._read()
        return found if isinstance(found, Page) else Page()

    def unreadable(self) -> dict[Path, str]:
        """The files of the book and its outbox that cannot be read, each with the reason."""
        found = self._read()
        own = {self.path: found} if isinstance(found, str) else {}
        return own | self.outbox.unreadable()

    def record(
        self,
        verdicts: Iterable[Verdict],
        events: EventLog,
        *,
        cursor: Cursor | None = None,
        checks: Collection[Subject] | None = None,
        minimum: Severity | None = "ERROR",
    ) -> int:
        """Take in verdicts, put the alerts that follow into the outbox, and return how many those are.

        `checks`, where given, are all that exist: what is known of others is forgotten. For `minimum` see `judge`.
        """
        with self._held(events) as page:
            known = {s.verdict.subject: s for s in page.standings if checks is None or _exists(s, checks)}
            if cursor and page.cursor and cursor.storage != page.cursor.storage:
                known = {subject: standing.unordered() for subject, standing in known.items()}
            standings, alerts = judge(known, verdicts, minimum, now=self._clock())
            self._turn(
                page,
                page.model_copy(
                    update={
                        "cursor": cursor or page.cursor,
                        "standings": tuple(sorted(standings.values(), key=_order)),
                        "pending": tuple(alerts),
                    }
                ),
            )
            return len(alerts)

    def letters(self, events: EventLog) -> list[Letter]:
        """What is to be delivered, the oldest first; files that are no letters are set aside and named in the log."""
        with self._held(events):
            for path, reason in self.outbox.unreadable().items():
                with suppress(SekishoError):  # it lies where it is, `sekisho status` names it, and the others go on
                    self._set_aside(path, reason, events)
            return self.outbox.letters()

    def drop(self, letter: Letter, events: EventLog, *, reason: str) -> None:
        """Give up a letter: it is taken out, counted, and named in the log."""
        with self._held(events) as page:
            self._turn(page, page.model_copy(update={"dropped": page.dropped + 1}))
            self.outbox.remove(letter)
        verdict = letter.alert.verdict
        told = {
            "kind": letter.alert.kind,
            "on": verdict.subject.on,
            "name": verdict.subject.name,
            "run_told": verdict.run,
        }
        events.emit("alert_dropped", alert=letter.alert.id, **told, reason=reason)

    @contextmanager
    def _held(self, events: EventLog) -> Iterator[Page]:
        """The page while no other process writes, with nothing pending."""
        try:
            self._lock.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(self._lock, timeout=self._wait):
                self._tidy()
                yield self._turn(page := self._page(events), page)
        except Timeout:
            raise SekishoError(
                "another process is writing alerts", file=self._lock, remedy="wait for it, or raise SEKISHO_LOCK_WAIT"
            ) from None
        except OSError as error:
            raise SekishoError(
                f"cannot be used: {error.strerror}", file=error.filename, remedy="check the state's rights"
            ) from None

    def _turn(self, old: Page, new: Page) -> Page:
        """Store a page where it differs, then put what it holds pending into the outbox."""
        if new != old:
            self._write(new)
        if new.pending:
            for alert in new.pending:
                self.outbox.put(alert, self._clock())
            new = new.model_copy(update={"pending": ()})
            self._write(new)
        return new

    def _write(self, page: Page) -> None:
        write_atomically(self.path, render_digested(page))

    def _page(self, events: EventLog) -> Page:
        found = self._found()
        if isinstance(found, Page):
            return found
        self._set_aside(self.path, found, events)
        return Page()

    def _set_aside(self, path: Path, reason: str, events: EventLog) -> None:
        moved = set_aside(path, self.outbox.broken)
        events.emit("alert_file_set_aside", file=str(moved), reason=reason)

    def _tidy(self) -> None:
        before = self._clock() - _DAY
        remove_leftovers(self.path.parent, self.path.name, before)
        self.outbox.tidy(before)

    def _read(self) -> Page | str:
        """The page, or why it cannot be read, the disk's reasons too."""
        try:
            return self._found()
        except OSError as error:
            return error.strerror or str(error)

    def _found(self) -> Page | str:
        """The page, or why it cannot be read."""
        try:
            return read_digested(Page, self.path.read_bytes())
        except FileNotFoundError:
            return Page()
        except ValueError as error:
            return reason_of(error)


def _exists(standing: Standing, checks: Collection[Subject]) -> bool:
    return standing.verdict.subject.kind != "check" or standing.verdict.subject in checks


def _order(standing: Standing) -> tuple[str, str, str]:
    subject = standing.verdict.subject
    return subject.kind, subject.on, subject.name
