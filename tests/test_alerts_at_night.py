"""A ghost citation at night: a real daemon launches the run, a real webhook hears of it, whatever dies meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.scheduler.instigation import TickStatus
from pytest_httpserver import HTTPServer

from dagster_project.cli.home import prepare_home
from dagster_project.definitions import defs
from sekisho.alerts import AlertBook
from sekisho.moments import shown_moment
from tests.conftest import ROOT, House
from tests.test_alert_outbox import Hook
from tests.test_cli import report, sekisho

BIN = Path(sys.executable).parent
GHOST = ROOT / "data" / "demonstrations" / "ghost.yaml"
FAILS = "Sekisho: citations_exist on draft_answers fails"
OVER = "Sekisho: citations_exist on draft_answers passes again"


@pytest.fixture
def hook(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Hook:
    found = Hook(httpserver)
    httpserver.expect_request("/hook").respond_with_handler(found)
    monkeypatch.setenv("SEKISHO_ALERT_URLS", found.url("/hook?key=s3cr3t"))
    return found


class Night:
    """A daemon on the state of a house, and how its sensor's ticks are counted."""

    def __init__(self, house: House, log: Path) -> None:
        self.book = AlertBook(house.state)
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        prepare_home(house.settings)
        self.instance = dg.DagsterInstance.get()

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [BIN / "dagster-daemon", "run", "-w", ROOT / "workspace.yaml"],
                env=dict(os.environ),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self) -> None:
        """The daemon and the code server that it started, as a power cut would."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def launch(self) -> None:
        command = [BIN / "dagster", "job", "launch", "-w", ROOT / "workspace.yaml", "-j", "pipeline"]
        done = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def ticks(self) -> int:
        """How often the sensor has looked, to the end and without an error."""
        states = [state for state in self.instance.all_instigator_state() if state.instigator_name == "gate_alerts"]
        ticks = [self.instance.get_ticks(state.instigator_origin_id, state.selector_id) for state in states]
        return sum(tick.status is TickStatus.SKIPPED for found in ticks for tick in found)

    def until(self, what: Callable[[], bool]) -> None:
        for _ in range(3000):
            if what():
                return
            time.sleep(0.1)
        raise AssertionError(self._log.read_text(encoding="utf-8")[-4000:])


@pytest.fixture
def night(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Night]:
    (tmp_path / "replies.yaml").write_bytes(GHOST.read_bytes())
    monkeypatch.setenv("SEKISHO_FIXTURES", str(tmp_path / "replies.yaml"))
    monkeypatch.setenv("SEKISHO_ALERT_INTERVAL", "5")
    monkeypatch.setenv("DAGSTER_HOME", "")
    found = Night(house, tmp_path / "daemon.log")
    yield found
    found.kill()
    found.instance.dispose()


def test_d05_a_ghost_citation_at_night_is_told_once_whatever_dies_or_is_down_and_so_is_its_end(
    night: Night, hook: Hook, tmp_path: Path
) -> None:
    hook.status = 503
    night.start()
    night.until(lambda: night.ticks() > 0)
    night.launch()
    night.until(lambda: hook.asked > 0)
    night.kill()
    assert hook.accepted == [] and len(night.book.outbox.letters()) == 1
    hook.status = 200
    night.start()
    night.until(lambda: bool(hook.accepted))
    before = night.ticks()
    night.until(lambda: night.ticks() >= before + 3)
    assert hook.titles == [FAILS]
    assert "hallucinated citation: 99-ghost-orchid" in hook.accepted[0]["message"]
    (tmp_path / "replies.yaml").write_text("{}", encoding="utf-8")
    night.launch()
    night.until(lambda: len(hook.accepted) > 1)
    before = night.ticks()
    night.until(lambda: night.ticks() >= before + 3)
    assert hook.titles == [FAILS, OVER]
    assert "s3cr3t" not in (tmp_path / "daemon.log").read_text(encoding="utf-8")


def test_d05_a_run_from_a_shell_alerts_the_same_way_and_the_sensor_then_has_nothing_to_add(
    house: House, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEKISHO_UI_URL", "https://dagster.example")
    first = sekisho("run", "--fixtures", str(GHOST))
    assert first.returncode == 1 and "alerts: 1 sent" in first.stderr
    again = sekisho("run", "--fixtures", str(GHOST))
    assert again.returncode == 1 and "alerts:" not in again.stderr
    sensor = defs.resolve_sensor_def("gate_alerts")
    prepare_home(house.settings)
    with dg.DagsterInstance.get() as instance:
        for _ in range(3):
            context = dg.build_sensor_context(instance=instance, repository_def=defs.get_repository_def())
            assert sensor.evaluate_tick(context).skip_message == "nothing to tell"
    assert hook.titles == [FAILS]
    message = hook.accepted[0]["message"]
    for text in (
        "asset: draft_answers",
        "check: citations_exist (ERROR)",
        "- pet-safe-low-light: hallucinated citation: 99-ghost-orchid",
        "fails for the same items: quotes_are_verbatim",
        "https://dagster.example/runs/",
    ):
        assert text in message
    good = sekisho("run")
    assert good.returncode == 0 and "alerts: 1 sent" in good.stderr
    assert hook.titles == [FAILS, OVER]


def test_status_says_what_is_published_withheld_failing_since_when_and_waiting(house: House, hook: Hook) -> None:
    empty = json.loads(sekisho("status", "--json").stdout)
    assert empty["published"] == {"generation": "", "since": ""} and empty["failing"] == []
    assert not house.state.exists()
    hook.status = 503
    code, first = report("--fixtures", str(GHOST))
    done = sekisho("status", "--json")
    found = json.loads(done.stdout)
    assert (code, done.returncode) == (1, 0)
    published = {name: found["published"][name] for name in ("generation", "facts", "answers")}
    assert published == {"generation": first["generation"], "facts": 5, "answers": 2}
    assert "hallucinated citation: 99-ghost-orchid" in [gap["reason"] for gap in found["withheld"]]
    failing = {check["check"]: check["since_run"] for check in found["failing"]}
    assert failing == {"citations_exist": first["run"], "quotes_are_verbatim": first["run"]}
    (waiting,) = found["alerts"]["waiting"]
    assert (waiting["check"], waiting["kind"], waiting["attempts"]) == ("citations_exist", "failed", 1)
    assert "error=503" in waiting["error"] and waiting["next_attempt"] > "2"
    text = sekisho("status").stdout
    for line in (
        f"generation {first['generation']} since {shown_moment(found['published']['since'])}, facts: 5, answers: 2",
        "failing: citations_exist on draft_answers",
    ):
        assert line in text
    assert "alert waiting: citations_exist on draft_answers failed, attempts: 1, next: " in text
    everything = text + done.stdout + "".join(p.read_text("utf-8") for p in house.state.glob("*.json*"))
    assert "s3cr3t" not in everything and "/hook" not in everything


def test_whatever_is_wrong_with_the_alerts_the_run_is_what_it_is(house: House, hook: Hook) -> None:
    house.state.mkdir()
    (house.state / "outbox").write_text("no folder", encoding="utf-8")
    done = sekisho("run", "--fixtures", str(GHOST))
    assert done.returncode == 1 and done.stdout.rstrip().endswith("a gate said no: see above")
    assert f"alerts: not told: {house.state / 'outbox'}" in done.stderr and "Traceback" not in done.stderr


def test_a_bad_url_ends_2_before_anything_runs_and_is_not_shown(house: House) -> None:
    for command in (["run"], ["dev"]):
        done = sekisho(*command, SEKISHO_ALERT_URLS="slack://s3cr3t-token")
        assert done.returncode == 2
        assert "SEKISHO_ALERT_URLS: Apprise cannot use the slack (URL 1 of 1)" in done.stderr
        assert "s3cr3t" not in done.stderr + done.stdout
    assert not house.settings.warehouse_path.exists()


@pytest.mark.parametrize("how", [(), ("--until-done",)])
def test_a_run_is_told_also_where_what_it_left_cannot_be_read(how: tuple[str, ...], house: House, hook: Hook) -> None:
    house.state.mkdir()
    house.settings.warehouse_path.write_bytes(b"no database " * 3000)
    done = sekisho("run", *how)
    assert (done.returncode, hook.titles) == (1, ["Sekisho: job pipeline failed"])
    told, error = done.stderr.index("alerts: 1 sent"), done.stderr.index("error: ")
    assert told < error and "warehouse.duckdb" in done.stderr[error:]
