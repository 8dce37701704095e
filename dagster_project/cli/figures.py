"""How the figures of an evaluation look on a terminal, beside those of its baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich import box
from rich.table import Table

from dagster_project.cli.console import safe, stdout
from sekisho.scorecards.baseline import Baseline
from sekisho.scorecards.values import shown_figure


def show_figures(columns: Mapping[str, Mapping[str, float]], baseline: Baseline | None) -> None:
    """Print the figures as columns, by their titles; all have the names of the first."""
    table = Table("figure", "baseline", *columns, box=box.SIMPLE_HEAD, pad_edge=False)
    for name in next(iter(columns.values())):
        was = baseline.figures.get(name) if baseline is not None else None
        now = (shown_figure(name, figures[name]) for figures in columns.values())
        table.add_row(name, "–" if was is None else shown_figure(name, was), *now)
    stdout.print(table)


def show_verdict(reasons: Iterable[str], baseline: Baseline | None) -> None:
    """Print what is worse than the baseline, or that nothing is; without one, what there is to say of that."""
    reasons = list(reasons)
    for reason in reasons:
        stdout.print("✗" if baseline is not None else "!", safe(reason, "yellow"))
    if baseline is not None and not reasons:
        stdout.print("✓ nothing is worse than the baseline")
