"""Ingest: the views of a data portal, each as the text that is embedded."""

import dagster as dg

from assets._results import check_result, preview
from sekisho import gates
from sekisho.events import EventLog
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder
from sekisho.sources.portal_views import load_views
from sekisho.warehouse import Warehouse


@dg.asset(group_name="ingest", kinds={"yaml", "duckdb"})
def portal_views(
    settings: dg.ResourceParam[Settings],
    warehouse: dg.ResourceParam[Warehouse],
    events: dg.ResourceParam[EventLog],
) -> dg.MaterializeResult[None]:
    """Every view's doc_text, with what stripping its machine-only block did."""
    views, problems = load_views(DataFolder(settings.data).check(), settings.strip_rules)
    for view in views:
        events.emit("portal_view", view=view.view_id, **view.diagnostics())
    warehouse.replace_views(views, problems)
    methods = [view.decikg_strip_method for view in views]
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": len(views),
            **{f"stripped by {method}": methods.count(method) for method in sorted(set(methods))},
            "preview": preview([{"view": view.view_id, **view.diagnostics()} for view in views]),
        }
    )


@dg.asset_check(asset=portal_views)
def every_file_was_read(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """No file or row under data/portal_views is unusable; the rest is there."""
    views, problems = warehouse.views(), warehouse.view_problems()
    findings = gates.guarded("every_file_was_read", gates.every_row_was_read, problems)
    return check_result(findings, looked_at=len(views) + len(problems), severity=dg.AssetCheckSeverity.WARN)
