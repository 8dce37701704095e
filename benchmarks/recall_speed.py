"""How long finding candidates takes beside encoding the draft, and what reading the log costs once.

    python -m benchmarks.recall_speed [--decisions 100000] [--drafts 40] [--words 150] [--exact] [--json]

A synthetic log in a real store and index: random unit vectors, words by Zipf's law, a link in every third record. The
drafts are encoded by the real model; finding encodes them too, and is timed whole. They are
timed in turn, the best of three counts, for figures are noisy.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from sekisho.decision import Decision, DecisionLink
from sekisho.recall.candidates import DecisionFinder, decision_documents
from sekisho.records import Chunk
from sekisho.retrieval.encoder import SentenceEncoder
from sekisho.retrieval.index import update_index
from sekisho.retrieval.searcher import query_vector
from sekisho.retrieval.store import EmbeddingStore

LIMIT = 1.6
_VOCABULARY = 30_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--drafts", type=int, default=40)
    parser.add_argument("--words", type=int, default=150, help="of each record and draft, on average")
    parser.add_argument("--exact", action="store_true", help="without an index")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        report = measure(Path(home), options.decisions, options.drafts, options.words, options.exact)
    print(json.dumps(report, indent=1) if options.json else "\n".join(f"{k:32} {v}" for k, v in report.items()))


def measure(home: Path, count: int, drafts: int, words: int, exact: bool) -> dict[str, Any]:
    """Seconds: p50 and p95 of encoding and of finding, which encodes too, their ratio, and the cost of the first."""
    generator = np.random.default_rng(0)
    decisions = _decisions(generator, count, words)
    encoder = SentenceEncoder()
    store = EmbeddingStore(home / "warehouse.duckdb")
    _store(store, encoder, decisions, generator)
    if not exact:
        update_index(home / "index", encoder.fingerprint, *store.vectors(encoder.fingerprint))
    queries = [_text(generator, 2 * words) for _ in range(drafts)]
    query_vector(queries[0], encoder)
    finder = DecisionFinder(decisions, store, encoder, home / "index")
    started = time.perf_counter()
    finder.find(queries[0])
    first = time.perf_counter() - started
    encode, find = [], []
    for query in queries:
        pairs = [(_timed(query_vector, query, encoder), _timed(finder.find, query)) for _ in range(3)]
        encode.append(min(first for first, _ in pairs))
        find.append(min(second for _, second in pairs))
    p95 = {name: float(np.percentile(times, 95)) for name, times in (("encode", encode), ("find", find))}
    p50 = {name: float(np.percentile(times, 50)) for name, times in (("encode", encode), ("find", find))}
    return {
        "decisions": count,
        "index": "none" if exact else "hnsw",
        "first find, s": round(first, 2),
        **{f"{name} p50 / p95, ms": f"{1000 * p50[name]:.1f} / {1000 * p95[name]:.1f}" for name in p95},
        "ratio p50": round(p50["find"] / p50["encode"], 2),
        f"ratio p95, at most {LIMIT}": round(p95["find"] / p95["encode"], 2),
    }


def _decisions(generator: np.random.Generator, count: int, words: int) -> list[Decision]:
    made = []
    for number in range(count):
        name, text = f"ADR-{number:06}", _text(generator, words)
        links = (DecisionLink(kind="relates", target=f"ADR-{number // 2:06}"),) if number % 3 == 1 else ()
        made.append(
            Decision(
                id=name,
                original_id=name,
                path=f"{number:06}.md",
                title=_text(generator, 6),
                body=text,
                text=text,
                links=links,
            )
        )
    return made


def _text(generator: np.random.Generator, words: int) -> str:
    ranks = np.exp(generator.random(words) * np.log(_VOCABULARY)).astype(int)  # Zipf: the density falls as 1 / rank
    return " ".join(f"w{rank:x}" for rank in ranks)


def _store(
    store: EmbeddingStore, encoder: SentenceEncoder, decisions: list[Decision], generator: np.random.Generator
) -> None:
    documents = decision_documents(decisions)
    chunks = [
        Chunk(
            id=f"{one.source}#c0",
            kind=one.kind,
            source=one.source,
            start=0,
            end=len(one.text),
            text_sha256=one.sha256,
            document_sha256=one.sha256,
            fingerprint=encoder.fingerprint,
        )
        for one in documents
    ]
    vectors = generator.standard_normal((len(chunks), 384), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    store.replace_chunks([], chunks)
    store.upsert(encoder.fingerprint, [chunk.text_sha256 for chunk in chunks], vectors)


def _timed(call: Callable[..., object], *arguments: object) -> float:
    started = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
