"""`sekisho status`: what is published since when, what is stale, and what cannot be read: told, never raised."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dagster_project.cli.status import read_status, show_status
from sekisho.moments import shown_moment
from sekisho.overview import PUBLISHED, read_overview
from sekisho.records import Gap
from sekisho.settings import load_settings
from tests.conftest import ROOT, House
from tests.graph import materialise
from tests.test_cli import sekisho


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample data and the state of one run over it."""
    root = tmp_path_factory.mktemp("published")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEKISHO_DATA", str(root / "data"))
        patch.setenv("SEKISHO_STATE", str(root / "state"))
        House(root)
        assert materialise().success
    return root


@pytest.fixture
def standing(published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it that a test may spoil; the settings name it."""
    shutil.copytree(published, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("SEKISHO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SEKISHO_STATE", str(tmp_path / "state"))
    return tmp_path


def test_a_fresh_state_says_what_to_do_and_is_no_failure(house: House) -> None:
    done = sekisho("status")
    assert done.returncode == 0
    assert "published: nothing yet: sekisho run\n" in done.stdout, "in a folder of one's own there is nothing to begin"
    assert not house.state.exists()


def test_over_the_sample_a_fresh_state_names_the_way_to_ones_own_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SEKISHO_DATA", str(ROOT / "data"))
    monkeypatch.setenv("SEKISHO_STATE", str(tmp_path / "state"))
    status = read_status()
    show_status(status)
    told = "published: nothing yet: sekisho run; with documents of your own, sekisho init DIR first\n"
    assert told in capsys.readouterr().out
    status.view.withheld.append(Gap(stage="answers", item="query:safe", gate="citations_exist", reason="a ghost"))
    show_status(status)
    assert "\nwithheld: query:safe a ghost\n" in capsys.readouterr().out


def test_d05_what_is_published_is_counted_and_dated(standing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = read_status()
    view = status.view
    assert view.counts == {"facts": 5, "answers": 3, "decisions": 31, "views": 9} | _later(view.counts)
    assert (view.stale, view.problems, status.code) == ([], [], 0)
    log = [json.loads(line) for line in (standing / "state" / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    (compiled,) = [event for event in log if event["event"] == "compile"]
    assert (view.generation, view.since) == (compiled["generation"], compiled["at"])
    show_status(status)
    shown = capsys.readouterr().out
    since = f"generation {view.generation} since {shown_moment(compiled['at'])}, facts: 5, answers: 3"
    assert f"published: {since}" in shown and compiled["at"] not in shown


def _later(counts: dict[str, int]) -> dict[str, int]:
    """Counts of tables that a later version has."""
    return {name: counts[name] for name in PUBLISHED if name in counts and name in ("recall", "mappings")}


def test_the_same_generation_published_again_keeps_its_date_and_without_a_log_the_file_tells(standing: Path) -> None:
    settings = load_settings()
    first = read_overview(settings).since
    line = next(
        line for line in settings.log_path.read_text(encoding="utf-8").splitlines() if '"event": "compile"' in line
    )
    with settings.log_path.open("a", encoding="utf-8") as log:
        log.write(line.replace(first, "2040-01-01T00:00:00+00:00") + "\nno json\n{\n")
    assert read_overview(settings).since == first
    settings.log_path.unlink()
    os.utime(settings.compiled_path, (0, 0))
    assert read_overview(settings).since == "1970-01-01T00:00:00+00:00"


def _touch_documents(root: Path) -> None:
    (root / "data" / "notes" / "01-pothos.md").write_text("# Pothos\n\nChanged.\n", encoding="utf-8")
    (root / "data" / "notes" / "new.md").write_text("# New\n\nNew.\n", encoding="utf-8")
    (root / "data" / "notes" / "02-spider-plant.md").unlink()


STALE: dict[str, tuple[str, Callable[[Path], object]]] = {
    "1 new, 1 changed, 1 removed (notes/new.md, notes/01-pothos.md, notes/02-spider-plant.md)": (
        "documents",
        _touch_documents,
    ),
    "there is no index yet": ("index", lambda root: shutil.rmtree(root / "state" / "index")),
    "it is not what was published": ("compiled.json", lambda root: (root / "state/compiled.json").write_text("{}")),
}


@pytest.mark.parametrize("told", STALE)
def test_what_is_behind_is_said_with_its_remedy_and_is_no_failure(told: str, standing: Path) -> None:
    what, spoil = STALE[told]
    spoil(standing)
    status = read_status()
    (remark,) = status.view.stale
    assert remark.what == what and told in remark.told and remark.remedy == "sekisho run"
    assert (status.view.problems, status.code) == ([], 0)


def test_a_decision_that_is_not_indexed_yet_is_counted(standing: Path) -> None:
    text = "# Paper tickets\n\n## Status\n\naccepted\n\n## Decision\n\nWe print tickets.\n"
    (standing / "data" / "decisions" / "0099-paper.md").write_text(text, encoding="utf-8")
    assert materialise("decisions", checks=False).success
    assert [(remark.what, remark.told) for remark in read_status().view.stale if remark.what == "index"] == [
        ("index", "texts that are not indexed: 1")
    ]


def test_where_decisions_alone_are_kept_they_are_looked_at_too(house: House) -> None:
    for name in ("notes", "portal_views"):
        shutil.rmtree(house.data / name)
    assert materialise("decisions", checks=False).success
    view = read_overview(load_settings())
    assert (view.generation, view.problems) == ("", [])
    assert [remark.told for remark in view.stale] == ["texts that are not indexed: 31"]


def _spoil_index(root: Path) -> None:
    (file,) = (root / "state" / "index").glob("*/vectors.hnsw")
    file.write_bytes(b"no index")


BROKEN: dict[str, tuple[str, Callable[[Path], object]]] = {
    "warehouse": ("warehouse.duckdb", lambda root: (root / "state/warehouse.duckdb").write_bytes(b"no database " * 99)),
    "index": ("the index file is not what was written", _spoil_index),
    "documents": ("no such folder", lambda root: shutil.rmtree(root / "data")),
    "spend": ("malformed lines: 1", lambda root: (root / "state/llm_spend.jsonl").write_text("nonsense\n")),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_cannot_be_read_is_told_with_its_remedy_hides_nothing_else_and_ends_2(
    what: str, standing: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, spoil = BROKEN[what]
    spoil(standing)
    status = read_status()
    (problem,) = status.view.problems
    assert problem.what == what and told in problem.told and problem.remedy
    assert status.code == 2
    show_status(status)
    shown = capsys.readouterr().out
    assert f"cannot be read: {what}" in shown
    assert ("published: generation" in shown) == (what != "warehouse")


def test_a_broken_outbox_ends_2_and_a_broken_warehouse_is_no_traceback_of_the_command(standing: Path) -> None:
    shutil.rmtree(standing / "state" / "outbox", ignore_errors=True)
    (standing / "state" / "outbox").write_text("no folder", encoding="utf-8")
    assert read_status().code == 2
    (standing / "state" / "warehouse.duckdb").write_bytes(b"no database " * 99)
    done = sekisho("status", "--json")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    found = json.loads(done.stdout)
    assert [problem["what"] for problem in found["problems"]] == ["warehouse"]
    assert [*found["alerts"]["unreadable"].values()] == ["not a folder"]


def test_the_month_is_added_up_and_other_months_are_not(tmp_path: Path) -> None:
    settings = load_settings()
    settings.state.mkdir()
    line = {"key": "k", "prompt": "query", "model": "m", "outcome": "ok", "input_tokens": 1, "output_tokens": 1}
    costs = [("2026-11-01T00:00:00+00:00", 0.25), ("2026-11-30T23:59:59+00:00", None), ("2026-10-31T23:59:59Z", 9.0)]
    text = "".join(json.dumps({"at": at, **line, "cost_usd": usd}) + "\n" for at, usd in costs)
    settings.spend_path.write_text(text, encoding="utf-8")
    view = read_overview(settings, now=datetime(2026, 11, 30, 12, tzinfo=UTC))
    assert (view.month, view.month_usd, view.month_unknown) == ("2026-11", 0.25, 1)


def test_nothing_is_written_by_looking(standing: Path) -> None:
    before = {path: path.read_bytes() for path in standing.rglob("*") if path.is_file()}
    read_status()
    assert {path: path.read_bytes() for path in standing.rglob("*") if path.is_file()} == before
    assert ROOT not in standing.parents
