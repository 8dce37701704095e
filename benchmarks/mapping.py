"""How often the first stage of mapping finds the record, beside other matchers over the same labels, in one run.

    python -m benchmarks.mapping --catalogue FILE --queries FILE [--json] [--misses] [--rivals DIR]

The others are text2term (TF-IDF of character 3-grams), rapidfuzz's token_sort_ratio, bm25s over character 2- to
4-grams, and reciprocal-rank fusion of the three. text2term is no dependency: `--rivals` names the `site-packages` of
an environment that has it; without it, it and the fusion are left out and said to be. Queries without an expected id
are left out. Weights were fitted on the development half of the queries (by hash of their text), so both halves are
told. Seconds are those of the processor, each matcher ready and asked for all queries at once; the best of five counts.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from sekisho.catalogue import Catalogue, MapQuery
from sekisho.mapping.grams import char_grams
from sekisho.mapping.match import Matcher
from sekisho.mapping.rows import read_rows
from sekisho.sources.catalogue import load_catalogue

_TOP = 10
_RRF = 60
_TIMES = 5
Ranker = Callable[[Sequence[str]], list[list[str]]]


def is_development(query: str) -> bool:
    """Whether a query belongs to the half that weights may be fitted on."""
    return sha256(query.encode("utf-8")).digest()[0] % 2 == 0


def expected_of(path: Path) -> list[MapQuery]:
    """The queries of a file whose record is known, in its order."""
    with path.open("rb") as stream:
        return [row for row in read_rows(stream, path) if isinstance(row, MapQuery) and row.expected_id]


def labels_of(catalogue: Catalogue) -> list[tuple[str, str]]:
    """Text in lower case and id of every name, synonym and acronym."""
    return [
        (text.lower(), term.id)
        for term in catalogue.terms
        for text in (term.name, *term.synonyms, term.acronym)
        if text
    ]


def sekisho(catalogue: Catalogue) -> Ranker:
    """Ours."""
    matcher = Matcher.build(catalogue)
    return lambda queries: [[one.id for one in found.candidates] for found in matcher.match_all(queries, top_k=_TOP)]


def token_sort(catalogue: Catalogue) -> Ranker:
    """rapidfuzz's token_sort_ratio over all labels."""
    from rapidfuzz import fuzz, process

    labels = labels_of(catalogue)
    texts = [text for text, _ in labels]

    def rank(queries: Sequence[str]) -> list[list[str]]:
        scores = process.cdist([query.lower() for query in queries], texts, scorer=fuzz.token_sort_ratio)
        return [_best(row, labels) for row in scores]

    return rank


def bm25_grams(catalogue: Catalogue) -> Ranker:
    """bm25s over the character 2- to 4-grams of all labels."""
    import bm25s

    labels = labels_of(catalogue)
    index = bm25s.BM25()
    index.index([list(char_grams(text).elements()) for text, _ in labels], show_progress=False)
    return lambda queries: [
        _best(index.get_scores(list(char_grams(query.lower()).elements())), labels) for query in queries
    ]


def text2term(catalogue: Catalogue) -> Ranker:
    """text2term's TF-IDF mapper over names and synonyms."""
    import logging

    from text2term.term import OntologyTerm  # type: ignore[import-not-found,unused-ignore]
    from text2term.tfidf_mapper import TFIDFMapper  # type: ignore[import-not-found,unused-ignore]

    logging.disable(logging.INFO)
    terms = {
        term.id: OntologyTerm(
            term.id, [term.name], synonyms=[*term.synonyms, *([term.acronym] if term.acronym else [])]
        )
        for term in catalogue.terms
    }
    mapper = TFIDFMapper(terms)

    def rank(queries: Sequence[str]) -> list[list[str]]:
        names = [str(at) for at in range(len(queries))]
        aside = io.StringIO()  # it says of every id that it is no IRI
        with contextlib.redirect_stdout(aside), contextlib.redirect_stderr(aside):
            frame = mapper.map(list(queries), names, max_mappings=_TOP, min_score=0.0)
        found: dict[str, list[str]] = {name: [] for name in names}
        for name, iri in zip(frame["Source Term ID"], frame["Mapped Term IRI"], strict=True):
            found[name].append(iri)
        return [found[name] for name in names]

    return rank


