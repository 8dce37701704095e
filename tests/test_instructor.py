"""The Instructor agent against a real HTTP server: what a model does, and what comes of it."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest
from werkzeug import Request, Response

from sekisho.errors import (
    InputError,
    InvalidReply,
    ModelRefused,
    ReplyCut,
)
from tests.model_calls import FENCED, GOOD, Bench, bench, http, plant_call
from tests.wire import asked_text, content, message, tool_call, tool_use

__all__ = ["bench", "http"]
_PRICE = 100 * 0.15e-6 + 10 * 0.6e-6  # gpt-4o-mini, US dollars
ONCE, TWICE = pytest.approx(_PRICE), pytest.approx(2 * _PRICE)
MODES = ["openai/gpt-4o-mini", "deepseek/deepseek-chat", "ollama/llama3.2", "anthropic/claude-sonnet-4-5"]


def written(text: str, model: str) -> Response:
    """A reply of plain text in the provider's format."""
    anthropic = model.startswith("anthropic/")
    return message({"type": "text", "text": text}, stop="end_turn") if anthropic else content(text)


def test_d03_a_good_reply_comes_back_as_the_model_sent_it_with_its_cost(bench: Bench) -> None:
    bench.server.script(tool_call(GOOD, model="gpt-4o-mini-2024-07-18"))
    reply = bench.agent().propose(plant_call(temperature=0, seed=42))
    assert reply.content == GOOD, "no default was filled in"
    assert reply.model == "gpt-4o-mini-2024-07-18"
    assert reply.usage == {"attempts": 1, "input_tokens": 100, "output_tokens": 10, "cost_usd": ONCE}
    (line,) = bench.lines
    assert datetime.fromisoformat(line.pop("at")).tzinfo is not None
    assert line == {
        "key": "extract:01-pothos",
        "prompt": "extract",
        "model": "openai/gpt-4o-mini",
        "outcome": "ok",
        "input_tokens": 100,
        "output_tokens": 10,
        "cost_usd": ONCE,
        "run": "run-1",
    }


def test_the_prompt_is_sent_as_it_is_and_the_schema_shown_is_the_calls(bench: Bench) -> None:
    bench.server.script(tool_call(GOOD))
    bench.agent().propose(plant_call(text="Water {{ 1 + 1 }} {% if %} data:image/png;base64,AAAA"))
    (request,) = bench.server.requests
    assert request["messages"] == [{"role": "user", "content": "Water {{ 1 + 1 }} {% if %} data:image/png;base64,AAAA"}]
    (tool,) = request["tools"]
    assert tool["function"]["parameters"]["properties"]["days"]["description"] == "days between waterings"
    assert request["tool_choice"]["function"]["name"] == tool["function"]["name"] == "Plant"


@pytest.mark.parametrize("model", MODES)
def test_a_schema_stricter_than_the_type_is_shown_and_does_not_judge(model: str, bench: Bench) -> None:
    call = plant_call(retries=0)
    strict = copy.deepcopy(dict(call.schema))
    strict["properties"]["days"]["maximum"] = 5
    bench.server.script(written(json.dumps(GOOD), model))
    agent = bench.agent(model)
    for _ in range(2):
        assert agent.propose(dataclasses.replace(call, schema=strict)).content == GOOD
    first, second = bench.server.requests
    assert '"maximum": 5' in json.dumps(first).replace("\\", "") and second == first


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (tool_call('{"name": "Pothos", "days":'), "not JSON"),
        (tool_call({"name": "Pothos", "days": "10"}), "days: Input should be a valid integer"),
        (tool_call({**GOOD, "colour": "green"}), "colour: Extra inputs are not permitted"),
        (tool_call({"name": "Pothos"}), "days: Field required"),
        (tool_call(GOOD, GOOD), "2 tool calls in place of one"),
        (content("I would say: Pothos."), "No tool calls"),
        (tool_call('{"name": "Pothos", "days": NaN}'), "NaN is no JSON"),
    ],
)
def test_an_invalid_reply_is_asked_for_again_with_the_reason(bad: Response, reason: str, bench: Bench) -> None:
    bench.server.script(bad, tool_call(GOOD))
    reply = bench.agent().propose(plant_call())
    assert reply.content == GOOD
    assert reply.usage == {"attempts": 2, "input_tokens": 200, "output_tokens": 20, "cost_usd": TWICE}
    grown = 4 if "2 tool calls" in reason else 3  # the question, the reply, and a message for each call in it
    assert [len(request["messages"]) for request in bench.server.requests] == [1, grown]
    assert reason in str(bench.server.requests[1]["messages"][-1]["content"])
    assert bench.outcomes == ["invalid", "ok"]


@pytest.mark.parametrize(("retries", "requests"), [(None, 2), (0, 1), (3, 4)])
def test_retries_run_out_as_a_typed_failure_with_all_costs(retries: int | None, requests: int, bench: Bench) -> None:
    bench.server.script(tool_call({**GOOD, "days": "ten"}))
    with pytest.raises(InvalidReply) as caught:
        bench.agent().propose(plant_call(retries=retries) if retries is not None else plant_call())
    assert len(bench.server.requests) == requests
    assert caught.value.reasons == ("days: Input should be a valid integer (got 'ten')",)
    assert caught.value.usage["input_tokens"] == 100 * requests
    assert caught.value.usage["cost_usd"] == pytest.approx(requests * _PRICE)
    assert bench.outcomes == ["invalid"] * requests
    assert pickle.loads(pickle.dumps(caught.value)).usage == caught.value.usage


def test_a_reply_too_long_to_repeat_is_not_asked_for_again(bench: Bench) -> None:
    bench.server.script(tool_call({"name": "x" * 70_000, "days": "ten"}))
    with pytest.raises(InvalidReply):
        bench.agent().propose(plant_call(retries=3))
    assert len(bench.server.requests) == 1


