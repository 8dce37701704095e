"""`sekisho dev`: Dagster's UI and daemon as one group of processes, which ends as a whole."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from threading import Thread
from typing import BinaryIO

from dagster_project.cli.console import stderr, stdout
from dagster_project.cli.home import open_instance, prepare_home
from dagster_project.cli.run import usable_agent
from sekisho.errors import InputError, SekishoError
from sekisho.settings import load_settings, project_root

_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LOOK_EVERY = 0.1  # seconds
_TO_NOTE_THE_END = 30.0  # seconds beyond the last model call
_TO_END_ITS_LINES = 5.0  # seconds
_SERVES = b"Serving dagster-webserver on"
_BESIDE_THE_POINT = b"Found a dagster instance configuration value"  # we put it where Dagster looks for it
_SUPERSEDED = "ignore:Function `dev_command` is superseded"  # in favour of a program of another package


def run_dev(host: str, port: int) -> None:
    """Run the UI and the daemon until a signal ends them; raises where they cannot start, or end by themselves.

    A first signal lets the model calls that are going on come to their end, since they are paid; a second one does
    not. Dagster alone would leave such a run behind, with nothing to show it and the state locked.
    """
    settings = load_settings()
    workspace = project_root() / "workspace.yaml"
    if not workspace.is_file():
        raise InputError("no such file", file=workspace, remedy="run from a checkout of the project")
    usable_agent(settings)  # its key, say: the runs of a whole night would end for want of it
    _check_port(port)
    prepare_home(settings)
    import dagster_project.definitions  # noqa: F401 - what cannot be loaded is told here, not in a log

    with open_instance(settings):
        pass
    command = ["dev", "--workspace", str(workspace), "--host", host, "--port", str(port)]
    received: list[int] = []
    for number in _STOP:
        signal.signal(number, lambda number, _: received.append(number))
    group = subprocess.Popen(
        [sys.executable, "-W", _SUPERSEDED, "-m", "dagster", *command],
        env={**os.environ, "PYTHONSAFEPATH": "1"},  # not the working directory, which may hold another checkout
        start_new_session=True,
        stdout=subprocess.PIPE,  # where they log
    )
    address = f"http://{host}:{port}"
    reader = Thread(target=relay, args=(group.stdout, address), daemon=True)
    reader.start()
    while group.poll() is None and not received:
        time.sleep(_LOOK_EVERY)
    ended_by_itself = not received
    _end_group(group, received, wait=settings.model_timeout + _TO_NOTE_THE_END)
    reader.join(_TO_END_ITS_LINES)
    if ended_by_itself:
        raise SekishoError("Dagster's UI or daemon ended by itself", remedy="its last lines above say why")


def relay(lines: BinaryIO, address: str) -> None:
    """Pass on what the services log; once the UI serves, say where, so that nobody has to look for it there."""
    for line in lines:
        if _BESIDE_THE_POINT in line:
            continue
        with suppress(OSError, AttributeError):  # nobody reads it any more: go on, or the services wait for ever
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
            if _SERVES in line:
                stdout.print(f"\nThe UI is at {address}/assets (Ctrl-C ends it)\n", style="bold")


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", port)) == 0:
            raise InputError(f"port {port} is taken", remedy="choose another with --port")


def _end_group(leader: subprocess.Popen[bytes], received: list[int], *, wait: float) -> None:
    """Ask every process of a group to end; after `wait` seconds, or at another signal, make them."""
    heard = len(received)
    _signal_group(leader.pid, signal.SIGINT)
    stderr.print("ending, once the model calls that are going on have ended (once more: at once)", style="dim")
    deadline = time.monotonic() + wait
    while time.monotonic() < deadline and len(received) <= heard:
        leader.poll()
        with suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)  # as the first process of a container this one inherits the others
        if not _signal_group(leader.pid, 0):
            return
        time.sleep(_LOOK_EVERY)
    _signal_group(leader.pid, signal.SIGKILL)


def _signal_group(group: int, number: int) -> bool:
    """Whether there was anyone to receive it."""
    with suppress(ProcessLookupError):
        os.killpg(group, number)
        return True
    return False
