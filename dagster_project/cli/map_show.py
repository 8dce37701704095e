"""How mappings look on a terminal: a table for one query, a line for each of many, and how far a file has been read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import TracebackType
from typing import Self

from rich import box
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

from dagster_project.cli.console import safe, stderr, stdout
from sekisho.mapping.mapped import Choice, Mapped
from sekisho.mapping.match import Candidate
from sekisho.mapping.rows import BadRow
from sekisho.mapping.weights import WEIGHTS

_SIGNALS_SHOWN = 2


class MapProgress:
    """A bar on standard error over the bytes of a file; without a size it only counts, and off a terminal it is not."""

    def __init__(self, size: int | None, *, hidden: bool = False) -> None:
        columns = (TextColumn("mapped: {task.fields[mapped]:,}"), BarColumn())
        self._bar = Progress(*columns, console=stderr, transient=True, disable=hidden or not stderr.is_terminal)
        self._task = self._bar.add_task("map", total=size, mapped=0)
        self._mapped = self._bad = 0

    def __enter__(self) -> Self:
        """Show it."""
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        """Take it away, and say how many rows were bad."""
        self._bar.stop()
        if self._bad:
            stderr.print(f"could not be mapped: {self._bad} of {self._bad + self._mapped}", style="yellow")

    def through(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The same lines, while the bar follows them."""
        for line in lines:
            self._bar.advance(self._task, len(line))
            yield line

    def count(self, answer: Mapped | BadRow) -> None:
        """One more query is done."""
        self._bad += isinstance(answer, BadRow)
        self._mapped += isinstance(answer, Mapped)
        self._bar.update(self._task, mapped=self._mapped)

    def aside(self) -> AbstractContextManager[None]:
        """While something else is printed on the same terminal, the bar is not."""
        return _paused(self._bar) if not self._bar.disable and stdout.is_terminal else nullcontext()


@contextmanager
def _paused(bar: Progress) -> Iterator[None]:
    bar.stop()
    yield
    bar.start()


def show_mapped(answer: Mapped | BadRow) -> None:
    """Print one query with its candidates, their scores and strongest signals, and the choice."""
    if isinstance(answer, BadRow):
        stdout.print(safe(answer.query, "bold"), safe(answer.error, "red"))
        return
    stdout.print(safe(answer.asked.query, "bold"))
    for text, why in answer.removed:
        stdout.print("  left out:", safe(text), safe(f"({why})", "dim"))
    if answer.ambiguous:
        stdout.print("  ambiguous:", safe(answer.ambiguous, "yellow"))
    if not answer.candidates:
        stdout.print("  no candidate")
        return
    table = Table("", "id", "name", "score", "signals", box=box.SIMPLE_HEAD, pad_edge=False)
    for candidate in answer.fitting:
        mark = "▸" if answer.fits and candidate.id == answer.best_id else ""
        signals = safe(", ".join(strongest(candidate)), "dim")
        table.add_row(mark, safe(candidate.id), safe(candidate.name), candidate.told, signals)
    stdout.print(table)
    if left := len(answer.listed) - len(answer.fitting):
        stdout.print(f"{left} more {'does' if left == 1 else 'do'} not fit", style="dim")
    if not answer.fits:
        stdout.print("✗ no record fits", safe(answer.error, "yellow"))
    elif answer.ai is not None:
        _show_choice(answer.ai)


def show_line(answer: Mapped | BadRow) -> None:
    """Print one query of many on one line: what was asked, the record that stands for it, its score or relation.

    `?` before it: the model says it is another one, or no model's word stands and it is as likely wrong as right. `✗`:
    there is none.
    """
    if isinstance(answer, BadRow):
        stdout.print("✗", safe(answer.query or f"line {answer.line}", "bold"), safe(answer.error, "red"), sep="  ")
        return
    chosen = answer.best
    if chosen is None or not answer.fits:
        told = "no record fits" if answer.candidates else "no candidate"
        stdout.print("✗", safe(answer.asked.query, "bold"), told, sep="  ")
        return
    ai = answer.ai
    told = chosen.told if ai is None else ai.relation or f"first candidate: {ai.error}"
    mark = "✓" if answer.sure else "?"
    told = f"{told}, left out: {answer.left_out}" if answer.removed else told
    stdout.print(mark, safe(answer.asked.query, "bold"), safe(chosen.id), safe(chosen.name), safe(told), sep="  ")


def strongest(candidate: Candidate) -> list[str]:
    """What speaks for a candidate, in words: the text of the record that fitted, and the signals that weigh most."""
    signals = candidate.signals
    label, kind = str(signals.get("label", "")), str(signals.get("kind", ""))
    words = [kind if label in ("", candidate.name) else f"{kind} “{label}”"]
    weighed = [
        (-float(value) * sum(WEIGHTS.get(name, (1.0, 1.0))), name, float(value))
        for name, value in signals.items()
        if isinstance(value, int | float)
    ]
    words += [f"{name} {value:.2f}" for weight, name, value in sorted(weighed) if weight < 0]
    return [word for word in words if word][: 1 + _SIGNALS_SHOWN]


def _show_choice(ai: Choice) -> None:
    if ai.relation is None:
        stdout.print("the first candidate stands:", safe(ai.error or "", "yellow"))
        return
    sure = "" if ai.confidence is None else f", confidence {ai.confidence:g}"
    stdout.print("chosen:", safe(f"{ai.best_id} {ai.best_name}", "bold"), f"{ai.relation} ({ai.relation_ja}){sure}")
    if ai.reason:
        stdout.print("  ", safe(ai.reason, "italic"), sep="")
