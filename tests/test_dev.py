"""`sekisho dev`: the UI and the daemon on this state, one writing run at a time, and an end that leaves nothing."""

from __future__ import annotations

import io
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from dagster_project.cli.dev import relay
from dagster_project.cli.home import prepare_home
from sekisho.warehouse.lock import run_lock_is_free
from tests.conftest import House
from tests.dev import PROGRAM, running_dev, until
from tests.instances import real_instance


@pytest.fixture
def slow(house: House, tmp_path: Path) -> Iterator[dict[str, str]]:
    """A model that answers nothing before the file `go` is there."""
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, sys, time\n"
        "sys.stdin.read()\n"
        f"while not pathlib.Path({str(tmp_path / 'go')!r}).exists(): time.sleep(0.1)\n"
        "sys.exit(1)\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    yield {"IECQ_AGENT": "claude", "PATH": f"{program.parent}:{os.environ['PATH']}"}
    (tmp_path / "go").touch()


def is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_what_the_services_log_is_read_on_where_nobody_reads_it_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = io.BytesIO(b"one\n" * 9 + b"last\n")
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w", closefd=False) as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        relay(lines, "http://127.0.0.1:3000")
        monkeypatch.undo()
        os.dup2(os.open(os.devnull, os.O_WRONLY), writer)
    assert not lines.read()


def test_d05_dev_serves_the_ui_and_lets_one_run_write_at_a_time(
    house: House, tmp_path: Path, slow: dict[str, str]
) -> None:
    with running_dev(house, **slow) as dev:
        assert "dagster_version" in dev.get("/server_info")
        assert "<html" in dev.get("/").lower()
        daemons = until(dev.healthy, "every daemon is well")
        assert {"SCHEDULER", "SENSOR", "QUEUED_RUN_COORDINATOR", "MONITORING", "FRESHNESS_DAEMON"} <= daemons
        first = dev.launch()
        until(lambda: dev.status(first) == "STARTED", "the first run starts")
        until(lambda: not run_lock_is_free(house.state), "the first run holds the lock")
        second = dev.launch()
        until(lambda: "Maximum is 1, won't launch more" in dev.printed, "the queue says that the second waits")
        assert dev.status(second) == "QUEUED"
        environment = {**os.environ, **slow, "SEKISHO_LOCK_WAIT": "0.2"}
        refused = subprocess.run([PROGRAM, "run"], env=environment, capture_output=True, text=True)
        assert refused.returncode == 1
        holder = (house.state / "run.pid").read_text(encoding="ascii").strip()
        assert f"another run (process {holder}) holds run.lock" in refused.stderr
        group = dev.group
        dev.send(signal.SIGTERM)
        until(lambda: "once the model calls that are going on have ended" in dev.printed, "it says what it waits for")
        (tmp_path / "go").touch()
        assert dev.process.wait(150) == 0
        assert not is_alive(group)
        assert run_lock_is_free(house.state)
        assert "SupersessionWarning" not in dev.printed and "instance configuration value" not in dev.printed
        assert dev.printed.count(f"\n\nThe UI is at http://127.0.0.1:{dev.port}/assets (Ctrl-C ends it)\n\n") == 1
    with real_instance() as instance:
        statuses = {run.run_id: run.status for run in instance.get_runs()}
    assert statuses == {first: dg.DagsterRunStatus.FAILURE, second: dg.DagsterRunStatus.QUEUED}


def test_d05_a_second_ctrl_c_waits_for_no_call(house: House, slow: dict[str, str]) -> None:
    with running_dev(house, **slow) as dev:
        run = dev.launch()
        until(lambda: dev.status(run) == "STARTED" and not run_lock_is_free(house.state), "the run holds the lock")
        group = dev.group
        dev.send(signal.SIGINT)
        until(lambda: "once more: at once" in dev.printed, "it says how to end at once")
        dev.send(signal.SIGINT)
        assert dev.process.wait(60) == 0
    until(lambda: not is_alive(group), "all processes are gone")
    assert run_lock_is_free(house.state)


def test_d05_dev_ends_1_when_the_daemon_dies_so_that_a_supervisor_starts_it_anew(house: House) -> None:
    with running_dev(house) as dev:
        group = dev.group
        os.kill(dev.daemon, signal.SIGKILL)
        assert dev.process.wait(90) == 1
        assert "Dagster's UI or daemon ended by itself" in dev.printed
    assert not is_alive(group)


def test_dev_says_which_port_is_taken_and_starts_nothing(house: House) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run([PROGRAM, "dev", "--port", str(port)], capture_output=True, text=True)
    assert done.returncode == 2
    assert f"port {port} is taken" in done.stderr
    assert not house.state.exists()


@pytest.mark.parametrize(("agent", "told"), [("openia/gpt", "IECQ_AGENT"), ("openai/gpt-4o-mini", "OPENAI_API_KEY")])
def test_an_agent_that_cannot_answer_ends_dev_before_it_serves(agent: str, told: str, house: House) -> None:
    environment = {**os.environ, "IECQ_AGENT": agent}
    done = subprocess.run([PROGRAM, "dev", "--port", "3999"], env=environment, capture_output=True, text=True)
    assert done.returncode == 2 and told in done.stderr
    assert not house.state.exists()


def test_the_instance_settings_are_those_of_the_project_or_of_the_variable(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = prepare_home(house.settings) / "dagster.yaml"
    assert "max_concurrent_runs: 1" in written.read_text(encoding="utf-8")
    own = tmp_path / "own.yaml"
    own.write_text("telemetry: {enabled: false}\n", encoding="utf-8")
    monkeypatch.setenv("SEKISHO_DAGSTER_YAML", str(own))
    prepare_home(house.settings)
    assert written.read_bytes() == own.read_bytes()


@pytest.mark.parametrize("command", [["run"], ["dev", "--port", "3999"]])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "SEKISHO_DAGSTER_YAML: cannot be read"),
        ("a: [", "Dagster cannot use it: while parsing a flow node"),
        ("telemetri: {enabled: false}", 'unexpected config entry "telemetri"'),
        ("storage: {custom: {module: nowhere, class: None, config: {}}}", "Couldn't import module nowhere"),
    ],
)
def test_instance_settings_that_cannot_be_used_end_2_and_are_named(
    command: list[str], text: str | None, told: str, house: House, tmp_path: Path
) -> None:
    path = tmp_path / "own.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    environment = {**os.environ, "SEKISHO_DAGSTER_YAML": str(path)}
    done = subprocess.run([PROGRAM, *command], env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert f"{path}: " in done.stderr and told in done.stderr
    assert "Traceback" not in done.stderr
