"""A moment by which a whole HTTP attempt must be over, kept where the bytes are: httpcore measures each read alone."""

from __future__ import annotations

import ssl
import threading
import time
from typing import Any

import httpcore2


class Deadline(threading.local):
    """When the attempt of the calling thread ends, by the monotonic clock."""

    end: float = float("inf")

    def left(self, timeout: float | None, late: type[Exception]) -> float | None:
        """Seconds for the next step, which may take `timeout` of its own; raises `late` where none are left."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise late("the whole attempt took too long")
        if left == float("inf"):
            return timeout
        return left if timeout is None else min(timeout, left)


class TimedBackend(httpcore2.NetworkBackend):
    """A network whose every step ends by a deadline, however the server spreads its bytes."""

    def __init__(self, inner: httpcore2.NetworkBackend, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> TimedStream:
        """A connection by the deadline."""
        timeout = self._deadline.left(timeout, httpcore2.ConnectTimeout)
        made = self._inner.connect_tcp(host, port, timeout, local_address, socket_options)
        return TimedStream(made, self._deadline)

    def connect_unix_socket(self, path: str, timeout: float | None = None, socket_options: Any = None) -> TimedStream:
        """A connection by the deadline."""
        timeout = self._deadline.left(timeout, httpcore2.ConnectTimeout)
        return TimedStream(self._inner.connect_unix_socket(path, timeout, socket_options), self._deadline)

    def sleep(self, seconds: float) -> None:
        """Wait, as the inner one does."""
        self._inner.sleep(seconds)


class TimedStream(httpcore2.NetworkStream):
    """A connection of which each read and write ends by the deadline of the thread that makes it."""

    def __init__(self, inner: httpcore2.NetworkStream, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Some bytes, by the deadline."""
        return self._inner.read(max_bytes, self._deadline.left(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send bytes, by the deadline."""
        self._inner.write(buffer, self._deadline.left(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        """Close the connection."""
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> TimedStream:
        """The connection with TLS, by the deadline."""
        timeout = self._deadline.left(timeout, httpcore2.ConnectTimeout)
        return TimedStream(self._inner.start_tls(ssl_context, server_hostname, timeout), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        """What the inner connection knows."""
        return self._inner.get_extra_info(info)
