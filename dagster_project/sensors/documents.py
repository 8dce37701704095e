"""The sensor that launches the pipeline when documents or the data folder's configuration have changed."""

from __future__ import annotations

import dagster as dg

from dagster_project.jobs import pipeline
from dagster_project.unfinished import unfinished_run
from sekisho.settings import load_settings
from sekisho.sources.watch import Cursor, look, tags_of


@dg.sensor(
    job=pipeline,
    minimum_interval_seconds=60,
    description="Launches the pipeline once documents or settings of the data folder have changed and lain still.",
)
def documents_changed(context: dg.SensorEvaluationContext) -> dg.SensorResult:
    """Launches the pipeline once new, changed or removed documents have lain still from one tick to the next."""
    settings = load_settings()
    seen = look(settings.data, settings.inventory_path, Cursor.read(context.cursor))
    told = seen.told
    if seen.ready:
        unfinished = unfinished_run(context.instance, pipeline.name)
        if unfinished is None:
            request = dg.RunRequest(run_key=seen.run_key, tags=tags_of(seen.ready))
            return dg.SensorResult([request], cursor=seen.cursor.launched().model_dump_json())
        told = f"{told}; {unfinished}: looked at again after it"
    return dg.SensorResult(skip_reason=told, cursor=seen.cursor.model_dump_json())
