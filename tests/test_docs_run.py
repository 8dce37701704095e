"""The pages on what Sekisho does are executed: each command in them runs, and prints what is shown.

Each page begins with a copy of the state that one run of the sample made, golden sets included.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dagster_project.cli.main import app
from tests.conftest import ROOT, House
from tests.pages import steps

PAGES = {"pipeline.md": 5, "evaluation.md": 6, "mapping.md": 3, "recall.md": 1}  # with how many commands


def run(command: str) -> tuple[int, str]:
    """Exit code and output of a command; ours in this process, which has all that is slow to load, and standard output.

    What else a page shows is run by a shell, and its standard error is shown with it.
    """
    words, before = shlex.split(command), dict(os.environ)
    if words[0] == "sekisho":
        done = CliRunner().invoke(app, words[1:])
        os.environ.clear()  # what a command sets ends with its process
        os.environ.update(before)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.stdout
    environment = {**before, "PATH": f"{Path(sys.executable).parent}:{before['PATH']}"}
    shell = ["bash", "-euc", command]
    other = subprocess.run(shell, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    return other.returncode, other.stdout


class Runs:
    """The state after a run of the sample, by its command; each is made once, and the first one before any other."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._made: dict[str, tuple[Path, int, str]] = {}

    def into(self, target: Path, command: str = "sekisho run") -> tuple[int, str]:
        """Put data and state after a run in place of those that are there; exit code and standard output of the run."""
        if command not in self._made:
            self._made[command] = self._make(command)
        made, code, printed = self._made[command]
        for name in ("data", "state"):
            shutil.rmtree(target / name, ignore_errors=True)
            shutil.copytree(made / name, target / name)
        return code, printed

    def _make(self, command: str) -> tuple[Path, int, str]:
        root = self._root / str(len(self._made))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SEKISHO_DATA", str(root / "data"))
            patch.setenv("SEKISHO_STATE", str(root / "state"))
            if self._made:
                self.into(root)
            else:
                House(root).add_drafts()
            return root, *run(command)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs(tmp_path_factory.mktemp("runs"))


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_the_page_prints_what_is_shown(
    page: str, runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEKISHO_EMBEDDING_DTYPE", "float32")  # the same figures on every machine
    monkeypatch.setenv("SEKISHO_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(ROOT)
    code, _ = runs.into(tmp_path)
    found = steps(ROOT / "docs" / page)
    assert (len([command for command, _ in found if command != "echo $?"]), code) == (PAGES[page], 0)
    for command, shown in found:
        if command == "echo $?":
            assert shown == [str(code)]
            continue
        code, printed = runs.into(tmp_path, command) if command.startswith("sekisho run") else run(command)
        lines = [line.rstrip() for line in printed.splitlines()]
        for line in shown:
            assert line == "..." or line in lines, f"{command} does not print {line!r}:\n{printed}"
        assert code in (0, 1), printed


def test_the_page_on_stripping_begins_with_what_the_command_does() -> None:
    """Its other block is executed with the portal views, for it needs them indexed twice."""
    command, shown = steps(ROOT / "docs" / "strip.md")[0]
    code, printed = run(command)
    assert (code, printed.splitlines()) == (0, shown)
