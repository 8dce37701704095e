"""Scorecards: what the golden sets say of what was made."""

import dagster as dg

from assets._results import check_result, preview
from assets.recall import recall_citations
from sekisho.gates import Finding, guarded
from sekisho.scorecards.baseline import read_baseline
from sekisho.scorecards.measure import baseline_path, golden_path, scored
from sekisho.scorecards.recall import compare
from sekisho.settings import Settings
from sekisho.warehouse import Warehouse


@dg.asset(deps=[recall_citations], group_name="report", kinds={"yaml"})
def recall_scorecard(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.MaterializeResult[None]:
    """How much of what the golden set expects was recalled for its drafts; no rows without a golden set."""
    measured = scored(settings, warehouse.recalls())
    rows = [{"figure": name, "value": f"{value:.3f}"} for name, value in measured.figures.items()]
    return dg.MaterializeResult(
        metadata={"dagster/row_count": len(rows), "preview": preview(rows), "inputs": measured.inputs}
    )


@dg.asset_check(asset=recall_scorecard)
def no_regression(settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """No figure is worse than in the committed baseline, which is of this prompt, schema and filter."""
    recalls = warehouse.recalls()

    def predicate() -> list[Finding]:
        measured = scored(settings, recalls)
        return compare(measured.figures, measured.inputs, read_baseline(baseline_path(settings)))

    findings = guarded("no_regression", predicate)
    told = "" if golden_path(settings).exists() else "nothing to measure: there is no golden set"
    return check_result(findings, looked_at=len(recalls), severity=dg.AssetCheckSeverity.WARN, told=told)
