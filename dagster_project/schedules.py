"""The schedules: when the jobs run by themselves, once switched on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dagster as dg

from dagster_project.cron import checked_cron
from dagster_project.jobs import pipeline, recall_health_report, spend_report
from dagster_project.tidy import tidy_runs
from dagster_project.unfinished import unfinished_run
from sekisho.settings import load_settings
from sekisho.sources.folder import DataFolder

if TYPE_CHECKING:
    from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

_SETTINGS = load_settings()
# A folder that is not there would mean UTC in silence: a disk that is mounted late, say.
TIMEZONE = DataFolder(_SETTINGS.data).present().config.timezone
NIGHTLY_CRON = checked_cron(_SETTINGS.cron_nightly, "SEKISHO_CRON_NIGHTLY")


def _schedule(
    name: str, job: dg.JobDefinition | UnresolvedAssetJobDefinition, cron: str, description: str
) -> dg.ScheduleDefinition:
    """A schedule of a job; a tick is skipped, and says why, while a run of the job has not ended."""

    @dg.schedule(name=name, job=job, cron_schedule=cron, execution_timezone=TIMEZONE, description=description)
    def tick(context: dg.ScheduleEvaluationContext) -> dg.RunRequest | dg.SkipReason:
        unfinished = unfinished_run(context.instance, job.name)
        return dg.SkipReason(f"{unfinished}: this tick is left out") if unfinished else dg.RunRequest()

    return tick


nightly = _schedule("nightly", pipeline, NIGHTLY_CRON, "The whole pipeline, by default every night at three.")
weekly_recall_health = _schedule(
    "weekly_recall_health",
    recall_health_report,
    checked_cron(_SETTINGS.cron_recall_health, "SEKISHO_CRON_RECALL_HEALTH"),
    "How recall fared, by default every Monday at six.",
)
monthly_spend = _schedule(
    "monthly_spend",
    spend_report,
    checked_cron(_SETTINGS.cron_spend, "SEKISHO_CRON_SPEND"),
    "What model calls cost, by default on the first of the month at six.",
)
weekly_tidy = _schedule(
    "weekly_tidy",
    tidy_runs,
    checked_cron(_SETTINGS.cron_tidy, "SEKISHO_CRON_TIDY"),
    "Dagster's record of old runs is deleted, by default every Sunday at half past six.",
)

SCHEDULES = [nightly, weekly_recall_health, monthly_spend, weekly_tidy]