def fusion(rankings: Sequence[list[list[str]]]) -> list[list[str]]:
    """Reciprocal-rank fusion of rankings of the same queries, ties by id."""
    fused = []
    for lists in zip(*rankings, strict=True):
        score: dict[str, float] = {}
        for ranked in lists:
            for place, id in enumerate(ranked, start=1):
                score[id] = score.get(id, 0.0) + 1 / (_RRF + place)
        fused.append(sorted(score, key=lambda id: (-score[id], id))[:_TOP])
    return fused


def measure(queries: Sequence[MapQuery], rankings: Sequence[list[str]]) -> dict[str, dict[str, float]]:
    """Per kind, half and over all: count, hit@1, hit@10 (%) and mean reciprocal rank within ten."""
    rows: dict[str, list[int]] = {}
    for query, ranked in zip(queries, rankings, strict=True):
        place = ranked.index(query.expected_id) + 1 if query.expected_id in ranked else 0
        half = "development half" if is_development(query.query) else "other half"
        for group in ("all", half, query.kind or "no kind"):
            rows.setdefault(group, []).append(place)
    return {
        group: {
            "queries": len(places),
            "hit@1": round(100 * sum(place == 1 for place in places) / len(places), 1),
            "hit@10": round(100 * sum(0 < place <= _TOP for place in places) / len(places), 1),
            "mrr": round(sum(1 / place for place in places if place) / len(places), 3),
        }
        for group, places in sorted(rows.items())
    }


def compare(catalogue: Catalogue, queries: Sequence[MapQuery]) -> dict[str, Any]:
    """All matchers on the same queries; one that cannot be imported says so."""
    report: dict[str, Any] = {}
    ranked: dict[str, list[list[str]]] = {}
    texts = [query.query for query in queries]
    for name, prepare in (
        ("sekisho", sekisho),
        ("text2term", text2term),
        ("token_sort", token_sort),
        ("bm25s grams", bm25_grams),
    ):
        try:
            rank = prepare(catalogue)
        except ImportError as error:
            report[name] = {"left out": str(error)}
            continue
        ranked[name] = rank(texts)
        report[name] = {
            "queries/s": round(len(texts) / min(_seconds(rank, texts) for _ in range(_TIMES))),
            **measure(queries, ranked[name]),
        }
    others = [ranked[name] for name in ("text2term", "token_sort", "bm25s grams") if name in ranked]
    report[f"rrf of {len(others)}"] = measure(queries, fusion(others))
    for query, ids in zip(queries, ranked["sekisho"], strict=True):
        if ids[:1] != [query.expected_id]:
            report.setdefault("misses", []).append([query.kind, query.query, query.expected_id, ids])
    return report


def _seconds(rank: Ranker, texts: Sequence[str]) -> float:
    begun = time.process_time()
    rank(texts)
    return time.process_time() - begun


def _best(scores: Any, labels: Sequence[tuple[str, str]]) -> list[str]:
    found: dict[str, None] = {}
    for at in np.argsort(-np.asarray(scores), kind="stable").tolist():
        found.setdefault(labels[at][1])
        if len(found) == _TOP:
            break
    return list(found)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--catalogue", type=Path, required=True)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--rivals", type=Path, help="site-packages that has text2term")
    parser.add_argument("--misses", action="store_true", help="list the queries whose first candidate is another")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.rivals:
        sys.path.append(str(options.rivals))
    catalogue, _ = load_catalogue(options.catalogue)
    queries = expected_of(options.queries)
    report = compare(catalogue, queries)
    misses = report.pop("misses", [])
    if options.json:
        print(json.dumps({**report, "misses": misses} if options.misses else report, ensure_ascii=False))
        return
    for name, rows in report.items():
        speed = f"{rows.pop('queries/s')} queries/s" if "queries/s" in rows else rows.pop("left out", "")
        print(f"{name}  {speed}")
        for group, row in rows.items():
            print(f"  {group:20} {row['queries']:4}  @1 {row['hit@1']:5}  @10 {row['hit@10']:5}  mrr {row['mrr']:.3f}")
    for kind, query, expected, ids in misses if options.misses else ():
        print(f"{kind:20} {query}: {expected} at {ids.index(expected) + 1 if expected in ids else '-'}")


if __name__ == "__main__":
    main()
