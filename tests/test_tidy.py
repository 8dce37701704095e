"""Run retention: old runs go, with all their files, save those that hold what an asset or check shows last."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest

from dagster_project.definitions import defs
from dagster_project.tidy import delete_runs_before
from tests.conftest import House
from tests.instances import add_run, real_instance

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
NOTES = dg.AssetKey("notes")
READ = dg.AssetCheckKey(NOTES, "every_file_was_read")


@pytest.fixture
def instance(house: House) -> Iterator[dg.DagsterInstance]:
    with real_instance() as found:
        yield found


def run(instance: dg.DagsterInstance, job: str = "pipeline", only: str | None = None) -> str:
    selection = [dg.AssetKey(only)] if only else None
    result = defs.resolve_job_def(job).execute_in_process(
        instance=instance, asset_selection=selection, run_config=QUIET, raise_on_error=False
    )
    return result.run_id


def files_of(run_id: str, house: House) -> list[Path]:
    return [path for path in (house.state / "dagster").rglob("*") if run_id in path.name]


def checks() -> set[dg.AssetCheckKey]:
    return defs.resolve_asset_graph().asset_check_keys


def test_d05_old_runs_go_with_their_files_and_the_latest_of_everything_stays(
    instance: dg.DagsterInstance, house: House
) -> None:
    whole, again, last = run(instance), run(instance, only="notes"), run(instance, only="notes")
    assert files_of(again, house)
    assert delete_runs_before(instance, checks(), datetime.now(UTC) + timedelta(days=1)) == 1
    assert {found.run_id for found in instance.get_runs()} == {whole, last}
    assert not files_of(again, house)
    event = instance.get_latest_materialization_event(NOTES)
    record = instance.get_latest_asset_check_evaluation_record(READ)
    assert event is not None and event.run_id == last
    assert record is not None and record.run_id == last
    assert instance.get_latest_materialization_event(dg.AssetKey("answers")) is not None


def test_d05_a_run_that_only_evaluated_a_check_last_stays(instance: dg.DagsterInstance) -> None:
    run(instance)
    old = add_run(instance, dg.DagsterRunStatus.FAILURE)
    assert delete_runs_before(instance, checks(), datetime.now(UTC) + timedelta(days=1)) == 1
    assert instance.get_run_by_id(old.run_id) is None
    assert len(instance.get_runs()) == 1


def test_d05_young_runs_and_those_that_have_not_ended_stay(instance: dg.DagsterInstance) -> None:
    for status in (dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELED):
        add_run(instance, status)
    assert delete_runs_before(instance, (), datetime.now(UTC) - timedelta(days=1)) == 0
    assert delete_runs_before(instance, (), datetime.now(UTC) + timedelta(days=1)) == 1
    assert len(instance.get_runs()) == 2


def test_d05_the_job_deletes_what_is_older_than_the_setting(instance: dg.DagsterInstance) -> None:
    old = dg.DagsterRun(job_name="pipeline", status=dg.DagsterRunStatus.SUCCESS)
    instance.run_storage.add_historical_run(old, run_creation_time=datetime.now(UTC) - timedelta(days=91))
    kept = add_run(instance, dg.DagsterRunStatus.SUCCESS)
    tidied = run(instance, "tidy_runs")
    assert {found.run_id for found in instance.get_runs()} == {kept.run_id, tidied}
