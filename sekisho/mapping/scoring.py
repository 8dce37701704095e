"""From features to scores: one weighted sum, and the few forms that settle it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sekisho.mapping.features import Pairs
from sekisho.mapping.index import KINDS, Index
from sekisho.mapping.weights import BIAS, WEIGHTS

# A text that is a record's own gets a score above all others: as it is written, and but for its case.
_SETTLED = {
    "name": (0.998, 0.994),
    "alias": (0.996, 0.992),
    "synonym": (0.996, 0.992),
    "abbreviation": (0.97, 0.0),
    "acronym": (0.0, 0.0),
}
_STEP = 0.002
_MOST = 0.96


class Scored(NamedTuple):
    """A record by its place, its score, and the pair of text and label that it comes from."""

    owner: int
    score: float
    pair: int


def logits(pairs: Pairs) -> Any:
    """The weighted sum of each pair's features, with the weights of names or of short forms."""
    weights = np.array(list(WEIGHTS.values()), dtype=np.float64)
    # Row by row, not as a product of matrices: the same sum whatever else is asked for at once.
    by_names = (pairs.features * weights[:, 0]).sum(axis=1) + BIAS[0]
    by_short = (pairs.features * weights[:, 1]).sum(axis=1) + BIAS[1]
    return np.asarray(np.where(pairs.short, by_short, by_names))


def scored(index: Index, text: str, pairs: Pairs, values: Any, chosen: slice, top_k: int) -> list[Scored]:
    """The best records of the chosen pairs, best first and ties by place; a record's score is its best label's."""
    labels = pairs.label[chosen]
    score = _MOST / (1 + np.exp(-values[chosen]))
    for label in index.exact.get(text.casefold(), ()):
        same, but_case = _SETTLED[KINDS[int(index.kind[label])]]
        floor = same if index.texts[label] == text else but_case
        if floor:
            at = labels == label
            score[at] = floor + _STEP * score[at]
    score = score.round(6)
    owners = index.owner[labels]
    best: dict[int, Scored] = {}
    for at in np.lexsort((labels, owners, -score)).tolist():
        if len(best) == top_k:
            break
        owner = int(owners[at])
        if owner not in best:
            best[owner] = Scored(owner, float(score[at]), chosen.start + at)
    return list(best.values())
