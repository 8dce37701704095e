"""What links between past decisions say: one that others lead to, or that is linked with a related one, is nearer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sekisho.decision import Decision

Values = NDArray[np.float64]


class LinkGraph:
    """The links among some decisions, of whatever kind; `allowed`, shape (count,), says which take part."""

    def __init__(self, decisions: Sequence[Decision]) -> None:
        row = {decision.id: number for number, decision in enumerate(decisions)}
        self._count = len(decisions)
        self._pairs = sorted(
            {
                (number, row[link.target])
                for number, decision in enumerate(decisions)
                for link in decision.links
                if row.get(link.target, number) != number
            }
        )

    def cited(self, allowed: NDArray[np.bool_]) -> Values:
        """ln of 1 + how many decisions lead to each, 0 where none does; shape (count,)."""
        return np.asarray(np.log1p(self._inward @ allowed.astype(np.float64)))

    def beside(self, scores: Values, allowed: NDArray[np.bool_], rows: NDArray[np.int64]) -> Values:
        """The mean of the scores of what each of some rows is linked with, 0 where that is nothing."""
        near = self._both[rows]
        linked = near @ allowed.astype(np.float64)
        return np.asarray((near @ np.where(allowed, scores, 0.0)) / np.maximum(linked, 1.0))

    def with_neighbours(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Some rows and those that they are linked with, sorted."""
        return np.union1d(rows, self._both[rows].indices)

    @cached_property
    def _inward(self) -> Any:
        from scipy.sparse import csr_matrix

        ends = np.array(self._pairs, dtype=np.int64).reshape(-1, 2)
        return csr_matrix((np.ones(len(ends)), (ends[:, 1], ends[:, 0])), shape=(self._count, self._count))

    @cached_property
    def _both(self) -> Any:
        both = self._inward + self._inward.T
        both.data[:] = 1.0
        return both.tocsr()
