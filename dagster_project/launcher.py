"""The run launcher of dagster.yaml: Dagster's own, which can also tell that a run has died.

Without it a run whose process was killed, or whose machine went down, counts as in progress for ever: the queue would
start no other, and every tick would be skipped. Dagster's run monitoring asks the launcher every two minutes.
"""

from __future__ import annotations

import time
from typing import Any

import dagster as dg
from dagster._core.launcher import CheckRunHealthResult, WorkerStatus

from sekisho.settings import load_settings
from sekisho.warehouse.lock import run_lock_is_free

_LOCATION = "sekisho"  # of workspace.yaml
_ALWAYS_ALIVE = 600  # seconds; a run that takes no lock, such as one of checks alone, is over by then


class RunLauncher(dg.DefaultRunLauncher):
    """Takes a run for dead that has gone on for ten minutes, while at two looks in a row nothing holds the run lock."""

    def __init__(self, inst_data: Any = None) -> None:
        super().__init__(inst_data=inst_data)
        self._suspects: set[str] = set()

    @property
    def supports_check_run_worker_health(self) -> bool:
        """Yes: this is what it is for."""
        return True

    def check_run_worker_health(self, run: dg.DagsterRun) -> CheckRunHealthResult:
        """Failed where the run has no process any more, else running."""
        if not self._may_be_dead(run):
            self._suspects.discard(run.run_id)
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        if run.run_id not in self._suspects:  # it may be about to say that it has ended
            self._suspects.add(run.run_id)
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        return CheckRunHealthResult(WorkerStatus.FAILED, "its process is gone: nothing holds the state's run lock")

    def _may_be_dead(self, run: dg.DagsterRun) -> bool:
        origin = run.remote_job_origin
        if origin is not None and origin.location_name != _LOCATION:
            return False
        record = self._instance.get_run_record_by_id(run.run_id)
        started = record.start_time if record else None
        return started is not None and time.time() - started > _ALWAYS_ALIVE and run_lock_is_free(load_settings().state)
