"""What tokens cost, from the price table of genai-prices as installed: of one reply, and at the most."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice

# What a provider adds to a request of its own: role markers, the prompt that explains tools (Anthropic: 346 tokens).
_ADDED_TOKENS = 1_000
# Of one attempt: far above all that is for sale, and small enough that no sum over a ledger leaves the floats.
MOST_TOKENS = 10**15
MOST_DOLLARS = 1e12
_ASKED_FOR = ("mtok", "audio", "image")  # of `output_...`: tokens, and those that only come when they are asked for
_SEARCHES = re.compile(r"perplexity/|-search\b|:online")


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens read and written and US dollars; None where the provider, or the price table, does not say.

    A figure that no call can have (negative, not finite, beyond all measure) is unknown as well.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None

    def __post_init__(self) -> None:
        for name, most in (("input_tokens", MOST_TOKENS), ("output_tokens", MOST_TOKENS), ("cost_usd", MOST_DOLLARS)):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= most:  # NaN is not either
                object.__setattr__(self, name, None)


UNKNOWN = Spent()
NOTHING = Spent(0, 0, 0.0)


def total(attempts: Iterable[Spent]) -> dict[str, float | None]:
    """The sums over a call's attempts and their number; a sum with an unknown part is unknown."""
    spent = list(attempts)
    sums: dict[str, float | None] = {"attempts": len(spent)}
    for name in ("input_tokens", "output_tokens", "cost_usd"):
        parts = [getattr(one, name) for one in spent]
        sums[name] = None if None in parts else round(sum(parts), 12)
    return sums


def spent_on(reply: Mapping[str, Any], provider: str, model: str) -> Spent:
    """What one reply cost, from the usage in it and genai-prices; an unknown model costs None, never 0."""
    usage = reply.get("usage")
    if not isinstance(usage, Mapping):
        return UNKNOWN
    if "prompt_tokens" in usage:
        read, written = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    else:
        cached = [_count(usage, f"cache_{kind}_input_tokens") or 0 for kind in ("creation", "read")]
        read, written = _count(usage, "input_tokens"), _count(usage, "output_tokens")
        read = None if read is None else read + sum(cached)
    counted = Spent(read, written)
    if counted.input_tokens is None or counted.output_tokens is None:
        return counted
    return Spent(read, written, _price_of_reply(reply, provider, model))


def most_tokens(size: int) -> int:
    """The most input tokens that a request of `size` UTF-8 bytes can come to: no token stands for less than a byte."""
    return size + _ADDED_TOKENS


def price(provider: str, model: str, read: int, written: int) -> float | None:
    """The list price now, in US dollars, of that many input and output tokens; None where the model has none."""
    listed = _listed(provider, model)
    return None if listed is None else _cost(listed.get_prices(datetime.now(UTC)), listed, read, written)


def highest_price(provider: str, model: str, read: int, written: int) -> float | None:
    """The most that these tokens cost at any hour of the next 24, written to the provider's cache or not.

    DeepSeek asks twice its price at some hours, and some of OpenAI's models more for input that they then cache.
    """
    listed = _listed(provider, model)
    if listed is None:
        return None
    now = datetime.now(UTC)
    hourly = [listed.get_prices(now + timedelta(hours=hour)) for hour in range(24)]
    distinct = {id(prices): prices for prices in hourly}.values()
    found = [_cost(prices, listed, read, written, cached) for prices in distinct for cached in (0, read)]
    known = [one for one in found if one is not None]
    return max(known) if len(known) == len(found) else None


def unbounded_parts(provider: str, model: str) -> str:
    """What else a model charges for in a call that asks for text, in words; empty where tokens are all.

    Reasoning and citations with a price of their own are not held by `max_tokens`, nor are the searches of a model that
    searches unasked. Images, audio and the searches of a tool are not asked for.
    """
    listed = _listed(provider, model)
    prices = vars(listed.get_prices(datetime.now(UTC))) if listed else {}
    own = {name for name, value in prices.items() if value is not None}
    found = [name for name in sorted(own) if name.startswith("output_") and name.split("_")[1] not in _ASKED_FOR]
    searches = bool(_SEARCHES.search(f"{provider}/{model}"))
    found += [name for name in sorted(own) if searches and "search" in name]
    if not found and searches and "requests_kcount" not in own:
        return "searches"
    return ", ".join(" ".join(name.split("_")[:-1]) for name in found)


@lru_cache(maxsize=64)
def _listed(provider: str, model: str) -> ModelInfo | None:
    import genai_prices  # late: its table is 1.5 MB

    try:
        return genai_prices.calc_price(genai_prices.Usage(input_tokens=0), model, provider_id=provider).model
    except (LookupError, ValueError):
        return None


def _cost(prices: ModelPrice, model: ModelInfo, read: int, written: int, cached: int = 0) -> float | None:
    """None where the table has the model without its prices; only models called free have none on purpose."""
    import genai_prices

    if (prices.input_mtok is None or prices.output_mtok is None) and not model.id.endswith(":free"):
        return None
    usage = genai_prices.Usage(input_tokens=read, cache_write_tokens=cached, output_tokens=written)
    return float(prices.calc_price(usage)["total_price"])


def _price_of_reply(reply: Mapping[str, Any], provider: str, model: str) -> float | None:
    import genai_prices

    answered = str(reply.get("model") or model)
    flavor = "default" if provider == "anthropic" else "chat"
    for reference in (answered, model):
        try:
            usage = genai_prices.extract_usage({**reply, "model": reference}, provider_id=provider, api_flavor=flavor)
            return float(usage.calc_price().total_price)
        except Exception:  # a table of prices must not cost a reply that is paid for
            continue
    return None


def _count(usage: Mapping[str, Any], name: str) -> int | None:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
