"""The Instructor agent: any provider string, typed replies, counted retries, and the cost of every attempt."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

from sekisho.agents.asked import asked
from sekisho.agents.base import Call, Reply
from sekisho.agents.budget import Account, Budget
from sekisho.agents.ceiling import Ceiling, find_ceiling
from sekisho.agents.circuit import DEAD_AFTER, Circuit
from sekisho.agents.connect import connect
from sekisho.agents.prices import Spent, spent_on
from sekisho.agents.providers import Provider, find_provider
from sekisho.agents.received import Received
from sekisho.agents.session import Session, objection, watcher
from sekisho.agents.slots import slot
from sekisho.agents.spend import SpendLedger
from sekisho.agents.transport import TRANSPORT_RETRIES
from sekisho.errors import AgentUnavailable, InputError, SettingsError

# Each re-ask repeats all that was said so far, so the third costs about seven times the first question.
MOST_RETRIES = 3


class InstructorAgent:
    """Asks one model for every prompt, or each prompt's own (`model` in its params.yaml) where `model` is empty.

    `timeout` is in seconds and holds for each attempt; `back_offs` is how often one is repeated that the network or the
    provider turned away; `budget` is what the attempts may cost together; `concurrency` is how many requests a provider
    gets at once from this process, whatever agent makes them. After `dead_after` calls of one model in a row that ended
    in an outage, or after one refused key, the agent asks that model nothing more. Nothing is imported and no key is
    read before the first call.
    """

    def __init__(
        self,
        model: str,
        *,
        ledger: SpendLedger,
        budget: Budget | None = None,
        timeout: float = 180.0,
        back_offs: int = TRANSPORT_RETRIES,
        concurrency: int = 5,
        dead_after: int = DEAD_AFTER,
    ) -> None:
        if model:
            find_provider(model)
        self._model = model
        self._ledger = ledger
        self._budget = budget
        self._timeout = timeout
        self._back_offs = back_offs
        self._concurrency = concurrency
        self._dead_after = dead_after
        self._circuits: dict[str, Circuit] = {}
        self._clients: dict[tuple[object, ...], Any] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The provider string, or `live`."""
        return self._model or "live"

    @property
    def fingerprint(self) -> str:
        """The same: nothing but the call and the model decides the reply."""
        return self.name

    def propose(self, call: Call) -> Reply:
        """The reply as the model sent it; else a typed error that carries the cost of all attempts."""
        string = self._model or own_model(call)
        provider, model = _usable(string, call)
        retries = retries_of(call.prompt.params, call.prompt.name)
        back_offs = back_offs_of(call.prompt.params, call.prompt.name, self._back_offs)
        circuit = self._circuit(string)
        with circuit.call():
            client = self._client(string, provider, model, back_offs)
            return self._ask(client, circuit, call, provider, string, retries)

    def _ask(self, client: Any, circuit: Circuit, call: Call, provider: Provider, string: str, retries: int) -> Reply:
        from instructor.core.hooks import Hooks
        from tenacity import Retrying, retry_if_exception, stop_after_attempt

        model = string.partition("/")[2]
        params = provider.accepted(model, call.prompt.params)
        session = self._session(call, circuit, provider, string, model)
        hooks = Hooks()
        hooks.on("completion:kwargs", session.another)
        hooks.on("completion:response", session.received)
        ask = partial(
            client.create,
            response_model=asked(call, objection),
            messages=[{"role": "user", "content": call.prompt.text}],
            # One object per call: a shared one mixes up concurrent calls.
            max_retries=Retrying(
                stop=stop_after_attempt(1 + retries), retry=retry_if_exception(session.worth_another), reraise=True
            ),
            hooks=hooks,
            **({} if provider.wire == "own" else {"model": model}),
            **params,
        )
        with session.current(), self._place(provider) if provider.wire == "own" else nullcontext():
            try:
                content = ask().content
            except Exception as error:
                content = session.plain_text()
                if content is None:
                    raise session.failed(error) from None
            replies: list[Reply] = []

            def keep(answered: str, usage: dict[str, float | None]) -> None:
                replies.append(call.arrived(Reply(content, model=answered or string, usage=usage, params=params)))

            session.answered(keep)
        return replies[0]

    def _session(self, call: Call, circuit: Circuit, provider: Provider, string: str, model: str) -> Session:
        def price(reply: Received) -> Spent:
            return spent_on(reply.data, provider.name, model)

        worst = _ceiling(provider, model, call).of if self._budget else None
        account = Account(self._ledger, self._budget, key=call.key, prompt=call.prompt.name, model=string)
        return Session(call, account, circuit, price=price, worst=worst, foreign=provider.wire == "own")

    def _client(self, string: str, provider: Provider, model: str, back_offs: int) -> Any:
        with self._lock:
            # A key changed meanwhile is sent from then on, and no reply is searched for the one before it.
            key = (string, back_offs, provider.credential, provider.base_url)
            if key not in self._clients:
                place = partial(self._place, provider)
                self._clients[key] = connect(
                    provider, model, watcher, timeout=self._timeout, retries=back_offs, place=place
                )
            return self._clients[key]

    def _circuit(self, string: str) -> Circuit:
        with self._lock:
            return self._circuits.setdefault(string, Circuit(string, self._dead_after))

    def _place(self, provider: Provider) -> AbstractContextManager[None]:
        return slot(provider.name, self._concurrency)


def retries_of(params: Mapping[str, Any], prompt: str) -> int:
    """How often an invalid reply is asked for again: `retries` of params.yaml, 1 without it, 3 at most."""
    return _count(params.get("retries", 1), "retries", prompt, MOST_RETRIES)


def back_offs_of(params: Mapping[str, Any], prompt: str, usual: int) -> int:
    """How often an attempt is repeated that was turned away: `back_offs` of params.yaml, `usual` without it."""
    back_offs = params.get("back_offs")
    return usual if back_offs is None else _count(back_offs, "back_offs", prompt, TRANSPORT_RETRIES)


def _count(value: object, name: str, prompt: str, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        remedy = f"write a number from 0 to {most}"
        raise InputError(f"{name} is {value!r}", file=f"{prompt}/params.yaml", remedy=remedy)
    return value


def own_model(call: Call) -> str:
    """The `model` of a prompt's params.yaml; `InputError` where it names none."""
    model = call.prompt.params.get("model")
    if not isinstance(model, str) or "/" not in model:
        raise InputError(
            f"model is {model!r}", file=f"{call.prompt.name}/params.yaml", remedy="write model: <provider>/<model>"
        )
    return model


def _usable(string: str, call: Call) -> tuple[Provider, str]:
    try:
        provider, model = find_provider(string, f"{call.prompt.name}/params.yaml: model")
        provider.check()
    except SettingsError as error:
        raise AgentUnavailable(error.message, item=error.item, remedy=error.remedy) from None
    return provider, model


def _ceiling(provider: Provider, model: str, call: Call) -> Ceiling:
    try:
        return find_ceiling(provider, model, call.prompt.params, call.prompt.name)
    except SettingsError as error:
        raise AgentUnavailable(error.message, item=error.item, remedy=error.remedy) from None
