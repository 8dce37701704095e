"""What the candidates are measured beside: BM25 over whole records, and its fusion with dense search."""

from __future__ import annotations

from collections.abc import Sequence

import bm25s

from sekisho.decision import Decision
from sekisho.retrieval.lexical import tokens

_K = 60  # of Cormack, Clarke and Buettcher (2009)


class Words:
    """BM25 by the tokens that the passage search uses."""

    def __init__(self, decisions: Sequence[Decision]) -> None:
        ordered = sorted(decisions, key=lambda decision: decision.id)
        self._ids = [decision.id for decision in ordered]
        self._index = bm25s.BM25()
        self._index.index([tokens(decision.text) for decision in ordered], show_progress=False)

    def rank(self, query: str) -> list[str]:
        """The ids of all records, best first, ties by id."""
        scores = self._index.get_scores([word for word in tokens(query) if word in self._index.vocab_dict])
        return [self._ids[row] for row in sorted(range(len(self._ids)), key=lambda row: (-float(scores[row]), row))]


def fuse(*rankings: Sequence[str]) -> list[str]:
    """Reciprocal-rank fusion, ties by id."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for place, one in enumerate(ranking, start=1):
            scores[one] = scores.get(one, 0.0) + 1 / (_K + place)
    return sorted(scores, key=lambda one: (-scores[one], one))
