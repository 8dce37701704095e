"""The jobs: which assets are materialised together."""

import dagster as dg

from dagster_project.rounds import REPAIR

# In process: the steps are small, their width is threads inside the library (2.4 s against 17.8 s measured).
pipeline = dg.define_asset_job(
    "pipeline",
    selection=dg.AssetSelection.all(),
    executor_def=dg.in_process_executor,
    description="Documents in, verified answers out: ingest, extract, compile, query, report.",
)

repair = dg.define_asset_job(
    REPAIR,
    selection=dg.AssetSelection.all(),
    executor_def=dg.in_process_executor,
    description="One more round: asks again about what the last one turned back, with the reasons, and nothing else.",
)
