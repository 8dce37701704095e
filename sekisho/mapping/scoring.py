"""From features to scores: one weighted sum, and the few forms that settle it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from sekisho.mapping.features import Pairs
from sekisho.mapping.grams import Floats
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


def logits(pairs: Pairs) -> Floats:
    """The weighted sum of each pair's features, with the weights of names or of short forms."""
    both = pairs.features @ np.array(list(WEIGHTS.values()), dtype=np.float32)
    return np.asarray(np.where(pairs.short, both[:, 1], both[:, 0]) + BIAS, dtype=np.float32)


def scored(index: Index, text: str, pairs: Pairs, values: Floats, chosen: Iterable[int]) -> list[Scored]:
    """The records of the chosen pairs, best first and ties by place; a record's score is that of its best label."""
    best: dict[int, Scored] = {}
    exact = set(index.exact.get(text.casefold(), ()))
    for pair in chosen:
        label = int(pairs.label[pair])
        owner = int(index.owner[label])
        score = _MOST / (1 + math.exp(-float(values[pair])))
        if label in exact:
            same, but_case = _SETTLED[KINDS[int(index.kind[label])]]
            floor = same if index.texts[label] == text else but_case
            score = floor + _STEP * score if floor else score
        found = Scored(owner, round(score, 6), pair)
        if owner not in best or found.score > best[owner].score:
            best[owner] = found
    return sorted(best.values(), key=lambda one: (-one.score, one.owner))
