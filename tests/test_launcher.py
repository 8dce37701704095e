"""Run monitoring through the project's launcher: a run that died does not hold the queue, one that lives is let be."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import dagster as dg
import pytest
from dagster._daemon.monitoring.run_monitoring import monitor_started_run

from dagster_project.launcher import RunLauncher
from sekisho.settings import load_settings
from sekisho.warehouse.lock import run_lock
from tests.instances import add_run, real_instance

STARTED = dg.DagsterRunStatus.STARTED
HOUR = 3600.0


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with real_instance() as found:
        yield found


def looked_at(instance: dg.DagsterInstance, run: dg.DagsterRun, times: int) -> dg.DagsterRunStatus:
    """The status of a run after Dagster's own monitoring has looked at it."""
    workspace: Any = None  # asked for only where a run is resumed
    for _ in range(times):
        record = instance.get_run_record_by_id(run.run_id)
        assert record is not None
        if record.dagster_run.status is STARTED:
            monitor_started_run(instance, workspace, record, logging.getLogger("test"))
    found = instance.get_run_by_id(run.run_id)
    assert found is not None
    return found.status


def test_d05_dagster_yaml_names_the_launcher_and_switches_monitoring_on(instance: dg.DagsterInstance) -> None:
    assert isinstance(instance.run_launcher, RunLauncher)
    assert instance.run_monitoring_enabled


@pytest.mark.parametrize("location", ["sekisho", None])
def test_d05_a_run_without_a_process_is_failed_at_the_second_look(
    instance: dg.DagsterInstance, location: str | None
) -> None:
    run = add_run(instance, STARTED, location=location, started_ago=HOUR)
    assert looked_at(instance, run, 1) is STARTED
    assert looked_at(instance, run, 1) is dg.DagsterRunStatus.FAILURE
    told = [event.message for event in instance.all_logs(run.run_id)]
    assert any("its process is gone: nothing holds the state's run lock" in message for message in told)


def test_d05_a_run_is_let_be_while_something_holds_the_lock(instance: dg.DagsterInstance) -> None:
    run = add_run(instance, STARTED, started_ago=HOUR)
    looked_at(instance, run, 1)
    with run_lock(load_settings().state, wait=0):
        assert looked_at(instance, run, 3) is STARTED
    assert looked_at(instance, run, 1) is STARTED, "suspicion begins anew"


def test_d05_a_young_run_and_one_of_another_code_location_are_let_be(instance: dg.DagsterInstance) -> None:
    young = add_run(instance, STARTED, started_ago=60)
    foreign = add_run(instance, STARTED, location="elsewhere", started_ago=HOUR)
    assert looked_at(instance, young, 3) is STARTED
    assert looked_at(instance, foreign, 3) is STARTED
