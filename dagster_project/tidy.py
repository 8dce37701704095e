"""Run retention: Dagster's open source keeps every run for ever (about 350 KB each), so old ones are deleted here."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
from dagster._core.storage.event_log import SqliteEventLogStorage

from sekisho.settings import Settings

_ENDED = [dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED]


def delete_runs_before(instance: dg.DagsterInstance, checks: Iterable[dg.AssetCheckKey], before: datetime) -> int:
    """Delete the ended runs made before a moment, with their events and logs; returns how many.

    A run stays, however old, while it holds the latest materialisation of an asset or the latest evaluation of one of
    the checks: what the UI shows of them would go with it.
    """
    held = _latest(instance, checks)
    ended = instance.get_run_ids(filters=dg.RunsFilter(statuses=_ENDED, created_before=before))
    old = [run_id for run_id in ended if run_id not in held]
    for run_id in old:
        _delete(instance, run_id)
    return len(old)


@dg.op
def delete_old_runs(context: dg.OpExecutionContext, settings: dg.ResourceParam[Settings]) -> None:
    """Delete Dagster's record of runs older than SEKISHO_RUN_RETENTION_DAYS."""
    from dagster_project.definitions import defs  # late: they hold this job

    before = datetime.now(UTC) - timedelta(days=settings.run_retention_days)
    checks = defs.resolve_asset_graph().asset_check_keys
    deleted = delete_runs_before(context.instance, checks, before)
    context.log.info(f"runs deleted: {deleted}, made before {before:%Y-%m-%d}")


@dg.job(executor_def=dg.in_process_executor)
def tidy_runs() -> None:
    """Deletes Dagster's record of old runs; no document, answer or reply is touched."""
    delete_old_runs()


def _latest(instance: dg.DagsterInstance, checks: Iterable[dg.AssetCheckKey]) -> set[str]:
    events = instance.get_latest_materialization_events(instance.all_asset_keys()).values()
    records = [instance.get_latest_asset_check_evaluation_record(check) for check in checks]
    return {event.run_id for event in events if event} | {record.run_id for record in records if record}


def _delete(instance: dg.DagsterInstance, run_id: str) -> None:
    instance.delete_run(run_id)
    instance.compute_log_manager.delete_logs(prefix=[run_id])
    if isinstance(instance.event_log_storage, SqliteEventLogStorage):  # it empties a run's own file and lets it lie
        shard = Path(instance.event_log_storage.path_for_shard(run_id))
        for suffix in ("", "-wal", "-shm"):
            shard.with_name(shard.name + suffix).unlink(missing_ok=True)
