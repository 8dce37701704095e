"""The jobs: which assets are materialised together."""

import dagster as dg

from assets.health import recall_health
from assets.spend import llm_spend
from dagster_project.rounds import REPAIR

# Looks back on weeks of runs: a schedule of its own makes it, not each run.
_LOOKS_BACK = dg.AssetSelection.assets(recall_health)
_EACH_RUN = dg.AssetSelection.all() - _LOOKS_BACK

# In process: the steps are small, their width is threads inside the library (2.4 s against 17.8 s measured).
pipeline = dg.define_asset_job(
    "pipeline",
    selection=_EACH_RUN,
    executor_def=dg.in_process_executor,
    description="Documents in, verified answers out: ingest, extract, compile, query, report.",
)

repair = dg.define_asset_job(
    REPAIR,
    selection=_EACH_RUN,
    executor_def=dg.in_process_executor,
    description="One more round: asks again about what the last one turned back, with the reasons, and nothing else.",
)

recall_health_report = dg.define_asset_job(
    "recall_health_report",
    selection=_LOOKS_BACK,
    executor_def=dg.in_process_executor,
    description="How recall fared, week by week.",
)

spend_report = dg.define_asset_job(
    "spend_report",
    selection=dg.AssetSelection.assets(llm_spend),
    executor_def=dg.in_process_executor,
    description="The bill by month, prompt and model.",
)
