"""Scorecards: what the golden sets say of what was made."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import dagster as dg

from assets._results import check_result, picture, preview, table
from assets.mapping import term_mappings
from assets.query import answers
from assets.recall import recall_citations
from sekisho.errors import InputError
from sekisho.gates import Finding, guarded
from sekisho.scorecards.answers import compare_answers
from sekisho.scorecards.baseline import Baseline, read_baseline, readable_baseline
from sekisho.scorecards.mapping import MappingScore, score_mappings, worse_than
from sekisho.scorecards.measure import Measured, scored
from sekisho.scorecards.measure_answers import MeasuredAnswers, measure_answers
from sekisho.scorecards.plots import plot_answers, plot_mapping, plot_recall
from sekisho.scorecards.recall import compare
from sekisho.scorecards.values import figure_rows
from sekisho.settings import Settings
from sekisho.warehouse import Warehouse

_WARN = dg.AssetCheckSeverity.WARN
_NOTHING = "nothing to measure: there is no golden set"


@dg.asset(deps=[answers], group_name="report", kinds={"yaml"})
def answer_scorecard(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.MaterializeResult[None]:
    """How much of what the golden set expects is published, and what is not; no rows without a golden set."""
    try:
        measured = measure_answers(settings, warehouse)
    except InputError as error:
        return _unusable(error)
    plot = plot_answers(measured.figures, readable_baseline(settings.answers_baseline_path))
    cases = table({"question": one.question, "verdict": one.verdict, **one.told} for one in measured.score.cases)
    return _scorecard(measured.figures, plot, inputs=measured.inputs, cases=cases)


@dg.asset_check(asset=answer_scorecard, name="no_regression")
def answers_have_not_regressed(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.AssetCheckResult:
    """No figure is worse than in the committed baseline, which is of this prompt, schema, golden set and questions."""
    path = settings.answers_baseline_path
    return _held_against(path, lambda: measure_answers(settings, warehouse), compare_answers, len(warehouse.answers()))


@dg.asset(deps=[recall_citations], group_name="report", kinds={"yaml"})
def recall_scorecard(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.MaterializeResult[None]:
    """How much of what the golden set expects was recalled for its drafts; no rows without a golden set."""
    try:
        measured = scored(settings, warehouse.recalls())
    except InputError as error:
        return _unusable(error)
    plot = plot_recall({"production": measured.figures}, readable_baseline(settings.recall_baseline_path))
    return _scorecard(measured.figures, plot, inputs=measured.inputs)


@dg.asset_check(asset=recall_scorecard, name="no_regression")
def recall_has_not_regressed(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.AssetCheckResult:
    """No figure is worse than in the committed baseline, which is of this prompt, schema and filter."""
    recalls = warehouse.recalls()
    return _held_against(settings.recall_baseline_path, lambda: scored(settings, recalls), compare, len(recalls))


def _mapping_score(settings: Settings, warehouse: Warehouse) -> MappingScore:
    return score_mappings(warehouse.mappings(), warehouse.mapping_calls(), confidence=settings.map_confidence)


@dg.asset(deps=[term_mappings], group_name="report", kinds={"json"})
def mapping_scorecard(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.MaterializeResult[None]:
    """How many of the queries with a known record are mapped to it: at first, after the choice, and among the ten."""
    score = _mapping_score(settings, warehouse)
    rates = [{"queries of": name, **asdict(one)} for name, one in score.groups.items()]
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": score.queries,
            **_rounded(score.figures),
            "rates": preview(rates),
            "relations": score.relations,
            "cases": table(asdict(case) for case in score.cases),
            "spending": asdict(score.spending),
            "plot": picture(plot_mapping(score), "rates by kind", without="No query has a known record."),
        }
    )


@dg.asset_check(asset=mapping_scorecard, name="no_regression")
def mapping_has_not_regressed(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.AssetCheckResult:
    """No rate is below that of data/golden/baselines/mapping.json, where there is such a file."""

    def worse() -> list[Finding]:
        score, baseline = _mapping_score(settings, warehouse), read_baseline(settings.mapping_baseline_path)
        return worse_than(score, baseline) if baseline is not None else []

    looked_at = sum(bool(one.asked.expected_id) for one in warehouse.mappings())
    return check_result(_findings(worse), looked_at=looked_at, severity=_WARN)


def _held_against(
    path: Path,
    measure: Callable[[], Measured | MeasuredAnswers],
    compare: Callable[[Mapping[str, float], Mapping[str, str], Baseline | None], list[Finding]],
    looked_at: int,
) -> dg.AssetCheckResult:
    """The figures held against the baseline in a file; where nothing was measured, the check says so."""
    told = ""

    def worse() -> list[Finding]:
        nonlocal told
        measured = measure()
        told = "" if measured.figures else _NOTHING
        return compare(measured.figures, measured.inputs, read_baseline(path))

    findings = _findings(worse)
    return check_result(findings, looked_at=0 if told else looked_at, severity=_WARN, told=told)


def _findings(worse: Callable[[], list[Finding]]) -> list[Finding]:
    """What is worse; a golden set or baseline that cannot be used is a finding with its own words."""

    def predicate() -> list[Finding]:
        try:
            return worse()
        except InputError as error:
            return [Finding("no_regression", error.item or "baseline", str(error))]

    return guarded("no_regression", predicate)


def _scorecard(figures: Mapping[str, float], plot: bytes, **more: Any) -> dg.MaterializeResult[None]:
    rows = figure_rows(figures)
    shown = {"preview": preview(rows), "plot": picture(plot, "figures", without="Nothing was measured.")}
    return dg.MaterializeResult(metadata={"dagster/row_count": len(rows), **_rounded(figures), **shown, **more})


def _rounded(figures: Mapping[str, float]) -> dict[str, float]:
    """The figures as Dagster's UI shows and draws them; what is judged is not rounded."""
    return {name: round(value, 3) for name, value in figures.items()}


def _unusable(error: InputError) -> dg.MaterializeResult[None]:
    """A golden set with mistakes, which the check tells, keeps nothing else of a run from being made."""
    return dg.MaterializeResult(metadata={"dagster/row_count": 0, "problem": str(error)})
