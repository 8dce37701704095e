"""A circuit for one model: where nothing but outages comes back it opens, and a run asks that model nothing more.

No library holds it: pybreaker locks out all other threads while a call is under way, circuitbreaker counts without a
lock, and both try again after a time, which has no place within one run.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sekisho.agents.prices import total
from sekisho.errors import AccessDenied, AgentError, AgentUnavailable, BudgetReached, RateLimited

DEAD_AFTER = 5  # calls in a row, each with all its back-offs

# A rate limit is obeyed, and what was not sent says nothing of who would have answered.
_SAYS_NOTHING = (AccessDenied, AgentUnavailable, BudgetReached, RateLimited)


class Circuit:
    """What the calls of one agent to one model came to; safe with several threads.

    It opens after `dead_after` calls in a row that ended in an outage, or after one whose key was refused, and closes
    when a call that was under way gets a reply of the model.
    """

    def __init__(self, name: str, dead_after: int = DEAD_AFTER) -> None:
        self._name = name
        self._dead_after = dead_after
        self._outages = 0
        self._opened_by: AgentError | None = None
        self._lock = threading.Lock()

    def check(self) -> None:
        """An `AgentUnavailable`, or `AccessDenied`, where the circuit is open: the same words for every call."""
        opened_by = self._opened_by
        if opened_by is None:
            return
        denied = isinstance(opened_by, AccessDenied)
        why = "" if denied else f"{self._dead_after} calls in a row failed, the last one: "
        again = "run again: only what is missing is asked"
        error: AgentError = (AccessDenied if denied else AgentUnavailable)(
            f"not asked any more in this run: {why}{opened_by.seen}",
            item=self._name,
            remedy=f"{opened_by.remedy}; then {again}" if opened_by.remedy else again,
        )
        raise error.costing(total(()))

    @contextmanager
    def call(self) -> Iterator[None]:
        """Make one call in here, unless the circuit is open; how it ends is counted."""
        self.check()
        try:
            yield
        except AgentError as error:
            self._count(error)
            raise
        self._close()

    def _count(self, error: AgentError) -> None:
        if not error.seen:
            if not isinstance(error, _SAYS_NOTHING):
                self._close()
            return
        with self._lock:
            self._outages += 1
            dead = self._outages >= self._dead_after or isinstance(error, AccessDenied)
            if dead and self._opened_by is None:
                self._opened_by = error

    def _close(self) -> None:
        with self._lock:
            self._outages = 0
            self._opened_by = None
