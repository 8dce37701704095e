"""What the machine-only block does to retrieval: each query's wanted view with the switch off and on.

    python -m benchmarks.strip_retrieval [--json]

Two sets: the sample's views, and views made of `benchmarks/portal_views/topics.yaml`, three in four of them with a
block that names entities of other views. Loader, embedding model, index and search are the product's own.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks.labelled import ROOT
from sekisho.events import EventLog
from sekisho.retrieval.embeddings import embed_documents, view_documents
from sekisho.retrieval.encoder import SentenceEncoder
from sekisho.retrieval.index import update_index
from sekisho.retrieval.searcher import Searcher
from sekisho.retrieval.store import EmbeddingStore
from sekisho.sources.folder import DataFolder
from sekisho.sources.portal_views import load_views
from sekisho.strip import StripRules
from sekisho.strip.markers import BEGIN, END

_HERE = ROOT / "benchmarks/portal_views"
_NAMED = 8  # entities of other views in one block
Queries = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Figures:
    """One set under one setting: how many queries found the wanted view first, and the mean reciprocal rank."""

    views: str
    stripping: bool
    count: int
    stripped: int
    queries: int
    hit_at_1: float
    mrr: float


def measure() -> list[Figures]:
    """Both sets, first with the switch off, then on."""
    with tempfile.TemporaryDirectory() as folder:
        sample, made = Path(folder, "sample"), Path(folder, "made")
        shutil.copytree(ROOT / "data/portal_views", sample / "portal_views")
        wanted = _yaml(_HERE / "sample.yaml")
        asked: dict[Path, Queries] = {
            sample: [(query, view) for view, queries in wanted.items() for query in queries],
            made: make_views(made, **_yaml(_HERE / "topics.yaml")),
        }
        encoder = SentenceEncoder()
        return [_figures(root, queries, on, encoder) for root, queries in asked.items() for on in (False, True)]


def make_views(root: Path, sites: Sequence[str], topics: Sequence[Mapping[str, Any]]) -> Queries:
    """Write one view per topic and site below `root`, and give the queries, each with the id of the view it wants."""
    views: list[dict[str, str]] = []
    queries: list[tuple[str, str]] = []
    for place, site in enumerate(sites):
        for number, topic in enumerate(topics):
            view_id = f"{topic['id']}_{site.lower().replace(' ', '_')}"
            others = [topics[(number + step) % len(topics)] for step in range(1, _NAMED + 1)]
            guide = topic["guide"].replace("; ", "\n") + f"\nsite: {site}\n"
            block = _block(others, sites[(place + 1) % len(sites)]) if number % 4 else ""
            if number % 4 == 1:  # a third of the blocks between markers
                block = f"{BEGIN}\n{block}{END}\n"
            views.append(
                {
                    "view_id": view_id,
                    "title": f"{topic['title']}, {site}",
                    "description": topic["description"],
                    "ai_purpose": block + guide,
                }
            )
            queries += [(f"{query} {site}", view_id) for query in topic["queries"]]
    path = root / "portal_views/views.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(yaml.safe_dump(views, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return queries


def _block(others: Sequence[Mapping[str, Any]], site: str) -> str:
    """A block as a knowledge graph's machine wants it: what this view is linked to, not what it is about."""
    lines = [
        f"  - {{id: ent:{other['id']}, label: {other['entity']}, scope: {site}, level: {level % 3 + 1}}}\n"
        for level, other in enumerate(others)
    ]
    return "decikg:\n  entities:\n" + "".join(lines)


def _figures(root: Path, queries: Queries, on: bool, encoder: SentenceEncoder) -> Figures:
    views, problems = load_views(DataFolder(root), StripRules(enabled=on))
    assert not problems, problems
    state = root / ("on" if on else "off")
    documents, store = view_documents(views), EmbeddingStore(state / "warehouse.duckdb")
    embed_documents(documents, encoder, store, EventLog(state / "log.jsonl", run="benchmark"))
    update_index(state / "index", encoder.fingerprint, *store.vectors(encoder.fingerprint))
    searcher = Searcher(documents, store, encoder, state / "index")
    ranks = [searcher.rank_sources(query).index(wanted) + 1 for query, wanted in queries]
    return Figures(
        views=root.name,
        stripping=on,
        count=len(views),
        stripped=sum(view.decikg_stripped for view in views),
        queries=len(ranks),
        hit_at_1=round(ranks.count(1) / len(ranks), 3),
        mrr=round(sum(1 / rank for rank in ranks) / len(ranks), 3),
    )


def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    as_json = parser.parse_args().json
    if not as_json:
        print(f"{'views':8}{'count':>6}{'stripping':>11}{'stripped':>9}{'queries':>9}{'hit@1':>7}{'MRR':>7}")
    for row in measure():
        if as_json:
            print(json.dumps(asdict(row)))
            continue
        switch = "on" if row.stripping else "off"
        print(f"{row.views:8}{row.count:6}{switch:>11}{row.stripped:9}{row.queries:9}{row.hit_at_1:7.3f}{row.mrr:7.3f}")


if __name__ == "__main__":
    main()
