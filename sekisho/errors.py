"""The errors of the library, one root and its tree.

SekishoError
├── InputError            a file or value from outside cannot be used (exit 2)
│   └── SettingsError     the same, for an environment variable or option
├── AgentError            a model call gave nothing usable
│   ├── AgentUnavailable  the program, provider or fixture is not there
│   ├── AgentTimeout      no reply in time (a retry may help)
│   ├── AgentFailed       the backend itself reported a failure
│   ├── AgentAbstained    the agent found no answer that it would stand by
│   └── InvalidReply      a reply arrived, but not of the asked shape
├── GateRefused           a gate said no: nothing was published (exit 1)
└── WarehouseError        the store cannot be read or written
    └── WarehouseBusy     another process holds it (a retry may help)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar


class SekishoError(Exception):
    """What went wrong, where, and what to do about it."""

    retryable: ClassVar[bool] = False

    def __init__(
        self, message: str, *, file: object = None, item: str | None = None, remedy: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = None if file is None else str(file)
        self.item = item
        self.remedy = remedy

    def __str__(self) -> str:
        """`file: item: message (remedy)`, leaving out what is not known."""
        where = ": ".join(part for part in (self.file, self.item) if part)
        text = f"{where}: {self.message}" if where else self.message
        return f"{text} ({self.remedy})" if self.remedy else text

    def __reduce__(self) -> tuple[Callable[..., SekishoError], tuple[Any, ...]]:
        """Pickle with all fields, so that an error crosses a process boundary whole."""
        return _rebuild, (type(self), self.__dict__.copy())


def _rebuild(kind: type[SekishoError], fields: dict[str, Any]) -> SekishoError:
    error = kind.__new__(kind)
    Exception.__init__(error, fields["message"])
    error.__dict__.update(fields)
    return error


class InputError(SekishoError):
    """A file or value from outside cannot be used."""


class SettingsError(InputError):
    """An environment variable or option has a value that cannot be used."""


class AgentError(SekishoError):
    """A model call gave nothing usable."""


class AgentUnavailable(AgentError):
    """The program, provider or fixture that should answer is not there."""


class AgentTimeout(AgentError):
    """No reply arrived in time."""

    retryable = True


class AgentFailed(AgentError):
    """The backend itself reported a failure."""


class AgentAbstained(AgentError):
    """The agent found nothing that it would stand by."""


class InvalidReply(AgentError):
    """A reply arrived, but it is not of the shape that was asked for."""

    def __init__(self, reasons: Sequence[str], *, item: str | None = None) -> None:
        super().__init__("; ".join(reasons), item=item)
        self.reasons = tuple(reasons)


class GateRefused(SekishoError):
    """A gate said no, so nothing was published; `reasons` are its findings."""

    def __init__(self, message: str, reasons: Sequence[str]) -> None:
        super().__init__(message)
        self.reasons = tuple(reasons)


class WarehouseError(SekishoError):
    """The warehouse cannot be read or written."""


class WarehouseBusy(WarehouseError):
    """Another process holds the warehouse."""

    retryable = True
