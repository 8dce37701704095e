"""Which backend answers: the one place that knows them by name (`IECQ_AGENT`)."""

from __future__ import annotations

from functools import lru_cache

from sekisho.agents.base import Agent
from sekisho.agents.claude import ClaudeAgent
from sekisho.agents.fixtures import load_fixtures
from sekisho.agents.local.agent import LocalAgent, folder_digest
from sekisho.agents.store import StoredAgent
from sekisho.errors import SettingsError
from sekisho.retrieval.encoder import SentenceEncoder, bundled_model
from sekisho.settings import Settings


def make_agent(settings: Settings) -> Agent:
    """The agent that the settings name; replies that were paid for are stored, mock's and local's are not."""
    if settings.agent == "mock":
        return load_fixtures(settings.data / "fixtures", settings.fixtures)
    if settings.agent == "claude":
        return StoredAgent(ClaudeAgent(timeout=settings.model_timeout), settings.state / "llm_calls")
    if settings.agent == "local":
        return _local_agent()
    raise SettingsError(f"no agent is called {settings.agent!r}", item="IECQ_AGENT", remedy="use mock, claude or local")


@lru_cache(maxsize=1)
def _local_agent() -> LocalAgent:
    """One for the process: its model takes seconds to load."""
    model = bundled_model()
    return LocalAgent(SentenceEncoder(model), model=folder_digest(model))
