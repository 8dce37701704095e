"""A dead provider: after a few outages in a row, or one refused key, a run asks it nothing more and says why."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import openai._base_client
import pytest
from werkzeug import Request, Response

from sekisho.agents.backends import make_agent
from sekisho.agents.base import Agent
from sekisho.agents.circuit import DEAD_AFTER, Circuit
from sekisho.agents.store import StoredAgent
from sekisho.errors import (
    AccessDenied,
    AgentError,
    AgentFailed,
    AgentTimeout,
    AgentUnavailable,
    InvalidReply,
    ModelRefused,
    RateLimited,
)
from sekisho.settings import load_settings
from tests.conftest import House
from tests.graph import materialise
from tests.model_calls import CANARY, GOOD, Bench, bench, http, plant_call
from tests.policies import PROMPTS
from tests.wire import Answer, asked_text, error, slowly, tool_call

__all__ = ["bench", "http"]
_AGAIN = "; then run again: only what is missing is asked)"
_ROW = f"{DEAD_AFTER} calls in a row failed, the last one: "
_OPEN = f"openai/gpt-4o-mini: not asked any more in this run: {_ROW}"


@pytest.fixture(autouse=True)
def _short_back_offs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai._base_client, "INITIAL_RETRY_DELAY", 0.005)  # seconds, in place of 0.5


@pytest.fixture
def nobody(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> str:
    """The base URL of a port where nobody listens, set for OpenAI."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
    return url


def ask(agent: Agent, number: int = 0) -> str:
    """The reply's name, or the error's words."""
    try:
        return str(agent.propose(plant_call(f"extract:{number}", f"Which plant? ({number})")).content["name"])
    except AgentError as failure:
        return str(failure)


def test_200_documents_at_a_port_where_nobody_listens_end_in_seconds(nobody: str, bench: Bench, tmp_path: Path) -> None:
    began = time.monotonic()
    came = PROMPTS["extract"].run(StoredAgent(bench.agent(), tmp_path / "calls"), tmp_path, 200)
    assert time.monotonic() - began < 8
    refused = [reason for reason in came.reasons if reason.startswith(_OPEN)]
    seen = f"{nobody} cannot be reached (check the network and the provider's base URL"
    assert len(came.reasons) == len(came.events) == 200 and set(refused) == {f"{_OPEN}{seen}{_AGAIN}"}
    assert 200 - len(refused) + 4 >= DEAD_AFTER and len(refused) >= 190, "those under way end too"
    assert len(bench.outcomes) <= 10 * 5, "five attempts of each call that was made"


@pytest.mark.parametrize("prompt", PROMPTS)
def test_200_items_with_time_outs_end_in_seconds_and_the_policy_holds_for_all(
    prompt: str, bench: Bench, tmp_path: Path
) -> None:
    bench.server.script(slowly(tool_call(GOOD), 0.3))
    count = 200 if prompt != "rerank" else 80  # ten calls
    began = time.monotonic()
    came = PROMPTS[prompt].run(StoredAgent(bench.agent(timeout=0.2), tmp_path / "calls"), tmp_path, count)
    assert time.monotonic() - began < 8
    assert came.good == 0 and len(came.reasons) == count
    refused = {reason for reason in came.reasons if reason.startswith(_OPEN)}
    assert refused == {f"{_OPEN}no reply in time (raise SEKISHO_MODEL_TIMEOUT{_AGAIN}"}
    assert DEAD_AFTER <= len(bench.server.requests) < DEAD_AFTER + 5, "those under way, and no further one"
    if prompt == "recall-pre-gate":
        assert {event["reason"] for event in came.events} == {"timeout", "unavailable"}
    if prompt == "rerank":
        assert len(came.events) == DEAD_AFTER, "a call that was not made is none"


