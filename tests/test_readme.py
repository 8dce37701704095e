"""The README is executed: each `sekisho` command in it runs, and what it shows is what comes out."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT, House
from tests.pages import steps


def test_every_command_of_the_readme_does_what_is_shown(house: House) -> None:
    program = Path(sys.executable).with_name("sekisho")
    code, ran = 0, 0
    for command, shown in steps(ROOT / "README.md"):
        if command == "echo $?":
            assert shown == [str(code)]
            continue
        if command.startswith(". .venv/bin/activate"):
            continue  # the suite runs the program of its own environment
        if command.startswith("make "):
            assert f"{command.split()[1]}:" in (ROOT / "Makefile").read_text(encoding="utf-8")
            continue
        words = shlex.split(command)
        assert words[0] == "sekisho", command
        done = subprocess.run([program, *words[1:]], capture_output=True, text=True, cwd=ROOT, env=dict(os.environ))
        code, ran = done.returncode, ran + 1
        printed = [line.rstrip() for line in done.stdout.splitlines()]
        for line in shown:
            assert line == "..." or line in printed, f"{command} does not print {line!r}:\n{done.stdout}"
        assert code in (0, 1), done.stderr
    assert ran >= 3


def test_make_run_ends_in_the_command_that_the_readme_shows() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "run: $(READY)\n\t$(BIN)/sekisho run\n" in makefile


def test_every_link_of_the_documents_leads_somewhere() -> None:
    for document in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
