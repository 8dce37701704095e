"""Which backend answers: the one place that knows them by name (`IECQ_AGENT`)."""

from __future__ import annotations

import shutil

from sekisho.agents.base import Agent
from sekisho.agents.claude import ClaudeAgent
from sekisho.agents.fixtures import load_fixtures
from sekisho.agents.store import StoredAgent
from sekisho.errors import SettingsError
from sekisho.settings import Settings


def make_agent(settings: Settings) -> Agent:
    """The agent that the settings name; mock replies are never stored, all others are."""
    if settings.agent == "mock":
        return load_fixtures(settings.data / "fixtures", settings.fixtures)
    if settings.agent == "claude":
        return StoredAgent(ClaudeAgent(timeout=settings.model_timeout), settings.state / "llm_calls")
    raise SettingsError(f"no agent is called {settings.agent!r}", item="IECQ_AGENT", remedy="use mock or claude")


def check_backend(settings: Settings) -> None:
    """`SettingsError` where the chosen backend cannot answer at all: said once, not once per document."""
    if settings.agent == "claude" and shutil.which("claude") is None:
        remedy = "install the Claude command line, or choose another IECQ_AGENT"
        raise SettingsError("the program claude is not on the PATH", item="IECQ_AGENT=claude", remedy=remedy)
