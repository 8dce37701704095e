"""The event log: one JSON object a line in `state/log.jsonl`, in the order things happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

import structlog

from sekisho.errors import SettingsError
from sekisho.text import json_text

Listener = Callable[[Mapping[str, Any]], None]


class EventLog:
    """Appends events through structlog; safe to share between threads.

    `run` names the run on every line. `listener` sees each event too: progress on a terminal hangs there. `watcher`
    hears what is about to be worked on, which is never written.
    """

    def __init__(
        self, path: Path, *, run: str, listener: Listener | None = None, watcher: Listener | None = None
    ) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: TextIO = path.open("a", encoding="utf-8", errors="backslashreplace", buffering=1)
        except OSError as error:
            reason = f"cannot be written: {error.strerror}"
            raise SettingsError(
                reason, file=path, item="SEKISHO_STATE", remedy="check the rights of the state"
            ) from None
        self._listener = listener
        self._watcher = watcher
        self._log = structlog.wrap_logger(
            structlog.WriteLogger(self._file),
            processors=[self._shape, structlog.processors.JSONRenderer(json_text, default=str)],
            wrapper_class=structlog.BoundLoggerBase,
        ).bind(run=run)

    def emit(self, event: str, **fields: Any) -> None:
        """Write one event with its fields, `at` (UTC) and `run`."""
        self._log._proxy_to_logger("msg", event, **fields)

    def begin(self, stage: str, items: Sequence[str] = (), *, of: int = 0, workers: int = 1) -> None:
        """Tell the watcher, and no file, what a stage is about to work on: its items in order, or how many they are.

        So many `workers` take them in that order, so whoever counts what has come back knows what is being worked on.
        """
        self.tell("begin", stage=stage, items=tuple(items), of=of or len(items), workers=workers)

    def tell(self, event: str, **fields: Any) -> None:
        """Tell the watcher alone; nothing is written."""
        if self._watcher is not None:
            self._watcher({"event": event, **fields})

    def close(self) -> None:
        """Close the file; further events are refused by it."""
        self._file.close()

    def _shape(self, _logger: Any, _name: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
        """The event's name first and its bookkeeping last, so that a line reads like a sentence."""
        name, run = event.pop("event"), event.pop("run")
        shaped = {
            "event": name,
            **event,
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "run": run,
        }
        if self._listener is not None:
            self._listener(shaped)
        return shaped
