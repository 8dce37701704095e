"""With `--json` every command tells its errors as JSON, a command line that cannot be parsed too."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from dagster_project.cli.main import app
from tests.conftest import House
from tests.test_cli import sekisho


def _commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, (*path, name))
        elif any("--json" in parameter.opts for parameter in command.params):
            yield (*path, name)


COMMANDS = sorted(_commands(typer.main.get_command(app)))


def test_all_commands_with_json_are_found() -> None:
    assert {"run", "map", "recall", "doctor", "init", "status"} <= {name for (name, *_) in COMMANDS}
    assert {("eval", "answers"), ("eval", "recall"), ("eval", "mapping"), ("check", "quotes")} <= set(COMMANDS)


def test_help_lists_the_commands_in_the_order_in_which_one_comes_to_need_them() -> None:
    shown = re.findall(r"^│ (\w+) ", CliRunner().invoke(app, ["--help"]).stdout.split("Commands")[1], re.MULTILINE)
    assert shown[:8] == ["init", "run", "ask", "status", "report", "search", "recall", "map"] and shown[-1] == "dev"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_option_that_a_command_does_not_know_is_an_error_of_json(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [*command, "--json", "--no-such-option"]
    monkeypatch.setattr(sys, "argv", ["sekisho", *words])
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2 and "--no-such-option" in done.stderr
    (line,) = done.stdout.splitlines()
    assert json.loads(line) == {"error": "No such option: --no-such-option"}
    monkeypatch.setattr(sys, "argv", ["sekisho", *words[:-2], words[-1]])
    assert CliRunner().invoke(app, [*words[:-2], words[-1]]).stdout == ""


def test_a_value_out_of_bounds_and_a_golden_set_with_mistakes_are_errors_of_json(house: House) -> None:
    done = sekisho("map", "PAG", "--top-k", "0", "--json")
    assert done.returncode == 2 and "--top-k" in json.loads(done.stdout)["error"] and "--top-k" in done.stderr
    (house.data / "golden").mkdir()
    (house.data / "golden" / "answers.yaml").write_text("- {question: why, citations: [a]}\n", encoding="utf-8")
    done = sekisho("eval", "answers", "--json")
    assert done.returncode == 2 and "answers.yaml: why: no such question" in json.loads(done.stdout)["error"]
