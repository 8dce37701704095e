"""`sekisho eval recall`: the drafts of the golden set, recalled and held against the baseline."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from uuid import uuid4

from rich import box
from rich.table import Table

from dagster_project.cli.console import print_json, safe, stdout
from dagster_project.cli.progress import working
from sekisho.agents.backends import check_backend, make_agent
from sekisho.errors import InputError
from sekisho.events import EventLog
from sekisho.publish import write_atomically
from sekisho.recall.published import check_ingested, published_finder
from sekisho.scorecards.bars import check_plot
from sekisho.scorecards.baseline import read_baseline, write_baseline
from sekisho.scorecards.measure import measure
from sekisho.scorecards.plots import plot_recall
from sekisho.scorecards.recall import compare
from sekisho.settings import load_settings


def evaluate_recall(stage: str, *, plot: Path | None, write: bool, as_json: bool) -> None:
    """Measure production, and a candidate beside it, and print the figures; `InputError` where nothing is published."""
    if write and stage != "production":
        remedy = "put the candidate into prompts/production first"
        raise InputError("a baseline is of production", item="--write-baseline", remedy=remedy)
    form = check_plot(plot) if plot is not None else ""
    with working("recalling the drafts of the golden set"):
        measured, findings, baseline = _measure(stage, write=write)
    if plot is not None:
        write_atomically(plot, plot_recall({one.stage: one.figures for one in measured}, baseline, form))
    if as_json:
        told = {one.stage: {"figures": one.figures, "inputs": one.inputs} for one in measured}
        print_json({**told, "baseline": baseline and asdict(baseline), "findings": [asdict(one) for one in findings]})
    else:
        _show(measured, baseline, findings)


def _measure(stage: str, *, write: bool) -> tuple[list[Any], list[Any], Any]:
    """Production, and a candidate beside it; what is worse than the baseline, and that."""
    settings = load_settings()
    check_backend(settings)
    check_ingested(settings)
    path = settings.recall_baseline_path
    baseline = None if write else read_baseline(path)
    agent = make_agent(settings, run="eval:recall", root=f"eval:recall:{uuid4().hex[:8]}")
    finder = published_finder(settings)
    events = EventLog(Path(os.devnull), run="eval:recall")  # no draft of anybody's: recall's health does not count it
    stages = ["production"] if stage == "production" else ["production", stage]
    try:
        measured = [measure(settings, finder, agent, events, stage=one) for one in stages]
    finally:
        events.close()
    production = measured[0]
    if write:
        baseline = production.as_baseline
        write_baseline(path, baseline)
    return measured, compare(production.figures, production.inputs, baseline), baseline


def _show(measured: Sequence[Any], baseline: Any, findings: Sequence[Any]) -> None:
    table = Table("figure", "baseline", *(one.stage for one in measured), box=box.SIMPLE_HEAD, pad_edge=False)
    for name in measured[0].figures:
        was = f"{baseline.figures[name]:.3f}" if baseline and name in baseline.figures else "–"
        table.add_row(name, was, *(f"{one.figures[name]:.3f}" for one in measured))
    stdout.print(table)
    for found in findings:
        stdout.print("✗" if baseline is not None else "!", safe(found.message, "yellow"))
    if baseline and not findings:
        stdout.print("✓ nothing is worse than the baseline")
