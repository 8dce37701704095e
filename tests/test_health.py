"""Recall's health: what the event log says of it, by ISO week of the events, whatever else stands in the log."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from dagster_project.definitions import defs
from dagster_project.resources import RESOURCES
from sekisho.events import EventLog
from sekisho.health import RecallHealth, RecallWeek, in_words, recall_health, recall_is_healthy
from sekisho.settings import load_settings
from tests.conftest import House
from tests.graph import ASSETS

SUNDAY, MONDAY = "2026-11-29T23:59:59.999+00:00", "2026-11-30T00:00:00.000+00:00"


def line(event: str, at: str = MONDAY, **fields: Any) -> str:
    return json.dumps({"event": f"recall_pre_gate_{event}", **fields, "at": at, "run": "r"}, ensure_ascii=False)


def written(tmp_path: Path, *lines: str, name: str = "log.jsonl") -> Path:
    (tmp_path / name).write_text("".join(f"{one}\n" for one in lines), encoding="utf-8")
    return tmp_path / "log.jsonl"


def week(log: Path) -> RecallWeek:
    (only,) = recall_health(log).weeks
    return only


def test_r15_without_a_log_or_without_recall_all_is_zero(tmp_path: Path) -> None:
    assert recall_health(tmp_path / "log.jsonl") == RecallHealth((), 0)
    log = written(tmp_path, json.dumps({"event": "ingest", "at": MONDAY, "run": "r"}))
    assert recall_health(log) == RecallHealth((), 0)
    none = RecallWeek("none")
    assert (none.runs, none.failure_rate, none.no_candidates_rate) == (0, 0.0, 0.0)


def test_r13_r15_each_event_is_counted_in_its_week(tmp_path: Path) -> None:
    log = written(
        tmp_path,
        line("skipped", reason="disabled"),
        line("skipped", reason="empty draft"),
        line("skipped", reason="disabled"),
        line("embedding_failed"),
        line("no_candidates"),
        line("llm_failed", reason="no reply within 180 s"),
        line("citations_filtered", returned=5, kept=3, dropped=2),
        line("citations_filtered", returned=2, kept=2, dropped=0),
        json.dumps({"event": "prompt_loaded", "origin": "store", "at": MONDAY, "run": "r"}),
        json.dumps({"event": "prompt_loaded", "origin": "fallback", "at": MONDAY, "run": "r"}),
    )
    found = week(log)
    assert (found.week, found.runs, found.tried, found.failed) == ("2026-W49", 8, 5, 2)
    assert found.skipped == {"disabled": 2, "empty draft": 1}
    assert (found.failure_rate, found.no_candidates_rate) == (0.4, 0.2)
    assert (found.returned, found.kept, found.dropped) == (7, 5, 2)
    assert found.as_row() == {
        "week": "2026-W49",
        "runs": "8",
        "skipped": "3 (disabled: 2, empty draft: 1)",
        "embedding failed": "1",
        "model failed": "1 (no reply within 180 s: 1)",
        "failure rate": "40.0%",
        "no candidates": "1 (20.0%)",
        "citations": "returned 7, kept 5, dropped 2",
        "misattributed": "0",
        "prompts": "2 (fallback: 1, store: 1)",
    }


def test_r15_weeks_begin_on_monday_in_utc_and_belong_to_their_iso_year(tmp_path: Path) -> None:
    log = written(
        tmp_path,
        line("no_candidates", MONDAY),
        line("no_candidates", SUNDAY),
        line("no_candidates", "2026-11-30T08:59:00+09:00"),
        line("no_candidates", "2027-01-01T12:00:00+00:00"),
    )
    found = recall_health(log)
    assert [(week.week, week.no_candidates) for week in found.weeks] == [
        ("2026-W48", 2),
        ("2026-W49", 1),
        ("2026-W53", 1),
    ]


@pytest.mark.parametrize(
    "bad",
    [
        "{",
        "[]",
        '"recall_pre_gate_skipped"',
        "null",
        "[" * 100_000,
        json.dumps({"at": MONDAY}),
        json.dumps({"event": "recall_pre_gate_skipped"}),
        line("no_candidates", "yesterday"),
        line("no_candidates", "2026-11-30T00:00:00"),
        line("no_candidates", "0001-01-01T00:00:00+14:00"),
        line("citations_filtered", returned=5, kept=3),
        line("citations_filtered", returned="5", kept=3, dropped=2),
        line("citations_filtered", returned=True, kept=0, dropped=0),
        line("citations_filtered", returned=5, kept=-3, dropped=2),
    ],
)
def test_a_line_that_cannot_be_used_is_counted_and_costs_no_other(tmp_path: Path, bad: str) -> None:
    found = recall_health(written(tmp_path, line("no_candidates"), bad, line("no_candidates")))
    assert found.malformed == 1
    assert [week.no_candidates for week in found.weeks] == [2]


def test_rotated_logs_are_read_too_and_other_files_are_not(tmp_path: Path) -> None:
    log = written(tmp_path, line("no_candidates"))
    written(tmp_path, line("no_candidates", SUNDAY), name="log.jsonl.1")
    written(tmp_path, line("embedding_failed"), name="log.jsonl-20261130")
    with gzip.open(tmp_path / "log.jsonl.2.gz", "wt", encoding="utf-8") as file:
        file.write(line("no_candidates") + "\n")
    written(tmp_path, line("no_candidates"), name="log.jsonl.bak")
    found = recall_health(log)
    assert [(week.no_candidates, week.embedding_failed) for week in found.weeks] == [(1, 0), (2, 1)]
    assert found.malformed == 0


def test_a_rotated_log_that_is_cut_or_no_archive_counts_as_one_bad_line(tmp_path: Path) -> None:
    log = written(tmp_path, line("no_candidates"))
    whole = gzip.compress((line("no_candidates") + "\n").encode() * 5000)
    (tmp_path / "log.jsonl.2.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "log.jsonl.3.gz").write_bytes(b"no archive")
    found = recall_health(log)
    assert found.malformed == 2
    assert found.weeks[0].no_candidates >= 1


def test_reasons_from_outside_are_bounded_and_printable(tmp_path: Path) -> None:
    lines = [line("llm_failed", reason=f"\x1b[31m{number}" + "x" * 500) for number in range(40)]
    told = week(written(tmp_path, *lines)).as_row()["model failed"]
    assert told.startswith("40 (") and told.endswith("others: 35)")
    assert len(told) < 1000 and "\x1b" not in told


def test_r15_misattributed_citations_are_counted_where_the_event_has_them(tmp_path: Path) -> None:
    counts: dict[str, Any] = {"returned": 3, "kept": 3, "dropped": 0}
    log = written(tmp_path, line("citations_filtered", **counts, misattributed=2), line("citations_filtered", **counts))
    assert week(log).misattributed == 2


@pytest.mark.parametrize(("limit", "message"), [(0.5, ""), (0.49, "2026-W49: 1 of 2 runs could not look: 1 (late: 1)")])
def test_r15_the_last_week_is_held_against_the_limit(tmp_path: Path, limit: float, message: str) -> None:
    log = written(
        tmp_path,
        line("embedding_failed", SUNDAY),
        line("no_candidates"),
        line("skipped", reason="empty"),
        line("llm_failed", reason="late"),
    )
    found = [finding.message for finding in recall_is_healthy(recall_health(log), limit)]
    assert [told.startswith(message) for told in found] == ([True] if message else [])


def test_the_same_log_gives_the_same_result_at_any_time(tmp_path: Path) -> None:
    log = written(tmp_path, line("skipped", reason="b"), line("skipped", reason="a"))
    assert recall_health(log) == recall_health(log)
    assert week(log).as_row()["skipped"] == "2 (a: 1, b: 1)"


def test_r15_the_asset_shows_the_weeks_of_the_projects_own_log(house: House) -> None:
    log = EventLog(load_settings().log_path, run="r")
    log.emit("recall_pre_gate_llm_failed", reason="refused")
    log.emit("recall_pre_gate_no_candidates")
    log.close()
    result = dg.materialize(ASSETS, selection=["recall_health"], resources=RESOURCES)
    (event,) = result.get_asset_materialization_events()
    metadata = event.materialization.metadata
    assert (metadata["runs"].value, metadata["failure_rate"].value, metadata["malformed_lines"].value) == (2, 0.5, 0)


def test_r15_a_passed_check_says_how_many_could_not_look_beside_the_limit(tmp_path: Path) -> None:
    lines = [line("llm_failed", reason="timeout"), *[line("no_candidates")] * 4]
    found = recall_health(written(tmp_path, *lines))
    assert in_words(found, 0.25).endswith(": 1 of 5 could not look (20.0%, limit 25%)")
    assert in_words(RecallHealth((), 0), 0.25) == ""


def test_r15_recall_health_has_a_job_of_its_own_and_is_not_made_by_every_run() -> None:
    jobs = {name: defs.resolve_job_def(name).asset_layer for name in ("pipeline", "recall_health_report")}
    made = {name: {key.to_user_string() for key in layer.executable_asset_keys} for name, layer in jobs.items()}
    assert made["recall_health_report"] == {"recall_health"}
    assert "recall_health" not in made["pipeline"]
