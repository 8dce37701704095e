"""What Dagster loads: the assets, their checks, the jobs over them and what starts those."""

import dagster as dg

import assets.compile
import assets.decisions
import assets.embed
import assets.extract
import assets.ingest
import assets.query
import assets.report
from dagster_project.jobs import pipeline, repair
from dagster_project.resources import RESOURCES
from dagster_project.schedules import nightly
from dagster_project.sensors.repairs import repairs

_MODULES = [assets.ingest, assets.decisions, assets.extract, assets.embed, assets.compile, assets.query, assets.report]

defs = dg.Definitions(
    assets=dg.load_assets_from_modules(_MODULES),
    asset_checks=dg.load_asset_checks_from_modules(_MODULES),
    jobs=[pipeline, repair],
    schedules=[nightly],
    sensors=[repairs],
    resources=RESOURCES,
    executor=dg.in_process_executor,
)
