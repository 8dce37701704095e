"""What Dagster loads: the assets, their checks, the jobs over them and what starts those."""

import dagster as dg

import assets.compile
import assets.decisions
import assets.embed
import assets.evidence
import assets.extract
import assets.health
import assets.ingest
import assets.mapping
import assets.query
import assets.recall
import assets.report
import assets.scorecards
import assets.spend
import assets.views
from dagster_project.freshness import with_freshness
from dagster_project.jobs import pipeline, recall_health_report, repair, spend_report
from dagster_project.owners import with_owners
from dagster_project.resources import RESOURCES
from dagster_project.schedules import SCHEDULES
from dagster_project.sensors.documents import documents_changed
from dagster_project.sensors.gate_alerts import gate_alerts
from dagster_project.sensors.repairs import repairs
from dagster_project.tidy import tidy_runs
from sekisho.settings import load_settings

_MODULES = [
    assets.ingest,
    assets.decisions,
    assets.extract,
    assets.embed,
    assets.compile,
    assets.query,
    assets.recall,
    assets.report,
    assets.evidence,
    assets.scorecards,
    assets.spend,
    assets.health,
    assets.views,
    assets.mapping,
]

defs = dg.Definitions(
    assets=with_owners(with_freshness(dg.load_assets_from_modules(_MODULES)), load_settings().owners),
    asset_checks=dg.load_asset_checks_from_modules(_MODULES),
    jobs=[pipeline, repair, recall_health_report, spend_report, tidy_runs],
    schedules=SCHEDULES,
    sensors=[documents_changed, gate_alerts, repairs],
    resources=RESOURCES,
    executor=dg.in_process_executor,
)
