"""How many requests of this process one provider is working on at a time, whichever prompts they are for."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

_freed = threading.Condition()
_taken: Counter[str] = Counter()


@contextmanager
def slot(provider: str, limit: int) -> Iterator[None]:
    """Hold one of the provider's `limit` places while a request is under way; wait until one is free."""
    with _freed:
        _freed.wait_for(lambda: _taken[provider] < limit)
        _taken[provider] += 1
    try:
        yield
    finally:
        with _freed:
            _taken[provider] -= 1
            _freed.notify_all()
