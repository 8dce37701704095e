"""Delivering what lies in the outbox: each alert to each channel once, later where a channel is down."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from filelock import FileLock, Timeout

from sekisho.alerts.book import AlertBook
from sekisho.alerts.message import Message, message_of
from sekisho.alerts.outbox import Attempt, Letter
from sekisho.errors import SekishoError
from sekisho.events import EventLog

MOST_LETTERS = 500
LONGEST_WAITING = 7 * 86_400.0  # seconds; by then a channel was tried about 175 times
_LONGEST_PASS = 20.0  # seconds after which no further attempt begins: Dagster gives a sensor's tick sixty


class Channel(Protocol):
    """A way to tell someone. `id` is a digest, `name` may be shown; neither tells a secret."""

    @property
    def id(self) -> str:
        """What the outbox knows it by."""

    @property
    def name(self) -> str:
        """What people know it by."""

    def send(self, message: Message) -> str | None:
        """Deliver a message; else say in one line, without a secret, why not."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What one pass over the outbox did. `busy` says that another process was at it, `error` is the last one met."""

    sent: int = 0
    waiting: int = 0
    dropped: int = 0
    busy: bool = False
    error: str = ""

    @property
    def line(self) -> str:
        """The pass in one line, empty where there is nothing to say."""
        counts = (("sent", self.sent), ("waiting", self.waiting), ("given up", self.dropped))
        told = ", ".join(f"{count} {what}" for what, count in counts if count)
        why = "another process is delivering" if self.busy else self.error
        return f"alerts: {told}" + (f" ({why})" if why and self.waiting else "") if told else ""


def deliver(
    book: AlertBook,
    channels: Sequence[Channel],
    events: EventLog,
    *,
    ui_url: str = "",
    clock: Callable[[], float] = time.time,
) -> Delivery:
    """Deliver what is due. One process at a time does; another one that comes meanwhile leaves it to it.

    Raises `SekishoError` where the disk refuses; nothing is sent that could not be noted before.
    """
    try:
        book.outbox.folder.mkdir(parents=True, exist_ok=True)
        with FileLock(book.outbox.folder / ".lock", timeout=0):
            return _Pass(book, channels, events, ui_url, clock).run()
    except Timeout:
        return Delivery(waiting=len(book.outbox.letters()), busy=True)
    except OSError as error:
        reason = f"cannot be used: {error.strerror}"
        raise SekishoError(reason, file=error.filename, remedy="check the rights of the state") from None


class _Pass:
    """One pass over the outbox, by the process that holds its lock."""

    def __init__(
        self,
        book: AlertBook,
        channels: Sequence[Channel],
        events: EventLog,
        ui_url: str,
        clock: Callable[[], float],
    ) -> None:
        self._book, self._channels, self._events = book, channels, events
        self._ui_url, self._clock = ui_url, clock
        self._ends = time.monotonic() + _LONGEST_PASS
        self._down: set[str] = set()  # a channel that just failed is left alone for the rest of the pass
        self._error = ""

    def run(self) -> Delivery:
        """Give up what is too old or too much, and try the rest."""
        letters = self._book.letters(self._events)
        surplus = len(letters) - MOST_LETTERS
        dropped = sent = 0
        for number, letter in enumerate(letters):
            if number < surplus or self._is_spent(letter):
                reason = f"more than {MOST_LETTERS} are waiting" if number < surplus else "it waited for seven days"
                self._book.drop(letter, self._events, reason=reason)
                dropped += 1
            else:
                sent += self._is_through(letter)
        return Delivery(sent, len(letters) - sent - dropped, dropped, error=self._error)

    def _is_spent(self, letter: Letter) -> bool:
        """Whether a letter waited too long and was tried to the end, not only while the machine was off."""
        ends = letter.queued_at + LONGEST_WAITING
        attempts = [letter.to.get(channel.id, Attempt()) for channel in self._channels]
        tried = bool(attempts) and all(attempt.delivered or attempt.next_at > ends for attempt in attempts)
        return tried and self._clock() > ends

    def _is_through(self, letter: Letter) -> bool:
        """Try the channels that still lack a letter; whether it has reached all of them, and is gone."""
        for channel in self._channels:
            letter = self._tried(letter, channel)
        through = bool(self._channels) and all(letter.to.get(c.id, Attempt()).delivered for c in self._channels)
        if through:
            self._book.outbox.remove(letter)
        return through

    def _tried(self, letter: Letter, channel: Channel) -> Letter:
        attempt = letter.to.get(channel.id, Attempt())
        if channel.id in self._down or not attempt.is_due(self._clock()) or time.monotonic() > self._ends:
            if attempt.error and not attempt.delivered:
                self._error = f"{channel.name}: {attempt.error}"
            return letter
        # Written before it is sent: a disk that refuses, or a crash in between, must not send at every tick.
        attempt = attempt.begun(self._clock())
        self._book.outbox.write(letter.updated(channel.id, attempt))
        error = channel.send(message_of(letter.alert, ui_url=self._ui_url))
        attempt = attempt.model_copy(update={"delivered": error is None, "error": error or ""})
        letter = letter.updated(channel.id, attempt)
        self._book.outbox.write(letter)
        self._tell(letter, channel, attempt)
        return letter

    def _tell(self, letter: Letter, channel: Channel, attempt: Attempt) -> None:
        told = {"alert": letter.alert.id, "channel": channel.name, "attempts": attempt.attempts}
        if attempt.delivered:
            self._events.emit("alert_sent", **told)
            return
        self._down.add(channel.id)
        self._error = f"{channel.name}: {attempt.error}"
        self._events.emit("alert_failed", **told, reason=attempt.error)
