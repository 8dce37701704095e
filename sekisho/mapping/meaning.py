"""The optional signal of meaning: cosines between embeddings of a query and of labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from sekisho.mapping.grams import Floats
from sekisho.mapping.index import Index

Embedder = Callable[[Sequence[str]], Any]  # texts -> float32 array (texts, dimensions), rows of length 1


class Meaning:
    """Embeds labels once, when the first query asks."""

    def __init__(self, index: Index, embedder: Embedder) -> None:
        self._index = index
        self._embedder = embedder

    @cached_property
    def _labels(self) -> Floats:
        return np.asarray(self._embedder(self._index.texts), dtype=np.float32)

    def cosines(self, texts: Sequence[str]) -> Floats:
        """Texts x labels, in [0, 1]: what points away counts as nothing."""
        return np.clip(np.asarray(self._embedder(texts), dtype=np.float32) @ self._labels.T, 0, 1)
