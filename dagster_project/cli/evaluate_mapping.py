"""`sekisho eval mapping`: the first stage and the choice, measured."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from rich import box
from rich.table import Table

from dagster_project.cli.console import safe, stderr, stdout
from dagster_project.cli.figures import show_verdict
from sekisho.agents.backends import check_backend, make_agent
from sekisho.errors import InputError
from sekisho.events import EventLog
from sekisho.mapping.files import read_golden_queries
from sekisho.mapping.nightly import inputs_of, map_all
from sekisho.publish import write_atomically
from sekisho.scorecards.bars import check_plot
from sekisho.scorecards.baseline import Baseline, read_baseline, stale_inputs, write_baseline
from sekisho.scorecards.mapping import MappingScore, Rates, score_mappings, shown_rates, worse_than
from sekisho.scorecards.plots import plot_mapping
from sekisho.settings import Settings, load_settings
from sekisho.sources.folder import DataFolder

_TOLD = 10  # problems of the files


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures, what is worse than the baseline, and what has changed since that was measured."""

    score: MappingScore
    baseline: Baseline | None
    worse: tuple[str, ...]
    stale: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The evaluation as plain JSON values."""
        figures = self.baseline.figures if self.baseline is not None else None
        return {**self.score.as_dict(), "baseline": figures, "worse": list(self.worse), "stale": list(self.stale)}


def evaluate_mapping(*, ai: bool | None, plot: Path | None, write: bool) -> Evaluation:
    """Map the data folder's queries and score them; `InputError` where there is nothing to measure."""
    settings = load_settings()
    form = check_plot(plot) if plot is not None else ""
    use_ai = settings.map_use_ai if ai is None else ai
    score, inputs = _measure(settings.model_copy(update={"map_use_ai": use_ai}))
    if plot is not None:
        write_atomically(plot, plot_mapping(score, form))
    path = settings.mapping_baseline_path
    if write:
        write_baseline(path, Baseline(inputs, score.figures))
    baseline = read_baseline(path)
    if baseline is None:
        return Evaluation(score, None, (), ())
    worse = tuple(finding.message for finding in worse_than(score, baseline))
    # Without a model, what only a model's choice depends on is not asked for.
    held = {name: digest for name, digest in baseline.inputs.items() if use_ai or name in inputs}
    return Evaluation(score, baseline, worse, tuple(stale_inputs(inputs, Baseline(held, baseline.figures))))


def _measure(settings: Settings) -> tuple[MappingScore, dict[str, str]]:
    folder = DataFolder(settings.data).check()
    catalogue, queries, amiss = read_golden_queries(folder)
    for problem in amiss[:_TOLD]:
        stderr.print(safe(f"{problem.path}: {problem.item}: {problem.message}", "yellow"))
    if len(amiss) > _TOLD:
        stderr.print(safe(f"and {len(amiss) - _TOLD} more", "yellow"))
    if catalogue is None or not any(query.expected_id for query in queries):
        remedy = "write terms.tsv, and queries.tsv with a column expected_id"
        raise InputError("nothing to measure mapping with", file=folder.root / "catalogue", remedy=remedy)
    run = f"eval:mapping:{uuid4().hex[:8]}"
    agent = None
    if settings.map_use_ai:
        check_backend(settings)
        agent = make_agent(settings, run=run)
    with closing(EventLog(settings.log_path if agent is not None else Path(os.devnull), run=run)) as events:
        made = map_all(queries, catalogue, settings, agent, events)
    score = score_mappings(made.mapped, made.calls, confidence=settings.map_confidence)
    return score, inputs_of(settings, made)


def show_evaluation(found: Evaluation) -> None:
    """Print rates by difficulty and kind, what the choice changed, relations, costs, and the baseline's verdict."""
    score = found.score
    if score.rates is not None:
        _show_rates(score.groups)
    known = score.rates.count if score.rates is not None else 0
    stdout.print(f"queries: {score.queries}, with a known record: {known}")
    if score.relations:
        _show_choice(score)
    _show_cases(score)
    for name in found.stale:
        stderr.print(safe(f"not as it was when the baseline was measured: {name}", "yellow"))
    show_verdict(found.worse, found.baseline)
    if found.baseline is None:
        stdout.print("no baseline: --write-baseline makes one")


def _show_rates(rows: Mapping[str, Rates]) -> None:
    table = Table("", box=box.SIMPLE_HEAD, pad_edge=False)
    shown = {name: shown_rates(rates) for name, rates in rows.items()}
    for title in next(iter(shown.values()), {}):
        table.add_column(title, justify="right")
    for name, figures in shown.items():
        table.add_row(safe(name), *figures.values())
    stdout.print(table)


def _show_choice(score: MappingScore) -> None:
    spent = score.spending
    stdout.print("relations:", _listed(score.relations))
    if score.same_relation is not None:
        stdout.print(f"the known relation: {score.same_relation:.1%}")
    stdout.print("chosen, by policy:", _listed({name: f"{rate:.1%}" for name, rate in score.policies.items()}))
    tokens = (
        "tokens unknown"
        if spent.input_tokens is None
        else f"{spent.input_tokens + (spent.output_tokens or 0):,.0f} tokens"
    )
    usd = "cost unknown" if spent.usd is None else f"{spent.usd:.4f} USD"
    stdout.print(f"model calls: {spent.calls}, {tokens}, {usd}")
    stdout.print(f"changed: {score.count('changed')}, improved: {score.count('improved')}, ", end="")
    stdout.print(f"worsened: {score.count('worsened')}")


def _show_cases(score: MappingScore) -> None:
    for case in score.cases:
        told = f"first {case.first or 'none'}, chosen {case.chosen or 'none'}, known {case.expected}"
        stdout.print(" ", case.verdict + ":", safe(case.query, "bold"), safe(told, "dim"), safe(case.relation))


def _listed(values: Mapping[str, Any]) -> str:
    pairs: Iterable[str] = (f"{name} {value}" for name, value in values.items())
    return ", ".join(pairs)
