"""Nothing is lost and nothing told twice: processes that die at any point, channels that are down, files that break."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

import sekisho.alerts.book
import sekisho.alerts.outbox
from sekisho.alerts import AlertBook, Delivery, Message, Severity, channels_of, deliver, judge
from sekisho.alerts.channels import scrubbed
from sekisho.alerts.delivery import LONGEST_WAITING
from sekisho.errors import SekishoError, SettingsError
from sekisho.events import EventLog
from sekisho.publish import write_atomically
from tests.conftest import ROOT
from tests.test_alerts import CHECK, QUOTES, verdict


@pytest.fixture
def events(tmp_path: Path) -> Iterator[EventLog]:
    log = EventLog(tmp_path / "log.jsonl", run="alerts")
    yield log
    log.close()


@pytest.fixture
def book(tmp_path: Path) -> AlertBook:
    return AlertBook(tmp_path / "state", wait=1)


@dataclass
class Hook:
    """A webhook that answers with `status` and keeps what it accepted."""

    http: HTTPServer
    status: int = 200
    accepted: list[dict[str, str]] = field(default_factory=list)
    asked: int = 0

    def __call__(self, request: Request) -> Response:
        self.asked += 1
        if self.status == 200:
            self.accepted.append(json.loads(request.get_data()))
        return Response(status=self.status)

    def url(self, path: str = "/hook") -> str:
        return f"json://127.0.0.1:{self.http.port}{path}"

    @property
    def titles(self) -> list[str]:
        return [found["title"] for found in self.accepted]


@pytest.fixture
def hook(httpserver: HTTPServer) -> Hook:
    found = Hook(httpserver)
    httpserver.expect_request("/hook").respond_with_handler(found)
    return found


def logged(tmp_path: Path, event: str) -> list[dict[str, str]]:
    lines = (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return [line for line in map(json.loads, lines) if line["event"] == event]


class Clock:
    """A clock that a test sets."""

    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def test_an_alert_is_delivered_and_its_file_removed(book: AlertBook, events: EventLog, hook: Hook) -> None:
    assert book.record([verdict(1, "pet-safe-low-light")], events) == 1
    assert [path.suffix for path in book.outbox.folder.iterdir()] == [".json"]
    found = deliver(book, channels_of(hook.url()), events)
    assert (found, found.line) == (Delivery(sent=1), "alerts: 1 sent")
    assert "99-ghost-orchid" in hook.accepted[0]["message"] and hook.accepted[0]["type"] == "failure"
    assert list(book.outbox.folder.glob("*.json")) == []
    assert deliver(book, channels_of(hook.url()), events) == Delivery()
    assert hook.asked == 1


def test_a_channel_that_is_down_is_tried_again_later_each_time_later_still(
    book: AlertBook, events: EventLog, hook: Hook, tmp_path: Path
) -> None:
    clock, hook.status = Clock(), 503
    channels = channels_of(hook.url("/hook?token=s3cr3t-part"))
    book.record([verdict(1, "a")], events)
    waits = []
    for attempt in range(1, 15):
        found = deliver(book, channels, events, clock=clock)
        assert (found.waiting, hook.asked) == (1, attempt)
        (letter,) = book.outbox.letters()
        waits.append(letter.to[channels[0].id].next_at - clock.now)
        clock.now += waits[-1] - 0.5
        assert deliver(book, channels, events, clock=clock).waiting == 1
        assert hook.asked == attempt, "not before its time"
        clock.now += 1
    assert waits[:4] == [10, 20, 40, 80] and waits[-1] == 3600
    assert "error=503" in found.error and found.line.startswith("alerts: 1 waiting (json (URL 1 of 1): ")
    hook.status = 200
    assert deliver(book, channels, events, clock=clock).sent == 1
    assert hook.titles == ["Sekisho: citations_exist on draft_answers fails"]
    text = (tmp_path / "log.jsonl").read_text(encoding="utf-8")
    assert len(logged(tmp_path, "alert_failed")) == 14 and "s3cr3t" not in text and "/hook" not in text


def test_a_clock_that_was_set_back_does_not_hold_an_alert_for_longer(
    book: AlertBook, events: EventLog, hook: Hook
) -> None:
    clock, hook.status = Clock(), 503
    book.record([verdict(1, "a")], events)
    deliver(book, channels_of(hook.url()), events, clock=clock)
    clock.now, hook.status = 10.0, 200
    assert deliver(book, channels_of(hook.url()), events, clock=clock).sent == 1


def test_one_dead_channel_does_not_make_the_others_hear_it_twice(book: AlertBook, events: EventLog, hook: Hook) -> None:
    clock = Clock()
    dead = "json://127.0.0.1:1/private-path"
    channels = channels_of(f"{dead} {hook.url()}")
    book.record([verdict(1, "a"), verdict(1, "b", subject=QUOTES)], events)
    for _ in range(3):
        assert deliver(book, channels, events, clock=clock).waiting == 2
        clock.now += 4000
    assert len(hook.accepted) == 2
    files = "".join(path.read_text(encoding="utf-8") for path in book.outbox.folder.glob("*.json"))
    assert "private-path" not in files and "127.0.0.1" not in files and "Connection" in files
    assert deliver(book, channels_of(hook.url()), events, clock=clock).sent == 2, (
        "a channel was taken from the settings"
    )
    assert len(hook.accepted) == 2 and not book.outbox.letters()


def test_within_a_pass_a_channel_that_fails_is_not_tried_for_each_alert(
    book: AlertBook, events: EventLog, hook: Hook
) -> None:
    hook.status = 500
    book.record([verdict(1, "a"), verdict(1, "b", subject=QUOTES)], events)
    assert deliver(book, channels_of(hook.url()), events).waiting == 2
    assert hook.asked == 1


def test_what_is_too_old_or_too_much_is_given_up_counted_and_named_in_the_log(
    book: AlertBook, events: EventLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, most = Clock(), 5
    monkeypatch.setattr("sekisho.alerts.delivery.MOST_LETTERS", most)
    book = AlertBook(book.path.parent, clock=clock)
    verdicts = [verdict(at, *(["a"] if at % 2 else [])) for at in range(1, most + 8)]
    book.record(verdicts, events)
    found = deliver(book, [], events, clock=clock)
    assert (found.waiting, found.dropped) == (most, 7)
    assert next(letter.alert.verdict.at for letter in book.outbox.letters()) == 8
    dead = channels_of("json://127.0.0.1:1/")
    for _ in range(most):  # a channel that just failed is tried once in a pass
        clock.now += LONGEST_WAITING + 1
        deliver(book, dead, events, clock=clock)
    clock.now += 3600
    deliver(book, dead, events, clock=clock)
    assert book.outbox.letters() == []
    assert book.read().dropped == most + 7
    dropped = logged(tmp_path, "alert_dropped")
    assert len(dropped) == most + 7
    assert (dropped[0]["name"], dropped[0]["kind"]) == ("citations_exist", "failed")
    assert dropped[0]["reason"] == f"more than {most} are waiting"


def test_a_broken_file_is_set_aside_and_named_and_costs_no_other(
    book: AlertBook, events: EventLog, hook: Hook, tmp_path: Path
) -> None:
    book.record([verdict(1, "a")], events)
    (book.outbox.folder / "half.json").write_text('{"alert": ', encoding="utf-8")
    (book.outbox.folder / "bytes.json").write_bytes(b"\xff\xfe")
    assert deliver(book, channels_of(hook.url()), events).sent == 1
    assert [path.name for path in book.outbox.aside()] == ["bytes.json", "half.json"]
    assert [Path(found["file"]).name for found in logged(tmp_path, "alert_file_set_aside")] == [
        "bytes.json",
        "half.json",
    ]
    (book.outbox.folder / "half.json").write_text("[]", encoding="utf-8")
    deliver(book, channels_of(hook.url()), events)
    assert [path.name for path in book.outbox.aside()] == ["bytes.json", "half-2.json", "half.json"]


def test_a_broken_book_is_set_aside_and_what_fails_now_is_told_anew(
    book: AlertBook, events: EventLog, hook: Hook, tmp_path: Path
) -> None:
    book.record([verdict(1, "a")], events)
    deliver(book, channels_of(hook.url()), events)
    book.path.write_text("{", encoding="utf-8")
    book.record([verdict(1, "a")], events)
    deliver(book, channels_of(hook.url()), events)
    assert len(hook.accepted) == 2
    assert Path(logged(tmp_path, "alert_file_set_aside")[0]["file"]).name == "alerts.json"


def test_a_state_that_cannot_be_written_is_an_error_that_names_it_and_sends_nothing(
    book: AlertBook, events: EventLog, hook: Hook
) -> None:
    book.record([verdict(1, "a")], events)
    book.outbox.folder.joinpath(".lock").mkdir()
    with pytest.raises(SekishoError, match=r"\.lock"):
        deliver(book, channels_of(hook.url()), events)
    assert hook.asked == 0
    book.path.unlink()
    book.path.mkdir()
    with pytest.raises(SekishoError, match=r"alerts\.json"):
        book.record([verdict(2, "a")], events)


def test_a_check_that_no_longer_exists_is_forgotten(book: AlertBook, events: EventLog) -> None:
    book.record([verdict(1, "a"), verdict(1, "b", subject=QUOTES)], events)
    book.record([], events, checks={CHECK})
    assert [standing.verdict.subject for standing in book.read().standings] == [CHECK]


def test_nothing_is_queued_while_nobody_listens(book: AlertBook, events: EventLog) -> None:
    assert book.record([verdict(1, "a")], events, minimum=None) == 0
    assert book.read().standings[0].failing and not book.outbox.folder.exists()
    assert book.record([], events) == 1


class Killed(BaseException):
    """The process ends here."""


@dataclass
class Faults:
    """Ends the process before or after its nth step; a step is a write, a removal or a sending."""

    at: int
    before: bool
    steps: int = 0
    sent_last: bool = False
    killed_after_sending: bool = False

    def step(self, act: Callable[[], None], *, sends: bool = False) -> None:
        self.steps += 1
        if self.steps == self.at and self.before:
            self._die()
        act()
        self.sent_last = sends
        if self.steps == self.at:
            self._die()

    def _die(self) -> None:
        self.killed_after_sending = self.sent_last
        raise Killed


@dataclass
class Recorder:
    """A channel that keeps what it is sent; `id` and `name` are those of a channel."""

    faults: Faults
    fails: list[bool] = field(default_factory=list)
    id: str = "recorder"
    name: str = "recorder"
    got: list[str] = field(default_factory=list)

    def send(self, message: Message) -> str | None:
        if self.fails and self.fails.pop(0):
            return "down"
        self.faults.step(lambda: self.got.append(message.body), sends=True)
        return None


HISTORY = st.lists(
    st.tuples(st.sampled_from([CHECK, QUOTES]), st.lists(st.sampled_from("abc"), unique=True)), min_size=1, max_size=6
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(HISTORY, st.integers(1, 30), st.booleans(), st.lists(st.booleans(), max_size=6))
def test_killed_at_any_step_and_restarted_it_tells_all_of_it_and_all_of_it_once(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    history: list[tuple[object, list[str]]],
    at: int,
    before: bool,
    fails: list[bool],
) -> None:
    state = tmp_path_factory.mktemp("state")
    verdicts = [verdict(number, *items, subject=subject) for number, (subject, items) in enumerate(history, 1)]
    faults = Faults(at, before)
    channel = Recorder(faults, fails)
    clock, log = Clock(), EventLog(state / "log.jsonl", run="alerts")
    unlink = Path.unlink
    with monkeypatch.context() as patch:
        for module in (sekisho.alerts.book, sekisho.alerts.outbox):
            patch.setattr(module, "write_atomically", lambda p, text: faults.step(lambda: write_atomically(p, text)))
        patch.setattr(Path, "unlink", lambda self, **how: faults.step(lambda: unlink(self, **how)))
        while True:
            try:
                for found in verdicts:  # whoever restarts reads again from where it knows, or from the start
                    AlertBook(state, clock=clock).record([found], log)
                    deliver(AlertBook(state, clock=clock), [channel], log, clock=clock)
                    clock.now += 4000
                if not AlertBook(state).outbox.letters():
                    break
            except Killed:
                pass
    log.close()
    standings: dict[object, object] = {}
    expected = []
    for found in verdicts:
        standings, alerts = judge(standings, [found], "ERROR")  # type: ignore[arg-type, assignment]
        expected += [sekisho.alerts.message_of(alert).body for alert in alerts]
    assert set(channel.got) == set(expected)
    assert len(channel.got) == len(expected) + faults.killed_after_sending


DELIVERER = """
import sys
from pathlib import Path
from sekisho.alerts import AlertBook, channels_of, deliver
from sekisho.events import EventLog
state, url = Path(sys.argv[1]), sys.argv[2]
print("ready", flush=True); sys.stdin.readline()
print(deliver(AlertBook(state), channels_of(url), EventLog(state / "log.jsonl", run="alerts")))
"""


def deliverer(book: AlertBook, url: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", DELIVERER, str(book.path.parent), url]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def test_processes_that_deliver_at_once_send_each_alert_once(book: AlertBook, events: EventLog, hook: Hook) -> None:
    book.record([verdict(at, *(["a"] if at % 2 else [])) for at in range(1, 41)], events)
    processes = [deliverer(book, hook.url()) for _ in range(4)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = [process.communicate(timeout=60)[0] for process in processes]
    while book.outbox.letters():  # all were turned away while one was at its end
        deliver(book, channels_of(hook.url()), events)
    assert len(hook.accepted) == 40 == len({json.dumps(found) for found in hook.accepted}), outputs


def test_a_process_killed_while_it_sends_has_lost_nothing(
    book: AlertBook, events: EventLog, httpserver: HTTPServer
) -> None:
    arrived, go = threading.Event(), threading.Event()
    accepted = []

    def answer(request: Request) -> Response:
        accepted.append(json.loads(request.get_data())["title"])
        arrived.set()
        go.wait(20)
        return Response(status=200)

    httpserver.expect_request("/hook").respond_with_handler(answer)
    url = f"json://127.0.0.1:{httpserver.port}/hook"
    book.record([verdict(1, "a")], events)
    process = deliverer(book, url)
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    assert arrived.wait(20)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    go.set()
    (letter,) = book.outbox.letters()
    (attempt,) = letter.to.values()
    assert (attempt.attempts, attempt.delivered) == (1, False)
    clock = Clock()
    clock.now = attempt.next_at
    assert deliver(book, channels_of(url), events, clock=clock).sent == 1
    assert len(accepted) == 2, "nobody can know whether the first arrived"


@pytest.mark.parametrize(
    ("urls", "told"),
    [
        ("nosuch://s3cr3t-token@host", "Apprise cannot use the nosuch (URL 1 of 1)"),
        ("s3cr3t-token", "Apprise cannot use the text (URL 1 of 1)"),
        ("json://127.0.0.1/ok, slack://s3cr3t-token", "Apprise cannot use the slack (URL 2 of 2)"),
        ("slack://T1JJ3T3L2/A1BRTD4JD/s3cr3t-token and more", "Apprise cannot use the slack (URL 1 of 1)"),
    ],
)
def test_a_bad_url_is_a_settings_error_that_does_not_show_it(
    urls: str, told: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [logging.StreamHandler(sys.stderr)])
    with pytest.raises(SettingsError) as caught:
        channels_of(urls)
    assert told in str(caught.value) and "SEKISHO_ALERT_URLS" in str(caught.value)
    assert "s3cr3t" not in str(caught.value) + "".join(capfd.readouterr())


def test_no_part_of_a_url_is_left_in_an_error_however_it_is_quoted() -> None:
    url = "mailtos://me:p%40ss+word@example.org/a%2Fb?to=you%40example.org"
    told = "535 me p@ss+word p%40ss+word p@ss word a/b a%2Fb you@example.org refused by example.org, error=535"
    assert scrubbed(told, url) == "535 me *** *** *** *** *** *** refused by ***, error=535"


def test_every_url_in_the_documentation_is_one_that_apprise_can_use() -> None:
    text = (ROOT / "docs" / "alerts.md").read_text(encoding="utf-8")
    cells = re.findall(r"`([a-z]+://[^`]+)`", text) + re.findall(r'URLS="([^"]+)"', text)
    assert len(cells) == 9
    for urls in cells:
        assert channels_of(urls)


def test_urls_stand_apart_by_white_space_or_commas_and_keep_the_commas_that_are_theirs() -> None:
    assert channels_of(" \n") == []
    several = (
        "json://127.0.0.1/a,\n  json://127.0.0.1/b json://127.0.0.1/a , mailto://u:p@example.org?to=a@x.org,b@y.org,"
    )
    assert [channel.name for channel in channels_of(several)] == [
        "json (URL 3 of 4)",
        "json (URL 2 of 4)",
        "mailto (URL 4 of 4)",
    ]


@pytest.mark.parametrize("severity", ["ERROR", "WARN"])
def test_markup_in_an_item_reaches_no_kind_of_channel(
    severity: Severity, book: AlertBook, events: EventLog, hook: Hook
) -> None:
    hostile = "<script>x</script> **b** [c](http://evil.example) @everyone"
    book.record([verdict(1, hostile, severity=severity)], events, minimum="WARN")
    for form in ("text", "markdown", "html"):
        again = verdict(2, hostile, form, severity=severity) if form != "text" else None
        book.record([again] if again else [], events, minimum="WARN")
        deliver(book, channels_of(f"{hook.url()}?format={form}"), events)
    shown = json.dumps(hook.accepted, ensure_ascii=False)
    assert "＜script＞" in shown and "＠everyone" in shown
    assert "<script" not in shown and "**" not in shown and "](" not in shown and "@" not in shown
    assert hook.accepted[0]["type"] == {"ERROR": "failure", "WARN": "warning"}[severity]
