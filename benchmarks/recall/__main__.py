"""The candidates of recall beside dense search, BM25 and their reciprocal-rank fusion, in one run.

    python -m benchmarks.recall --corpus CORPUS.jsonl --queries QUERIES.jsonl --scope within|pooled --out RUN.jsonl

CORPUS: `repo, id, path, title, text` of each record, read by the product's own loader; QUERIES: drafts made of records,
`qid, repo, adr_id, title, context, options, expected, candidates`. `within`: each draft searches its own log; `pooled`:
all logs as one, later records of its own excepted. RUN: `{"qid", "ranked"}` a line, the product's ranking.

On 85 drafts of 337 records of six public logs, one of them Japanese, recall@20 / recall@5 / reciprocal rank:

             dense                bm25                 rrf                  candidates
    within   .879 / .626 / .559   .898 / .712 / .674   .905 / .689 / .644   .938 / .780 / .785
    pooled   .841 / .591 / .537   .864 / .627 / .645   .850 / .655 / .627   .931 / .772 / .790

The weights are round numbers on a plateau: 540 combinations of them lie within four points (mean of the measures over
logs), and those chosen with one log left out do on that log about as well as the median of all. So the signals and the
terms count, and no fine tuning.
What was tried and left out, for it added nothing or cost: weights by part of the draft, vectors of titles, the nearest
piece in place of the mean, stop words, hiragana and single characters of Han, k1 and b, feedback from the first hits,
scores of similar records, the record's number, its summary and its headings.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.recall.corpus import Query, read_corpus, read_queries
from benchmarks.recall.rivals import Words, fuse
from benchmarks.recall.scoring import MEASURES, score
from sekisho.decision import Decision
from sekisho.errors import SekishoError
from sekisho.events import EventLog
from sekisho.recall.candidates import DecisionFinder, decision_documents
from sekisho.retrieval.embeddings import embed_documents
from sekisho.retrieval.encoder import SentenceEncoder
from sekisho.retrieval.index import update_index
from sekisho.retrieval.store import EmbeddingStore

Ranked = dict[str, list[str]]


def main() -> None:
    """Rank, write the run and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--scope", choices=["within", "pooled"], default="within")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--model", default="", help="a sentence-transformers model; the bundled one by default")
    parser.add_argument("--json", action="store_true", help="the table as JSON")
    options = parser.parse_args()
    try:
        logs, queries = read_corpus(options.corpus), read_queries(options.queries)
    except (SekishoError, OSError) as error:
        sys.exit(str(error))
    with tempfile.TemporaryDirectory() as folder:
        runs = rank_all(logs, queries, options.scope == "pooled", SentenceEncoder(options.model), Path(folder))
    if options.out:
        write_run(options.out, runs["candidates"], options.scope == "pooled")
    table = {name: score(queries, ranked) for name, ranked in runs.items()}
    print(json.dumps(table, indent=1) if options.json else _shown(table, queries, options.scope))


def rank_all(
    logs: Mapping[str, Sequence[Decision]], queries: Sequence[Query], pooled: bool, encoder: SentenceEncoder, home: Path
) -> dict[str, Ranked]:
    """Every way's ranking of each query, by the way's name and the query's id; the store lives under `home`."""
    every = [decision for log in logs.values() for decision in log]
    store = EmbeddingStore(home / "warehouse.duckdb")
    embed_documents(decision_documents(every), encoder, store, EventLog(home / "log.jsonl", run="benchmark"))
    update_index(home / "index", encoder.fingerprint, *store.vectors(encoder.fingerprint))
    runs: dict[str, Ranked] = {"dense": {}, "bm25": {}, "rrf": {}, "candidates": {}}
    for log in [every] if pooled else list(logs.values()):
        finder = DecisionFinder(log, store, encoder, home / "index")
        dense = DecisionFinder(log, store, encoder, home / "index", dense_only=True)
        words = Words(log)
        here = {one.id for one in log}
        for query in [query for query in queries if pooled or query.repo == log[0].id.rpartition("/")[0]]:
            own = {one.id for one in logs[query.repo]}
            without = (here & own) - query.permitted
            found = {
                "candidates": _ids(finder, query, len(log), without),
                "dense": _ids(dense, query, len(log), without),
                "bm25": [one for one in words.rank(query.text) if one not in without],
            }
            found["rrf"] = fuse(found["dense"], found["bm25"])
            for name, ranked in found.items():
                runs[name][query.qid] = ranked
    return runs


def write_run(path: Path, ranked: Ranked, pooled: bool) -> None:
    """One line a query; ids without their repository where each draft searched its own log alone."""
    with path.open("w", encoding="utf-8") as out:
        for qid, ids in ranked.items():
            shown = ids if pooled else [one.rpartition("/")[2] for one in ids]
            out.write(json.dumps({"qid": qid, "ranked": shown}, ensure_ascii=False) + "\n")


def _ids(finder: DecisionFinder, query: Query, k: int, without: set[str]) -> list[str]:
    return [found.decision.id for found in finder.find(query.text, k=k, without=without)]


def _shown(table: Mapping[str, Mapping[str, Sequence[float]]], queries: Sequence[Query], scope: str) -> str:
    lines = [f"{scope}, {len(queries)} drafts: {' / '.join(MEASURES)}", " " * 36 + "".join(f"{w:>24}" for w in table)]
    for group in next(iter(table.values())):
        cells = [" / ".join(f"{value:.3f}" for value in scores[group]) for scores in table.values()]
        lines.append(f"{group:36}" + "".join(f"{cell:>24}" for cell in cells))
    return "\n".join(lines)


if __name__ == "__main__":
    main()
