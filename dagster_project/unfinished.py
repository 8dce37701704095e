"""Runs that have not ended: a schedule or sensor does not queue a second one behind them."""

from __future__ import annotations

import dagster as dg

_UNFINISHED = [
    status
    for status in dg.DagsterRunStatus
    if status not in (dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED)
]


def unfinished_run(instance: dg.DagsterInstance, job: str) -> str | None:
    """Says which run of a job is queued or in progress; None where there is none."""
    runs = instance.get_runs(filters=dg.RunsFilter(job_name=job, statuses=_UNFINISHED), limit=1)
    if not runs:
        return None
    state = "queued" if runs[0].status is dg.DagsterRunStatus.QUEUED else "in progress"
    return f"a run of {job} is {state} ({runs[0].run_id})"
