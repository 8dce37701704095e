"""From Dagster's records to verdicts: what checks said, and which runs failed without a check to say why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import dagster as dg
from dagster._core.event_api import EventLogCursor
from dagster._core.storage.asset_check_execution_record import COMPLETED_ASSET_CHECK_EXECUTION_RECORD_STATUSES
from dagster._core.storage.runs.sql_run_storage import SqlRunStorage

from dagster_project.failures import is_interruption, is_refusal, run_cause, step_cause
from dagster_project.rounds import REPAIR
from sekisho.alerts import Cursor, Offence, Subject, Verdict
from sekisho.text import printable

# Evaluations have no number across runs in Dagster's SQLite storage, where a query for them opens the file of each
# run; the ends of runs have one.
_ENDS: tuple[dg.DagsterEventType, ...] = (
    dg.DagsterEventType.RUN_SUCCESS,
    dg.DagsterEventType.RUN_FAILURE,
    dg.DagsterEventType.RUN_CANCELED,
)
_TOLD_IN_A_RUN = {dg.DagsterEventType.ASSET_CHECK_EVALUATION, dg.DagsterEventType.STEP_FAILURE}
_WHOLE_GRAPH = ("pipeline", REPAIR)  # where one of them succeeds, nothing is left of a failure of the other
RUNS_AT_ONCE = 50
_LONG = 900.0  # seconds after which a failed check is told although its run goes on


def subject_of(check: dg.AssetCheckKey) -> Subject:
    """The check as alerts know it."""
    return Subject(kind="check", on=check.asset_key.to_user_string(), name=check.name)


def verdicts_since(instance: dg.DagsterInstance, cursor: Cursor | None) -> tuple[list[Verdict], Cursor, bool]:
    """The verdicts of the runs that ended since a cursor, a new cursor, and whether there are more.

    Without a cursor, or with one of another storage, only the run that ended last is looked at.
    """
    storage = _storage_id(instance)
    known = cursor.ends if cursor is not None and cursor.storage == storage else None
    ends: dict[str, int] = {}
    records: list[dg.EventLogRecord] = []
    more = False
    for kind in _ENDS:
        limit = RUNS_AT_ONCE if known else 1
        after = EventLogCursor.from_storage_id(known.get(kind.value, -1)).to_string() if known else None
        found = instance.fetch_run_status_changes(kind, limit, cursor=after, ascending=known is not None)
        records += found.records
        ends[kind.value] = EventLogCursor.parse(found.cursor).storage_id()
        more |= known is not None and found.has_more
    records.sort(key=lambda record: record.storage_id)
    verdicts = [
        verdict.model_copy(update={"order": record.storage_id})
        for record in (records if known else records[-1:])
        for verdict in _verdicts_of(instance, record.event_log_entry)
    ]
    return verdicts, Cursor(storage=storage, ends=ends), more


def latest_verdicts(instance: dg.DagsterInstance, checks: Iterable[dg.AssetCheckKey], *, now: float) -> list[Verdict]:
    """What each check said last, in a run that has ended or is long at it: it may never end."""
    found = []
    for check in checks:
        history = instance.event_log_storage.get_asset_check_execution_history(
            check, limit=1, status=COMPLETED_ASSET_CHECK_EXECUTION_RECORD_STATUSES
        )
        found += [_check_verdict(record.event) for record in history if record.event is not None]
    runs = {verdict.run: instance.get_run_by_id(verdict.run) for verdict in found}
    ended = {name for name, run in runs.items() if run is None or run.is_finished}
    return [verdict for verdict in found if verdict.run in ended or now - verdict.at > _LONG]


def _storage_id(instance: dg.DagsterInstance) -> str:
    """Which storage this is: another one numbers its events anew."""
    storage = instance.run_storage
    return storage.get_run_storage_id() if isinstance(storage, SqlRunStorage) else type(storage).__name__


def _verdicts_of(instance: dg.DagsterInstance, end: dg.EventLogEntry) -> Iterator[Verdict]:
    """The verdicts of one run that has ended, the one on its job last."""
    failed, refused = [], False
    for record in instance.get_records_for_run(end.run_id, of_type=_TOLD_IN_A_RUN).records:
        event = record.event_log_entry.get_dagster_event()
        if event.event_type is dg.DagsterEventType.ASSET_CHECK_EVALUATION:
            yield _check_verdict(record.event_log_entry)
        elif is_refusal(event.step_failure_data) or is_interruption(event.step_failure_data):
            refused = True
        else:
            failed.append(_offence(event.step_key, step_cause(event.step_failure_data)))
    kind = end.get_dagster_event().event_type
    if kind is dg.DagsterEventType.RUN_FAILURE and not failed and not refused:
        failed = [_offence("the run", run_cause(end.get_dagster_event()))]
    # A run that was cancelled or interrupted, or that a check stopped, says nothing about its job.
    if kind is dg.DagsterEventType.RUN_SUCCESS or (kind is dg.DagsterEventType.RUN_FAILURE and failed):
        job = end.get_dagster_event().job_name
        for other in _WHOLE_GRAPH if job in _WHOLE_GRAPH and not failed else (job,):
            yield _job_verdict(end, other, failed)


def _job_verdict(end: dg.EventLogEntry, job: str, failed: Sequence[Offence]) -> Verdict:
    return Verdict(
        subject=Subject(kind="job", on=job),
        passed=not failed,
        run=end.run_id,
        job=end.get_dagster_event().job_name,
        at=end.timestamp,
        total=len(failed),
        offences=tuple(failed),
    )


def _check_verdict(entry: dg.EventLogEntry) -> Verdict:
    event = entry.get_dagster_event()
    found = event.asset_check_evaluation_data
    offences = () if found.passed else _offences(found)
    total = found.metadata.get("findings")
    return Verdict(
        subject=subject_of(found.asset_check_key),
        passed=bool(found.passed),
        run=entry.run_id,
        job=event.job_name,
        at=entry.timestamp,
        severity=found.severity.value,
        total=max(len(offences), total.value or 0) if isinstance(total, dg.IntMetadataValue) else len(offences),
        offences=offences,
    )


def _offences(found: dg.AssetCheckEvaluation) -> tuple[Offence, ...]:
    """The table of offending items; a check without one is its own item."""
    table = found.metadata.get("offending_items")
    rows = [record.data for record in table.records] if isinstance(table, dg.TableMetadataValue) else []
    if not rows:
        return (_offence(found.asset_key.to_user_string(), found.description),)
    return tuple(_offence(row.get("item"), row.get("reason")) for row in rows)


def _offence(item: object, reason: object) -> Offence:
    return Offence(item=printable(str(item or "")), reason=printable(str(reason or "")))
