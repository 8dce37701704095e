"""`sekisho eval`: a stage against its golden set and the committed baseline."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import uuid4

import typer
from rich import box
from rich.table import Table

from dagster_project.cli.console import print_json, safe, stdout

app = typer.Typer(no_args_is_help=True, help="Hold a stage against its golden set and the committed baseline.")


@app.command()
def recall(
    stage: Annotated[
        Literal["production", "candidate"], typer.Option(help="Whose prompt; a candidate is shown beside production.")
    ] = "production",
    write_baseline: Annotated[
        bool, typer.Option("--write-baseline", help="Make these figures the baseline, to be committed.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Recall the drafts of data/golden/recall.yaml and say how much of what should be found is."""
    from sekisho.errors import InputError

    if write_baseline and stage != "production":
        remedy = "put the candidate into prompts/production first"
        raise InputError("a baseline is of production", item="--write-baseline", remedy=remedy)
    measured, findings, baseline = _measure_recall(stage, write=write_baseline)
    if as_json:
        told = {one.stage: {"figures": one.figures, "inputs": one.inputs} for one in measured}
        print_json({**told, "baseline": baseline and asdict(baseline), "findings": [asdict(one) for one in findings]})
    else:
        _show(measured, baseline, findings)


def _measure_recall(stage: str, *, write: bool) -> tuple[list[Any], list[Any], Any]:
    """Production, and a candidate beside it; what is worse than the baseline, and that."""
    from sekisho.agents.backends import check_backend, make_agent
    from sekisho.errors import InputError
    from sekisho.events import EventLog
    from sekisho.recall.published import PublishedFinder
    from sekisho.retrieval.encoder import encoder_of
    from sekisho.retrieval.store import EmbeddingStore
    from sekisho.scorecards.baseline import read_baseline, write_baseline
    from sekisho.scorecards.measure import baseline_path, measure
    from sekisho.scorecards.recall import compare
    from sekisho.settings import load_settings
    from sekisho.warehouse import Warehouse

    settings = load_settings()
    check_backend(settings)
    if not settings.warehouse_path.exists():
        raise InputError("no decision is known yet", file=settings.warehouse_path, remedy="run `sekisho run` first")
    path = baseline_path(settings)
    baseline = None if write else read_baseline(path)
    agent = make_agent(settings, run="eval:recall", root=f"eval:recall:{uuid4().hex[:8]}")
    warehouse = Warehouse(settings.warehouse_path, wait=settings.lock_wait)
    store = EmbeddingStore(settings.warehouse_path, wait=settings.lock_wait)
    finder = PublishedFinder(settings, warehouse, store, encoder_of(settings))
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
        stdout.print("✗", safe(found.message, "yellow"))
