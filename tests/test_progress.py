"""Progress: what has come back and what is being worked on, in place on a terminal; whole lines anywhere else."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

import pytest
from rich.console import Console

from dagster_project.cli.progress import Progress
from sekisho.agents.fixtures import FixtureAgent
from sekisho.catalogue import MapQuery
from sekisho.decision import DraftDecision
from sekisho.errors import VectorsUnusable
from sekisho.events import EventLog
from sekisho.mapping.files import read_catalogue
from sekisho.mapping.nightly import map_all
from sekisho.recall.candidates import Candidate
from sekisho.recall.drafts import recall_drafts
from sekisho.recall.node import RecallNode
from sekisho.sources.folder import DataFolder
from tests.conftest import ROOT, House
from tests.terminal import bare_environment, on_a_terminal, plain

PROGRAM = Path(sys.executable).with_name("sekisho")


def followed(tmp_path: Path, *, terminal: bool) -> tuple[EventLog, Progress, io.StringIO]:
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=140, highlight=False, soft_wrap=True)
    progress = Progress(console)
    return EventLog(tmp_path / "log.jsonl", run="r", listener=progress, watcher=progress), progress, out


def last_line(progress: Progress) -> str:
    """The bar as it is drawn now."""
    assert progress._bars is not None
    out = io.StringIO()
    Console(file=out, width=140).print(progress._bars.get_renderable())
    return out.getvalue().strip()


def test_the_items_that_the_workers_have_are_named_as_they_change(tmp_path: Path) -> None:
    events, progress, out = followed(tmp_path, terminal=True)
    events.begin("extract", ["a", "b", "c", "d", "e"], workers=2)
    assert "0/5" in last_line(progress) and last_line(progress).endswith("a, b")
    events.emit("extract", source="b", ok=True)
    assert "1/5" in last_line(progress) and last_line(progress).endswith("a, c")
    for name in ("a", "c", "d"):
        events.emit("extract", source=name, ok=name != "c", reason="no fact")
    assert "4/5" in last_line(progress) and last_line(progress).endswith("e")
    events.emit("extract", source="e", ok=True)
    assert last_line(progress).endswith("gates and index")
    progress.finish()
    shown = plain(out.getvalue())
    assert "✗ extract no fact" in shown and "✗ facts extracted: 4 of 5" in shown


def test_what_begins_is_in_no_log_and_a_hostile_name_does_not_reach_the_terminal(tmp_path: Path) -> None:
    events, progress, out = followed(tmp_path, terminal=True)
    events.begin("query", ["\x1b]0;owned\x07[red]" + "x" * 500], workers=5)
    assert "\\x1b]0;owned" in last_line(progress) and len(last_line(progress)) < 140
    events.close()
    progress.finish()
    assert "\x1b]0" not in out.getvalue()
    assert (tmp_path / "log.jsonl").read_text(encoding="utf-8") == ""


def test_without_a_terminal_there_are_whole_lines_and_nothing_else(tmp_path: Path) -> None:
    events, progress, out = followed(tmp_path, terminal=False)
    events.begin("embed", of=300)
    events.emit("embed", ok=True, encoded=256, of=300)
    events.emit("embed", ok=True, encoded=300, of=300)
    events.begin("verify", ["q"])
    events.emit("verify", id="q", ok=True, reasons=[])
    progress.finish()
    assert out.getvalue() == "✓ texts encoded: 300 of 300\n✓ answers verified: 1 of 1\n"


class Unlucky:
    """Nothing can be looked for."""

    def find(self, query: str, *, k: int = 20, without: Collection[str] = ()) -> list[Candidate]:
        raise VectorsUnusable("no vector is there")


def test_drafts_are_counted_as_they_come_back_with_those_that_failed_and_were_skipped(tmp_path: Path) -> None:
    events, progress, out = followed(tmp_path, terminal=False)
    node = RecallNode(Unlucky(), FixtureAgent({}), ROOT / "prompts", events)
    drafts = [
        DraftDecision(id="full", path="full.md", title="Extend a hold"),
        DraftDecision(id="empty", path="empty.md"),
        DraftDecision(id="no record", path="no.md", title="Fix a typo", needs_adr=False),
    ]
    recall_drafts(drafts, node, events=events)
    progress.finish()
    failed, line = out.getvalue().splitlines()
    assert failed == "  ✗ full no vector is there"
    assert line == "✗ drafts recalled: 1 of 2 (1 skipped)"


def test_queries_are_counted_with_those_for_which_no_models_word_stands(house: House, tmp_path: Path) -> None:
    events, progress, out = followed(tmp_path, terminal=False)
    queries = [MapQuery(query=query) for query in ("PAG", "Superior colliculus", "zzzz")]
    catalogue, _ = read_catalogue(DataFolder(house.data))
    assert catalogue is not None
    map_all(queries, catalogue, house.settings, None, events)
    map_all(queries, catalogue, house.settings, FixtureAgent({}), events)
    progress.finish()
    assert out.getvalue() == "✓ queries mapped: 6 of 6 (3 fell back)\n"


@pytest.mark.parametrize("terminal", [True, False])
def test_judging_a_file_of_claims_shows_a_bar_only_on_a_terminal(terminal: bool, tmp_path: Path) -> None:
    claim = {"id": "1", "source": "04-calathea", "quote": "It is content with low to medium light"}
    claims = tmp_path / "claims.jsonl"
    claims.write_text(f"{json.dumps(claim)}\n" * 200, encoding="utf-8")
    sources = str(ROOT / "data" / "notes")
    script = 'exec "$0" check quotes --sources "$1" "$2" --json > "$3"'
    command = ["bash", "-c", script, str(PROGRAM), sources, str(claims), str(tmp_path / "out")]
    if terminal:
        code, shown = on_a_terminal(command, environment=bare_environment())
        assert code == 0 and "judging" in plain(shown)
    else:
        done = subprocess.run(command, capture_output=True, text=True, env=bare_environment())
        assert (done.returncode, done.stderr) == (0, "")
    verdicts = (tmp_path / "out").read_text(encoding="utf-8").splitlines()
    assert len(verdicts) == 200 and all(json.loads(line)["accepted"] for line in verdicts)
