"""Scorecards: what the golden sets say of what was made."""

from dataclasses import asdict

import dagster as dg

from assets._results import check_result, picture, preview, table
from assets.mapping import term_mappings
from assets.recall import recall_citations
from sekisho.gates import Finding, guarded
from sekisho.scorecards.baseline import read_baseline
from sekisho.scorecards.mapping import MappingScore, score_mappings, worse_than
from sekisho.scorecards.mapping_plot import plot_mapping
from sekisho.scorecards.measure import golden_path, scored
from sekisho.scorecards.recall import compare
from sekisho.settings import Settings
from sekisho.warehouse import Warehouse

_WARN = dg.AssetCheckSeverity.WARN


@dg.asset(deps=[recall_citations], group_name="report", kinds={"yaml"})
def recall_scorecard(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.MaterializeResult[None]:
    """How much of what the golden set expects was recalled for its drafts; no rows without a golden set."""
    measured = scored(settings, warehouse.recalls())
    rows = [{"figure": name, "value": f"{value:.3f}"} for name, value in measured.figures.items()]
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": len(rows),
            **measured.figures,
            "preview": preview(rows),
            "inputs": measured.inputs,
        }
    )


@dg.asset_check(asset=recall_scorecard, name="no_regression")
def recall_has_not_regressed(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.AssetCheckResult:
    """No figure is worse than in the committed baseline, which is of this prompt, schema and filter."""
    recalls = warehouse.recalls()

    def predicate() -> list[Finding]:
        measured = scored(settings, recalls)
        return compare(measured.figures, measured.inputs, read_baseline(settings.recall_baseline_path))

    findings = guarded("no_regression", predicate)
    told = "" if golden_path(settings).exists() else "nothing to measure: there is no golden set"
    return check_result(findings, looked_at=len(recalls), severity=_WARN, told=told)


def _mapping_score(settings: Settings, warehouse: Warehouse) -> MappingScore:
    return score_mappings(warehouse.mappings(), warehouse.mapping_calls(), confidence=settings.map_confidence)


@dg.asset(deps=[term_mappings], group_name="report", kinds={"json"})
def mapping_scorecard(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.MaterializeResult[None]:
    """How many of the queries with a known record are mapped to it: at first, after the choice, and among the ten."""
    score = _mapping_score(settings, warehouse)
    rows = {"all": score.rates, **score.by_difficulty, **score.by_kind} if score.rates is not None else {}
    rates = [{"queries of": name, **asdict(one)} for name, one in rows.items() if one is not None]
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": score.queries,
            **score.figures,
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

    def predicate() -> list[Finding]:
        score, baseline = _mapping_score(settings, warehouse), read_baseline(settings.mapping_baseline_path)
        return worse_than(score, baseline) if baseline is not None else []

    looked_at = sum(bool(one.asked.expected_id) for one in warehouse.mappings())
    return check_result(guarded("no_regression", predicate), looked_at=looked_at, severity=_WARN)
