"""Encodes of the same batch are done once; a batch is kept whole, so that the same texts give the same bits."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from sekisho.retrieval.encoder import Encoder, Vectors

_BATCHES = 4096


class RememberingEncoder:
    """An encoder with a memory of its last batches.

    What stands beside a text in a batch moves its vector in the seventh digit. Remembering single texts would let the
    order of threads decide that; remembering whole batches does not.
    """

    def __init__(self, inner: Encoder) -> None:
        self._inner = inner
        self._lock = threading.Lock()
        self._batches: OrderedDict[tuple[str, ...], Vectors] = OrderedDict()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row per text; the rows are shared, so they cannot be written to."""
        key = tuple(texts)
        with self._lock:
            if key in self._batches:
                self._batches.move_to_end(key)
                return self._batches[key]
        vectors = self._inner.encode(texts)
        vectors.flags.writeable = False
        with self._lock:
            self._batches[key] = vectors
            if len(self._batches) > _BATCHES:
                self._batches.popitem(last=False)
        return vectors
