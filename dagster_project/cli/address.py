"""Where the UI listens: whether it can, whether it does, and how a browser calls it."""

from __future__ import annotations

import errno
import socket
from contextlib import suppress

from sekisho.errors import InputError

_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}


class Address:
    """A host and a port; `InputError` where this machine has no such address, or the port is taken."""

    def __init__(self, host: str, port: int) -> None:
        self._reached = (_ANY.get(host, host), port)
        try:
            found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM) if host else []
        except OSError:
            found = []
        if not found:
            raise InputError(f"no such host: {host!r}", item="--host", remedy="name an address of this machine")
        family, kind, protocol, _, place = found[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # what has just ended takes no port
            try:
                probe.bind(place)
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    raise InputError(f"port {port} is taken", remedy="choose another with --port") from None
                reason = f"cannot listen at {host!r}, port {port}: {error.strerror}"
                raise InputError(reason, item="--host", remedy="name an address of this machine") from None

    @property
    def url(self) -> str:
        """What a browser on this machine opens."""
        host, port = self._reached
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    def answers(self) -> bool:
        """Whether anybody listens there now."""
        with suppress(OSError), socket.create_connection(self._reached, timeout=1):
            return True
        return False
