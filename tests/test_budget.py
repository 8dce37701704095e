"""The budget against a real HTTP server that reports usage: no call begins that could pass it."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import genai_prices
import pytest
from werkzeug import Request, Response

from sekisho.agents.backends import make_agent
from sekisho.agents.base import Call, Reply
from sekisho.agents.budget import Budget, dollars, standing
from sekisho.agents.ceiling import Ceiling
from sekisho.agents.fanout import fanout
from sekisho.agents.instructor import InstructorAgent
from sekisho.agents.prices import NOTHING, UNKNOWN, Spent, highest_price, price, unbounded_parts
from sekisho.agents.spend import SpendLedger
from sekisho.agents.store import StoredAgent
from sekisho.errors import AgentFailed, AgentTimeout, AgentUnavailable, BudgetReached, SettingsError
from sekisho.settings import Settings, load_settings
from tests.model_calls import GOOD, Bench, bench, http, plant_call
from tests.wire import billed, content, error, message, slowly, tool_call, tool_use

__all__ = ["bench", "http"]
LIMIT = 500
READ, WRITE = 0.15e-6, 0.6e-6  # gpt-4o-mini, US dollars a token
ABOUT = {"key": "extract:x", "prompt": "extract", "model": "openai/gpt-4o-mini"}


def call(number: int = 1, **params: Any) -> Call:
    return plant_call(f"extract:{number:02}", f"plant {number:02}", **{"max_tokens": LIMIT, "retries": 0, **params})


def bound(bench: Bench) -> float:
    """The upper bound of one such call, measured with a budget that has room for it."""
    bench.server.script(tool_call(GOOD))
    bench.agent(budget=1.0, run="measuring").propose(call())
    return float(bench.lines[0]["reserved_usd"])


def dearest(request: Request) -> Response:
    """A reply that costs all that the request allows: every byte a token, and the longest reply."""
    return billed(tool_call(GOOD), len(request.get_data()) + 1_000, LIMIT)


class Watched:
    """Answers like `answer` after a while, and keeps what stood in the ledger when each request arrived."""

    def __init__(self, bench: Bench, answer: Any = dearest, seconds: float = 0.05) -> None:
        self.most = 0.0
        self.at_once = 0
        self._answer, self._seconds, self._bench = answer, seconds, bench
        self._here = 0
        self._lock = threading.Lock()
        bench.server.script(self)

    def __call__(self, request: Request) -> Response:
        with self._lock:
            self._here += 1
            self.at_once = max(self.at_once, self._here)
            self.most = max(self.most, standing(self._bench.ledger_path, "run-1", 1.0).spent_usd)
        time.sleep(self._seconds)
        with self._lock:
            self._here -= 1
        answer = self._answer
        return answer if isinstance(answer, Response) else answer(request)


def propose_all(agent: InstructorAgent, calls: list[Call], workers: int = 5) -> list[Reply | Exception]:
    outcomes = dict(fanout(calls, agent.propose, workers=workers))
    return [outcomes[index] for index in range(len(calls))]


def test_a_cap_smaller_than_one_call_asks_nothing_and_says_so(bench: Bench) -> None:
    cap = bound(bench) * 0.99
    asked = len(bench.server.requests)
    with pytest.raises(BudgetReached) as caught:
        bench.agent(budget=cap).propose(call())
    assert len(bench.server.requests) == asked
    assert str(caught.value).startswith(f"extract:01: not asked: the budget of {dollars(cap)} has no room left")
    assert "SEKISHO_BUDGET_USD" in str(caught.value) and caught.value.usage["cost_usd"] == 0
    stands = standing(bench.ledger_path, "run-1", cap)
    assert (stands.spent_usd, stands.not_asked) == (0, ("extract:01",))
    assert bench.outcomes[-1] == "over_budget"


def test_a_call_that_just_fits_is_asked(bench: Bench) -> None:
    cap = bound(bench)
    assert bench.agent(budget=cap).propose(call()).content == GOOD


@pytest.mark.parametrize("workers", [1, 5])
def test_replies_that_cost_all_they_may_never_carry_a_run_past_its_cap(workers: int, bench: Bench) -> None:
    cap = bound(bench) * 7.5
    before = len(bench.server.requests)
    watched = Watched(bench)
    outcomes = propose_all(bench.agent(budget=cap), [call(number) for number in range(20)], workers)
    refused = [outcome for outcome in outcomes if isinstance(outcome, BudgetReached)]
    assert (len(bench.server.requests) - before, len(refused)) == (7, 13)
    assert watched.most <= cap, "what is in flight counts with all it may cost"
    assert watched.at_once == workers
    stands = standing(bench.ledger_path, "run-1", cap)
    assert cap - bound(bench) < stands.spent_usd <= cap and stands.unknown_usd == 0
    assert len(stands.not_asked) == 13


@pytest.mark.parametrize("workers", [1, 5])
def test_the_real_cost_takes_the_place_of_the_upper_bound(workers: int, bench: Bench) -> None:
    cap = bound(bench) * 2.5  # room for two at once; what twenty really cost fits in
    before = len(bench.server.requests)
    watched = Watched(bench, tool_call(GOOD), 0.02)
    outcomes = propose_all(bench.agent(budget=cap), [call(number) for number in range(20)], workers)
    assert all(isinstance(outcome, Reply) for outcome in outcomes), outcomes
    assert len(bench.server.requests) - before == 20
    assert watched.most <= cap and watched.at_once == min(workers, 2)
    assert standing(bench.ledger_path, "run-1", cap).spent_usd == pytest.approx(20 * (100 * READ + 10 * WRITE))


def test_an_invalid_reply_is_not_asked_for_again_past_the_cap(bench: Bench) -> None:
    cap = bound(bench) * 1.5
    bench.server.script(lambda request: billed(tool_call({**GOOD, "days": "ten"}), 1_500, LIMIT))
    before = len(bench.server.requests)
    with pytest.raises(BudgetReached) as caught:
        bench.agent(budget=cap).propose(call(retries=3))
    assert len(bench.server.requests) - before == 1
    assert caught.value.usage["attempts"] == 1 and (caught.value.usage["cost_usd"] or 0) > 0
    assert bench.outcomes[-3:] == ["started", "invalid", "over_budget"]


def test_re_asks_of_five_threads_stay_within_the_cap(bench: Bench) -> None:
    cap = bound(bench) * 6

    def first_wrong(request: Request) -> Response:
        good = b"Validation" in request.get_data()
        return billed(tool_call(GOOD if good else {**GOOD, "days": "ten"}), len(request.get_data()) + 1_000, LIMIT)

    watched = Watched(bench, first_wrong)
    before = len(bench.server.requests)
    outcomes = propose_all(bench.agent(budget=cap), [call(number, retries=1) for number in range(20)])
    assert watched.most <= cap
    assert 3 <= len(bench.server.requests) - before <= 6
    assert {type(outcome) for outcome in outcomes} <= {Reply, BudgetReached}
    assert standing(bench.ledger_path, "run-1", cap).spent_usd <= cap


def test_a_refused_request_gives_back_what_was_put_aside(bench: Bench) -> None:
    cap = bound(bench) * 1.1
    bench.server.script(error(429, retry_after="0.01"), error(500, retry_after="0.01"), tool_call(GOOD))
    assert bench.agent(budget=cap).propose(call()).content == GOOD
    assert bench.outcomes[-6:] == ["started", "rate_limited", "started", "failed", "started", "ok"]


def test_an_attempt_of_unknown_cost_stays_spent_with_all_it_may_cost(bench: Bench) -> None:
    one = bound(bench)
    agent = bench.agent(budget=one * 1.9, timeout=0.3)
    bench.server.script(slowly(tool_call(GOOD), 1.0))
    with pytest.raises(AgentTimeout):
        agent.propose(call(1))
    with pytest.raises(BudgetReached):
        agent.propose(call(2))
    stands = standing(bench.ledger_path, "run-1", one * 1.9)
    assert stands.spent_usd == stands.unknown_usd == pytest.approx(one)


def test_a_reply_without_usage_stays_spent_with_all_it_may_cost(bench: Bench) -> None:
    one = bound(bench)
    agent = bench.agent(budget=one * 1.9)
    bench.server.script(Response("<html>", content_type="text/html"))
    with pytest.raises(AgentFailed):
        agent.propose(call(1))
    with pytest.raises(BudgetReached):
        agent.propose(call(2))


def test_a_run_begun_again_goes_on_from_what_its_ledger_says(bench: Bench) -> None:
    cap = bound(bench) * 2.2
    bench.server.script(dearest)
    bench.agent(budget=cap).propose(call(1))
    with SpendLedger(bench.ledger_path, "run-1").path.open("a", encoding="utf-8") as file:
        file.write('{"half a line, for the disk was full')
    killed = SpendLedger(bench.ledger_path, "run-1")
    killed.begin(**ABOUT, reserved=cap / 2.2)  # its process ended while the request was under way
    with pytest.raises(BudgetReached):
        bench.agent(budget=cap).propose(call(2))
    assert bench.agent(budget=cap, run="run-2").propose(call(2)).content == GOOD, "another run has its own"


def test_the_rounds_of_a_run_share_one_budget(bench: Bench) -> None:
    cap = bound(bench) * 2.5
    bench.server.script(dearest)
    bench.agent(budget=cap).propose(call(1))
    bench.agent(budget=cap, run="run-2", root="run-1").propose(call(2))
    with pytest.raises(BudgetReached):
        bench.agent(budget=cap, run="run-3", root="run-1").propose(call(3))
    assert [line.get("root") for line in bench.lines[-5:]] == [None, None, "run-1", "run-1", "run-1"]
    stands = standing(bench.ledger_path, "run-1", cap)
    assert stands.spent_usd == pytest.approx(cap / 2.5 * 2, rel=0.05) and stands.not_asked == ("extract:03",)


def test_two_processes_of_one_run_see_each_others_attempts(tmp_path: Path) -> None:
    ledgers = [SpendLedger(tmp_path / "spend.jsonl", "r") for _ in range(2)]
    first, second = (Budget(1.0, ledger) for ledger in ledgers)
    attempt = first.reserve(0.7, **ABOUT)
    with pytest.raises(BudgetReached):
        second.reserve(0.7, **ABOUT)
    ledgers[0].book(**ABOUT, outcome="ok", spent=Spent(1, 1, 0.1), attempt=attempt)
    first.end(attempt)
    assert second.reserve(0.7, **ABOUT)


def test_who_waits_for_room_that_does_not_come_is_refused(tmp_path: Path) -> None:
    ledger = SpendLedger(tmp_path / "spend.jsonl", "r")
    budget = Budget(1.0, ledger)
    attempt = budget.reserve(0.7, **ABOUT)
    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(budget.reserve, 0.9, **ABOUT) for _ in range(4)]
        ledger.book(**ABOUT, outcome="failed", spent=UNKNOWN, attempt=attempt)
        budget.end(attempt)
        assert all(isinstance(one.exception(), BudgetReached) for one in waiting)


def test_who_waits_gets_the_room_that_an_attempt_gives_back(tmp_path: Path) -> None:
    ledger = SpendLedger(tmp_path / "spend.jsonl", "r")
    budget = Budget(1.0, ledger)
    attempt = budget.reserve(0.7, **ABOUT)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(budget.reserve, 0.9, **ABOUT)
        ledger.book(**ABOUT, outcome="rate_limited", spent=NOTHING, attempt=attempt)
        budget.end(attempt)
        assert waiting.result()


def test_a_stored_reply_needs_no_room(bench: Bench, tmp_path: Path) -> None:
    bench.server.script(tool_call(GOOD))
    StoredAgent(bench.agent(), tmp_path / "calls").propose(call(2))
    agent = StoredAgent(bench.agent(budget=1e-6), tmp_path / "calls")
    outcomes = dict(fanout([call(1), call(2), call(3)], agent.propose, workers=1))
    assert isinstance(outcomes[1], Reply)
    assert isinstance(outcomes[0], BudgetReached) and isinstance(outcomes[2], BudgetReached)


def test_a_ledger_that_cannot_be_written_sends_nothing(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    bench.server.script(tool_call(GOOD))
    with pytest.raises(AgentFailed, match="cannot be locked"):
        bench.agent(budget=1.0).propose(call())
    assert bench.server.requests == []


@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5", "deepseek/deepseek-v4-flash"])
def test_max_tokens_is_sent_and_bounds_the_upper_bound(model: str, bench: Bench) -> None:
    bench.server.script(message(tool_use(GOOD)) if model.startswith("anthropic/") else content(GOOD))
    bench.agent(model, budget=1.0).propose(call())
    (request,) = bench.server.requests
    assert request["max_tokens"] == LIMIT
    provider, _, name = model.partition("/")
    (started, _) = bench.lines
    assert started["reserved_usd"] > (price(provider, name, 1_000, LIMIT) or 0) > 0


def test_an_upper_bound_takes_the_dearest_hour_of_the_day() -> None:
    usage = genai_prices.Usage(input_tokens=1_000_000)
    hours = [datetime.now(UTC) + timedelta(hours=hour) for hour in range(24)]
    by_hour = [
        float(
            genai_prices.calc_price(
                usage, "deepseek-v4-flash", provider_id="deepseek", genai_request_timestamp=hour
            ).total_price
        )
        for hour in hours
    ]
    assert min(by_hour) < max(by_hour) == highest_price("deepseek", "deepseek-v4-flash", 1_000_000, 0)
    assert Ceiling("openai", "gpt-4o-mini", LIMIT).of(1_000) == pytest.approx(2_000 * READ + LIMIT * WRITE)


def settings(agent: str, monkeypatch: pytest.MonkeyPatch, budget: str = "1") -> Settings:
    monkeypatch.setenv("IECQ_AGENT", agent)
    monkeypatch.setenv("SEKISHO_BUDGET_USD", budget)
    return load_settings()


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("openai/house-model-1", "the price of openai/house-model-1 (extract) is not known"),
        ("ollama/llama3.2", "the price of ollama/llama3.2 (extract) is not known"),
        ("perplexity/sonar-deep-research", "also charges for output citation, output reasoning, web searches"),
        ("openrouter/perplexity/sonar-deep-research", "also charges for output reasoning"),
        ("openai/gpt-4o-search-preview", "also charges for searches"),
        ("databricks/gpt-4o-mini", "no limit on a reply's length is sent to databricks"),
    ],
)
def test_a_budget_that_cannot_be_held_is_told_before_the_first_call(
    agent: str, reason: str, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("DATABRICKS_TOKEN", "PERPLEXITY_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.setenv(key, "something")
    with pytest.raises(SettingsError) as caught:
        make_agent(settings(agent, monkeypatch))
    assert reason in str(caught.value) and caught.value.item == "SEKISHO_BUDGET_USD"
    assert "unset it" in str(caught.value) and bench.server.requests == []


def test_a_prompt_without_max_tokens_cannot_be_held_to_a_budget(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "production" / "extract").mkdir(parents=True)
    (tmp_path / "production" / "extract" / "params.yaml").write_text("model: openai/gpt-4o-mini\n")
    monkeypatch.setenv("SEKISHO_PROMPTS", str(tmp_path))
    for agent in ("openai/gpt-4o-mini", "live"):
        with pytest.raises(SettingsError, match=r"max_tokens is None in extract/params\.yaml"):
            make_agent(settings(agent, monkeypatch))
    with pytest.raises(AgentUnavailable, match="max_tokens is None"):
        bench.agent(budget=1.0).propose(plant_call())


@pytest.mark.parametrize("budget", ["0", "-1", "nan", "inf", "1e13", "ten"])
def test_a_budget_is_a_positive_amount(budget: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError) as caught:
        settings("mock", monkeypatch, budget)
    assert caught.value.item == "SEKISHO_BUDGET_USD"


@pytest.mark.parametrize(
    ("amount", "text"), [(0.1, "0.10 USD"), (0.000051, "0.000051 USD"), (12, "12.00 USD"), (0, "0.00 USD")]
)
def test_amounts_read_like_money(amount: float, text: str) -> None:
    assert dollars(amount) == text


def test_a_price_for_each_request_is_bounded_and_so_is_a_tool_that_is_not_asked_for() -> None:
    models = [("perplexity", "sonar"), ("openai", "gpt-4o-mini"), ("anthropic", "claude-sonnet-4-5")]
    assert [unbounded_parts(*model) for model in models] == ["", "", ""]


def test_what_a_later_round_does_not_want_any_more_is_not_short_of_budget(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    about = {"prompt": "query", "model": "m", "reserved": 1.0}
    first, second = SpendLedger(path, "r1"), SpendLedger(path, "r2", root="r1")
    for key in ("query:removed", "query:wanted"):
        first.refuse(key=key, **about)
    second.refuse(key="query:wanted", **about)
    assert standing(path, "r1", 1.0, "r1").not_asked == ("query:removed",)
    assert standing(path, "r1", 1.0, "r2").not_asked == ("query:wanted",)
    second.book(key="query:wanted", prompt="query", model="m", outcome="failed", spent=Spent(1, 1, 0.1))
    assert standing(path, "r1", 1.0, "r2").not_asked == ()
