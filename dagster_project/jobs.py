"""The jobs: which assets are materialised together."""

import dagster as dg

from assets.health import recall_health

# Looks back on weeks of runs: a schedule of its own makes it, not each run.
_LOOKS_BACK = dg.AssetSelection.assets(recall_health)
EACH_RUN = dg.AssetSelection.all() - _LOOKS_BACK

# In process: the steps are small, their width is threads inside the library (2.4 s against 17.8 s measured).
pipeline = dg.define_asset_job(
    "pipeline",
    selection=EACH_RUN,
    executor_def=dg.in_process_executor,
    description="Documents in, verified answers out: ingest, extract, compile, query, report.",
)

recall_health_report = dg.define_asset_job(
    "recall_health_report",
    selection=_LOOKS_BACK,
    executor_def=dg.in_process_executor,
    description="How recall fared, week by week.",
)

spend_report = dg.define_asset_job(
    "spend_report",
    selection=dg.AssetSelection.assets("llm_spend"),
    executor_def=dg.in_process_executor,
    description="What model calls cost, by month, prompt and model.",
)
