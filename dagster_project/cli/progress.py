"""Progress of a run on standard error: one line per stage, and one for each item that did not pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.status import Status

from dagster_project.cli.console import safe, stderr

_STAGES = {
    "ingest": "files read",
    "extract": "facts extracted",
    "embed": "texts encoded",
    "compile": "knowledge base compiled",
    "query": "answers drafted",
    "verify": "answers verified",
}


class Progress:
    """Follows the event log; on a terminal the running stage is counted in place."""

    def __init__(self) -> None:
        self._stage = ""
        self._done = self._good = self._empty = 0
        self._status: Status | None = None

    def __call__(self, event: Mapping[str, Any]) -> None:
        """Take one event."""
        stage = str(event["event"])
        if stage not in _STAGES:
            return
        if stage != self._stage:
            self.finish()
            self._stage = stage
        self._done += 1
        self._good += bool(event["ok"])
        self._empty += event.get("status") == "empty"
        if not event["ok"]:
            reasons = event.get("reasons") or [event.get("reason") or event.get("status")]
            name = event.get("id") or event.get("path") or stage
            for reason in reasons:
                stderr.print("  ✗", safe(str(name), "bold"), safe(str(reason), "red"))
        if stderr.is_terminal:
            self._count()

    def finish(self) -> None:
        """Close the running stage with its line."""
        if self._status is not None:
            self._status.stop()
            self._status = None
        if self._stage:
            mark = "✓" if self._good == self._done else "✗"
            empty = f" ({self._empty} empty)" if self._empty else ""
            stderr.print(f"{mark} {_STAGES[self._stage]}: {self._good} of {self._done}{empty}")
        self._stage, self._done, self._good, self._empty = "", 0, 0, 0

    def _count(self) -> None:
        text = f"{_STAGES[self._stage]}: {self._good} of {self._done}"
        if self._status is None:
            self._status = stderr.status(text)
            self._status.start()
        self._status.update(text)
