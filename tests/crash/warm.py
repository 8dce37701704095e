"""A warmed process that forks children, each of which does one real `sekisho run` and may be killed in the midst of it.

One JSON object a line on standard input says what the next child does, one on standard output what became of it. The
first child runs unharmed and leaves behind what was computed with the embedding model and which modules it needed; the
parent takes both over and never makes a thread itself, so that a fork is safe.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from sekisho.retrieval import encoder
from sekisho.retrieval.encoder import SentenceEncoder, TokenSpan, Vectors

_HEAVY = ("torch", "transformers", "sentence_transformers", "tokenizers", "sklearn", "matplotlib", "tests")


class Remembering(SentenceEncoder):
    """The real model; what it said once is not computed again."""

    said: ClassVar[dict[Any, Any]] = {}

    @property
    def max_tokens(self) -> int:
        return int(self._once(("limit",), lambda: super(Remembering, self).max_tokens))

    def token_spans(self, text: str) -> list[TokenSpan]:
        spans: list[TokenSpan] = self._once(("spans", text), lambda: super(Remembering, self).token_spans(text))
        return spans

    def encode(self, texts: Sequence[str]) -> Vectors:
        return self._rows("passage", texts, super().encode)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        return self._rows("query", texts, super().encode_queries)

    def _rows(self, kind: str, texts: Sequence[str], encode: Callable[[Sequence[str]], Vectors]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if (kind, text) not in self.said]
        if new or not texts:
            self.said |= {(kind, text): vector for text, vector in zip(new, encode(new), strict=True)}
        rows = [self.said[kind, text] for text in texts]
        return np.array(rows, dtype=np.float32) if rows else encode([])

    def _once(self, key: Any, compute: Callable[[], Any]) -> Any:
        if key not in self.said:
            self.said[key] = compute()
        return self.said[key]


def main() -> None:
    """Serve children until standard input ends."""
    encoder.SentenceEncoder = Remembering  # type: ignore[misc]
    for line in sys.stdin:
        print(json.dumps(serve(json.loads(line))), flush=True)


def serve(order: dict[str, Any]) -> dict[str, Any]:
    """Fork one child for an order, see it end or kill it, and say how it ended."""
    if "learn" in order:
        os.environ.update(order["env"])
        _learn(order["learn"])
        return {}
    child = os.fork()
    if child == 0:
        _child(order)
    began = time.monotonic()
    limit = order.get("kill_after")
    while True:
        ended, status = os.waitpid(child, os.WNOHANG if limit is not None else 0)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return {"code": code, "seconds": time.monotonic() - began}
        if time.monotonic() - began >= limit:
            os.kill(child, signal.SIGKILL)
            limit = None
        time.sleep(0.002)


def _child(order: dict[str, Any]) -> None:
    code = 3
    try:
        os.environ.update(order["env"])
        with Path(order["log"]).open("ab", buffering=0) as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
        if order.get("user"):
            os.setgid(order["user"])
            os.setuid(order["user"])
        shim = ctypes.CDLL(os.environ["LD_PRELOAD"])
        shim.crash_arm(order["below"].encode(), order.get("skip", "").encode(), ctypes.c_long(order.get("step", -1)))
        told = _run()
        shim.crash_count.restype = ctypes.c_long
        told["steps"] = shim.crash_count()
        if "memo" in order:
            names = sorted(name for name in sys.modules if not name.startswith(_HEAVY))
            Path(order["memo"]).write_bytes(pickle.dumps((Remembering.said, names)))
        Path(order["told"]).write_text(json.dumps(told), encoding="utf-8")
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _run() -> dict[str, Any]:
    from dagster_project.cli.run import run_pipeline
    from sekisho.errors import SekishoError

    try:
        report = run_pipeline(progress=False)
    except (SekishoError, OSError) as error:
        return {"passed": False, "error": str(error), "kind": type(error).__name__}
    return {"passed": report.passed, **report.as_dict()}


def _learn(memo: str) -> None:
    """Take over what a child computed, and import what it imported, but for the model's own libraries."""
    said, names = pickle.loads(Path(memo).read_bytes())
    Remembering.said.update(said)
    for name in names:
        with suppress(Exception):
            importlib.import_module(name)
    from sekisho.settings import load_settings

    _ = encoder.encoder_of(load_settings()).fingerprint


if __name__ == "__main__":
    main()
