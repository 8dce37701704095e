"""The HTTP below a provider's client: a time limit on the whole attempt, and back-off that stays bounded.

The clients of OpenAI and Anthropic repeat a request after 429, 5xx and a lost connection, with jitter and with respect
for Retry-After. What they leave open is closed here.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

import httpx2

# 0.5 + 1 + 2 + 4 s, less jitter, unless Retry-After says otherwise: long enough for a gateway to restart.
TRANSPORT_RETRIES = 4
# OpenAI's client gives up on a longer Retry-After, Anthropic's would sleep for hours.
LONGEST_WAIT = 120.0
_FATAL = (401, 402, 403)


class Watcher(Protocol):
    """Who decides on each HTTP attempt of the call that this thread is making, and is told what became of it."""

    def may_send(self, size: int) -> bool:
        """Whether an attempt whose body has `size` bytes may be made."""
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

    httpx measures the gap between two bytes, and some providers send blank lines while they think. The limit is
    checked with each chunk, so that a server which falls silent at the last moment can double it. A time-out after the
    request was sent is raised as `expired`, which the provider's client does not repeat: it may be paid for. So is an
    attempt that the watcher does not allow.
    """

    def __init__(self, timeout: float, expired: type[Exception], watcher: Any) -> None:
        super().__init__(timeout=httpx2.Timeout(timeout, connect=min(timeout, 10.0)), follow_redirects=True)
        self._limit = timeout
        self._expired = expired
        self._watcher = watcher

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """One HTTP attempt, told to the watcher."""
        watcher: Watcher = self._watcher()
        if not watcher.may_send(len(request.read())):
            raise self._expired("not sent")
        end = time.monotonic() + self._limit
        try:
            response = super().send(request, stream=True, **options)
            response.stream = _Timed(response.stream, end)
            if not stream:
                _read(response)
        except (httpx2.ReadTimeout, httpx2.WriteTimeout):
            watcher.lost(sent=True)
            raise self._expired("no reply in time") from None
        except httpx2.TransportError as error:
            watcher.lost(sent=not isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout))
            raise
        if response.status_code < 400:
            watcher.accepted()
        else:
            watcher.refused(response.status_code)
            if response.status_code in _FATAL or (retry_after(response) or 0) > LONGEST_WAIT:
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


class _Timed(httpx2.SyncByteStream):
    def __init__(self, inner: Any, end: float) -> None:
        self._inner = inner
        self._end = end

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._inner:
            if time.monotonic() > self._end:
                raise httpx2.ReadTimeout("the reply trickles")
            yield chunk

    def close(self) -> None:
        self._inner.close()


def _read(response: httpx2.Response) -> None:
    try:
        response.read()
    except BaseException:
        response.close()
        raise
