"""The fan-out: several at once, results in the order of completion, no failure that stops a neighbour."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sekisho.agents.base import Call, Reply
from sekisho.agents.fanout import fanout
from sekisho.agents.fixtures import load_fixtures
from sekisho.events import EventLog
from sekisho.extract import extract_facts, make_extractor
from sekisho.sources.folder import DataFolder
from sekisho.sources.notes import load_notes
from tests.conftest import ROOT


def test_p05_five_documents_are_read_at_once_and_the_log_shows_the_order_of_completion(tmp_path: Path) -> None:
    folder = DataFolder(ROOT / "data")
    notes = load_notes(folder.root / "notes")
    order = [note.source for note in reversed(notes)]
    all_at_work = threading.Barrier(len(notes))
    may_end = {source: threading.Event() for source in order}
    may_end[order[0]].set()
    fixtures = load_fixtures(folder.root / "fixtures")

    class Orchestrated:
        """The fixtures, each held back until the one that should end before it is in the log."""

        name = fingerprint = "orchestrated"

        def propose(self, call: Call) -> Reply:
            all_at_work.wait(timeout=20)
            assert may_end[call.key.removeprefix("extract:")].wait(timeout=20)
            return fixtures.propose(call)

    logged: list[str] = []

    def listen(event: Any) -> None:
        logged.append(event["source"])
        following = order[len(logged) : len(logged) + 1]
        for source in following:
            may_end[source].set()

    events = EventLog(tmp_path / "log.jsonl", run="r1", listener=listen)
    extractor = make_extractor(Orchestrated(), ROOT / "prompts", folder.notes_schema)
    extraction = extract_facts(notes, extractor, events, workers=5)
    assert extraction.gaps == []
    assert logged == order
    assert [fact.source for fact in extraction.facts] == [note.source for note in notes]


def test_p05_what_completes_while_the_consumer_is_busy_still_comes_in_the_order_of_completion() -> None:
    gates = [threading.Event() for _ in range(5)]
    ended = [threading.Event() for _ in range(5)]

    def work(index: int) -> int:
        gates[index].wait(timeout=20)
        return index

    class Watched(ThreadPoolExecutor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future = super().submit(fn, *args, **kwargs)
            future.add_done_callback(lambda done: ended[done.result()].set())
            return future

    with Watched(5) as pool:
        results = fanout(range(5), work, executor=pool)
        gates[3].set()
        seen = [next(results)[0]]
        for index in (1, 4, 0, 2):
            gates[index].set()
            assert ended[index].wait(timeout=20)
        seen += [index for index, _ in results]
    assert seen == [3, 1, 4, 0, 2]


class AtOnce(Executor):
    """Does the work inside `submit`, so that everything is complete before anything is collected."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_p05_what_completes_before_the_consumer_looks_comes_in_the_order_of_completion() -> None:
    assert [index for index, _ in fanout(range(50), str, executor=AtOnce())] == list(range(50))


def test_one_failure_does_not_stop_its_neighbours() -> None:
    def work(number: int) -> float:
        return 1 / number

    results = dict(fanout([1, 0, 2], work))
    assert (results[0], results[2]) == (1.0, 0.5)
    assert isinstance(results[1], ZeroDivisionError)


@pytest.mark.parametrize("workers", [1, 3])
def test_at_most_so_many_work_at_once_and_as_many_as_that(workers: int) -> None:
    all_busy = threading.Barrier(workers)
    lock = threading.Lock()
    busy = [0]
    most = [0]

    def work(_: int) -> None:
        with lock:
            busy[0] += 1
            most[0] = max(most[0], busy[0])
        all_busy.wait(timeout=20)  # passes only when `workers` of them are here together
        with lock:
            busy[0] -= 1

    assert [outcome for _, outcome in fanout(range(workers * 4), work, workers=workers)] == [None] * workers * 4
    assert most[0] == workers


def test_an_executor_of_ones_own_does_the_work_and_is_left_open() -> None:
    with ThreadPoolExecutor(1, thread_name_prefix="mine") as pool:
        names = dict(fanout(range(3), lambda _: threading.current_thread().name, executor=pool))
        assert all(str(name).startswith("mine") for name in names.values())
        assert pool.submit(int, "7").result() == 7


def test_no_items_give_no_results() -> None:
    assert list(fanout([], str)) == []


def test_what_has_not_begun_is_cancelled_when_the_consumer_stops() -> None:
    begun: list[int] = []
    hold = threading.Event()

    def work(index: int) -> None:
        begun.append(index)
        assert index == 0 or hold.wait(timeout=20)

    with ThreadPoolExecutor(1) as pool:
        results = fanout(range(100), work, executor=pool)
        next(results)
        results.close()
        hold.set()
    assert len(begun) <= 2
