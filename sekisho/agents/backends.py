"""Which backend answers: the one place that knows them by name (`IECQ_AGENT`)."""

from __future__ import annotations

import shutil
from functools import lru_cache

from sekisho.agents.base import Agent
from sekisho.agents.claude import ClaudeAgent
from sekisho.agents.fixtures import load_fixtures
from sekisho.agents.instructor import InstructorAgent
from sekisho.agents.local.agent import LocalAgent
from sekisho.agents.prompts import prompt_models
from sekisho.agents.providers import find_provider
from sekisho.agents.spend import SpendLedger
from sekisho.agents.store import StoredAgent
from sekisho.errors import SettingsError
from sekisho.retrieval.encoder import SentenceEncoder
from sekisho.settings import Settings


def make_agent(settings: Settings, *, run: str | None = None) -> Agent:
    """The agent that the settings name; replies that were paid for are stored.

    `run` names the run in the ledger of costs. `SettingsError` where the name, the provider's package or its key is
    missing; nothing of a provider is imported for that.
    """
    if settings.agent == "mock":
        return load_fixtures(settings.data / "fixtures", settings.fixtures)
    if settings.agent == "claude":
        return StoredAgent(ClaudeAgent(timeout=settings.model_timeout), settings.calls_path)
    if settings.agent == "local":
        return _local_agent()
    if settings.agent == "live":
        _check_live(settings)
    elif "/" in settings.agent:
        find_provider(settings.agent)[0].check()
    else:
        remedy = "use mock, local, claude, live or a provider string such as openai/gpt-4o-mini"
        raise SettingsError(f"no agent is called {settings.agent!r}", item="IECQ_AGENT", remedy=remedy)
    model = "" if settings.agent == "live" else settings.agent
    ledger = SpendLedger(settings.spend_path, run)
    return StoredAgent(InstructorAgent(model, ledger=ledger, timeout=settings.model_timeout), settings.calls_path)


def _check_live(settings: Settings) -> None:
    """At least one prompt's provider must be usable; what another one misses is told when that prompt is asked."""
    problems: list[SettingsError] = []
    for name, model in prompt_models(settings.prompts).items():
        try:
            find_provider(model, f"{name}/params.yaml: model")[0].check()
        except SettingsError as error:
            problems.append(error)
        else:
            return
    if problems:
        raise problems[0]


def check_backend(settings: Settings) -> None:
    """`SettingsError` where the chosen backend cannot answer at all: said once, not once per document."""
    if settings.fixtures is not None and settings.agent != "mock":
        reason = f"fixtures answer for IECQ_AGENT=mock alone, not for {settings.agent}"
        raise SettingsError(
            reason, item="SEKISHO_FIXTURES or --fixtures", remedy="leave it out, or set IECQ_AGENT=mock"
        )
    if settings.agent == "claude" and shutil.which("claude") is None:
        remedy = "install the Claude command line, or choose another IECQ_AGENT"
        raise SettingsError("the program claude is not on the PATH", item="IECQ_AGENT=claude", remedy=remedy)


@lru_cache(maxsize=1)
def _local_agent() -> LocalAgent:
    """One for the process: its model takes seconds to load."""
    encoder = SentenceEncoder()
    return LocalAgent(encoder, model=encoder.fingerprint)
