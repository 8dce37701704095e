"""An agent for a dry run: it answers from the call store alone, and keeps what it could not answer."""

from __future__ import annotations

from sekisho.agents.base import Agent, Call, Reply
from sekisho.agents.fixtures import load_fixtures
from sekisho.agents.store import CallStore
from sekisho.errors import AgentUnavailable
from sekisho.settings import Settings


class Rehearsal:
    """Stands in for the agent that the settings name; nothing is asked, nothing is written. For one thread.

    `calls` are those that a run comes to, in order, each with whether its reply is stored. The calls named by the keys
    in `open` will be others than they seem now, so no stored reply can be theirs. A `free` agent's replies stand for
    those that are not stored.
    """

    def __init__(self, name: str, store: CallStore | None, free: Agent | None = None) -> None:
        self.name = self.fingerprint = name
        self.calls: list[tuple[Call, bool]] = []
        self.open: set[str] = set()
        self.free = free
        self._store = store

    @property
    def wanted(self) -> list[Call]:
        """The calls that the agent would have to make."""
        return [call for call, is_stored in self.calls if not is_stored]

    def propose(self, call: Call) -> Reply:
        """The stored reply; `AgentUnavailable` without one."""
        known = self._store.read(self.name, call) if self._store and call.key not in self.open else None
        self.calls.append((call, known is not None))
        if known is not None:
            return known
        if self.free is not None:
            return self.free.propose(call)
        raise AgentUnavailable("not asked in a dry run", item=call.key)


def rehearse(settings: Settings) -> Rehearsal:
    """The rehearsal of the agent that the settings name; fixtures answer for `mock`, nothing does for `local`."""
    if settings.agent == "mock":
        return Rehearsal("mock", None, load_fixtures(settings.data / "fixtures", settings.fixtures))
    return Rehearsal(settings.agent, None if settings.agent == "local" else CallStore(settings.calls_path))
