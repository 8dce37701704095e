"""Mapping the query file of a data folder: what the asset, the evaluation and the dry run have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sekisho.agents.base import Agent
from sekisho.agents.prompts import prompt_sha256
from sekisho.catalogue import Catalogue, MapQuery
from sekisho.events import EventLog
from sekisho.hashing import sha256_json
from sekisho.mapping.choice import PROMPT, Chooser, make_reranker
from sekisho.mapping.files import read_catalogue, read_queries
from sekisho.mapping.mapped import ChoiceCall, Mapped
from sekisho.mapping.match import Matcher, open_matcher
from sekisho.mapping.policy import Policy
from sekisho.mapping.stream import map_queries
from sekisho.mapping.weights import BIAS, FEATURES, WEIGHTS
from sekisho.retrieval.encoder import Encoder, encoder_of
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder


@dataclass(frozen=True, slots=True)
class MappedFile:
    """The queries of a file with what they were mapped to, the model calls for it, and the catalogue's digest."""

    mapped: list[Mapped]
    calls: list[ChoiceCall]
    catalogue_sha256: str


def map_file(settings: Settings, agent: Agent, events: EventLog) -> MappedFile | None:
    """Map the data folder's queries; a model chooses where MAP_USE_AI says so. None where the catalogue is unusable."""
    folder = DataFolder(settings.data)
    catalogue, _ = read_catalogue(folder)
    if catalogue is None:
        return None
    queries, _ = read_queries(folder)
    return map_all(queries, catalogue, settings, agent if settings.map_use_ai else None, events)


def map_all(
    queries: Sequence[MapQuery],
    catalogue: Catalogue,
    settings: Settings,
    agent: Agent | None,
    events: EventLog,
) -> MappedFile:
    """Map queries, in order; a model chooses where there is an agent."""
    if not queries or not catalogue.terms:
        return MappedFile([Mapped(asked=query, top_k=10, candidates=()) for query in queries], [], catalogue.sha256)
    matcher = open_matcher(catalogue, settings.catalogue_path, embedder_of(settings))
    chooser = make_chooser(catalogue, settings, agent, events) if agent is not None else None
    events.begin("map", of=len(queries))
    mapped: list[Mapped] = []
    for one in map_queries(queries, matcher, chooser):
        if isinstance(one, Mapped):
            mapped.append(one)
            events.tell("map", ok=True, aside="fell back" if one.error else "")
    return MappedFile(mapped, chooser.calls if chooser else [], catalogue.sha256)


def embedder_of(settings: Settings) -> Encoder | None:
    """What gives the signal of meaning where MAP_EMBEDDING asks for it; the model is loaded at the first query."""
    return encoder_of(settings) if settings.map_embedding else None


def make_chooser(
    catalogue: Catalogue, settings: Settings, agent: Agent, events: EventLog, workers: int | None = None
) -> Chooser:
    """What asks the agent to choose, by the policy of the settings."""
    reranker = make_reranker(agent, settings.prompts)
    policy = Policy(settings.map_policy, settings.map_confidence)
    return Chooser(reranker, catalogue, events, policy=policy, workers=workers or settings.workers)


def plan_file(settings: Settings, agent: Agent, events: EventLog) -> None:
    """Go through the calls of a run, one after the other, and write nothing."""
    folder = DataFolder(settings.data)
    catalogue, _ = read_catalogue(folder)
    queries, _ = read_queries(folder)
    if settings.map_use_ai and catalogue is not None and catalogue.terms:
        chooser = make_chooser(catalogue, settings, agent, events, workers=1)
        for _ in map_queries(queries, Matcher.build(catalogue, embedder_of(settings)), chooser):
            pass


def inputs_of(settings: Settings, made: MappedFile) -> dict[str, str]:
    """What decides the figures of an evaluation, by its digest."""
    found = {
        "catalogue": made.catalogue_sha256,
        "queries": sha256_json([one.asked.model_dump(mode="json") for one in made.mapped]),
        "meaning": str(settings.map_embedding),
        "weights": sha256_json([FEATURES, {name: list(pair) for name, pair in WEIGHTS.items()}, BIAS]),
    }
    if any(one.ai is not None for one in made.mapped):
        said = [one.said.model_dump(mode="json") if one.said is not None else None for one in made.mapped]
        found["replies"] = sha256_json(said)
        found["policy"] = f"{settings.map_policy} {settings.map_confidence:g}"
        found["prompt"] = prompt_sha256(settings.prompts / "production" / PROMPT)
    return found
