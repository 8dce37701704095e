"""Model faults: every prompt meets every fault through HTTP, and its policy says what comes of it and what it costs."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai._base_client
import pytest
from werkzeug import Response

from sekisho.agents.store import StoredAgent
from sekisho.errors import AgentFailed
from tests.conftest import ROOT
from tests.faults import FAULTS, TIME_OUT, Fault, names
from tests.model_calls import GOOD, Bench, bench, http, plant_call
from tests.policies import PROMPTS, Prompt
from tests.wire import tool_call

__all__ = ["bench", "http"]
_PRICE = 100 * 0.15e-6 + 10 * 0.6e-6  # gpt-4o-mini, US dollars


@pytest.fixture(autouse=True)
def _short_back_offs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai._base_client, "INITIAL_RETRY_DELAY", 0.005)  # seconds, in place of 0.5


def agent(bench: Bench, tmp_path: Path, *, late: bool = False) -> StoredAgent:
    return StoredAgent(bench.agent(timeout=TIME_OUT if late else 10.0), tmp_path / "calls")


def requests_of(fault: Fault, prompt: Prompt) -> int:
    return {"never": 1, "sent": prompt.sent, "asked": prompt.attempts}[fault.again]


def check_ledger(bench: Bench, outcome: str, cost: int | None, count: int) -> None:
    """As many lines as requests, each with that outcome and cost."""
    assert bench.outcomes == [outcome] * count == [outcome] * len(bench.server.requests)
    wanted = None if cost is None else pytest.approx(cost * _PRICE)
    assert [line["cost_usd"] for line in bench.lines] == [wanted] * count


def stored(tmp_path: Path) -> list[Any]:
    return [json.loads(path.read_text(encoding="utf-8"))["content"] for path in (tmp_path / "calls").rglob("*.json")]


_ACCEPTED = {("recall-pre-gate", "extra keys"), ("rerank", "extra keys")}
# One reply for all queries, each entry judged for itself: the call is good, and nothing in it is.
_EMPTY = {("rerank", "wrong types")}
CASES = [(prompt, fault) for prompt in PROMPTS for fault in FAULTS]


@pytest.mark.parametrize(("name", "what"), [case for case in CASES if case not in _ACCEPTED | _EMPTY])
def test_a_fault_costs_its_item_alone_and_the_policy_says_what_stands_instead(
    name: str, what: str, bench: Bench, tmp_path: Path
) -> None:
    prompt, fault = PROMPTS[name], FAULTS[what]
    bench.server.script(fault.answer(prompt.good, prompt.wrong))
    began = time.monotonic()
    came = prompt.run(agent(bench, tmp_path, late=fault.told == "no reply in time"), tmp_path)
    assert time.monotonic() - began < 5
    assert came.good == 0 and len(came.reasons) == 1 and fault.told in came.reasons[0]
    calls = 2 if name == "rerank" and fault.again == "asked" else 1
    assert len(came.events) == calls and all(fault.told in str(event) for event in came.events)
    if name == "recall-pre-gate":
        assert came.events[0]["reason"] == fault.word
    check_ledger(bench, fault.outcome, fault.cost, requests_of(fault, prompt))
    assert stored(tmp_path) == [], "no reply of the asked type was paid for"
    bench.server.script(tool_call(prompt.good))
    before = len(bench.server.requests)
    assert prompt.run(agent(bench, tmp_path), tmp_path).good == 1, "nothing of it stays behind"
    assert len(bench.server.requests) == before + 1 and stored(tmp_path) == [prompt.good]


@pytest.mark.parametrize(("name", "what"), sorted(_ACCEPTED))
def test_extra_keys_cost_a_loose_reply_nothing(name: str, what: str, bench: Bench, tmp_path: Path) -> None:
    prompt = PROMPTS[name]
    bench.server.script(FAULTS[what].answer(prompt.good, prompt.wrong))
    assert prompt.run(agent(bench, tmp_path), tmp_path).good == 1
    check_ledger(bench, "ok", 1, 1)
    assert prompt.run(agent(bench, tmp_path), tmp_path).good == 1
    assert len(bench.server.requests) == len(stored(tmp_path)) == 1, "what is paid for is kept"


def test_choices_of_a_wrong_type_are_asked_for_once_more_and_both_replies_are_kept(
    bench: Bench, tmp_path: Path
) -> None:
    prompt = PROMPTS["rerank"]
    bench.server.script(tool_call(prompt.wrong))
    for _ in range(2):
        came = prompt.run(agent(bench, tmp_path), tmp_path)
        assert came.good == 0 and came.reasons == ("the model said nothing of it: no entry in the reply",)
    check_ledger(bench, "ok", 1, 2)
    assert stored(tmp_path) == [prompt.wrong] * 2


@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5"])
def test_a_reply_that_unpacks_to_more_than_8_mb_is_not_read_to_its_end(model: str, bench: Bench) -> None:
    packed = gzip.compress(bytes(200_000_000), 1)
    bench.server.script(Response(packed, headers={"Content-Encoding": "gzip"}, content_type="application/json"))
    began = time.monotonic()
    with pytest.raises(AgentFailed, match="longer than 8,000,000 bytes"):
        bench.agent(model).propose(plant_call(retries=3))
    assert time.monotonic() - began < 3 and len(bench.server.requests) == 1
    assert bench.outcomes == ["failed"] and bench.lines[0]["cost_usd"] is None


def test_a_reply_of_7_mb_is_a_reply(bench: Bench) -> None:
    long = {**GOOD, "note": "x" * 7_000_000}
    bench.server.script(tool_call(long))
    began = time.monotonic()
    assert bench.agent().propose(plant_call()).content == long
    assert time.monotonic() - began < 3


def _rows(page: str, heading: str) -> Iterator[str]:
    section = (ROOT / "docs" / page).read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    tables = [part for part in section.split("\n\n") if part.startswith("| fault")]
    assert len(tables) == 1
    yield from tables[0].splitlines()[2:]


def test_the_documented_table_lists_the_faults_that_are_tested() -> None:
    assert names(_rows("reliability.md", "Model faults")) == list(FAULTS)
