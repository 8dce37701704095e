"""The forecast of a run: how many calls it would make, and what they would cost, likely and at the most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sekisho.agents.backends import check_choice
from sekisho.agents.estimate import FREE, Estimate, History, estimate, history_of, model_of
from sekisho.agents.spend import LedgerReader
from sekisho.plan import Plan, plan_run
from sekisho.settings import Settings


@dataclass(frozen=True, slots=True)
class PromptForecast:
    """The calls of one prompt to one model: how many are needed and how many stored, and what the needed would cost.

    Tokens and `likely_usd` are of one attempt each, `at_most_usd` of replies as long as they may be, asked for again as
    often as the prompt allows; None where it cannot be known. `estimated` says why the calls are not exactly those of
    the run; it is empty where they are.
    """

    prompt: str
    model: str
    calls: int
    stored: int
    input_tokens: int
    output_tokens: int
    likely_usd: float | None
    at_most_usd: float | None
    estimated: str = ""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a run would do: its prompts in the order of the run, and remarks in words."""

    agent: str
    prompts: tuple[PromptForecast, ...]
    remarks: tuple[str, ...]
    budget_usd: float | None

    @property
    def calls(self) -> int:
        """How many calls are needed."""
        return sum(prompt.calls for prompt in self.prompts)

    @property
    def likely_usd(self) -> float | None:
        """The likely cost of all of them; None where one is not known."""
        return _sum(prompt.likely_usd for prompt in self.prompts)

    @property
    def at_most_usd(self) -> float | None:
        """The most that all of them can cost; None where one is not known."""
        return _sum(prompt.at_most_usd for prompt in self.prompts)

    def as_dict(self) -> dict[str, Any]:
        """The forecast as plain JSON values."""
        totals = {"calls": self.calls, "likely_usd": self.likely_usd, "at_most_usd": self.at_most_usd}
        prompts = [asdict(prompt) for prompt in self.prompts]
        told = {"prompts": prompts, "remarks": list(self.remarks), "budget_usd": self.budget_usd}
        return {"agent": self.agent, **totals, **told}


def forecast_run(settings: Settings) -> Forecast:
    """What a run would cost now. Reads the data, the prompts and the state; asks and writes nothing.

    `InputError` where the run itself would end with one. No provider's package or key is needed.
    """
    check_choice(settings)
    plan = plan_run(settings)
    history = history_of(LedgerReader(settings.spend_path).new_lines())
    remarks = list(plan.remarks)
    prompts = _by_prompt(settings.agent, plan, history, remarks)
    if settings.agent in FREE:
        remarks.append(f"{settings.agent} costs nothing")
    return Forecast(settings.agent, tuple(prompts), tuple(dict.fromkeys(remarks)), settings.budget_usd)


def _by_prompt(agent: str, plan: Plan, history: History, remarks: list[str]) -> list[PromptForecast]:
    needed: dict[tuple[str, str], list[Estimate]] = {}
    stored: dict[tuple[str, str], int] = defaultdict(int)
    for call, is_stored in plan.calls:
        key = (call.prompt.name, model_of(agent, call))
        estimates = needed.setdefault(key, [])
        if is_stored:
            stored[key] += 1
        else:
            estimates.append(estimate(agent, call, history, plan.more.get(call.key, 0)))
    remarks += [one.why for estimates in needed.values() for one in estimates if one.why]
    return [_row(*key, found, stored[key], plan.estimated.get(key[0], "")) for key, found in needed.items()]


def _row(prompt: str, model: str, needed: Sequence[Estimate], stored: int, estimated: str) -> PromptForecast:
    return PromptForecast(
        prompt=prompt,
        model=model,
        calls=len(needed),
        stored=stored,
        input_tokens=sum(one.input_tokens for one in needed),
        output_tokens=sum(one.output_tokens for one in needed),
        likely_usd=_sum(one.usd for one in needed),
        at_most_usd=_sum(one.at_most_usd for one in needed),
        estimated=estimated,
    )


def _sum(parts: Iterable[float | None]) -> float | None:
    found = list(parts)
    return None if None in found else round(sum(one or 0.0 for one in found), 9)
