"""From Dagster's own records to alerts: real runs in a real instance, a real webhook."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from pytest_httpserver import HTTPServer

from dagster_project import verdicts
from dagster_project.alerting import tell_alerts
from sekisho.alerts import AlertBook, Delivery
from sekisho.errors import SettingsError
from sekisho.settings import load_settings
from tests.test_alert_outbox import Hook

DEFAULT = {"check": "passes", "asset": "works", "more": "nothing", "why": "leaf 7"}
MODE = dict(DEFAULT)


class Line(dg.ConfigurableResource[str]):
    """A resource that can fail to start."""

    def create_resource(self, context: dg.InitResourceContext) -> str:
        if MODE["asset"] == "no resource":
            raise RuntimeError("the line is dead")
        return "line"


@dg.asset
def leaves(line: dg.ResourceParam[str]) -> None:
    if MODE["asset"] == "fails":
        raise RuntimeError(f"no leaves: {MODE['why']}")


@dg.asset_check(asset=leaves, blocking=True)
def leaves_are_green() -> dg.AssetCheckResult:
    if MODE["check"] == "raises":
        raise RuntimeError("the eye is shut")
    return dg.AssetCheckResult(passed=MODE["check"] == "passes", description=f"brown: {MODE['why']}")


@dg.asset(deps=[leaves])
def garden(context: dg.AssetExecutionContext) -> None:
    if MODE["more"] == "looks":
        MODE["more"] = tell(context.instance).line


DEFS = dg.Definitions(
    assets=[leaves, garden],
    asset_checks=[leaves_are_green],
    resources={"line": Line()},
    jobs=[
        dg.define_asset_job(name, selection=dg.AssetSelection.all(), executor_def=dg.in_process_executor)
        for name in ("grow", "pipeline", "repair")
    ],
)
CHECKS = [dg.AssetCheckKey(dg.AssetKey("leaves"), "leaves_are_green")]


def tell(instance: dg.DagsterInstance) -> Delivery:
    return tell_alerts(instance, CHECKS, load_settings())


def run(instance: dg.DagsterInstance, job: str = "grow", **mode: str) -> str:
    MODE.update({**DEFAULT, **mode})
    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    found = DEFS.resolve_job_def(job)
    return found.execute_in_process(instance=instance, raise_on_error=False, run_config=quiet).run_id


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as found:
        yield found


@pytest.fixture
def hook(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Hook:
    found = Hook(httpserver)
    httpserver.expect_request("/hook").respond_with_handler(found)
    monkeypatch.setenv("SEKISHO_ALERT_URLS", found.url())
    return found


FAILS = "Sekisho: leaves_are_green on leaves fails"
OVER = "Sekisho: leaves_are_green on leaves passes again"


def test_a_failed_check_is_told_once_and_its_end_once_and_the_run_it_stopped_is_no_alert_of_its_own(
    instance: dg.DagsterInstance, hook: Hook
) -> None:
    run(instance)
    assert tell(instance).line == ""
    failed = run(instance, check="fails")
    assert tell(instance).sent == 1
    run(instance, check="fails")
    assert [tell(instance).line for _ in range(3)] == ["", "", ""]
    run(instance)
    assert tell(instance).sent == 1
    assert hook.titles == [FAILS, OVER]
    assert f"run: {failed} of grow" in hook.accepted[0]["message"]
    assert "- leaves: brown: leaf 7" in hook.accepted[0]["message"]


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ({"check": "raises"}, "- leaves_leaves_are_green: RuntimeError: the eye is shut"),
        ({"asset": "fails"}, "- leaves: RuntimeError: no leaves"),
        ({"asset": "no resource"}, "RuntimeError: the line is dead"),
    ],
)
def test_a_run_that_failed_and_stored_no_evaluation_is_told_once_with_its_cause_and_its_end_too(
    mode: dict[str, str], told: str, instance: dg.DagsterInstance, hook: Hook
) -> None:
    run(instance)
    tell(instance)
    for _ in range(2):
        run(instance, **mode)
        tell(instance)
    run(instance, check="fails")
    tell(instance)
    run(instance)
    tell(instance)
    assert hook.titles == ["Sekisho: job grow failed", FAILS, OVER, "Sekisho: job grow succeeds again"]
    assert told in hook.accepted[0]["message"], hook.accepted[0]


def test_a_run_whose_process_died_is_told_and_one_that_was_cancelled_is_not(
    instance: dg.DagsterInstance, hook: Hook
) -> None:
    job = DEFS.resolve_job_def("grow")
    tell(instance)
    cancelled = instance.create_run_for_job(job)
    instance.report_run_canceled(cancelled)
    assert tell(instance).sent == 0
    crashed = instance.create_run_for_job(job)
    instance.report_run_failed(crashed, "Run execution process unexpectedly exited with code -9")
    assert tell(instance).sent == 1
    assert "- the run: Run execution process unexpectedly exited with code -9" in hook.accepted[0]["message"]


def test_the_first_look_tells_what_fails_now_and_nothing_of_what_was(instance: dg.DagsterInstance, hook: Hook) -> None:
    for check in ("fails", "passes", "fails"):
        run(instance, check=check)
    run(instance, asset="fails")
    run(instance, asset="fails")  # the check is not reached: what it said last still stands
    assert tell(instance).sent == 2
    assert sorted(hook.titles) == ["Sekisho: job grow failed", FAILS]
    assert tell(instance).sent == 0


def test_a_first_look_at_another_storage_of_runs_begins_anew(
    instance: dg.DagsterInstance, hook: Hook, tmp_path: Path
) -> None:
    run(instance, check="fails")
    for _ in range(3):
        run(instance)
    tell(instance)
    with dg.DagsterInstance.local_temp(str(tmp_path)) as other:
        run(other, check="fails")
        assert tell(other).sent == 1, "its events have lower numbers than those read before"
        run(other)
        assert tell(other).sent == 1


def test_a_text_that_is_no_unicode_does_not_hold_up_anything(instance: dg.DagsterInstance, hook: Hook) -> None:
    tell(instance)
    run(instance, check="fails", why="leaf \udc80 7")
    run(instance, asset="fails", why="leaf \udc80 8")
    assert tell(instance).sent == 2
    assert "leaf ＼udc80 7" in hook.accepted[0]["message"] and "leaf ＼udc80 8" in hook.accepted[1]["message"]


def test_a_check_is_told_when_its_run_has_ended_or_is_long_at_it(
    instance: dg.DagsterInstance, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(instance)
    run(instance, check="fails")
    run(instance, more="looks")
    assert MODE["more"] == "alerts: 1 sent" and hook.titles == [FAILS], "the end is not told before the run's end"
    assert tell(instance).sent == 1 and hook.titles == [FAILS, OVER]
    run(instance, check="fails")
    tell(instance)
    monkeypatch.setattr(verdicts, "_LONG", -1.0)
    run(instance, more="looks")
    assert MODE["more"] == "alerts: 1 sent" and len(hook.titles) == 4


def test_a_backlog_is_read_in_batches_and_nothing_in_it_is_skipped(
    instance: dg.DagsterInstance, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(instance)
    monkeypatch.setattr(verdicts, "RUNS_AT_ONCE", 2)
    for _ in range(3):
        run(instance, check="fails")
        run(instance)
    assert tell(instance).sent == 6
    assert hook.titles == [FAILS, OVER] * 3


def test_what_failed_before_an_url_was_set_is_told_once_it_is(
    instance: dg.DagsterInstance, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.delenv("SEKISHO_ALERT_URLS")
        run(instance, check="fails")
        assert tell(instance).line == ""
    assert tell(instance).sent == 1 and hook.titles == [FAILS]


def test_a_bad_url_is_told_after_the_failure_was_taken_in(
    instance: dg.DagsterInstance, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(instance, check="fails")
    with monkeypatch.context() as patch, pytest.raises(SettingsError, match="URL 2 of 2"):
        patch.setenv("SEKISHO_ALERT_URLS", f"{hook.url()} nosuch://s3cr3t")
        tell(instance)
    assert len(AlertBook(load_settings().state).outbox.letters()) == 1 and hook.asked == 0
    assert tell(instance).sent == 1


def test_the_sensor_tells_by_itself_and_names_in_its_tick_what_it_did(instance: dg.DagsterInstance, hook: Hook) -> None:
    from dagster_project.definitions import defs

    sensor = defs.resolve_sensor_def("gate_alerts")
    assert sensor.default_status is dg.DefaultSensorStatus.RUNNING
    assert sensor.minimum_interval_seconds == 30
    run(instance, asset="fails")
    repository = defs.get_repository_def()
    with dg.build_sensor_context(instance=instance, repository_def=repository) as context:
        first = sensor.evaluate_tick(context)
        second = sensor.evaluate_tick(context)
    assert (first.skip_message, second.skip_message) == ("alerts: 1 sent", "nothing to tell")
    assert json.dumps(hook.titles) == '["Sekisho: job grow failed"]'


def test_a_run_that_ended_later_counts_although_its_clock_was_set_back(
    instance: dg.DagsterInstance, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(instance)
    with monkeypatch.context() as patch:
        ahead = time.time() + 3600
        patch.setattr(time, "time", lambda: ahead)
        run(instance)
    run(instance, check="fails")
    monkeypatch.setattr(time, "time", lambda: ahead + 60)
    assert tell(instance).sent == 1 and hook.titles == [FAILS]


def test_an_end_that_a_shell_without_an_url_saw_is_told_by_the_next_that_has_one(
    instance: dg.DagsterInstance, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(instance, check="fails")
    assert tell(instance).sent == 1
    with monkeypatch.context() as patch:
        patch.delenv("SEKISHO_ALERT_URLS")
        run(instance)
        assert tell(instance).line == ""
    assert tell(instance).sent == 1 and hook.titles == [FAILS, OVER]
    assert tell(instance).sent == 0


@pytest.mark.parametrize("jobs", [("repair", "pipeline"), ("pipeline", "repair")])
def test_a_run_of_the_whole_graph_that_succeeds_ends_the_failing_of_both_jobs_that_make_it(
    instance: dg.DagsterInstance, hook: Hook, jobs: tuple[str, str]
) -> None:
    failed, good = jobs
    tell(instance)
    run(instance, failed, asset="fails")
    run(instance, "grow")
    assert tell(instance).sent == 1, "another job says nothing about it"
    over = run(instance, good)
    assert tell(instance).sent == 1
    assert hook.titles == [f"Sekisho: job {failed} failed", f"Sekisho: job {failed} succeeds again"]
    assert f"run: {over} of {good}, " in hook.accepted[1]["message"]
    assert not [standing for standing in AlertBook(load_settings().state).read().standings if standing.failing]
