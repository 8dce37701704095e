"""Which backend answers: the one place that knows them by name (`IECQ_AGENT`)."""

from __future__ import annotations

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
