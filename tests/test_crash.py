"""Real runs that are killed at seeded points, run out of disk or may not write: the state is the old or the new one.

`make soak` kills two hundred and more ([docs/reliability.md](../docs/reliability.md)).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
    killer.chain(plan, most=FIVE)
    assert killer.tally.wrong == []
    assert killer.tally.kills["state"] == FIVE and killer.tally.finished == 1
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


@pytest.mark.parametrize("trouble", ["full", "read-only"])
def test_a_disk_that_takes_nothing_is_told_and_the_old_state_stands(world: World, trouble: str, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    used = sum(path.stat().st_size for path in world.old.rglob("*") if path.is_file()) // 1024
    with small_disk(disk, used + 4096):
        state = disk / "state"
        shutil.copytree(world.old, state)
        before = look(world, world.after, state)
        free = shutil.disk_usage(disk).free
        if trouble == "full":
            (disk / "ballast").write_bytes(b"x" * (free - 16 * 1024))
        else:
            subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        end = world.run(world.after, state)
        assert end.code == 0 and not end.told["passed"], "an error of ours, no traceback"
        words = "No space left on device" if trouble == "full" else "Read-only file system"
        assert words in told(end) or "disk is full" in told(end) or "readonly" in told(end), end
        assert str(state) in told(end)
        as_before(world, state, before)
        subprocess.run(["mount", "-o", f"remount,rw,size={used + 200_000}k", disk], check=True)
        assert world.run(world.after, state).told["passed"]
        assert agreement(world, world.after, state) == []


@pytest.mark.parametrize("missing", ["the data folder", "the folder above the state", "the notes"])
def test_a_folder_that_is_missing_is_told_and_the_old_state_stands(world: World, missing: str, tmp_path: Path) -> None:
    state, data = tmp_path / "state", world.after
    if missing == "the folder above the state":
        end = world.run(data, tmp_path / "gone" / "state")
        assert end.told["passed"], "it is made"
        return
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


def test_a_state_that_belongs_to_another_user_is_told_and_left_as_it_is(world: World, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may become another user")
    state = Path("/var/tmp") / f"sekisho-{os.getpid()}"
    shutil.copytree(world.old, state)
    try:
        end = world.run(world.after, state, user=65534)
        with suppress(OSError):
            as_before(world, state, look(world, world.after, world.old))
        assert end.code == 0 and not end.told["passed"] and "Permission denied" in told(end)
    finally:
        shutil.rmtree(state)
