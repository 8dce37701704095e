"""How good rankings are: recall at 20 and 5, the reciprocal rank of the first hit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.recall.corpus import Query

MEASURES = ("R@20", "R@5", "MRR")


def score(queries: Sequence[Query], ranked: Mapping[str, Sequence[str]]) -> dict[str, list[float]]:
    """The mean of each measure over all queries (`micro`), over repositories (`macro`) and for each repository."""
    by: dict[str, list[list[float]]] = {}
    for query in queries:
        by.setdefault(query.repo, []).append(_one(query, ranked[query.qid]))
    means = {repo: _mean(rows) for repo, rows in sorted(by.items())}
    every = [row for rows in by.values() for row in rows]
    return {"micro": _mean(every), "macro": _mean(list(means.values())), **means}


def _one(query: Query, ranked: Sequence[str]) -> list[float]:
    places = [ranked.index(one) + 1 if one in ranked else None for one in query.expected]
    found = [place for place in places if place is not None]
    share = [sum(place <= most for place in found) / len(places) for most in (20, 5)]
    return [*share, 1 / min(found) if found else 0.0]


def _mean(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)] if rows else [0.0] * len(MEASURES)
