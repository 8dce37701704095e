"""The most that one attempt of a model call can cost, known before it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sekisho.agents.prices import highest_price, most_tokens, unbounded_parts
from sekisho.agents.providers import Provider
from sekisho.errors import SettingsError

_ITEM = "SEKISHO_BUDGET_USD"


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What bounds an attempt: the model's highest price and the most tokens that it may write."""

    provider: str
    model: str
    output_tokens: int

    def of(self, size: int) -> float:
        """The most, in US dollars, that an attempt can cost whose request has `size` UTF-8 bytes."""
        return self.of_tokens(most_tokens(size))

    def of_tokens(self, read: int) -> float:
        """The same, for a number of input tokens."""
        cost = highest_price(self.provider, self.model, read, self.output_tokens)
        assert cost is not None  # `find_ceiling` has asked
        return cost


def find_ceiling(provider: Provider, model: str, params: Mapping[str, Any], prompt: str) -> Ceiling:
    """The ceiling of a prompt's calls; `SettingsError` says why there is none, and so no budget that could be held."""
    name = f"{provider.name}/{model}"
    if provider.wire == "own":
        why = f"no limit on a reply's length is sent to {provider.name}, so no budget can be held"
        raise SettingsError(why, item=_ITEM, remedy="unset it, or choose a provider that takes max_tokens")
    sent = provider.accepted(model, params)
    longest = sent.get("max_tokens", sent.get("max_completion_tokens"))
    if isinstance(longest, bool) or not isinstance(longest, int) or longest < 1:
        why = f"max_tokens is {longest!r} in {prompt}/params.yaml, so no budget can be held"
        raise SettingsError(why, item=_ITEM, remedy="write max_tokens: 4096 there, say, or unset the budget")
    if highest_price(provider.name, model, 1, 1) is None:
        why = f"the price of {name} ({prompt}) is not known, so no budget can be held"
        raise SettingsError(why, item=_ITEM, remedy="unset it, or choose a model that genai-prices knows")
    unbounded = unbounded_parts(provider.name, model)
    if unbounded:
        why = f"{name} ({prompt}) also charges for {unbounded}, which nothing bounds, so no budget can be held"
        raise SettingsError(why, item=_ITEM, remedy="unset it, or choose a model that charges for plain tokens alone")
    return Ceiling(provider.name, model, longest)
