"""Recall over what is published: the drafts of the data folder, and the node over the warehouse's decisions."""

from __future__ import annotations

from collections.abc import Collection
from threading import Lock

from sekisho.agents.base import Agent
from sekisho.decision import DecisionFile, DraftDecision
from sekisho.errors import InputError
from sekisho.events import EventLog
from sekisho.recall.candidates import Candidate, DecisionFinder
from sekisho.recall.node import Finder, RecallNode
from sekisho.retrieval.encoder import Embedder, encoder_of
from sekisho.retrieval.store import EmbeddingStore
from sekisho.settings import Settings
from sekisho.sources.decisions import load_drafts
from sekisho.sources.folder import DataFolder
from sekisho.warehouse import Warehouse


class PublishedFinder:
    """Looks among the decisions of the warehouse, which are read with the first draft: a held file is a failure then.

    Safe to call from several threads.
    """

    def __init__(self, settings: Settings, warehouse: Warehouse, store: EmbeddingStore, embedder: Embedder) -> None:
        self._settings = settings
        self._warehouse = warehouse
        self._store = store
        self._embedder = embedder
        self._lock = Lock()
        self._made: DecisionFinder | None = None

    def find(self, query: str, *, k: int = 20, without: Collection[str] = ()) -> list[Candidate]:
        """The k decisions most related to a text, best first."""
        return self._finder().find(query, k=k, without=without)

    def _finder(self) -> DecisionFinder:
        with self._lock:
            if self._made is None:
                dense = self._settings.recall_candidates == "dense"
                decisions, index = self._warehouse.decisions(), self._settings.index_path
                self._made = DecisionFinder(decisions, self._store, self._embedder, index, dense_only=dense)
            return self._made


def check_ingested(settings: Settings) -> None:
    """`InputError` where there is no warehouse, so that no decision can be known."""
    if not settings.warehouse_path.exists():
        raise InputError("no decision is known yet", file=settings.warehouse_path, remedy="run `sekisho run` first")


def published_finder(settings: Settings) -> PublishedFinder:
    """The finder that the settings describe, for a command by itself."""
    path, wait = settings.warehouse_path, settings.lock_wait
    return PublishedFinder(settings, Warehouse(path, wait=wait), EmbeddingStore(path, wait=wait), encoder_of(settings))


def read_drafts(folder: DataFolder) -> tuple[list[DraftDecision], list[DecisionFile]]:
    """Every draft below `drafts/`, by path, and what is to be told of the files there."""
    return load_drafts(folder.below("drafts"), encodings=folder.config.encodings, excluded=folder.excluded)


def make_node(
    settings: Settings, finder: Finder, agent: Agent, events: EventLog, *, stage: str = "production"
) -> RecallNode:
    """The node that the settings describe."""
    return RecallNode(
        finder,
        agent,
        settings.prompts,
        events,
        enabled=settings.recall_enabled,
        top_n=settings.recall_top_n,
        stage=stage,
    )