def test_a_whole_run_with_a_dead_provider_ends_in_seconds_and_names_it_in_the_gaps(
    house: House, nobody: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (house.data / "notes" / "01-pothos.md").read_text(encoding="utf-8")
    for number in range(195):
        house.note(f"more/{number:03d}.md", text)
    shutil.rmtree(house.data / "decisions")
    monkeypatch.setenv("IECQ_AGENT", "openai/gpt-4o-mini")
    began = time.monotonic()
    outcome = materialise("notes", "facts", "knowledge_base", "gaps")
    assert time.monotonic() - began < 20 and not outcome.success
    reasons = [gap.reason for gap in house.warehouse.gaps() if gap.stage == "facts"]
    assert len(reasons) == 200 and sum(reason.startswith(_OPEN) for reason in reasons) >= 190
    assert CANARY not in "".join(reasons)


def test_a_refused_key_is_sent_once_by_each_worker_at_most(bench: Bench, tmp_path: Path) -> None:
    bench.server.script(error(401, "no such key"))
    came = PROMPTS["query"].run(bench.agent(), tmp_path, 40)
    assert 1 <= len(bench.server.requests) <= 5 and len(came.reasons) == 40
    refused = {reason for reason in came.reasons if "not asked any more" in reason}
    denied = "access denied (HTTP 401) (check the key, the account and its credit"
    assert refused == {f"openai/gpt-4o-mini: not asked any more in this run: {denied}{_AGAIN}"}


def test_a_rate_limit_is_no_death(bench: Bench) -> None:
    bench.server.script(error(429, "slow down", retry_after="0.001"))
    agent = bench.agent(back_offs=0)
    assert all("slow down" in ask(agent, number) for number in range(3 * DEAD_AFTER))
    assert len(bench.server.requests) == 3 * DEAD_AFTER


@pytest.mark.parametrize(
    "alive",
    [
        tool_call(GOOD),
        tool_call({"name": 1}),
        tool_call('{"name', finish="length"),
        error(400, "too long"),
    ],
)
def test_whatever_shows_that_the_model_is_there_begins_the_count_anew(alive: Response, bench: Bench) -> None:
    down = [error(502)] * (DEAD_AFTER - 1)
    again = [alive] * 2 if b'"name\\": 1' in alive.get_data() else [alive]  # an invalid reply is asked for again
    bench.server.script(*down, *again, *down, tool_call(GOOD))
    agent = bench.agent(back_offs=0)
    came = [ask(agent, number) for number in range(2 * DEAD_AFTER)]
    assert came[-1] == "Pothos" and sum("HTTP 502" in words for words in came) == 2 * (DEAD_AFTER - 1)


def test_a_call_under_way_that_gets_its_reply_closes_the_circuit(bench: Bench) -> None:
    may_end = threading.Event()

    def held(request: Request) -> Response:
        if "(0)" in asked_text(request):
            assert may_end.wait(10)
            return tool_call(GOOD)
        return tool_call(GOOD) if "(9)" in asked_text(request) else error(500)

    bench.server.script(held)
    agent = bench.agent(back_offs=0)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(ask, agent, 0)
        while not bench.server.requests:
            time.sleep(0.01)
        assert all("HTTP 500" in ask(agent, number) for number in range(1, DEAD_AFTER + 1))
        assert ask(agent, 9).startswith(_OPEN)
        may_end.set()
        assert first.result() == "Pothos"
    assert ask(agent, 9) == "Pothos"


def test_the_back_offs_of_a_call_under_way_end_when_the_circuit_opens(bench: Bench) -> None:
    def down(request: Request) -> Response:
        return error(503, retry_after="1.5" if "(0)" in asked_text(request) else "0.001")

    bench.server.script(down)
    agent = bench.agent()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(ask, agent, 0)
        while not bench.server.requests:
            time.sleep(0.01)
        for number in range(1, DEAD_AFTER + 1):
            ask(agent, number)
        assert first.result().startswith(f"{_OPEN}HTTP 503 (try again later")
    assert sum("(0)" in str(request) for request in bench.server.requests) == 1, "of five"
    assert bench.outcomes == ["failed"] * (1 + 5 * DEAD_AFTER), "and each attempt is booked"


def test_what_is_stored_is_still_handed_out(bench: Bench, tmp_path: Path) -> None:
    bench.server.script(tool_call(GOOD), error(502))
    agent = StoredAgent(bench.agent(back_offs=0), tmp_path / "calls")
    assert ask(agent, 0) == "Pothos"
    assert all("HTTP 502" in ask(agent, number) for number in range(1, DEAD_AFTER + 1))
    assert ask(agent, 9).startswith(_OPEN) and ask(agent, 0) == "Pothos"


def test_another_model_has_a_circuit_of_its_own_and_so_has_the_next_run(bench: Bench) -> None:
    live = bench.agent("")
    bench.server.script(error(401), tool_call(GOOD))
    mini, large = (plant_call("a", model=f"openai/{name}") for name in ("gpt-4o-mini", "gpt-4o"))
    with pytest.raises(AccessDenied):
        live.propose(mini)
    assert live.propose(large).content == GOOD
    with pytest.raises(AccessDenied, match="not asked any more"):
        live.propose(mini)
    assert ask(bench.agent()) == "Pothos"


@pytest.mark.parametrize("last", [AgentFailed("HTTP 502: a"), AgentTimeout("late")])
def test_the_words_are_the_same_whichever_call_opened_it(last: AgentError) -> None:
    told = set()
    for item in ("a", "b"):
        circuit = Circuit("openai/x", dead_after=2)
        for key in (item, "c"):
            with pytest.raises(type(last)), circuit.call():
                raise type(last)(f"{last.message} {key}", item=key, remedy="wait").having_seen("it was seen")
        with pytest.raises(AgentUnavailable) as caught:
            circuit.check()
        told.add(str(caught.value))
    assert told == {
        "openai/x: not asked any more in this run: 2 calls in a row failed, the last one: it was seen "
        "(wait; then run again: only what is missing is asked)"
    }


@pytest.mark.parametrize("quiet", [RateLimited("no"), AgentUnavailable("no key")])
def test_what_says_nothing_of_the_model_neither_opens_nor_closes(quiet: AgentError) -> None:
    circuit = Circuit("openai/x", dead_after=2)
    failures: list[Callable[[], AgentError]] = [lambda: AgentFailed("x").having_seen("x"), lambda: quiet]
    for failure in (failures[1], failures[0], failures[1], failures[0]):
        with pytest.raises(AgentError), circuit.call():
            raise failure()
    with pytest.raises(AgentUnavailable, match="not asked any more"):
        circuit.check()


@pytest.mark.parametrize("alive", [InvalidReply(["x"]), ModelRefused("x")])
def test_a_reply_of_the_model_closes(alive: AgentError) -> None:
    circuit = Circuit("openai/x", dead_after=1)
    with pytest.raises(AgentError), circuit.call():
        try:
            with circuit.call():
                raise AgentFailed("x").having_seen("x")
        except AgentFailed:
            raise alive from None
    circuit.check()


def test_at_most_so_many_requests_are_under_way_whichever_prompts_they_are_for(bench: Bench, tmp_path: Path) -> None:
    answer: Answer = slowly(tool_call(PROMPTS["extract"].good), 0.05)
    bench.server.script(answer)
    agents = [bench.agent(concurrency=3) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:  # each with five workers of its own
        facts = pool.submit(PROMPTS["extract"].run, agents[0], tmp_path / "a", 12)
        questions = pool.submit(PROMPTS["query"].run, agents[1], tmp_path / "b", 12)
        assert facts.result().good == 12 and questions.result().good == 0
    assert bench.server.most_at_once == 3


def test_another_provider_has_places_of_its_own(bench: Bench) -> None:
    both = threading.Barrier(2)

    def meet(_request: Request) -> Response:
        both.wait(10)  # passes only when two are here together
        return tool_call(GOOD)

    bench.server.script(meet)
    agents = [bench.agent(model, concurrency=1) for model in ("openai/gpt-4o-mini", "openrouter/x/y")]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(ask, agents)) == ["Pothos", "Pothos"]


def test_waiting_for_a_place_is_no_time_out(bench: Bench) -> None:
    bench.server.script(slowly(tool_call(GOOD), 0.3))
    agent = bench.agent(timeout=0.9, concurrency=1)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda number: ask(agent, number), range(4))) == ["Pothos"] * 4
    assert bench.server.most_at_once == 1


@pytest.mark.parametrize(("variables", "wanted"), [({}, 5), ({"SEKISHO_WORKERS": "2"}, 2)])
def test_the_places_are_as_many_as_the_workers_unless_set(
    variables: dict[str, str], wanted: int, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IECQ_AGENT", "openai/gpt-4o-mini")
    bench.server.script(slowly(tool_call(GOOD), 0.05))
    for more, most in (({}, wanted), ({"SEKISHO_PROVIDER_CONCURRENCY": "1"}, 1)):
        for name, value in (variables | more).items():
            monkeypatch.setenv(name, value)
        bench.server.most_at_once = 0
        agent = make_agent(load_settings())
        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(lambda number, agent=agent, most=most: ask(agent, number + 100 * most), range(12)))
        assert replies == ["Pothos"] * 12 and bench.server.most_at_once == most
