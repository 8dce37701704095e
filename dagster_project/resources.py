"""The library's objects as Dagster resources; each reads the settings when a run starts, not when it is defined."""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

from dagster_project.rounds import REPAIR, round_of
from sekisho.agents.backends import make_agent
from sekisho.agents.base import Agent
from sekisho.events import EventLog, Listener
from sekisho.retrieval.encoder import Embedder, encoder_of
from sekisho.retrieval.store import EmbeddingStore
from sekisho.rounds import Round, last_round
from sekisho.settings import Settings, load_settings
from sekisho.warehouse import Warehouse, run_lock


class SettingsResource(dg.ConfigurableResource[Settings]):
    """The settings, from the environment."""

    def create_resource(self, context: dg.InitResourceContext) -> Settings:
        """Read the environment."""
        return load_settings()


class WarehouseResource(dg.ConfigurableResource[Warehouse]):
    """The DuckDB file with every row of every stage."""

    @contextmanager
    def yield_for_execution(self, context: dg.InitResourceContext) -> Iterator[Warehouse]:
        """The warehouse under the state folder, for this run alone: no two runs write to one state at once."""
        settings = load_settings()
        with run_lock(settings.state, wait=settings.lock_wait):
            yield Warehouse(settings.warehouse_path, wait=settings.lock_wait)


class RoundResource(dg.ConfigurableResource[Round]):
    """Which round of the loop a run is, from its tags; a `repair` without them is the one after the last."""

    warehouse: dg.ResourceDependency[Warehouse]

    def create_resource(self, context: dg.InitResourceContext) -> Round:
        """The round that the tags name, else the first, or the next one of what is recorded."""
        run = context.run
        this = round_of(run.tags if run is not None else {})
        if this is None and run is not None and run.job_name == REPAIR:
            return Round(last_round(self.warehouse.gaps()) + 1)
        return this or Round()


class AgentResource(dg.ConfigurableResource[Agent]):
    """The backend that answers for the model, chosen by IECQ_AGENT."""

    def create_resource(self, context: dg.InitResourceContext) -> Agent:
        """The agent that the settings name."""
        root = context.run.tags.get("sekisho/root") if context.run else None
        return make_agent(load_settings(), run=context.run_id, root=root)


class EmbeddingStoreResource(dg.ConfigurableResource[EmbeddingStore]):
    """The chunks and vectors in the warehouse's file."""

    def create_resource(self, context: dg.InitResourceContext) -> EmbeddingStore:
        """The store under the state folder."""
        settings = load_settings()
        return EmbeddingStore(settings.warehouse_path, wait=settings.lock_wait)


class EmbedderResource(dg.ConfigurableResource[Embedder]):
    """The embedding model, loaded when a text has to be encoded."""

    def create_resource(self, context: dg.InitResourceContext) -> Embedder:
        """The encoder that the settings name."""
        return encoder_of(load_settings())


class EventLogResource(dg.ConfigurableResource[EventLog]):
    """The event log state/log.jsonl, each line with the id of its run."""

    def create_resource(self, context: dg.InitResourceContext) -> EventLog:
        """The log, told to whoever follows this process's progress."""
        run = context.run_id or "no run"
        return EventLog(load_settings().log_path, run=run, listener=_listener, watcher=_watcher)


def follow(listener: Listener | None, watcher: Listener | None = None) -> None:
    """Send the events of runs in this process to a listener as well, and what begins to a watcher; None ends that."""
    global _listener, _watcher
    _listener, _watcher = listener, watcher


_listener: Listener | None = None
_watcher: Listener | None = None

_warehouse = WarehouseResource()
RESOURCES = {
    "settings": SettingsResource(),
    "warehouse": _warehouse,
    "this_round": RoundResource(warehouse=_warehouse),
    "agent": AgentResource(),
    "store": EmbeddingStoreResource(),
    "embedder": EmbedderResource(),
    "events": EventLogResource(),
}
