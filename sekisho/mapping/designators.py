"""What must match whatever the likeness of letters: numerals, single letters, Greek letters, sides."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from sekisho.mapping.grams import Ints
from sekisho.mapping.index import Index

_PARTS = re.compile(r"\d+|^[a-z]+$")
_MOST = 4096
_MOST_COUNTED = 2


class Designators:
    """Which labels of an index a text with certain designators may mean; each set of them is worked out once."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._signatures = [frozenset(signature.split()) for signature in index.signatures]
        self._known: dict[tuple[frozenset[str], bool | None], tuple[Any, Ints, Ints]] = {}

    def compare(self, asked: frozenset[str], *, short: bool) -> tuple[Any, Ints, Ints]:
        """For all labels: whether they may be meant, how many designators the text has more, and the label more.

        A record whose name has other designators is not meant by any of its labels, unless one has those of the text.
        """
        key = (asked, short)
        if key not in self._known:
            if len(self._known) > _MOST:
                self._known.clear()
            self._known[key] = self._compare(asked, short)
        return self._known[key]

    def _compare(self, asked: frozenset[str], short: bool) -> tuple[Any, Ints, Ints]:
        index = self._index
        fits, more, fewer = self._of_labels(asked, short)
        if asked and not fits.all():
            same = np.array([bool(signature & asked) for signature in self._signatures])[index.series]
            others = np.zeros(int(index.owner.max()) + 1, dtype=bool)
            others[index.owner[~fits & (index.kind == 0)]] = True
            others[index.owner[fits & same]] = False
            fits = fits & ~others[index.owner]
        return fits, more, fewer

    def labels(self, asked: frozenset[str]) -> Any:
        """For all labels whether they may be meant, whatever else their records are called."""
        key = (asked, None)
        if key not in self._known:
            self._known[key] = self._of_labels(asked, False)
        return self._known[key][0]

    def _of_labels(self, asked: frozenset[str], short: bool) -> tuple[Any, Ints, Ints]:
        index = self._index
        agreed = [agreement(asked, signature, short=short) for signature in self._signatures]
        fits = np.array([one is not None for one in agreed])[index.series]
        more = np.array([min(one[0], _MOST_COUNTED) if one else 0 for one in agreed], dtype=np.int32)[index.series]
        fewer = np.array([min(one[1], _MOST_COUNTED) if one else 0 for one in agreed], dtype=np.int32)[index.series]
        return fits, more, fewer


def agreement(asked: Iterable[str], label: Iterable[str], *, short: bool = False) -> tuple[int, int] | None:
    """How many designators a text has more than a label, and the label more than the text; None where they differ.

    They differ where either has one that the other lacks: `ca1` and `ca2`, `4a` and `4b`; not `ca3` and `3`. Of a
    `short` form only the figures count, for its letters may be those of other words.
    """
    more, fewer = set(asked) - set(label), set(label) - set(asked)
    if not (more and fewer):
        return len(more), len(fewer)
    mine, others = _parts(more), _parts(fewer)
    if mine - others and others - mine:
        return None
    bare = all(map(str.isdigit, more)) or all(map(str.isdigit, fewer))
    return (len(mine - others), len(others - mine)) if short or bare else None


def _parts(words: set[str]) -> set[str]:
    return {part for word in words for part in _PARTS.findall(word)}
