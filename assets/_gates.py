"""What the gates said last, from Dagster's record of runs."""

import dagster as dg
from dagster._core.definitions.assets.graph.asset_graph import AssetGraph
from dagster._core.storage.asset_check_execution_record import COMPLETED_ASSET_CHECK_EXECUTION_RECORD_STATUSES

from sekisho.evidence.material import GateSaid

REPORT = dg.AssetKey("evidence_report")


def gates_said(instance: dg.DagsterInstance, graph: AssetGraph) -> tuple[list[GateSaid], str]:
    """The last verdict of each check of a graph, in the graph's order, and the run of the latest of them.

    The report's own checks are left out: they judge the page that this is for.
    """
    order = {key: number for number, key in enumerate(graph.toposorted_asset_keys)}
    found: list[GateSaid] = []
    latest, run = 0.0, ""
    for check in sorted(graph.asset_check_keys, key=lambda key: (order[key.asset_key], key.name)):
        history = instance.event_log_storage.get_asset_check_execution_history(
            check, limit=1, status=COMPLETED_ASSET_CHECK_EXECUTION_RECORD_STATUSES
        )
        for entry in (record.event for record in history if check.asset_key != REPORT):
            if entry is None:
                continue
            found.append(_said(entry.get_dagster_event().asset_check_evaluation_data, entry.run_id))
            if entry.timestamp > latest:
                latest, run = entry.timestamp, entry.run_id
    return found, run


def _said(evaluation: dg.AssetCheckEvaluation, run: str) -> GateSaid:
    looked_at = evaluation.metadata.get("looked_at")
    return GateSaid(
        asset=evaluation.asset_key.to_user_string(),
        gate=evaluation.check_name,
        passed=bool(evaluation.passed),
        severity=evaluation.severity.value,
        told=evaluation.description or "",
        run=run,
        looked_at=looked_at.value if isinstance(looked_at, dg.IntMetadataValue) else None,
    )
