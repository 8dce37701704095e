"""What `claude -p` costs is booked, and under a budget its calls go one at a time while there is room for one more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sekisho.agents.backends import make_agent
from sekisho.agents.base import Agent, Reply
from sekisho.agents.fanout import fanout
from sekisho.errors import AgentFailed, AgentTimeout, AgentUnavailable, BudgetReached, InvalidReply
from sekisho.settings import load_settings
from tests.test_claude import Install, call, envelope, install

__all__ = ["install"]
TOKENS = {"input_tokens": 10, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 14_000, "output_tokens": 20}


@pytest.fixture
def claude(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IECQ_AGENT", "claude")


def agent(monkeypatch: pytest.MonkeyPatch, budget: str = "", timeout: str = "20") -> Agent:
    monkeypatch.setenv("SEKISHO_BUDGET_USD", budget)
    monkeypatch.setenv("SEKISHO_MODEL_TIMEOUT", timeout)
    return make_agent(load_settings(), run="run-1")


def lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in load_settings().spend_path.read_text(encoding="utf-8").splitlines()]


def good(cost: float) -> str:
    return envelope('{"text": "ok"}', usage=TOKENS, total_cost_usd=cost)


@pytest.mark.usefixtures("claude")
def test_a_call_is_booked_with_its_tokens_and_cost(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    install(good(0.25))
    agent(monkeypatch).propose(call(model="anthropic/claude-x-1"))
    (line,) = lines()
    assert (line["model"], line["outcome"], line["run"]) == ("claude/claude-x-1", "ok", "run-1")
    assert (line["input_tokens"], line["output_tokens"], line["cost_usd"]) == (14_015, 20, 0.25)


@pytest.mark.usefixtures("claude")
@pytest.mark.parametrize(
    ("output", "body", "outcome", "cost"),
    [
        ('{"text": "ok"}', "", "ok", None),
        (envelope('{"words": "ok"}', total_cost_usd=0.1), "", "invalid", 0.1),
        (envelope("I cannot do that.", total_cost_usd=0.1), "", "invalid", 0.1),
        (envelope("no credit", is_error=True, total_cost_usd=0.1), "", "failed", 0.1),
        (good(0.1), "sys.exit(3)", "failed", None),
        (good(0.1), "time.sleep(60)", "failed", None),
    ],
)
def test_what_failed_is_booked_as_what_it_was(
    output: str, body: str, outcome: str, cost: float | None, install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(output, body=body)
    asked = agent(monkeypatch, timeout="1")
    if outcome == "failed" or "cannot" in output:
        with pytest.raises((AgentFailed, AgentTimeout, InvalidReply)):
            asked.propose(call())
    else:
        asked.propose(call())
    (line,) = lines()
    assert (line["outcome"], line["cost_usd"]) == (outcome, cost)


@pytest.mark.usefixtures("claude")
def test_a_missing_program_costs_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    asked = agent(monkeypatch, budget="1")
    for _ in range(2):
        with pytest.raises(AgentUnavailable):
            asked.propose(call())
    assert [line["cost_usd"] for line in lines() if line["outcome"] == "failed"] == [0, 0]


@pytest.mark.usefixtures("claude")
def test_calls_end_while_there_is_room_for_one_as_dear_as_the_dearest(
    install: Install, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    running = tmp_path / "running"
    alone = (
        f"running = pathlib.Path({str(running)!r}); running.touch(exist_ok=False); time.sleep(0.05); running.unlink()"
    )
    install(good(0.3), body=alone)
    asked = agent(monkeypatch, budget="1")
    outcomes = dict(fanout([call(f"prompt {number}") for number in range(8)], asked.propose, workers=5))
    kinds = [type(outcome) for outcome in outcomes.values()]
    assert kinds.count(Reply) == 3 and kinds.count(BudgetReached) == 5, "two at once would have failed"
    assert sum(line["cost_usd"] for line in lines() if line["outcome"] == "ok") == pytest.approx(0.9)
    assert "no room left for another call" in str(next(o for o in outcomes.values() if isinstance(o, BudgetReached)))


@pytest.mark.usefixtures("claude")
def test_a_call_that_does_not_say_its_cost_takes_all_that_was_left(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    install('{"text": "ok"}')
    asked = agent(monkeypatch, budget="1")
    assert asked.propose(call("one")).content == {"text": "ok"}
    with pytest.raises(BudgetReached):
        asked.propose(call("two"))
