"""`sekisho dev` as a real process, asked over HTTP as the browser asks it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.conftest import House

PROGRAM = Path(sys.executable).with_name("sekisho")
_JOB = {"repositoryLocationName": "sekisho", "repositoryName": "__repository__", "jobName": "pipeline"}
_LAUNCH = "mutation($p: ExecutionParams!) { launchRun(executionParams: $p) { ... on LaunchRunSuccess { run { id } } } }"
_LOADED = "{ workspaceOrError { ... on Workspace { locationEntries { locationOrLoadError { __typename } } } } }"
_HEALTH = "{ instance { daemonHealth { allDaemonStatuses { daemonType healthy } } } }"


def until(said: Callable[[], Any], what: str, seconds: float = 150) -> Any:
    """Wait for a condition; only a test that fails anyway gets to the end of the time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(OSError):
            if found := said():
                return found
        time.sleep(0.2)
    raise AssertionError(f"never happened: {what}")


class Dev:
    """The running program, its output, and its GraphQL."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, log: Path) -> None:
        self.process, self.port = process, port
        self._url = f"http://127.0.0.1:{port}"
        self._log = log

    @property
    def printed(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")

    @property
    def group(self) -> int:
        """The process group of Dagster's services."""
        return _children(self.process.pid)[0]

    @property
    def daemon(self) -> int:
        """The process of the daemon."""
        lines = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in _children(self.group)}
        return next(pid for pid, line in lines.items() if b"dagster._daemon" in line)

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self._url + path, timeout=30) as reply:
            return str(reply.read().decode("utf-8"))

    def ask(self, query: str, **variables: Any) -> Any:
        body = json.dumps({"query": query, "variables": variables}).encode("utf-8")
        request = urllib.request.Request(f"{self._url}/graphql", body, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.load(reply)["data"]

    def healthy(self) -> set[str]:
        """The daemons, once each of them has been heard of and is well."""
        statuses = self.ask(_HEALTH)["instance"]["daemonHealth"]["allDaemonStatuses"]
        return {one["daemonType"] for one in statuses} if all(one["healthy"] for one in statuses) else set()

    def loaded(self) -> bool:
        """Whether the code location is there, and nothing is wrong with it."""
        (entry,) = self.ask(_LOADED)["workspaceOrError"]["locationEntries"]
        return bool(entry["locationOrLoadError"]["__typename"] == "RepositoryLocation")

    def launch(self) -> str:
        """Launch the pipeline as the UI's button does."""
        return str(self.ask(_LAUNCH, p={"selector": _JOB})["launchRun"]["run"]["id"])

    def status(self, run: str) -> str:
        query = "query($id: ID!) { runOrError(runId: $id) { ... on Run { status } } }"
        return str(self.ask(query, id=run)["runOrError"]["status"])

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def running_dev(house: House, **variables: str) -> Iterator[Dev]:
    """The program on a free port, ready to be asked; nothing of it is left afterwards."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = house.state.with_name("dev.log")
    decoy = house.state.with_name("elsewhere") / "dagster_project" / "__init__.py"  # as in another checkout
    decoy.parent.mkdir(parents=True)
    decoy.write_text("raise ImportError('from the working directory')\n", encoding="utf-8")
    (decoy.parent.parent / "dagster.yaml").write_text("nonsense: true\n", encoding="utf-8")
    command, environment = [PROGRAM, "dev", "--port", str(port)], {**os.environ, **variables}
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, env=environment, cwd=decoy.parent.parent, stdout=out, stderr=subprocess.STDOUT
        )
    dev = Dev(process, port, log)
    try:
        until(lambda: process.poll() is not None or dev.loaded(), "the UI answers with the code location")
        assert process.poll() is None, dev.printed
        yield dev
    finally:
        for _ in range(2):  # the second signal does not wait for calls
            if process.poll() is None:
                dev.send(signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(10)
        process.wait(60)
