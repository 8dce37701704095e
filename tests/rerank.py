"""A small catalogue, and a model behind HTTP that is asked to choose among its candidates."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from werkzeug import Request, Response

from sekisho.agents.base import Agent
from sekisho.catalogue import Catalogue, MapQuery, Term
from sekisho.mapping.choice import Chooser, make_reranker
from sekisho.mapping.mapped import Mapped
from sekisho.mapping.match import Matcher
from sekisho.mapping.policy import Policy
from sekisho.mapping.rows import BadRow
from sekisho.mapping.stream import map_queries
from tests.conftest import ROOT
from tests.wire import Answer, tool_call

CATALOGUE = Catalogue.of(
    [
        Term(id="G:1", name="garden"),
        Term(id="G:2", name="herb garden", acronym="HG", parent_id="G:1"),
        Term(id="G:3", name="kitchen garden", synonyms=("potager", "菜園"), parent_id="G:1"),
        Term(id="G:4", name="kitchen garden, north bed", acronym="KGn", parent_id="G:3"),
        Term(id="G:5", name="rock garden", parent_id="G:1"),
        Term(id="G:6", name="water garden", parent_id="G:1"),
        Term(id="G:7", name="winter garden"),
        Term(id="G:8", name="rose garden", parent_id="G:1"),
        Term(id="G:9", name="roof garden", parent_id="G:1"),
        Term(id="G:10", name="orchard"),
        Term(id="G:11", name="orangery", synonyms=("citrus house",)),
        Term(id="G:12", name="greenhouse", acronym="GH"),
    ]
)
MATCHER = Matcher.build(CATALOGUE)
NAMES = [term.name for term in CATALOGUE.terms]
Choose = Callable[[list[dict[str, Any]]], Any]


def asked_queries(request: Request) -> list[dict[str, Any]]:
    """The queries that a request shows, as the model reads them."""
    text = "\n".join(message["content"] for message in json.loads(request.get_data())["messages"])
    queries: list[dict[str, Any]] = json.JSONDecoder().raw_decode(text.rpartition("Queries, as JSON:\n")[2])[0]
    return queries


def entry(block: dict[str, Any], at: int = 0, relation: str = "match", **changed: Any) -> dict[str, Any]:
    """A good entry for one query: its candidate at a place."""
    chosen = {"query": block["query"], "best_id": block["candidates"][at]["id"], "relation": relation}
    return {**chosen, "confidence": 0.95, "reason": "it is that", **changed}


def good(blocks: list[dict[str, Any]]) -> Any:
    """A good reply: the second candidate for each query."""
    return {"choices": [entry(block, 1) for block in blocks]}


def answering(*choose: Choose | Answer) -> list[Answer]:
    """A script of a model server: what each function makes of the queries it is shown, or an answer as it is."""

    def scripted(one: Choose | Answer) -> Answer:
        if isinstance(one, Response) or one.__name__ == "wait":  # type: ignore[union-attr]
            return one  # type: ignore[return-value]
        return lambda request: tool_call(one(asked_queries(request)))  # type: ignore[call-arg, arg-type]

    return [scripted(one) for one in choose]


def mapped_by(
    agent: Agent, queries: Sequence[str | MapQuery | BadRow], *, policy: Policy | None = None, workers: int = 1
) -> tuple[list[Mapped], Chooser]:
    """The queries mapped with that agent's choices, and the chooser, which has the calls."""
    reranker = make_reranker(agent, ROOT / "prompts")
    chooser = Chooser(reranker, CATALOGUE, policy=policy or Policy("trust"), workers=workers)
    items = [MapQuery(query=query) if isinstance(query, str) else query for query in queries]
    found = [one for one in map_queries(items, MATCHER, chooser) if isinstance(one, Mapped)]
    return found, chooser
