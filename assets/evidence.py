"""Report: the page for people who were not there."""

import dagster as dg

from assets._gates import gates_said
from assets._results import check_result, preview
from sekisho.errors import GateRefused
from sekisho.evidence.gate import GATE, report_shows_every_quote
from sekisho.evidence.report import publish_report
from sekisho.gates import guarded
from sekisho.publish import text_on_disk
from sekisho.settings import Settings
from sekisho.warehouse import Warehouse


# No arrow: it is made also where a gate has stopped the rest, for it says what and why. The lowest priority has it come
# last in a run, when every gate has spoken.
@dg.asset(group_name="report", kinds={"html"}, op_tags={"dagster/priority": "-20"})
def evidence_report(
    context: dg.AssetExecutionContext,
    settings: dg.ResourceParam[Settings],
    warehouse: dg.ResourceParam[Warehouse],
) -> dg.MaterializeResult[None]:
    """report.html: all that is published, each quote marked in its source, and what was turned back, on one page."""
    said, run = gates_said(context.instance, context.job_def.asset_layer.asset_graph)
    try:
        report = publish_report(settings, warehouse, said, run)
    except GateRefused as refused:
        raise dg.Failure(str(refused), metadata={"reasons": list(refused.reasons)}, allow_retries=False) from None
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": report.page.counts["answers"],
            "path": dg.MetadataValue.path(report.path),
            "bytes": report.size,
            "quotes": len(report.page.places),
            "gates": len(report.page.gates),
            "preview": preview([{"on the page": name, "count": count} for name, count in report.page.counts.items()]),
        }
    )


@dg.asset_check(asset=evidence_report, name=GATE)
def page_shows_every_quote(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.AssetCheckResult:
    """The page on disk, read back, has every published answer and fact, each quote marked where it stands."""
    page, published = text_on_disk(settings.report_path), warehouse.published()
    findings = guarded(GATE, report_shows_every_quote, page, published)
    return check_result(findings, looked_at=len(published.answers) + len(published.base.facts))
