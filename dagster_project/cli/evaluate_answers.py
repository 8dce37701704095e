"""`sekisho eval answers`: what is published, held against the golden set and the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from dagster_project.cli.console import print_json, safe, stdout
from dagster_project.cli.figures import show_figures, show_verdict
from sekisho.errors import InputError
from sekisho.gates import Finding
from sekisho.publish import write_atomically
from sekisho.scorecards.answers import Judged, compare_answers
from sekisho.scorecards.bars import check_plot
from sekisho.scorecards.baseline import Baseline, read_baseline, stale_inputs, write_baseline
from sekisho.scorecards.measure_answers import MeasuredAnswers, check_published, measure_answers
from sekisho.scorecards.plots import plot_answers
from sekisho.settings import load_settings
from sekisho.warehouse import Warehouse


def evaluate_answers(*, plot: Path | None, write: bool, as_json: bool) -> None:
    """Measure what is published and print the figures; `InputError` where there is nothing to measure."""
    settings = load_settings()
    form = check_plot(plot) if plot is not None else ""
    check_published(settings)
    measured = measure_answers(settings, Warehouse(settings.warehouse_path, wait=settings.lock_wait))
    path = settings.answers_baseline_path
    if write:
        if measured.elsewhere:
            told = f"the published answers were made with {measured.elsewhere}"
            raise InputError(told, item="--write-baseline", remedy="sekisho run first")
        write_baseline(path, measured.as_baseline)
    baseline = read_baseline(path)
    findings = compare_answers(measured.figures, measured.inputs, baseline)
    if plot is not None:
        write_atomically(plot, plot_answers(measured.figures, baseline, form))
    if as_json:
        told_baseline = asdict(baseline) if baseline is not None else None
        found = {"baseline": told_baseline, "findings": [asdict(one) for one in findings]}
        print_json({**measured.score.as_dict(), "inputs": measured.inputs, **found})
    else:
        _show(measured, baseline, findings)


def _show(measured: MeasuredAnswers, baseline: Baseline | None, findings: Sequence[Finding]) -> None:
    show_figures({"now": measured.figures}, baseline)
    for case in measured.score.cases:
        stdout.print(" ", case.verdict + ":", safe(case.question, "bold"), safe(_told(case), "dim"))
    if measured.elsewhere:
        stdout.print(safe(f"made with {measured.elsewhere} than that of now: sekisho run", "yellow"))
    if baseline is not None and (others := stale_inputs(measured.inputs, baseline)):
        stdout.print(safe(f"not as it was when the baseline was measured: {', '.join(others)}", "yellow"))
    show_verdict((found.message for found in findings), baseline)


def _told(case: Judged) -> str:
    return "; ".join(f"{name}: {items}" for name, items in case.told.items() if items)
