"""The errors of the library, one root and its tree.

SekishoError
├── InputError            a file or value from outside cannot be used (exit 2)
│   └── SettingsError     the same, for an environment variable or option
├── AgentError            a model call gave nothing usable; `usage` is what it cost all the same
│   ├── AgentUnavailable  the program, provider or fixture is not there
│   ├── AccessDenied      the provider refuses the key or the account
│   ├── BudgetReached     the call was not made: the budget has no room for it
│   ├── RateLimited       the provider asks for patience, and back-off has run out (a retry may help)
│   ├── AgentTimeout      no reply in time (a retry may help)
│   ├── AgentFailed       the backend itself reported a failure
│   ├── ReplyCut          the reply ended at the token limit, unfinished
│   ├── ModelRefused      the model or the provider's content filter declined to answer
│   ├── AgentAbstained    the agent found no answer that it would stand by
│   └── InvalidReply      a reply arrived, but not of the asked shape
├── VectorsUnusable       no vector is there that could be compared
├── GateRefused           a gate said no: nothing was published (exit 1)
└── WarehouseError        the store cannot be read or written
    ├── WarehouseBusy     another process holds it (a retry may help)
    └── WarehouseDamaged  its file is not what was written
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from sekisho.gates.finding import Finding


class SekishoError(Exception):
    """What went wrong, where, and what to do about it.

    `retryable` says that the same attempt may succeed a little later; `again`, that asking once more in a later round
    could give something else.
    """

    retryable: ClassVar[bool] = False
    again: ClassVar[bool] = False

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
    """A model call gave nothing usable.

    `usage` holds the tokens and US dollars of all attempts of the call, None where they are unknown. `seen` is what
    came in place of a model's reply, in words that hold for every call; empty where one came or nothing was sent.
    """

    again: ClassVar[bool] = True
    usage: Mapping[str, float | None] = MappingProxyType({})
    seen: str = ""

    def costing(self, usage: Mapping[str, float | None]) -> Self:
        """This error, with what the call cost."""
        self.usage = dict(usage)
        return self

    def having_seen(self, what: str) -> Self:
        """This error, with what came in place of a model's reply."""
        self.seen = what
        return self

    def reworded(self, change: Callable[[str], str]) -> Self:
        """This error, with its words changed."""
        self.message = change(self.message)
        self.args = (self.message,)
        return self

    @property
    def feedback(self) -> tuple[str, ...]:
        """What a model can mend when it is asked again; nothing where the failure was not its own."""
        return ()


class AgentUnavailable(AgentError):
    """The program, provider or fixture that should answer is not there."""


class AccessDenied(AgentError):
    """The provider refuses the key, the account or its credit."""

    again = False


class BudgetReached(AgentError):
    """The call was not made: what it may cost does not fit into what is left of the run's budget, in no later round."""

    again = False


class RateLimited(AgentError):
    """The provider's limit was hit and stayed hit through every back-off."""

    retryable = True


class AgentTimeout(AgentError):
    """No reply arrived in time."""

    retryable = True


class AgentFailed(AgentError):
    """The backend itself reported a failure."""


class ReplyCut(AgentError):
    """The reply ended at the token limit, so that it is unfinished."""

    @property
    def feedback(self) -> tuple[str, ...]:
        """The limit: a shorter reply would have fitted."""
        return (self.message,)


class ModelRefused(AgentError):
    """The model, or the provider's content filter, declined to answer."""


class AgentAbstained(AgentError):
    """The agent found nothing that it would stand by, and would find the same again."""

    again = False


class InvalidReply(AgentError):
    """A reply arrived, but it is not of the shape that was asked for."""

    def __init__(self, reasons: Sequence[str], *, item: str | None = None) -> None:
        super().__init__("; ".join(reasons), item=item)
        self.reasons = tuple(reasons)

    def reworded(self, change: Callable[[str], str]) -> Self:
        """This error, with its words and reasons changed."""
        self.reasons = tuple(change(reason) for reason in self.reasons)
        return super().reworded(change)

    @property
    def feedback(self) -> tuple[str, ...]:
        """What does not fit."""
        return self.reasons


class VectorsUnusable(SekishoError):
    """There is no vector that could be compared: of what is searched with, or of all that is searched."""


class GateRefused(SekishoError):
    """A gate said no, so nothing was published; `findings` are what it found."""

    def __init__(self, message: str, findings: Sequence[Finding]) -> None:
        super().__init__(message)
        self.findings = tuple(findings)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The message of each finding."""
        return tuple(found.message for found in self.findings)


class WarehouseError(SekishoError):
    """The warehouse cannot be read or written."""


class WarehouseBusy(WarehouseError):
    """Another process holds the warehouse."""

    retryable = True


class WarehouseDamaged(WarehouseError):
    """The warehouse's file, or the log beside it, is not what was written there."""
