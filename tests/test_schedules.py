"""The schedules: off until switched on, told when by settings, and never a second run behind one of the same job."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest

from dagster_project.cron import checked_cron, longest_gap
from dagster_project.definitions import defs
from dagster_project.freshness import nightly_window
from dagster_project.jobs import pipeline
from sekisho.errors import SettingsError
from tests.conftest import ROOT, House
from tests.instances import add_run, real_instance

SCHEDULES = {
    "nightly": ("pipeline", "0 3 * * *"),
    "weekly_recall_health": ("recall_health_report", "0 6 * * 1"),
    "monthly_spend": ("spend_report", "0 6 1 * *"),
    "weekly_tidy": ("tidy_runs", "30 6 * * 0"),
}
CRONS = {
    "nightly": "SEKISHO_CRON_NIGHTLY",
    "weekly_recall_health": "SEKISHO_CRON_RECALL_HEALTH",
    "monthly_spend": "SEKISHO_CRON_SPEND",
    "weekly_tidy": "SEKISHO_CRON_TIDY",
}


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with real_instance() as found:
        yield found


def tick(name: str, instance: dg.DagsterInstance) -> dg.RunRequest | str:
    """What a schedule does at a tick: the run it asks for, or why it is left out."""
    context = dg.build_schedule_context(instance, scheduled_execution_time=datetime(2026, 11, 30, 3, tzinfo=UTC))
    found = defs.resolve_schedule_def(name).evaluate_tick(context)
    return found.run_requests[0] if found.run_requests else str(found.skip_message)


def test_d05_every_schedule_is_off_until_someone_switches_it_on() -> None:
    found = {}
    for schedule in defs.schedules or []:
        assert isinstance(schedule, dg.ScheduleDefinition)
        assert schedule.default_status is dg.DefaultScheduleStatus.STOPPED
        assert schedule.execution_timezone == "UTC"
        found[schedule.name] = (schedule.job_name, schedule.cron_schedule)
    assert found == SCHEDULES


@pytest.mark.parametrize("name", SCHEDULES)
def test_d05_a_tick_asks_for_one_run_where_nothing_is_in_the_way(name: str, instance: dg.DagsterInstance) -> None:
    assert isinstance(tick(name, instance), dg.RunRequest)


@pytest.mark.parametrize(
    ("status", "word"),
    [
        (dg.DagsterRunStatus.QUEUED, "queued"),
        (dg.DagsterRunStatus.STARTED, "in progress"),
        (dg.DagsterRunStatus.CANCELING, "in progress"),
    ],
)
def test_d05_a_tick_is_left_out_while_a_run_of_the_job_has_not_ended(
    status: dg.DagsterRunStatus, word: str, instance: dg.DagsterInstance
) -> None:
    run = add_run(instance, status)
    assert tick("nightly", instance) == f"a run of pipeline is {word} ({run.run_id}): this tick is left out"
    assert isinstance(tick("weekly_recall_health", instance), dg.RunRequest), "another job is in nobody's way"
    instance.report_run_canceled(run)
    assert isinstance(tick("nightly", instance), dg.RunRequest)


def load(**variables: str) -> subprocess.CompletedProcess[str]:
    """Load the code location as Dagster does."""
    program = Path(sys.executable).with_name("dagster")
    return subprocess.run(
        [program, "definitions", "validate", "-w", ROOT / "workspace.yaml"],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
    )


def test_the_crons_and_the_time_zone_are_settings(house: House) -> None:
    (house.data / "sekisho.yaml").write_text("timezone: Asia/Tokyo\n", encoding="utf-8")
    variables = {variable: f"{number} 4 * * 2" for number, variable in enumerate(CRONS.values())}
    code = (
        "from dagster_project.definitions import defs\n"
        f"found = [defs.resolve_schedule_def(name) for name in {list(CRONS)}]\n"
        "print([(one.cron_schedule, one.execution_timezone) for one in found])"
    )
    environment = {**os.environ, **variables}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == str([(f"{number} 4 * * 2", "Asia/Tokyo") for number in range(4)])


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({"SEKISHO_CRON_NIGHTLY": "at three"}, "SEKISHO_CRON_NIGHTLY: no cron schedule: 'at three'"),
        ({"SEKISHO_DATA": "/nowhere"}, "/nowhere: no such folder (set SEKISHO_DATA to your data folder)"),
        ({"SEKISHO_WORKERS": "many"}, "SEKISHO_WORKERS"),
    ],
)
def test_a_code_location_that_cannot_load_says_which_setting_is_wrong(variables: dict[str, str], told: str) -> None:
    found = load(**variables)
    assert found.returncode != 0
    assert told in found.stderr + found.stdout


def test_a_broken_time_zone_is_told_when_the_code_location_loads(house: House) -> None:
    (house.data / "sekisho.yaml").write_text("timezone: Mars/Olympus\n", encoding="utf-8")
    found = load()
    assert found.returncode != 0
    assert f"{house.data / 'sekisho.yaml'}: timezone" in found.stderr + found.stdout


def test_run_and_dev_end_2_at_a_cron_that_cannot_be_used(house: House) -> None:
    program = Path(sys.executable).with_name("sekisho")
    for command in (["run"], ["dev", "--port", "3999"]):
        environment = {**os.environ, "SEKISHO_CRON_SPEND": "x", "SEKISHO_CRON_TIDY": "0 3 31 4,6 *"}
        done = subprocess.run([program, *command], env=environment, capture_output=True, text=True)
        assert done.returncode == 2
        assert "SEKISHO_CRON_" in done.stderr and "Traceback" not in done.stderr
        assert not house.settings.warehouse_path.exists()


@pytest.mark.parametrize(
    "text",
    ["", "x", "* * * *", "61 * * * *", "* * * * * *", "0 3 30 2 *", "0 3 31 4,6 *", "R 3 * * *", "0 r(1-5) * * *"],
)
def test_a_cron_that_dagster_would_not_take_or_that_never_ticks_names_its_variable(text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        checked_cron(text, "SEKISHO_CRON_NIGHTLY")
    assert caught.value.item == "SEKISHO_CRON_NIGHTLY"
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["@daily", " 0 3 * * *\n", "*/5 * * * *", "0 3 29 2 *", "0 3 * MAR mon-fri"])
def test_every_cron_that_dagster_takes_is_taken(text: str) -> None:
    assert checked_cron(text, "SEKISHO_CRON_NIGHTLY") == text.strip()


@pytest.mark.parametrize(
    ("cron", "timezone", "hours"),
    [
        ("0 3 * * *", "Asia/Tokyo", 24),
        ("0 3 * * *", "Europe/Berlin", 25),
        ("0 3 * * 1-5", "UTC", 72),
        ("0 */6 * * *", "UTC", 6),
        ("*/5 * * * *", "Europe/Berlin", 1 / 12),
        ("@hourly", "UTC", 1),
        ("*/5 * 1-7 * *", "UTC", 24 * 24 + 1 / 12),
        ("* * 1,2 1 *", "UTC", 364 * 24 + 1 / 60),
        ("* 9-16 * * mon-fri", "UTC", 64 + 1 / 60),
    ],
)
def test_the_longest_gap_counts_weekends_and_the_night_that_is_an_hour_longer(
    cron: str, timezone: str, hours: int
) -> None:
    assert longest_gap(cron, timezone) == timedelta(hours=hours)


def test_what_is_published_is_stale_once_one_tick_and_failed_once_two_have_published_nothing() -> None:
    policy = dg.FreshnessPolicy.time_window(warn_window=timedelta(hours=30), fail_window=timedelta(hours=54))
    assert nightly_window("0 3 * * *", "UTC") == policy
    graph = defs.resolve_asset_graph()
    found = {node.key.to_user_string(): node.freshness_policy_or_from_metadata for node in graph.asset_nodes}
    assert {name for name, its in found.items() if its} == {"knowledge_base", "answers"}
    assert found["answers"] == policy


def test_a_schedule_of_every_minute_still_has_a_window_that_dagster_takes() -> None:
    assert nightly_window("* * * * *", "UTC")


def test_the_job_of_the_nightly_schedule_is_the_pipeline() -> None:
    assert defs.resolve_schedule_def("nightly").job_name == pipeline.name


def test_d05_the_monthly_schedule_makes_the_bill() -> None:
    layer = defs.resolve_job_def("spend_report").asset_layer
    assert {key.to_user_string() for key in layer.executable_asset_keys} == {"llm_spend"}
