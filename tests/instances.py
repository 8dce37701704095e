"""The real Dagster instance of a test's state, as dagster.yaml has it, and runs put into it in any condition."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg
from dagster._core.events import DagsterEvent, DagsterEventType
from dagster._core.remote_origin import RegisteredCodeLocationOrigin, RemoteJobOrigin, RemoteRepositoryOrigin

from dagster_project.cli.home import prepare_home
from sekisho.settings import load_settings


@contextmanager
def real_instance() -> Iterator[dg.DagsterInstance]:
    prepare_home(load_settings())
    with dg.DagsterInstance.get() as instance:
        yield instance


def add_run(
    instance: dg.DagsterInstance,
    status: dg.DagsterRunStatus,
    *,
    job: str = "pipeline",
    location: str | None = "sekisho",
    started_ago: float | None = None,
) -> dg.DagsterRun:
    """A run as the daemon, or without a location the command line, would have left it; times are in seconds."""
    origin = RemoteRepositoryOrigin(RegisteredCodeLocationOrigin(location), "__repository__") if location else None
    at_first = dg.DagsterRunStatus.STARTING if started_ago is not None else status
    run = dg.DagsterRun(job_name=job, status=at_first, remote_job_origin=origin and RemoteJobOrigin(origin, job))
    instance.add_run(run)
    if started_ago is not None:
        event = DagsterEvent(event_type_value=DagsterEventType.RUN_START.value, job_name=job)
        instance.report_dagster_event(event, run_id=run.run_id, timestamp=time.time() - started_ago)
    return run
