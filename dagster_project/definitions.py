"""What Dagster loads: the assets, their checks, the job over all of them and its nightly schedule."""

import dagster as dg

import assets.compile
import assets.embed
import assets.extract
import assets.ingest
import assets.query
import assets.report
from dagster_project.resources import RESOURCES
from sekisho.settings import load_settings
from sekisho.sources.folder import DataFolder

_MODULES = [assets.ingest, assets.extract, assets.embed, assets.compile, assets.query, assets.report]

# In process: the steps are small, their width is threads inside the library (2.4 s against 17.8 s measured).
pipeline = dg.define_asset_job(
    "pipeline",
    selection=dg.AssetSelection.all(),
    executor_def=dg.in_process_executor,
    description="Documents in, verified answers out: ingest, extract, compile, query, report.",
)

nightly = dg.ScheduleDefinition(
    name="nightly",
    job=pipeline,
    cron_schedule="0 3 * * *",
    execution_timezone=DataFolder(load_settings().data).config.timezone,
    description="The whole pipeline every night at three, once switched on.",
)

defs = dg.Definitions(
    assets=dg.load_assets_from_modules(_MODULES),
    asset_checks=dg.load_asset_checks_from_modules(_MODULES),
    jobs=[pipeline],
    schedules=[nightly],
    resources=RESOURCES,
    executor=dg.in_process_executor,
)
