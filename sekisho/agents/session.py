"""One model call from its first attempt to its last: what each cost, whether another is worth it, what failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from sekisho.agents.asked import tool_name
from sekisho.agents.base import Call
from sekisho.agents.budget import Account
from sekisho.agents.circuit import Circuit
from sekisho.agents.faults import NO_REPLY, describe, http_error
from sekisho.agents.prices import NOTHING, UNKNOWN, Spent, total
from sekisho.agents.received import Received, read_reply
from sekisho.agents.secrets import HOLDS_A_SECRET
from sekisho.agents.spend import Outcome
from sekisho.agents.subagent import json_from_text, parse_reply
from sekisho.errors import AgentError, AgentFailed, InvalidReply, ModelRefused, ReplyCut, SekishoError

Price = Callable[[Received], Spent]
Worst = Callable[[int], float]

# Each re-ask repeats the whole conversation so far. A reply longer than this is not repeated to the model.
_LONGEST_REPEATED = 60_000


class Session:
    """Follows one call through its attempts; one per call, used by one thread.

    An attempt is one HTTP request. It is booked when it ends: a refused one by the transport below, an answered one
    when it is clear what came of it. `price` says what a reply cost; under a budget, `worst` says the most that a
    request of so many bytes can cost. While the `circuit` is open no further attempt is made. `foreign` says that the
    transport is not ours and reports nothing.
    """

    def __init__(
        self,
        call: Call,
        account: Account,
        circuit: Circuit,
        *,
        price: Price,
        worst: Worst | None,
        foreign: bool = False,
    ) -> None:
        self._call = call
        self._account = account
        self._circuit = circuit
        self._price = price
        self._worst = worst
        self._foreign = foreign
        self._spent: list[Spent] = []
        self._last: Received | None = None
        self._open = False
        self._stopped: AgentError | None = None

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make this the session of the calling thread, from before the first attempt until all are booked."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)
            self._account.leave()

    # What the transport asks and reports.

    def may_send(self, size: int) -> bool:
        """Whether the model is still asked in this run, and the budget has room, which is then put aside."""
        try:
            self._circuit.check()
            if self._worst is not None:
                self._account.reserve(self._worst(size))
        except AgentError as error:
            self._stopped = error
        except SekishoError as error:  # what cannot be written down is not spent
            self._stopped = AgentFailed(str(error), item=self._call.key)
        return self._stopped is None

    def accepted(self) -> None:
        """A reply with a good status is here; what it is worth shows later."""
        self._open = True

    def refused(self, status: int) -> None:
        """An error status: nothing was generated, and providers do not bill that."""
        self._close("rate_limited" if status == 429 else "failed", NOTHING)

    def lost(self, *, sent: bool) -> None:
        """No reply: free where nothing was sent, else nobody knows."""
        self._close("failed", UNKNOWN if sent else NOTHING)

    # What Instructor reports.

    def received(self, response: Any) -> None:
        """A reply, before Instructor looks into it."""
        self._open = True
        self._last = read_reply(response)

    def another(self, *_arguments: Any, **_options: Any) -> None:
        """A further attempt begins, so the reply before it was invalid."""
        if self._last is not None:
            self._close("invalid", self._price(self._last))
            self._last = None

    def objection(self) -> str:
        """What is wrong with the reply around the JSON in it; empty where nothing is."""
        if self._last is None:
            return ""
        if self._last.tells_a_secret:
            return HOLDS_A_SECRET
        tools, wanted = self._last.tools, tool_name(self._call)
        if len(tools) > 1:
            return f"reply: {len(tools)} tool calls in place of one"
        if tools and tools[0] != wanted:
            return f"reply: a call of the tool {describe(tools[0])!r}, which is not {wanted!r}"
        return "reply: cut" if self._last.cut else self._last.refusal

    def worth_another(self, _error: BaseException) -> bool:
        """Whether asking again may help: the reply is whole and of the model's own will, only not of the shape."""
        last = self._last
        if last is None or last.cut or last.refusal or last.size > _LONGEST_REPEATED or last.tells_a_secret:
            return False
        return (last.known or self._foreign) and self.plain_text() is None

    # How it ends.

    def plain_text(self) -> Any:
        """The asked JSON where a model that was told to call a tool wrote it as text instead; None without it."""
        last = self._last
        if last is None or last.tools or last.cut or last.refusal:
            return None
        try:
            content = json_from_text(last.text, self._call.reply_type)
            parse_reply(self._call.reply_type, content)
        except InvalidReply:
            return None
        return content

    def answered(self, keep: Callable[[str, dict[str, float | None]], None]) -> None:
        """Hand on the model that gave the reply and the cost of all attempts, then book it as good.

        In this order: a process that is killed between the two has paid, and keeps what it paid for.
        """
        last = self._last or Received()
        spent = self._price(last)
        try:
            keep(last.model, total([*self._spent, spent]))
        finally:
            self._close("ok", spent)

    def failed(self, error: BaseException) -> AgentError:
        """Book what came last as what it was: the typed error, with the cost of all attempts."""
        if self._stopped is not None:
            return self._stopped.costing(total(self._spent))
        cause = error.__cause__ or error
        outcome, typed = self._verdict(cause)
        if self._last is not None:
            self._close(outcome, self._price(self._last))
        elif self._open or (self._foreign and outcome != "rate_limited"):
            self._close(outcome, UNKNOWN)
        elif self._foreign:
            self._close(outcome, NOTHING)
        return typed.costing(total(self._spent))

    def _verdict(self, cause: BaseException) -> tuple[Outcome, AgentError]:
        key, last = self._call.key, self._last
        if last is None:
            return http_error(cause, key)
        if last.cut:
            limit = self._call.prompt.params.get("max_tokens", "its own")
            remedy = "raise max_tokens in the prompt's params.yaml"
            return "length", ReplyCut(f"the reply was cut at the token limit ({limit})", item=key, remedy=remedy)
        if last.refusal:
            words = describe(last.refusal)
            return "refusal", ModelRefused(f"the model refused: {words}", item=key, remedy="look at the document")
        if not last.known and not self._foreign:
            words = describe(last.data.get("error") or type(cause).__name__)
            none = AgentFailed(f"the server's reply is no model reply: {words}", item=key, remedy=_ADDRESS)
            return "failed", none.having_seen(NO_REPLY)
        return "invalid", InvalidReply(self._reasons(cause))

    def _reasons(self, cause: BaseException) -> list[str]:
        """Why the reply does not fit: the parser's own words, or those for the text that stands in place of a call."""
        if self._last is not None and self._last.tells_a_secret:
            return [HOLDS_A_SECRET]
        if self._last is not None and not self._last.tools:
            try:
                parse_reply(self._call.reply_type, json_from_text(self._last.text, self._call.reply_type))
            except InvalidReply as invalid:
                return [describe(reason) for reason in invalid.reasons]
        return [describe(cause)]

    def _close(self, outcome: Outcome, spent: Spent) -> None:
        self._open = False
        self._spent.append(spent)
        self._account.book(outcome, spent)


_ADDRESS = "check the provider's base URL"
_current: ContextVar[Session] = ContextVar("session")


def watcher() -> Session:
    """The session of the calling thread."""
    return _current.get()


def objection() -> str:
    """What is wrong with the reply of the calling thread's session, around the JSON in it."""
    return _current.get().objection()
