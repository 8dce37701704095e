"""Ingest: the past decisions, whatever form their log keeps them in."""

import dagster as dg

from assets._results import check_result, preview, table
from sekisho.events import EventLog
from sekisho.gates import every_decision_was_read, guarded
from sekisho.ingest import ingest_decisions
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder
from sekisho.warehouse import Warehouse


@dg.asset(group_name="ingest", kinds={"file", "duckdb"})
def decisions(
    settings: dg.ResourceParam[Settings],
    warehouse: dg.ResourceParam[Warehouse],
    events: dg.ResourceParam[EventLog],
) -> dg.MaterializeResult[None]:
    """Every past ADR under data/decisions: id, title, status, date, summary, body, links."""
    found, files = ingest_decisions(DataFolder(settings.data).check(), events)
    warehouse.replace_decisions(found, files)
    rows = [
        {"id": d.id, "original": d.original_id, "title": d.title, "status": d.status, "date": d.date} for d in found
    ]
    told = table({"file": file.path, "kind": file.kind, "why": file.message} for file in files)
    return dg.MaterializeResult(metadata={"dagster/row_count": len(found), "preview": preview(rows), "files": told})


@dg.asset_check(asset=decisions)
def every_file_was_read(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """No file under data/decisions is unreadable, none shares its number with another, and there is one at least."""
    files = warehouse.decision_files()
    findings = guarded("every_file_was_read", every_decision_was_read, files)
    return check_result(findings, looked_at=len(warehouse.decisions()), severity=dg.AssetCheckSeverity.WARN)
