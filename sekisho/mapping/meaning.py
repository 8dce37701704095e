"""The optional signal of meaning: cosines between embeddings of a query and of labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from sekisho.mapping.grams import Floats
from sekisho.mapping.index import Index
from sekisho.retrieval.encoder import Encoder


class Meaning:
    """Embeds labels once, when the first query asks."""

    def __init__(self, index: Index, encoder: Encoder) -> None:
        self._index = index
        self._encoder = encoder

    @cached_property
    def _labels(self) -> Floats:
        return np.asarray(self._encoder.encode(self._index.texts), dtype=np.float32)

    def cosines(self, texts: Sequence[str]) -> Floats:
        """Texts x labels, in [0, 1]: what points away counts as nothing."""
        cosines = self._encoder.encode(texts) @ self._labels.T
        return np.asarray(np.clip(cosines, 0, 1), dtype=np.float32)
