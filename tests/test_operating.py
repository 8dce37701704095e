"""docs/operating.md holds: its unit, its container file, its commands and its table are tried, not only read."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from dagster_project.definitions import defs
from sekisho.warehouse.lock import run_lock
from tests.conftest import ROOT, House
from tests.graph import materialise
from tests.instances import real_instance

TEXT = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
PROGRAM = Path(sys.executable).with_name("sekisho")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def commands(containing: str) -> str:
    """The shell block that holds a word, without the lines that only a server can run."""
    (block,) = [block for block in blocks("sh") if containing in block]
    return "".join(line for line in block.splitlines(keepends=True) if not line.startswith("systemctl "))


def sh(script: str, house: House) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "STATE": str(house.state), "BACKUP": str(house.state.with_name("backup.tgz"))}
    return subprocess.run(["bash", "-euc", script], env=environment, capture_output=True, text=True)


def run() -> dict[str, Any]:
    done = subprocess.run([PROGRAM, "run", "--json"], capture_output=True, text=True)
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_d05_every_check_of_the_graph_stands_in_the_table_with_its_asset_and_its_remedy() -> None:
    table = re.search(r"\| check \| on .*?\n\n", TEXT, re.DOTALL)
    assert table is not None
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table[0].strip().splitlines()[2:]]
    found = {(on.strip("`"), check.strip("`")) for check, on, *_ in rows}
    keys = defs.resolve_asset_graph().asset_check_keys
    assert found == {(key.asset_key.to_user_string(), key.name) for key in keys}
    assert all(len(row) == 4 and all(row) for row in rows)


def test_every_schedule_and_sensor_stands_in_the_table_of_what_runs_by_itself() -> None:
    items = [*(defs.schedules or []), *(defs.sensors or [])]
    assert {item.name for item in items} <= set(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE))
    assert [item.name for item in items if not item.description] == [], "the UI says what each does"


@pytest.mark.parametrize("kept", ["everything", "all but the record of runs"])
def test_d05_a_backup_brings_back_what_was_published(house: House, kept: str) -> None:
    before = run()
    published = house.warehouse.answers()
    backup = commands("systemctl stop sekisho\nflock") if kept == "everything" else commands("--exclude")
    assert sh(backup, house).returncode == 0
    for path in (house.data / "notes").glob("0[1-4]*"):
        path.unlink()
    materialise()
    assert house.warehouse.knowledge().generation != before["generation"]
    restored = sh(commands("--extract"), house)
    assert restored.returncode == 0, restored.stderr
    compiled = json.loads(house.settings.compiled_path.read_text(encoding="utf-8"))
    assert compiled["generation"] == before["generation"] == house.warehouse.knowledge().generation
    assert house.warehouse.answers() == published
    with real_instance() as instance:
        runs = [found.run_id for found in instance.get_runs()]
        assert runs == ([before["run"]] if kept == "everything" else [])
        event = instance.get_latest_materialization_event(dg.AssetKey("answers"))
        assert (event is not None) == (kept == "everything")
    shutil.rmtree(house.data)
    shutil.copytree(ROOT / "data", house.data)
    assert materialise().success
    assert house.warehouse.knowledge().generation == before["generation"]


def test_d05_a_backup_waits_for_the_run_that_is_writing(house: House) -> None:
    house.state.mkdir()
    script = commands("--exclude").replace("--timeout 3600", "--timeout 0.2")
    with run_lock(house.state, wait=0):
        assert sh(script, house).returncode != 0
    assert not house.state.with_name("backup.tgz").exists()
    assert sh(script, house).returncode == 0


def test_d05_the_systemd_unit_is_one(tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd-analyze is not installed here")
    (unit,) = blocks("ini")
    program = re.search(r"ExecStart=(\S+) (.*)", unit)
    assert program is not None
    path = tmp_path / "sekisho.service"
    path.write_text(unit.replace(program[1], str(PROGRAM)).replace("/opt/sekisho", str(ROOT)), encoding="utf-8")
    done = subprocess.run([verify, "verify", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert path.name not in done.stderr, done.stderr
    assert_parsed(program[2])


def test_d05_the_container_file_copies_what_the_program_needs(house: House, tmp_path: Path) -> None:
    """No image is built here: what it copies is run by itself, and its commands are looked at."""
    (text,) = blocks("dockerfile")
    image = tmp_path / "image"
    image.mkdir()
    for sources, target in re.findall(r"^COPY (.*) (\S+)$", text, re.MULTILINE):
        for name in sources.split():
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, image / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, image / target)
    code = "import sys; from dagster_project.cli import main; sys.argv = ['sekisho', 'run', '--json']; main()"
    environment = {**os.environ, "PYTHONPATH": str(image)}
    done = subprocess.run([sys.executable, "-c", code], cwd=image, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (house.state / "dagster" / "dagster.yaml").read_bytes() == (ROOT / "dagster.yaml").read_bytes()
    command = json.loads(re.findall(r"^CMD (.*)$", text, re.MULTILINE)[-1])
    assert command[0] == "sekisho"
    assert_parsed(shlex.join(command[1:]))
    version = re.search(r"python:(\d+\.\d+)", text)
    assert version is not None and f'requires-python = ">={version[1]}"' in (ROOT / "pyproject.toml").read_text()


def assert_parsed(arguments: str) -> None:
    """The command line knows the command and its options."""
    done = subprocess.run([PROGRAM, *shlex.split(arguments), "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_variable_that_the_text_sets_is_a_setting() -> None:
    known = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for name in set(re.findall(r"SEKISHO_[A-Z_]+", TEXT)) - {"SEKISHO_POSTGRES_URL"}:
        assert f"`{name}`" in known, name
