"""The event log: one JSON object a line, the event first, `at` and `run` on every one, whole under threads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sekisho.events import EventLog


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def test_p12_each_event_is_one_json_object_on_a_line_of_its_own(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "log.jsonl", run="r1")
    log.emit("ingest", source="n1", ok=True, count=3, reason="two\nlines\u2028and “quotes”")
    log.emit("extract", nested={"a": [1, None]})
    log.close()
    first, second = lines(tmp_path / "log.jsonl")
    assert first["reason"] == "two\nlines\u2028and “quotes”"
    assert (first["source"], first["ok"], first["count"]) == ("n1", True, 3)
    assert second["nested"] == {"a": [1, None]}


def test_the_event_comes_first_and_at_and_run_last(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "log.jsonl", run="r1")
    log.emit("ingest", b=1, a=2)
    (event,) = lines(tmp_path / "log.jsonl")
    assert list(event) == ["event", "b", "a", "at", "run"]
    assert (event["event"], event["run"]) == ("ingest", "r1")


def test_at_is_the_time_in_utc(tmp_path: Path) -> None:
    EventLog(tmp_path / "log.jsonl", run="r1").emit("x")
    at = datetime.fromisoformat(lines(tmp_path / "log.jsonl")[0]["at"])
    assert at.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - at) < timedelta(seconds=30)


def test_text_is_written_as_it_reads_and_not_as_escapes(tmp_path: Path) -> None:
    EventLog(tmp_path / "log.jsonl", run="r1").emit("x", source="海馬")
    assert "海馬" in (tmp_path / "log.jsonl").read_text(encoding="utf-8")


def test_a_value_that_is_no_json_is_written_as_its_text(tmp_path: Path) -> None:
    EventLog(tmp_path / "log.jsonl", run="r1").emit("x", path=Path("/a/b"))
    assert lines(tmp_path / "log.jsonl")[0]["path"] == "/a/b"


def test_a_line_is_on_disk_before_emit_returns(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "log.jsonl", run="r1")
    for count in (1, 2):
        log.emit("x")
        assert len(lines(tmp_path / "log.jsonl")) == count


def test_a_second_log_appends_and_makes_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "state" / "log.jsonl"
    for run in ("r1", "r2"):
        log = EventLog(path, run=run)
        log.emit("x")
        log.close()
    assert [event["run"] for event in lines(path)] == ["r1", "r2"]


def test_threads_do_not_tear_each_others_lines(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "log.jsonl", run="r1")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: log.emit("x", number=number, text="長い" * 3000), range(200)))
    assert sorted(event["number"] for event in lines(tmp_path / "log.jsonl")) == list(range(200))


def test_a_listener_sees_each_event_as_it_is_written(tmp_path: Path) -> None:
    seen: list[Mapping[str, Any]] = []
    log = EventLog(tmp_path / "log.jsonl", run="r1", listener=seen.append)
    log.emit("one", a=1)
    log.emit("two")
    assert [dict(event) for event in seen] == lines(tmp_path / "log.jsonl")


def test_a_closed_log_refuses_further_events(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "log.jsonl", run="r1")
    log.close()
    with pytest.raises(ValueError, match="closed"):
        log.emit("x")
    assert lines(tmp_path / "log.jsonl") == []
