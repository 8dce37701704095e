"""The HTTP below a provider's client: a time limit on the whole attempt, and back-off that stays bounded.

The clients of OpenAI and Anthropic repeat a request after 429, 5xx and a lost connection, with jitter and with respect
for Retry-After. What they leave open is closed here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

import httpx2

from sekisho.agents.deadline import Deadline, TimedBackend

# 0.5 + 1 + 2 + 4 s, less jitter, unless Retry-After says otherwise: long enough for a gateway to restart.
TRANSPORT_RETRIES = 4
# OpenAI's client gives up on a longer Retry-After, Anthropic's would sleep for hours.
LONGEST_WAIT = 120.0
# A reply of 128,000 tokens, each a dozen bytes with its escapes, is a fifth of this.
LONGEST_REPLY = 8_000_000
UNDECODED = "the reply cannot be decoded"
TOO_LONG = f"the reply is longer than {LONGEST_REPLY:,} bytes"
BROKEN_OFF = "the reply broke off"
_FATAL = (401, 402, 403)
_UNSENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.LocalProtocolError,
    httpx2.UnsupportedProtocol,
)

Place = Callable[[], AbstractContextManager[None]]


class Watcher(Protocol):
    """Who decides on each HTTP attempt of the call that this thread is making, and is told what became of it."""

    def may_send(self, size: int) -> bool:
        """Whether an attempt may be made whose body has `size` bytes."""
        ...

    def accepted(self) -> None:
        """A reply with a good status arrived."""
        ...

    def refused(self, status: int) -> None:
        """The server answered with an error status; nothing was generated."""
        ...

    def lost(self, *, sent: bool) -> None:
        """No reply arrived; where the request had been sent, it may be paid for."""
        ...


class TimedClient(httpx2.Client):
    """An HTTP client whose `timeout`, in seconds, holds for connecting, waiting and reading together.

    httpx measures the gap between two bytes, and some providers send blank lines while they think. A time-out after the
    request was sent is raised as `expired`, which the provider's client does not repeat: it may be paid for. So are a
    reply that breaks off, cannot be decoded or is longer than 8 MB, and an attempt that the watcher does not allow. No
    redirect is followed: a key and a document go where they were meant to. Each attempt holds a `place`; to wait for
    one costs nothing of the time-out.
    """

    def __init__(self, timeout: float, expired: type[Exception], watcher: Any, place: Place = nullcontext) -> None:
        super().__init__(timeout=httpx2.Timeout(timeout, connect=min(timeout, 10.0)), follow_redirects=False)
        self._limit = timeout
        self._expired = expired
        self._watcher = watcher
        self._place = place
        self._deadline = Deadline()
        transports: list[Any] = [self._transport, *self._mounts.values()]
        for pool in (transport._pool for transport in transports if transport is not None):  # not set from outside
            pool._network_backend = TimedBackend(pool._network_backend, self._deadline)

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """One HTTP attempt, told to the watcher."""
        with self._place():
            return self._send(request, stream, options)

    def _send(self, request: httpx2.Request, stream: bool, options: dict[str, Any]) -> httpx2.Response:
        watcher: Watcher = self._watcher()
        if not watcher.may_send(len(request.read())):
            raise self._expired("not sent")
        self._deadline.end = time.monotonic() + self._limit
        status = 0
        try:
            response = super().send(request, stream=True, **options)
            status = response.status_code
            if not stream:
                _read(response)
        except (httpx2.ReadTimeout, httpx2.WriteTimeout):
            watcher.lost(sent=True)
            raise self._expired("no reply in time") from None
        except httpx2.DecodingError:
            watcher.lost(sent=True)
            raise self._expired(UNDECODED) from None
        except _TooLong:
            watcher.lost(sent=True)
            raise self._expired(TOO_LONG) from None
        except Exception as error:  # whatever it was, it is booked
            watcher.lost(sent=not isinstance(error, _UNSENT))
            if 200 <= status < 300 and isinstance(error, httpx2.TransportError):  # a reply was made: it may be paid for
                raise self._expired(BROKEN_OFF) from None
            raise
        if response.status_code < 300:
            watcher.accepted()
        else:
            watcher.refused(response.status_code)
            final = response.status_code < 400 or response.status_code in _FATAL
            if final or (retry_after(response) or 0) > LONGEST_WAIT:
                response.headers["x-should-retry"] = "false"  # both clients obey this header
        return response


def retry_after(response: Any) -> float | None:
    """Seconds that a reply's Retry-After asks to wait, given as seconds or as an HTTP-date; None without one."""
    value = str(response.headers.get("retry-after", "")).strip()
    try:
        return float(value)
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, IndexError, TypeError):
        return None
    return (when.replace(tzinfo=when.tzinfo or UTC) - datetime.now(UTC)).total_seconds()


class _TooLong(Exception):
    """No reply of a model has so many bytes."""


def _read(response: httpx2.Response) -> None:
    """Read the whole body, decoded, unless it is too long to be a reply."""
    pieces: list[bytes] = []
    size = 0
    try:
        for piece in response.iter_bytes():
            size += len(piece)
            if size > LONGEST_REPLY:
                raise _TooLong
            pieces.append(piece)
        response._content = b"".join(pieces)  # as its own `read` leaves it
    except BaseException:
        response.close()
        raise
