"""The labels that short forms spell, looked up for all short forms of a batch at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sekisho.mapping.grams import Floats, Ints, as_matrix
from sekisho.mapping.index import NAMED, Index
from sekisho.mapping.initials import WORDS, align

_SPELT = 80  # labels whose words begin with most of the letters, by single letters and by pairs
_KEPT = 30  # of them, those that the letters spell best


class Spelt(NamedTuple):
    """For one short form: labels in order, how well it is spelt by each, and what part of each its words are."""

    labels: Ints
    fit: Floats
    covers: Floats


def spelt_by(index: Index, forms: Sequence[str], allowed: Sequence[Any], besides: Sequence[Ints]) -> list[Spelt]:
    """The labels that each form spells best among those that it may mean, and the given ones besides."""
    if not forms:
        return []
    likely = [
        np.union1d(some, others[index.kind[others] < NAMED])
        for some, others in zip(_likely(index, forms, allowed), besides, strict=True)
    ]
    labels = np.concatenate(likely)
    if not len(labels):
        none = np.zeros(0, dtype=np.float32)
        return [Spelt(labels.astype(np.int32), none, none)] * len(forms)
    fit, used = align([form for form, its in zip(forms, likely, strict=True) for _ in its], index.spelt[labels])
    bits = (used[:, None] >> np.arange(WORDS)) & 1
    covers = fit * (bits * index.weights[labels]).sum(axis=1)
    found = []
    ends = np.cumsum([len(its) for its in likely])
    for its, end, others in zip(likely, ends.tolist(), besides, strict=True):
        part = slice(end - len(its), end)
        keep = np.isin(its, others)
        keep[np.lexsort((its, -(fit[part] + covers[part])))[:_KEPT]] = True
        found.append(Spelt(its[keep].astype(np.int32), fit[part][keep], covers[part][keep]))
    return found


def _likely(index: Index, forms: Sequence[str], allowed: Sequence[Any]) -> list[Ints]:
    """For each form the names whose words begin with most of its letters, singly and in pairs."""
    lower = [form.lower() for form in forms]
    single = as_matrix([dict.fromkeys(form, 1.0) for form in lower], index.start_places)
    pairs = [dict.fromkeys((form[at : at + 2] for at in range(len(form) - 1)), 1.0) for form in lower]
    singly = (single @ index.by_start).toarray()
    both = (as_matrix(pairs, index.start_places) @ index.by_start).toarray() + singly
    names = index.kind < NAMED
    kept = min(_SPELT, singly.shape[1])
    found = []
    for at, may in enumerate(allowed):
        rows = np.where(names & may, np.stack((singly[at], both[at])), 0)
        best = np.unique(np.argpartition(-rows, kept - 1, axis=1)[:, :kept])
        found.append(np.asarray(best[rows[:, best].any(axis=0)], dtype=np.int32))
    return found
