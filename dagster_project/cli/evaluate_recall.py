"""`sekisho eval recall`: the drafts of the golden set, recalled and held against the baseline."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from uuid import uuid4

from dagster_project.cli.console import print_json
from dagster_project.cli.figures import show_figures, show_verdict
from dagster_project.cli.progress import working
from sekisho.agents.backends import check_backend, make_agent
from sekisho.errors import InputError
from sekisho.events import EventLog
from sekisho.gates import Finding
from sekisho.publish import write_atomically
from sekisho.recall.published import check_ingested, published_finder
from sekisho.scorecards.bars import check_plot
from sekisho.scorecards.baseline import Baseline, read_baseline, write_baseline
from sekisho.scorecards.measure import Measured, measure
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
        show_figures({one.stage: one.figures for one in measured}, baseline)
        show_verdict((found.message for found in findings), baseline)


def _measure(stage: str, *, write: bool) -> tuple[list[Measured], list[Finding], Baseline | None]:
    """Production, and a candidate beside it; what is worse than the baseline, and that."""
    settings = load_settings()
    check_backend(settings)
    check_ingested(settings)
    path = settings.recall_baseline_path
    baseline = None if write else read_baseline(path)
    agent = make_agent(settings, run="eval:recall", root=f"eval:recall:{uuid4().hex[:8]}")
    finder = published_finder(settings)
    stages = ["production"] if stage == "production" else ["production", stage]
    # No draft of anybody's is recalled, so nothing is logged: recall's health counts what is.
    with closing(EventLog(Path(os.devnull), run="eval:recall")) as events:
        measured = [measure(settings, finder, agent, events, stage=one) for one in stages]
    production = measured[0]
    if write:
        baseline = production.as_baseline
        write_baseline(path, baseline)
    return measured, compare(production.figures, production.inputs, baseline), baseline
