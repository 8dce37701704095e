"""Real runs that are killed at seeded points, run out of disk or may not write: the state is the old or the new one.

`make soak` kills two hundred and more ([docs/reliability.md](../docs/reliability.md)).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.crash.kills import Killer, Plan
from tests.crash.world import Look, World, agreement, look

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="children are killed through LD_PRELOAD")
FIVE = 5


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = World(tmp_path_factory.mktemp("world"))
    yield made
    made.close()


@pytest.mark.parametrize("plan", [Plan("state"), Plan("state", first=True)], ids=["a second run", "the first run"])
def test_a_run_that_is_killed_leaves_the_old_or_the_new_state_and_pays_nothing_twice(world: World, plan: Plan) -> None:
    killer = Killer(world, seed=11 + plan.first)
    while (left := FIVE - killer.tally.kills["state"]) > 0:
        killer.chain(plan, most=left)
    assert killer.tally.wrong == []
    assert killer.tally.repeated == 0 and killer.tally.unread == 0


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[None]:
    """A disk of its own for a folder; skipped where this user may mount none."""
    folder.mkdir()
    options = f"size={kilobytes}k,mode=0755"
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no disk can be mounted: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def told(end: object) -> str:
    """Everything that a run said."""
    return str(getattr(end, "told", ""))


def as_before(world: World, state: Path, before: Look) -> None:
    """The published state is the old one, whole."""
    after = look(world, world.after, state)
    assert (after.published, after.compiled, after.index, after.wrong) == (
        before.published,
        before.compiled,
        before.index,
        (),
    )


@pytest.mark.parametrize("room", [16, 1200, 2200], ids=["full", "full in the midst", "full near the end"])
def test_a_full_disk_is_told_the_old_state_stands_and_the_next_run_ends_well(
    world: World, room: int, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    with small_disk(disk, 200_000):
        state = disk / "state"
        shutil.copytree(world.old, state)
        before = look(world, world.after, state)
        (disk / "ballast").write_bytes(b"x" * (shutil.disk_usage(disk).free - room * 1024))
        end = world.run(world.after, state)
        assert end.code == 0 and not end.told["passed"], "an error of ours, no traceback"
        assert "No space left on device" in told(end) and str(state) in told(end)
        killer = Killer(world, seed=0)
        killer.examine(Plan("disk"), f"{room} KiB", state)
        assert killer.tally.wrong == []
        if room < 1024:
            as_before(world, state, before)
        (disk / "ballast").unlink()
        assert world.run(world.after, state).told["passed"]
        assert agreement(world, world.after, state) == []


def test_a_disk_that_may_not_be_written_is_told_and_the_old_state_stands(world: World, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with small_disk(disk, 200_000):
        state = disk / "state"
        shutil.copytree(world.old, state)
        before = look(world, world.after, state)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        end = world.run(world.after, state)
        assert end.code == 0 and not end.told["passed"] and "Read-only file system" in told(end)
        assert str(state) in told(end)
        as_before(world, state, before)


@pytest.mark.parametrize("missing", ["the data folder", "the notes"])
def test_a_folder_that_is_missing_is_told_and_the_old_state_stands(world: World, missing: str, tmp_path: Path) -> None:
    state, data = tmp_path / "state", world.after
    shutil.copytree(world.old, state)
    before = look(world, data, state)
    if missing == "the data folder":
        end = world.run(tmp_path / "gone", state)
        assert "gone" in end.told["error"]
    else:
        data = tmp_path / "data"
        shutil.copytree(world.after, data)
        shutil.rmtree(data / "notes")
        end = world.run(data, state)
        assert "no documents, where 5 are published" in told(end)
    assert not end.told["passed"]
    as_before(world, state, before)
