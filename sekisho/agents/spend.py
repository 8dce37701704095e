"""What model calls cost: the price of one reply, and the ledger with one line per attempt."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from sekisho.errors import SekishoError
from sekisho.hashing import canonical_json

Outcome = Literal["ok", "invalid", "length", "refusal", "rate_limited", "failed"]


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens read and written and US dollars; None where the provider, or the price table, does not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


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
    if read is None or written is None:
        return Spent(read, written)
    return Spent(read, written, _price(reply, provider, model))


def _price(reply: Mapping[str, Any], provider: str, model: str) -> float | None:
    import genai_prices  # late: its table is 1.5 MB

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


class SpendLedger:
    """Appends one JSON line per attempt to a file; safe with several threads and processes.

    It holds no prompt, no reply and no key.
    """

    def __init__(self, path: Path, run: str | None = None) -> None:
        self._path = path
        self._run = run
        self._lock = threading.Lock()

    def book(self, *, key: str, prompt: str, model: str, outcome: Outcome, spent: Spent) -> None:
        """Write one attempt; `SekishoError` where the disk refuses."""
        line: dict[str, Any] = {"at": datetime.now(UTC).isoformat(timespec="milliseconds")}
        line |= {"key": key, "prompt": prompt, "model": model, "outcome": outcome, **asdict(spent)}
        if self._run is not None:
            line["run"] = self._run
        data = (canonical_json(line) + "\n").encode("utf-8")
        try:
            with self._lock:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
                try:
                    os.write(handle, data)  # one write in append mode: lines of two processes do not mix
                finally:
                    os.close(handle)
        except OSError as error:
            raise SekishoError(
                f"cannot be written: {error.strerror}", file=self._path, remedy="check the folder's rights"
            ) from None
