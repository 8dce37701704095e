"""The schedules: when the jobs run by themselves, once switched on."""

import dagster as dg

from dagster_project.jobs import pipeline
from sekisho.settings import load_settings
from sekisho.sources.folder import DataFolder

nightly = dg.ScheduleDefinition(
    name="nightly",
    job=pipeline,
    cron_schedule="0 3 * * *",
    execution_timezone=DataFolder(load_settings().data).config.timezone,
    description="The whole pipeline every night at three, once switched on.",
)
