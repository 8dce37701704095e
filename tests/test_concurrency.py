"""Several at once: who has to wait waits for a set time and is told who holds the file; nobody sees half a state."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dagster_project.cli.main import app
from sekisho.errors import WarehouseBusy
from sekisho.warehouse import Warehouse
from tests.conftest import ROOT, House
from tests.crash.readers import FINE, at_once, base_of

HOLD = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
DRAFT = "data/drafts/partner-graphql.yaml"


@contextmanager
def held(path: Path) -> Iterator[int]:
    """The file is open for writing in another process, whose id this is."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        yield holder.pid
        holder.communicate("")


def ask(*arguments: str) -> tuple[Result, float]:
    began = time.monotonic()
    return CliRunner().invoke(app, list(arguments)), time.monotonic() - began


def test_readers_and_a_writer_meet_nothing_but_a_wait(tmp_path: Path) -> None:
    path = tmp_path / "warehouse.duckdb"
    for found in at_once(path, readers=3, seconds=3, wait=20):
        assert found.keys() <= FINE and found["done"] > 0 and not found["told who holds it"], found


@pytest.mark.parametrize("command", [("ask", "Which plant is safe?"), ("search", "shade")])
def test_a_command_during_a_write_waits_for_the_set_time_and_says_who_holds_it(
    command: tuple[str, ...], house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEKISHO_LOCK_WAIT", "0.4")
    house.warehouse.publish_knowledge(base_of(0), [])
    with held(house.settings.warehouse_path) as holder:
        result, seconds = ask(*command)
    assert isinstance(result.exception, WarehouseBusy) and result.exception.retryable
    assert f"PID {holder}" in str(result.exception) and "SEKISHO_LOCK_WAIT" in str(result.exception)
    assert 0.4 <= seconds < 5


def test_recall_during_a_write_waits_for_the_set_time_and_names_no_decision(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEKISHO_LOCK_WAIT", "0.4")
    house.warehouse.replace_decisions([], [])
    with held(house.settings.warehouse_path) as holder:
        result, seconds = ask("recall", str(ROOT / DRAFT), "--json")
    assert result.exit_code == 0 and json.loads(result.stdout) == {"recallCitations": []}
    assert f"PID {holder}" in result.stderr.replace("\n", "")
    assert 0.4 <= seconds < 5


def test_map_needs_no_warehouse_and_does_not_wait(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.warehouse.publish_knowledge(base_of(0), [])
    with held(house.settings.warehouse_path):
        result, _ = ask("map", "PAG", "--json")
    assert result.exit_code == 0, result.output


def test_whoever_opens_while_the_file_is_made_finds_none_or_a_whole_one(tmp_path: Path) -> None:
    for number in range(5):
        path = tmp_path / str(number) / "warehouse.duckdb"
        makers = [threading.Thread(target=Warehouse(path, wait=20).replace_gaps, args=("notes", [])) for _ in range(4)]
        for maker in makers:
            maker.start()
        while any(maker.is_alive() for maker in makers):
            assert Warehouse(path, wait=20).gaps() == []
        assert sorted(one.name for one in path.parent.iterdir()) == ["warehouse.duckdb", "warehouse.lock"]
