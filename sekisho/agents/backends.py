"""Which backend answers: the one place that knows them by name (`IECQ_AGENT`)."""

from __future__ import annotations

import shutil
from functools import lru_cache
from typing import TypedDict
from uuid import uuid4

from sekisho.agents.base import Agent
from sekisho.agents.budget import Budget
from sekisho.agents.ceiling import find_ceiling
from sekisho.agents.claude import ClaudeAgent
from sekisho.agents.fixtures import load_fixtures
from sekisho.agents.instructor import InstructorAgent
from sekisho.agents.local.agent import LocalAgent
from sekisho.agents.prompts import prompt_params
from sekisho.agents.providers import Provider, find_provider
from sekisho.agents.secrets import Discreet
from sekisho.agents.spend import SpendLedger
from sekisho.agents.store import StoredAgent
from sekisho.errors import SettingsError
from sekisho.retrieval.encoder import SentenceEncoder
from sekisho.settings import Settings


class _Limits(TypedDict):
    timeout: float
    concurrency: int


def make_agent(settings: Settings, *, run: str | None = None, root: str | None = None) -> Agent:
    """The agent that the settings name; replies that were paid for are stored.

    `run` names the run in the ledger of costs, `root` the first of the runs that share one budget with it; without
    either, the budget is the agent's own. `SettingsError` where the name, the provider's package or its key is missing,
    or where a budget is set that cannot be held; nothing of a provider is imported for that.
    """
    if settings.agent == "mock":
        return load_fixtures(settings.data / "fixtures", settings.fixtures)
    limits: _Limits = {
        "timeout": settings.model_timeout,
        "concurrency": settings.provider_concurrency or settings.workers,
    }
    if settings.agent == "claude":
        ledger, budget = _purse(settings, run, root)
        claude = ClaudeAgent(ledger=ledger, budget=budget, **limits)
        return StoredAgent(Discreet(claude), settings.calls_path)
    if settings.agent == "local":
        return _local_agent()
    if settings.agent == "live":
        _check_live(settings)
    else:
        _provider(settings).check()
    if settings.budget_usd is not None:
        _check_ceilings(settings)
    ledger, budget = _purse(settings, run, root)
    model = "" if settings.agent == "live" else settings.agent
    asked = InstructorAgent(model, ledger=ledger, budget=budget, **limits)
    return StoredAgent(Discreet(asked), settings.calls_path)


def _provider(settings: Settings) -> Provider:
    if "/" not in settings.agent:
        remedy = "use mock, local, claude, live or a provider string such as openai/gpt-4o-mini"
        raise SettingsError(f"no agent is called {settings.agent!r}", item="IECQ_AGENT", remedy=remedy)
    return find_provider(settings.agent)[0]


def _purse(settings: Settings, run: str | None, root: str | None) -> tuple[SpendLedger, Budget | None]:
    if settings.budget_usd is None:
        return SpendLedger(settings.spend_path, run, root), None
    ledger = SpendLedger(settings.spend_path, run or uuid4().hex, root)
    return ledger, Budget(settings.budget_usd, ledger)


def _check_ceilings(settings: Settings) -> None:
    """`SettingsError` where it is not known what a call of some prompt can cost at most: said before any is made."""
    for name, params in prompt_params(settings.prompts).items():
        string = params.get("model") if settings.agent == "live" else settings.agent
        if string is not None:
            provider, model = find_provider(str(string), f"{name}/params.yaml: model")
            find_ceiling(provider, model, params, name)


def _check_live(settings: Settings) -> None:
    """At least one prompt's provider must be usable; what another one misses is told when that prompt is asked."""
    problems: list[SettingsError] = []
    for name, params in prompt_params(settings.prompts).items():
        if "model" not in params:
            continue
        try:
            find_provider(str(params["model"]), f"{name}/params.yaml: model")[0].check()
        except SettingsError as error:
            problems.append(error)
        else:
            return
    if problems:
        raise problems[0]


def check_choice(settings: Settings) -> None:
    """`SettingsError` where no run could use this choice of agent, fixtures and budget; no key or program is needed."""
    if settings.fixtures is not None and settings.agent != "mock":
        reason = f"fixtures answer for IECQ_AGENT=mock alone, not for {settings.agent}"
        raise SettingsError(
            reason, item="SEKISHO_FIXTURES or --fixtures", remedy="leave it out, or set IECQ_AGENT=mock"
        )
    if settings.agent in ("mock", "local", "claude"):
        return
    if settings.agent != "live":
        _provider(settings)
    if settings.budget_usd is not None:
        _check_ceilings(settings)


def check_backend(settings: Settings) -> None:
    """`SettingsError` where the chosen backend cannot answer at all: said once, not once per document."""
    check_choice(settings)
    if settings.agent == "claude" and shutil.which("claude") is None:
        remedy = "install the Claude command line, or choose another IECQ_AGENT"
        raise SettingsError("the program claude is not on the PATH", item="IECQ_AGENT=claude", remedy=remedy)


@lru_cache(maxsize=1)
def _local_agent() -> LocalAgent:
    """One for the process: its model takes seconds to load."""
    encoder = SentenceEncoder()
    return LocalAgent(encoder, model=encoder.fingerprint)