@pytest.mark.parametrize("retries", [-1, 4, True, "2", 1.5])
def test_retries_beyond_the_cap_are_bad_input_and_no_call(retries: object, bench: Bench) -> None:
    with pytest.raises(InputError, match="from 0 to 3"):
        bench.agent().propose(plant_call(retries=retries))
    assert bench.server.requests == []


@pytest.mark.parametrize("model", MODES)
def test_g4_json_in_one_fence_costs_no_second_call(model: str, bench: Bench) -> None:
    bench.server.script(written(FENCED, model))
    reply = bench.agent(model).propose(plant_call())
    assert reply.content == GOOD and reply.usage["attempts"] == 1
    assert bench.outcomes == ["ok"]


@pytest.mark.parametrize("model", MODES)
@pytest.mark.parametrize("text", [f"Here you are:\n{FENCED}", f"{FENCED}\n{FENCED}"])
def test_json_is_not_dug_out_of_prose(text: str, model: str, bench: Bench) -> None:
    bench.server.script(written(text, model))
    with pytest.raises(InvalidReply, match="not JSON"):
        bench.agent(model).propose(plant_call(retries=0))


@pytest.mark.parametrize(
    ("model", "cut"),
    [
        ("openai/gpt-4o-mini", tool_call('{"name": "Po', finish="length")),
        ("openai/gpt-4o-mini", tool_call(GOOD, finish="length")),
        ("openai/gpt-4o-mini", content("", finish="length")),
        ("deepseek/deepseek-v4-flash", content(GOOD, finish="length", model="deepseek-v4-flash")),
        ("anthropic/claude-sonnet-4-5", message(tool_use({"name": "Po"}), stop="max_tokens")),
        ("anthropic/claude-sonnet-4-5", message(tool_use(GOOD), stop="model_context_window_exceeded")),
    ],
)
def test_g1_a_reply_that_was_cut_is_one_call_and_is_booked(model: str, cut: Response, bench: Bench) -> None:
    bench.server.script(cut)
    with pytest.raises(ReplyCut, match=r"token limit \(50\)") as caught:
        bench.agent(model).propose(plant_call(retries=3, max_tokens=50))
    assert len(bench.server.requests) == 1
    assert bench.outcomes == ["length"]
    assert caught.value.usage["output_tokens"] == 10 and (caught.value.usage["cost_usd"] or 0) > 0


@pytest.mark.parametrize(
    ("model", "refusal"),
    [
        ("openai/gpt-4o-mini", content(None, refusal="I cannot help")),
        ("openai/gpt-4o-mini", tool_call(GOOD, refusal="I cannot help")),
        ("openai/gpt-4o-mini", content("", finish="content_filter")),
        ("openai/gpt-4o-mini", tool_call(GOOD, finish="content_filter")),
        ("ollama/llama3.2", content(GOOD, refusal="I cannot help")),
        ("anthropic/claude-sonnet-4-5", message({"type": "text", "text": "I cannot help"}, stop="refusal")),
    ],
)
def test_a_refusal_or_a_content_filter_is_one_call_and_is_booked(model: str, refusal: Response, bench: Bench) -> None:
    bench.server.script(refusal)
    with pytest.raises(ModelRefused, match=r"I cannot help|content filter") as caught:
        bench.agent(model).propose(plant_call(retries=3))
    assert len(bench.server.requests) == 1
    assert bench.outcomes == ["refusal"] and caught.value.usage["input_tokens"] == 100


def test_an_unknown_model_costs_none_and_never_nothing(bench: Bench) -> None:
    bench.server.script(tool_call(GOOD, model="house-model-1"))
    reply = bench.agent("openai/house-model-1").propose(plant_call())
    assert reply.usage == {"attempts": 1, "input_tokens": 100, "output_tokens": 10, "cost_usd": None}
    assert bench.lines[0]["cost_usd"] is None


def test_g8_calls_of_five_threads_do_not_mix(bench: Bench) -> None:
    def answer_by_name(request: Request) -> Response:
        asked = asked_text(request)
        name = asked.partition("plant ")[2][:2]
        return tool_call({"name": name, "days": "x" if "Validation" not in asked and int(name) % 2 else int(name)})

    bench.server.script(answer_by_name)
    agent = bench.agent()
    calls = [plant_call(f"extract:{number:02}", f"plant {number:02}") for number in range(20)]
    with ThreadPoolExecutor(5) as pool:
        replies = list(pool.map(agent.propose, calls))
    assert [reply.content["name"] for reply in replies] == [f"{number:02}" for number in range(20)]
    assert [reply.usage["attempts"] for reply in replies] == [1, 2] * 10
    assert len(bench.lines) == 30 and bench.outcomes.count("invalid") == 10
    assert {line["key"] for line in bench.lines if line["outcome"] == "ok"} == {call.key for call in calls}


@pytest.mark.parametrize("figure", ["1" + "0" * 400, "1" + "0" * 30, "NaN", "1e999", "-5"])
def test_a_usage_that_no_call_can_have_is_unknown_and_costs_no_reply(figure: str, bench: Bench) -> None:
    told = tool_call(GOOD).get_data(as_text=True)
    assert '"prompt_tokens": 100' in told
    hostile = told.replace('"prompt_tokens": 100', f'"prompt_tokens": {figure}')
    bench.server.script(Response(hostile, content_type="application/json"))
    reply = bench.agent(budget=1.0).propose(plant_call(max_tokens=1000))
    assert reply.content == GOOD and reply.usage["cost_usd"] is None
    assert bench.outcomes == ["started", "ok"] and bench.lines[-1]["cost_usd"] is None
