"""Progress on standard error: a line for each stage of a run and for each item that did not pass, and on a terminal a
bar with what has come back and what is being worked on.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.progress import Progress as Bars

from dagster_project.cli.console import safe, stderr
from sekisho.text import shortened

_STAGES = {
    "ingest": "files read",
    "extract": "facts extracted",
    "embed": "texts encoded",
    "compile": "knowledge base compiled",
    "query": "answers drafted",
    "verify": "answers verified",
    "recall": "drafts recalled",
    "map": "queries mapped",
}
_TITLES = {**_STAGES, "normalise": "notes tidied"}  # the last is counted on a terminal, and has no line of its own
_BETWEEN = "gates and index"
_NAMED = 3  # items that are named as being worked on
_LONGEST = 28


class Progress:
    """Follows the event log of a run; safe with several threads."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or _console()
        self._lock = Lock()
        self._stage = ""
        self._done = self._good = 0
        self._aside: Counter[str] = Counter()
        self._waiting: dict[str, None] = {}
        self._workers = 1
        self._bars: Bars | None = None
        self._task = TaskID(0)

    def __call__(self, event: Mapping[str, Any]) -> None:
        """Take one event."""
        with self._lock:
            name = str(event["event"])
            if name == "begin":
                self._begin(event)
            elif name == "done" and event["stage"] == self._stage:
                self._count(event)
            elif name in _STAGES:
                if name != self._stage:
                    self._open(name)
                self._take(event)

    def finish(self) -> None:
        """Close the running stage with its line."""
        with self._lock:
            self._close()
            self._hide()

    def _begin(self, event: Mapping[str, Any]) -> None:
        if event["stage"] != self._stage:
            self._open(str(event["stage"]))
        self._waiting, self._workers = dict.fromkeys(event["items"]), int(event["workers"])
        self._show(_TITLES.get(self._stage, self._stage), int(event["of"]))
        self._draw()

    def _open(self, stage: str) -> None:
        self._close()
        self._stage = stage
        self._show(_TITLES.get(stage, stage))

    def _take(self, event: Mapping[str, Any]) -> None:
        if not event["ok"]:
            reasons = event.get("reasons") or [event.get("reason") or event.get("status")]
            name = event.get("id") or event.get("path") or self._stage
            for reason in reasons:
                self._console.print("  ✗", safe(str(name), "bold"), safe(str(reason), "red"))
        self._count(event)

    def _count(self, event: Mapping[str, Any]) -> None:
        before = self._done
        self._done = int(event["encoded"]) if "encoded" in event else self._done + 1  # texts come many at a time
        self._good += (self._done - before) * bool(event.get("ok", True))
        if aside := event.get("aside") or ("empty" if event.get("status") == "empty" else ""):
            self._aside[aside] += 1
        self._waiting.pop(str(event.get("id") or event.get("source")), None)
        self._draw()

    def _close(self) -> None:
        """End the stage with its line; what comes between two stages says nothing, and may take long."""
        if self._stage in _STAGES and self._done:
            mark = "✓" if self._good == self._done else "✗"
            aside = ", ".join(f"{count} {name}" for name, count in sorted(self._aside.items()))
            told = f"{self._good} of {self._done}{f' ({aside})' if aside else ''}"
            self._console.print(f"{mark} {_STAGES[self._stage]}: {told}")
        self._stage, self._done, self._good = "", 0, 0
        self._aside, self._waiting = Counter(), {}

    def _show(self, text: str, total: int = 0) -> None:
        if not self._console.is_terminal:
            return
        if self._bars is None:
            self._bars = _bars(self._console)
            self._bars.start()
        else:
            self._bars.remove_task(self._task)
        self._task = self._bars.add_task(text, total=total or None, now="")

    def _hide(self) -> None:
        if self._bars is not None:
            self._bars.stop()
            self._bars = None

    def _draw(self) -> None:
        if self._bars is None:
            return
        (task,) = self._bars.tasks
        over = task.total is not None and self._done >= task.total
        at_work = list(self._waiting)[: self._workers]
        named = ", ".join(str(safe(shortened(name, _LONGEST))) for name in at_work[:_NAMED])
        more = f" and {len(at_work) - _NAMED} more" if len(at_work) > _NAMED else ""
        self._bars.update(self._task, completed=self._done, now=_BETWEEN if over else f"{named}{more}")


def _bars(console: Console) -> Bars:
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[now]}", style="dim", markup=False),
    )
    return Bars(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)


def _console() -> Console:
    """Standard error; on a terminal by a handle of its own, for Dagster turns the standard one away in every step."""
    if not stderr.is_terminal:
        return stderr
    own = os.fdopen(os.dup(sys.stderr.fileno()), "w", encoding=sys.stderr.encoding, errors="backslashreplace")
    return Console(file=own, force_terminal=True, highlight=False, soft_wrap=True)


@contextmanager
def working(text: str) -> Iterator[None]:
    """Say on a terminal that something is going on; nothing elsewhere. Print nothing meanwhile."""
    if not stderr.is_terminal:
        yield
        return
    with _shown(SpinnerColumn(), TextColumn("{task.description} …", markup=False)) as bars:
        bars.add_task(text, total=None)
        yield


@contextmanager
def counting(text: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, and what to call with how much of the total is done; nothing elsewhere."""
    if not stderr.is_terminal:
        yield lambda done: None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with _shown(*columns) as bars:
        task = bars.add_task(text, total=total)
        yield lambda done: bars.update(task, completed=done)


def _shown(*columns: ProgressColumn) -> Bars:
    # Rich would send what is printed meanwhile to the bars' own console: results belong to standard output.
    return Bars(*columns, console=stderr, transient=True, redirect_stdout=False, redirect_stderr=False)
