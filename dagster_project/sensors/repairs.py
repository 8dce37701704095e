"""The loop under Dagster's daemon: a run in which a gate said no is followed by a repair, until the limit."""

import dagster as dg

from dagster_project.jobs import pipeline, repair
from dagster_project.rounds import ROOT, SHELL, round_of, tags_of
from sekisho.errors import WarehouseBusy
from sekisho.records import Gap
from sekisho.rounds import Round, last_round, repairable
from sekisho.settings import Settings, load_settings
from sekisho.warehouse import Warehouse


@dg.sensor(
    job=repair,
    default_status=dg.DefaultSensorStatus.STOPPED,
    description="Asks again about what the last run turned back, up to a limit of rounds; with a paid model it costs.",
)
def repairs(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
    """Launches the next round after the newest run of the graph; off until switched on, for it spends money."""
    record = newest_run(context.instance)
    if record is None or record.dagster_run.run_id == context.cursor:
        return dg.SkipReason("no run has ended since the last look")
    run, settings = record.dagster_run, load_settings()
    if not run.is_finished:
        return dg.SkipReason(f"run {run.run_id} has not ended yet")
    try:
        gaps = Warehouse(settings.warehouse_path, wait=0).gaps() if settings.warehouse_path.exists() else []
    except WarehouseBusy as busy:
        return dg.SkipReason(str(busy))
    reason = why_not(run, gate_said_no(context.instance, run.run_id), gaps, settings)
    if reason:
        return dg.SensorResult(skip_reason=reason, cursor=run.run_id)
    this = Round(_number(run, gaps) + 1, settings.max_rounds)
    tags = tags_of(this, parent=run.run_id, root=run.tags.get(ROOT, run.run_id))
    return dg.SensorResult(run_requests=[dg.RunRequest(run_key=run.run_id, tags=tags)], cursor=run.run_id)


def why_not(run: dg.DagsterRun, refused: bool, gaps: list[Gap], settings: Settings) -> str:
    """Why a run that has ended is not followed by another round; empty where it is."""
    if SHELL in run.tags:
        return f"run {run.run_id} belongs to `sekisho run --until-done`, which makes its own rounds"
    if run.status == dg.DagsterRunStatus.CANCELED:
        return f"run {run.run_id} was cancelled"
    if not refused:
        return f"in run {run.run_id} no gate said no"
    if not repairable(gaps):
        return "asking again cannot repair what remains: see gap.md"
    number = _number(run, gaps)
    if number >= settings.max_rounds:
        return f"round {number} was the last: the limit is {settings.max_rounds} (SEKISHO_MAX_ROUNDS)"
    return ""


def newest_run(instance: dg.DagsterInstance) -> dg.RunRecord | None:
    """The run of the whole graph that was launched last."""
    jobs = (pipeline.name, repair.name)
    found = [record for job in jobs for record in instance.get_run_records(dg.RunsFilter(job_name=job), limit=1)]
    return max(found, key=lambda record: record.storage_id, default=None)


def gate_said_no(instance: dg.DagsterInstance, run_id: str) -> bool:
    """Whether a check of severity ERROR failed in a run; a run that broke for another reason is not ours to repair."""
    told = [entry.dagster_event for entry in instance.all_logs(run_id, dg.DagsterEventType.ASSET_CHECK_EVALUATION)]
    verdicts = [event.asset_check_evaluation_data for event in told if event is not None]
    return any(not verdict.passed and verdict.severity == dg.AssetCheckSeverity.ERROR for verdict in verdicts)


def _number(run: dg.DagsterRun, gaps: list[Gap]) -> int:
    """Which round a run was: its tag, else what it recorded."""
    this = round_of(run.tags)
    return this.number if this is not None else last_round(gaps)
