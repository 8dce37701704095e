"""The loop in Dagster: the job `repair` does one round, and the sensor `repairs` launches it until the limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import dagster as dg
import pytest

from dagster_project.cli.loop import run_until_done
from dagster_project.definitions import defs
from dagster_project.rounds import LIMIT, PARENT, ROOT, ROUND
from dagster_project.sensors.repairs import repairs
from sekisho.warehouse import run_lock
from tests.conftest import House
from tests.test_graph import GRAPH
from tests.test_loop import EVERYTHING, FIRST, asked, demonstration, wrong_once

KEY = f"query:{FIRST}"


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.local_temp(str(tmp_path)) as made:
        yield made


def execute(instance: dg.DagsterInstance, job: str, tags: dict[str, str] | None = None) -> dg.ExecuteInProcessResult:
    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    definition = defs.resolve_job_def(job)
    return definition.execute_in_process(instance=instance, raise_on_error=False, run_config=quiet, tags=tags)


class Daemon:
    """Ticks the sensor as the daemon does, with the cursor it left."""

    def __init__(self, instance: dg.DagsterInstance) -> None:
        self.instance = instance
        self.cursor: str | None = None
        self.told = ""

    def tick(self) -> list[dg.RunRequest]:
        sensor = defs.resolve_sensor_def("repairs")
        context = dg.build_sensor_context(
            instance=self.instance, cursor=self.cursor, definitions=defs, sensor_name="repairs"
        )
        data = sensor.evaluate_tick(context)
        self.cursor, self.told = data.cursor, data.skip_message or ""
        return list(data.run_requests or [])


def test_the_sensor_is_off_until_switched_on_and_the_job_covers_the_graph() -> None:
    sensor = defs.resolve_sensor_def("repairs")
    assert sensor is repairs and sensor.job_name == "repair"
    assert sensor.default_status is dg.DefaultSensorStatus.STOPPED, "it spends money"
    job = defs.resolve_job_def("repair")
    assert {key.to_user_string() for key in job.asset_layer.executable_asset_keys} == set(GRAPH)
    assert job.executor_def is dg.in_process_executor


def test_p13_a_failed_run_is_repaired_by_one_launched_run(house: House, instance: dg.DagsterInstance) -> None:
    wrong_once(house, "ghost")
    daemon = Daemon(instance)
    assert daemon.tick() == [] and not house.settings.warehouse_path.exists()
    first = execute(instance, "pipeline")
    (request,) = daemon.tick()
    assert request.run_key == first.run_id
    tags = {ROUND: "2", LIMIT: "3", PARENT: first.run_id, ROOT: first.run_id}
    assert request.tags.items() >= tags.items()
    assert daemon.tick() == [], "once"
    second = execute(instance, "repair", dict(request.tags))
    assert second.success and asked(house, second.run_id) == {KEY: 1}
    assert not house.warehouse.gaps() and len(house.warehouse.answers()) == 3
    assert daemon.tick() == [] and "no gate said no" in daemon.told


def test_p13_a_hopeless_one_is_launched_until_the_limit(house: House, instance: dg.DagsterInstance) -> None:
    house.overlay(demonstration("broken-fact"))
    daemon, runs = Daemon(instance), [execute(instance, "pipeline")]
    while requests := daemon.tick():
        assert requests[0].tags[PARENT] == runs[-1].run_id and requests[0].tags[ROOT] == runs[0].run_id
        assert requests[0].tags[ROUND] == str(len(runs) + 1)
        runs.append(execute(instance, "repair", dict(requests[0].tags)))
    assert len(runs) == 3 and "round 3 was the last: the limit is 3 (SEKISHO_MAX_ROUNDS)" in daemon.told
    assert "turned back in round 3 of 3; the limit was reached" in house.settings.gaps_path.read_text(encoding="utf-8")
    assert daemon.tick() == []


def test_the_limit_is_a_setting(house: House, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEKISHO_MAX_ROUNDS", "1")
    house.overlay(demonstration("ghost"))
    execute(instance, "pipeline")
    daemon = Daemon(instance)
    assert daemon.tick() == [] and "the limit is 1" in daemon.told


def test_only_the_newest_run_is_repaired_and_only_where_asking_again_can_help(
    house: House, instance: dg.DagsterInstance
) -> None:
    right = house.fixture(KEY)
    house.overlay(demonstration("ghost"))
    execute(instance, "pipeline")
    house.overlay({KEY: right})
    execute(instance, "pipeline")
    daemon = Daemon(instance)
    assert daemon.tick() == [] and "no gate said no" in daemon.told
    house.note("06-fern.md", b"\xff\xfe\xff")
    execute(instance, "pipeline")
    assert daemon.tick() == [] and "asking again cannot repair" in daemon.told


def test_a_run_that_broke_or_was_cancelled_is_not_repaired(house: House, instance: dg.DagsterInstance) -> None:
    house.overlay(demonstration("ghost"))
    execute(instance, "pipeline")
    (house.data / "questions.yaml").write_text("a: [1\nb", encoding="utf-8")
    assert not execute(instance, "pipeline").success
    daemon = Daemon(instance)
    assert daemon.tick() == [] and "no gate said no" in daemon.told
    cancelled = instance.create_run_for_job(defs.resolve_job_def("pipeline"))
    instance.report_run_canceled(cancelled)
    assert daemon.tick() == [] and "was cancelled" in daemon.told


def test_a_run_that_has_not_ended_is_waited_for(house: House, instance: dg.DagsterInstance) -> None:
    house.overlay(demonstration("ghost"))
    execute(instance, "pipeline")
    going = instance.create_run_for_job(defs.resolve_job_def("pipeline"), status=dg.DagsterRunStatus.STARTED)
    daemon = Daemon(instance)
    assert daemon.tick() == [] and f"run {going.run_id} has not ended yet" in daemon.told


def test_a_loop_from_the_shell_is_left_to_itself(house: House) -> None:
    house.overlay(demonstration("ghost"))
    report = run_until_done(2, progress=False)
    assert not report.done
    with dg.DagsterInstance.get() as instance:
        daemon = Daemon(instance)
        assert daemon.tick() == [] and "--until-done" in daemon.told
        tags = [instance.get_run_by_id(line.run).tags for line in report.rounds]  # type: ignore[union-attr]
    first, second = report.rounds
    assert (tags[0][ROUND], tags[1][ROUND], tags[1][LIMIT]) == ("1", "2", "2")
    assert (tags[1][PARENT], tags[1][ROOT]) == (first.run, first.run) and second.run != first.run


def test_a_repair_by_hand_is_the_round_after_the_last_one(house: House, instance: dg.DagsterInstance) -> None:
    house.overlay({KEY: [*[demonstration("ghost")[KEY]] * 3, house.fixture(KEY)]})
    execute(instance, "pipeline")
    assert house.warehouse.gaps()[0].round == 1
    for number in (2, 3):
        execute(instance, "repair")
        assert {gap.round for gap in house.warehouse.gaps()} == {number}
        assert f"turned back in round {number}\n" in house.settings.gaps_path.read_text(encoding="utf-8")
    assert execute(instance, "repair").success
    assert not house.warehouse.gaps() and asked(house) == EVERYTHING + Counter([KEY] * 3)


def test_a_repair_waits_for_the_lock_as_every_run_does(
    house: House, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEKISHO_LOCK_WAIT", "0.1")
    results: list[bool] = []
    with run_lock(house.state, wait=0):
        other = Thread(target=lambda: results.append(execute(instance, "repair").success))
        other.start()
        other.join()
    assert results == [False] and not house.settings.warehouse_path.exists()
