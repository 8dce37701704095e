"""What lies in the state is not always what was written there: files that say nonsense, old ones, leftovers."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dagster_project.cli.status import read_status, show_status
from sekisho.alerts import AlertBook, Cursor, Delivery, channels_of, deliver
from sekisho.alerts.delivery import LONGEST_WAITING
from sekisho.events import EventLog
from sekisho.settings import load_settings
from tests.test_alert_outbox import Clock, Hook, logged
from tests.test_alerts import QUOTES, verdict


@pytest.fixture
def hook(httpserver: HTTPServer) -> Hook:
    found = Hook(httpserver)
    httpserver.expect_request("/hook").respond_with_handler(found)
    return found


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AlertBook:
    monkeypatch.setenv("SEKISHO_STATE", str(tmp_path / "state"))
    return AlertBook(tmp_path / "state", wait=1)


@pytest.fixture
def events(tmp_path: Path) -> EventLog:
    return EventLog(tmp_path / "log.jsonl", run="alerts")


def put(path: Path, value: Any, *keys: str | int) -> None:
    """Replace one value in a JSON file; the keys lead to it."""
    whole = found = json.loads(path.read_text(encoding="utf-8"))
    for key in keys[:-1]:
        found = found[key]
    found[keys[-1]] = value
    path.write_text(json.dumps(whole), encoding="utf-8")


DATES = [1e300, -1.0, 253_402_300_800.0, float("nan"), float("inf"), "soon"]
BOOK = [
    *[(date, ("standings", 0, "since_at")) for date in DATES],
    *[(date, ("standings", 0, "verdict", "at")) for date in DATES],
    *[(cursor, ("cursor", "ends", "R")) for cursor in ("\ud800", "zyJ0eXBl", -2, 2**63, 1.5)],
    ("\udc80", ("standings", 0, "since_run")),
]
LETTER = [
    *[(date, ("alert", "since_at")) for date in DATES],
    *[(date, ("queued_at",)) for date in DATES],
    *[(date, ("to", "c", "next_at")) for date in DATES],
    (-1, ("to", "c", "attempts")),
    ("\ud800", ("to", "c", "error")),
]


@pytest.mark.parametrize(("value", "keys"), BOOK)
def test_a_book_that_is_json_and_says_nonsense_is_told_by_status_set_aside_and_begun_anew(
    value: object,
    keys: tuple[str | int, ...],
    book: AlertBook,
    events: EventLog,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    book.record([verdict(1, "a")], events, cursor=Cursor(storage="s", ends={"R": 12}))
    assert read_status(load_settings()).unreadable == {}
    put(book.path, value, *keys)
    status = read_status(load_settings())
    show_status(status)
    assert list(status.unreadable) == [book.path] and status.failing == []
    shown = capsys.readouterr().out
    assert "cannot be read" in shown and "alerts.json" in shown.replace("\n", "") and "no check fails" not in shown
    assert book.record([verdict(2, "a")], events) == 1
    assert Path(logged(tmp_path, "alert_file_set_aside")[0]["file"]).name == "alerts.json"
    after = read_status(load_settings())
    assert (list(after.unreadable), [path.name for path in after.set_aside]) == ([], ["alerts.json"])


@pytest.mark.parametrize(("value", "keys"), LETTER)
def test_a_letter_that_is_json_and_says_nonsense_costs_no_other_and_status_names_it(
    value: object, keys: tuple[str | int, ...], book: AlertBook, events: EventLog, hook: Hook
) -> None:
    book.record([verdict(1, "a"), verdict(1, "b", subject=QUOTES)], events)
    bad = sorted(book.outbox.folder.glob("*.json"))[0]
    put(bad, {"c": {"delivered": False, "attempts": 1, "next_at": 5.0, "error": "down"}}, "to")
    put(bad, value, *keys)
    status = read_status(load_settings())
    assert (list(status.unreadable), len(status.waiting)) == ([bad], 1)
    assert deliver(book, channels_of(hook.url()), events) == Delivery(sent=1)
    after = read_status(load_settings())
    assert (after.unreadable, [path.name for path in after.set_aside]) == ({}, [bad.name])


def test_a_letter_that_cannot_even_be_set_aside_costs_no_other(book: AlertBook, events: EventLog, hook: Hook) -> None:
    book.record([verdict(1, "a")], events)
    bad = book.outbox.folder / "half.json"
    bad.write_text("{", encoding="utf-8")
    book.outbox.broken.write_text("no folder", encoding="utf-8")
    assert deliver(book, channels_of(hook.url()), events).sent == 1
    assert list(read_status(load_settings()).unreadable) == [bad]


def test_a_book_that_is_a_folder_is_named_by_status(book: AlertBook) -> None:
    book.path.mkdir(parents=True)
    assert read_status(load_settings()).unreadable == {book.path: "Is a directory"}


def test_an_alert_queued_before_the_machine_was_off_for_long_is_tried_before_it_is_given_up(
    tmp_path: Path, events: EventLog, hook: Hook
) -> None:
    clock = Clock()
    book, channels = AlertBook(tmp_path / "state", clock=clock), channels_of(hook.url())
    book.record([verdict(1, "a")], events)
    clock.now += LONGEST_WAITING + 86_400
    assert deliver(book, [], events, clock=clock).waiting == 1, "who has no channel gives nothing up for others"
    assert deliver(book, channels, events, clock=clock).sent == 1
    hook.status = 503
    book.record([verdict(2)], events)
    assert deliver(book, channels, events, clock=clock).waiting == 1
    clock.now += LONGEST_WAITING + 86_400
    assert deliver(book, channels, events, clock=clock).waiting == 1 and hook.asked == 3
    assert deliver(book, channels, events, clock=clock).dropped == 1 and hook.asked == 3


def test_what_dead_writers_left_is_removed_after_a_day_and_nothing_else(book: AlertBook, events: EventLog) -> None:
    book.record([verdict(1, "a")], events)
    state, outbox = book.path.parent, book.outbox.folder
    (letter,) = outbox.glob("*.json")
    dead = [state / ".alerts.json.x1y2z3ab", outbox / f".{letter.name}.x1y2z3ab", outbox / ".gone.json.q_w3e4r5"]
    kept = [state / "other.json", state / ".alerts.json", state / ".other.txt.x1", outbox / ".lock"]
    fresh = [state / ".alerts.json.fresh123", outbox / f".{letter.name}.fresh123"]
    for path in [*dead, *kept, *fresh]:
        path.write_text("{", encoding="utf-8")
    for path in [*dead, *kept, letter, book.path]:
        old = path.stat().st_mtime - 90_000
        os.utime(path, (old, old))
    book.letters(events)
    assert [path for path in dead if path.exists()] == []
    assert all(path.exists() for path in [*kept, *fresh, letter, book.path])
