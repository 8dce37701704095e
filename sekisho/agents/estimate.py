"""What a call that was not made yet would cost: likely, and at the most."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil
from statistics import mean

from sekisho.agents.base import Call
from sekisho.agents.ceiling import Ceiling, find_ceiling
from sekisho.agents.claude import ledger_name
from sekisho.agents.instructor import own_model, retries_of
from sekisho.agents.prices import most_tokens, price
from sekisho.agents.providers import find_provider
from sekisho.agents.spend import LedgerLine
from sekisho.errors import SettingsError

FREE = ("mock", "local")
# What a re-ask adds beside the reply: 2,000 characters of reasons, Instructor's words, the roles of two messages.
_RE_ASK_TOKENS = 9_000
_REQUEST_BYTES = 1_000  # names of fields and parameters, Instructor's words around a schema


@dataclass(frozen=True, slots=True)
class Estimate:
    """Tokens and US dollars of one call; `why` says why a figure is None.

    The likely figures are of one attempt. `at_most_usd` is of a call whose every reply is as long as it may be and is
    asked for again as often as the prompt allows.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0
    at_most_usd: float | None = 0.0
    why: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """What good replies came to so far, by prompt and model: means of output tokens and of US dollars."""

    written: dict[tuple[str, str], float] = field(default_factory=dict)
    paid: dict[tuple[str, str], float] = field(default_factory=dict)


def history_of(lines: Iterable[LedgerLine]) -> History:
    """The means over a ledger's good replies; under the model `""`, those of a prompt with any model."""
    written, paid = defaultdict(list), defaultdict(list)
    for line in lines:
        if line.outcome == "ok" and line.output_tokens is not None:
            written[line.prompt, line.model].append(line.output_tokens)
            written[line.prompt, ""].append(line.output_tokens)
        if line.outcome == "ok" and line.cost_usd is not None:
            paid[line.prompt, line.model].append(line.cost_usd)
    return History({key: mean(of) for key, of in written.items()}, {key: mean(of) for key, of in paid.items()})


def model_of(agent: str, call: Call) -> str:
    """What the ledger calls the model that an agent would ask."""
    if agent == "claude":
        return ledger_name(call.prompt.params)
    return own_model(call) if agent == "live" else agent


def estimate(agent: str, call: Call, history: History, more: int = 0) -> Estimate:
    """What a call would cost; `more` are input tokens that may come on top of what it shows, at the most."""
    if agent in FREE:
        return Estimate()
    model = model_of(agent, call)
    read = likely_tokens(call.prompt.text) + likely_tokens(json.dumps(dict(call.schema), ensure_ascii=False))
    written = _likely_output(call, model, history)
    if agent == "claude":
        paid = history.paid.get((call.prompt.name, model))
        usd = paid if paid is not None else price("anthropic", model.removeprefix("claude/"), read, written)
        return Estimate(read, written, usd, None, "claude takes no limit on a reply, so there is no upper bound")
    provider, name = find_provider(model, f"{call.prompt.name}/params.yaml: model")
    usd = price(provider.name, name, read, written)
    try:
        ceiling = find_ceiling(provider, name, call.prompt.params, call.prompt.name)
    except SettingsError as error:
        return Estimate(read, written, usd, None, error.message.partition(", so no budget")[0])
    return Estimate(read, written, usd, _at_most(ceiling, call, more))


def likely_tokens(text: str) -> int:
    """About how many tokens a text has: four ASCII characters are one, any other character is one."""
    plain = len(text.encode("ascii", "ignore"))
    return ceil(plain / 4) + len(text) - plain


def request_size(call: Call) -> int:
    """The most UTF-8 bytes that the first request of a call has: its prompt, its schema and what stands around them.

    Some modes show the schema as indented text, in which each quotation mark of it is escaped.
    """
    prompt = json.dumps(call.prompt.text, ensure_ascii=False)
    schema = json.dumps(json.dumps(dict(call.schema), indent=4, ensure_ascii=False))
    return len(prompt.encode("utf-8")) + len(schema) + _REQUEST_BYTES


def _at_most(ceiling: Ceiling, call: Call, more: int) -> float:
    first = most_tokens(request_size(call)) + more
    grown = ceiling.output_tokens + _RE_ASK_TOKENS
    attempts = 1 + retries_of(call.prompt.params, call.prompt.name)
    return sum(ceiling.of_tokens(first + number * grown) for number in range(attempts))


def _likely_output(call: Call, model: str, history: History) -> int:
    """The mean of the replies so far, of this model or else of any; a quarter of the limit before there are any."""
    for name in (model, ""):
        known = history.written.get((call.prompt.name, name))
        if known is not None:
            return round(known)
    longest = call.prompt.params.get("max_tokens")
    return longest // 4 if isinstance(longest, int) else 1_000
