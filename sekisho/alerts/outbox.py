"""The outbox: one file for each alert that has not reached all of its channels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from sekisho.alerts.values import Alert, Moment
from sekisho.digested import read_digested, reason_of, render_digested
from sekisho.publish import remove_leftovers, write_atomically
from sekisho.records import Record

_FIRST_WAIT, _LONGEST_WAIT = 10.0, 3600.0


class Attempt(Record):
    """How the delivery to one channel stands; `next_at` is in seconds since the epoch."""

    delivered: bool = False
    attempts: int = Field(default=0, ge=0)
    next_at: Moment = 0.0
    error: str = ""

    def is_due(self, now: float) -> bool:
        """Whether it may be tried now; a clock that was set back does not put it off for longer than it ever waits."""
        return not self.delivered and (now >= self.next_at or self.next_at > now + _LONGEST_WAIT)

    def begun(self, now: float) -> Attempt:
        """The next attempt, with the time of the one after it: each wait is twice the last, up to an hour."""
        wait = min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** min(self.attempts, 20))
        return self.model_copy(update={"attempts": self.attempts + 1, "next_at": now + wait})


class Letter(Record):
    """An alert on its way; `to` holds how it stands with each channel, by the channel's digest."""

    alert: Alert
    queued_at: Moment
    to: dict[str, Attempt] = Field(default_factory=dict)

    def updated(self, channel: str, attempt: Attempt) -> Letter:
        """This letter with another state of the delivery to one channel."""
        return self.model_copy(update={"to": {**self.to, channel: attempt}})


class Outbox:
    """The letters in a folder. A file that cannot be understood is named apart and costs no other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.broken = folder / "broken"

    def put(self, alert: Alert, now: float) -> None:
        """Add an alert; one that is there already is left as it is."""
        if not self._path(alert).exists():
            self.write(Letter(alert=alert, queued_at=now))

    def write(self, letter: Letter) -> None:
        """Store a letter's new state."""
        write_atomically(self._path(letter.alert), render_digested(letter))

    def remove(self, letter: Letter) -> None:
        """Take out a letter that has nowhere left to go."""
        self._path(letter.alert).unlink(missing_ok=True)

    def letters(self) -> list[Letter]:
        """All letters that can be read, the oldest alert first."""
        return [found for _, found in self._read() if isinstance(found, Letter)]

    def unreadable(self) -> dict[Path, str]:
        """The files that are no letters, each with the reason."""
        return {path: found for path, found in self._read() if isinstance(found, str)}

    def aside(self) -> list[Path]:
        """The files that were moved out of the way, for someone to look at."""
        return sorted(self.broken.glob("*"))  # none where there is no such folder, or none that may be read

    def tidy(self, before: float) -> None:
        """Remove what writers that died left before a moment, in seconds since the epoch."""
        remove_leftovers(self.folder, "*.json", before)

    def _path(self, alert: Alert) -> Path:
        return self.folder / f"{alert.id}.json"

    def _read(self) -> Iterator[tuple[Path, Letter | str]]:
        for path in sorted(self.folder.glob("*.json")) if self.folder.is_dir() else []:
            try:
                letter = read_digested(Letter, path.read_bytes())
                yield path, letter if path == self._path(letter.alert) else "its name is not that of its alert"
            except FileNotFoundError:
                continue  # delivered by another process meanwhile
            except ValueError as error:
                yield path, reason_of(error)
            except OSError as error:
                yield path, error.strerror or str(error)
