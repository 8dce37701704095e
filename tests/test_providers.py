"""Provider strings: what each needs and is sent, what is stored, and that no key is ever written down."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from sekisho.agents.backends import make_agent
from sekisho.agents.providers import PROVIDERS
from sekisho.agents.store import StoredAgent
from sekisho.errors import AgentError, AgentFailed, AgentUnavailable, InvalidReply, RateLimited, SettingsError
from sekisho.settings import Settings, load_settings
from tests.conftest import ROOT
from tests.model_calls import CANARY, GOOD, Bench, bench, http, plant_call
from tests.test_cli import sekisho
from tests.wire import Answer, content, error, message, tool_call, tool_use

__all__ = ["bench", "http"]
ALL = {"temperature": 0, "top_p": 0.9, "max_tokens": 500, "seed": 42, "retries": 0}


def settings(agent: str, **more: Any) -> Settings:
    return load_settings().model_copy(update={"agent": agent, **more})


@pytest.mark.parametrize(
    ("model", "answer", "sent"),
    [
        ("openai/gpt-4o-mini", tool_call(GOOD), {"temperature": 0, "top_p": 0.9, "max_tokens": 500, "seed": 42}),
        ("openai/gpt-5-mini", tool_call(GOOD), {"max_completion_tokens": 500, "seed": 42}),
        ("openai/o3-mini", tool_call(GOOD), {"max_completion_tokens": 500, "seed": 42}),
        ("openai/gpt-5-chat-latest", tool_call(GOOD), {"temperature": 0, "top_p": 0.9, "max_tokens": 500, "seed": 42}),
        ("deepseek/deepseek-v4-flash", content(GOOD), {"temperature": 0, "top_p": 0.9, "max_tokens": 500}),
        ("ollama/llama3.2", content(GOOD), {"temperature": 0, "top_p": 0.9, "max_tokens": 500, "seed": 42}),
        ("openrouter/x/y", tool_call(GOOD), {"temperature": 0, "top_p": 0.9, "max_tokens": 500, "seed": 42}),
        ("anthropic/claude-sonnet-4-5", message(tool_use(GOOD)), {"max_tokens": 500}),
    ],
)
def test_only_parameters_that_the_provider_accepts_are_sent_and_those_are_recorded(
    model: str, answer: Answer, sent: dict[str, Any], bench: Bench
) -> None:
    bench.server.script(answer)
    reply = bench.agent(model).propose(plant_call(**ALL, model="anthropic/other"))
    assert reply.content == GOOD and reply.params == sent
    (request,) = bench.server.requests
    assert request["model"] == model.partition("/")[2]
    names = {"temperature", "top_p", "max_tokens", "max_completion_tokens", "seed"}
    assert {name: request[name] for name in names & set(request)} == sent


def test_anthropic_is_always_told_a_token_limit(bench: Bench) -> None:
    bench.server.script(message(tool_use(GOOD)))
    assert bench.agent("anthropic/claude-sonnet-4-5").propose(plant_call()).params == {"max_tokens": 4096}


@pytest.mark.parametrize(
    ("model", "answer", "mode"),
    [
        ("openai/gpt-4o-mini", tool_call(GOOD), "tools"),
        ("deepseek/deepseek-chat", content(GOOD), "json_object"),
        ("ollama/llama3.2", content(GOOD), "json_schema"),
        ("anthropic/claude-sonnet-4-5", message(tool_use(GOOD)), "tools"),
    ],
)
def test_g4_each_provider_is_asked_in_its_mode(model: str, answer: Answer, mode: str, bench: Bench) -> None:
    bench.server.script(answer)
    bench.agent(model).propose(plant_call())
    (request,) = bench.server.requests
    assert ("tools" in request) == (mode == "tools")
    assert request.get("response_format", {}).get("type", "tools") == mode
    assert "days between waterings" in json.dumps(request), "the schema is shown in every mode"


def test_an_anthropic_reply_that_does_not_fit_is_asked_for_again(bench: Bench) -> None:
    for bad in (message(tool_use({"name": 1})), message(tool_use(GOOD), tool_use(GOOD, 1)), message(stop="end_turn")):
        bench.server.script(bad, message(tool_use(GOOD)))
        reply = bench.agent("anthropic/claude-sonnet-4-5").propose(plant_call())
        assert reply.content == GOOD
        assert reply.usage == {
            "attempts": 2,
            "input_tokens": 200,
            "output_tokens": 20,
            "cost_usd": pytest.approx(2 * (100 * 3e-6 + 10 * 15e-6)),
        }
    assert bench.outcomes == ["invalid", "ok"] * 3


def test_a_client_that_instructor_makes_itself_works_as_well(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABRICKS_HOST", bench.server.http.url_for(""))
    monkeypatch.setenv("DATABRICKS_TOKEN", CANARY)
    agent = bench.agent("databricks/house-model")
    bench.server.script(tool_call({"name": 1}), tool_call(GOOD))
    assert agent.propose(plant_call(**{**ALL, "retries": 1})).content == GOOD
    bench.server.script(error(429, retry_after="0.01"))
    with pytest.raises(RateLimited) as caught:
        agent.propose(plant_call())
    assert caught.value.usage["cost_usd"] == 0
    assert bench.outcomes == ["invalid", "ok", "rate_limited"]
    bench.server.script(error(400, f"bad {CANARY}"))
    with pytest.raises(AgentFailed, match=r"bad \[key\]"):
        agent.propose(plant_call())


def test_every_provider_of_instructor_is_known() -> None:
    from instructor.v2.auto_client import _PROVIDER_BUILDERS

    assert set(PROVIDERS) == set(_PROVIDER_BUILDERS)


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        ("oracle", "no agent is called 'oracle'"),
        ("oracle/x", "no provider is called 'oracle'"),
        ("openai/", "'openai/' names no model"),
        ("openai/gpt-4o-mini", "OPENAI_API_KEY: not set, and openai needs a key"),
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY: not set"),
        ("live", "ANTHROPIC_API_KEY: not set"),
        ("groq/llama", "the client of groq is not installed (pip install groq)"),
        ("google/gemini-3-pro", "(pip install google-genai)"),
        ("xai/grok", "(pip install xai-sdk)"),
    ],
)
def test_what_is_missing_is_told_before_any_call(agent: str, told: str) -> None:
    with pytest.raises(SettingsError) as caught:
        make_agent(settings(agent))
    assert told in str(caught.value)


def test_the_command_line_ends_2_without_a_key() -> None:
    done = sekisho("run", IECQ_AGENT="openai/gpt-4o-mini")
    assert done.returncode == 2 and "OPENAI_API_KEY: not set" in done.stderr


def test_choosing_a_provider_imports_nothing_of_it() -> None:
    code = (
        "import sys; from sekisho.agents.backends import make_agent; from sekisho.settings import load_settings;"
        "import dagster_project.definitions; make_agent(load_settings()); print(sorted(sys.modules))"
    )
    variables = {"IECQ_AGENT": "openai/gpt-4o-mini", "OPENAI_API_KEY": CANARY, "PATH": "", "HOME": "/nowhere"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=variables)
    assert done.returncode == 0, done.stderr
    for heavy in ("instructor", "openai", "anthropic", "genai_prices"):
        assert f"'{heavy}'" not in done.stdout


def test_live_asks_each_prompts_own_model(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = make_agent(settings("live"))
    bench.server.script(tool_call(GOOD), message(tool_use(GOOD)))
    agent.propose(plant_call("a", model="openai/gpt-4o-mini"))
    agent.propose(plant_call("b", model="anthropic/claude-sonnet-4-5"))
    assert [request["model"] for request in bench.server.requests] == ["gpt-4o-mini", "claude-sonnet-4-5"]
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(AgentUnavailable, match="OPENAI_API_KEY: not set"):
        agent.propose(plant_call("c", "Another plant?", model="openai/gpt-4o-mini"))
    assert len(bench.server.requests) == 2


def test_a_stored_reply_costs_no_further_call(bench: Bench, tmp_path: Path) -> None:
    bench.server.script(tool_call(GOOD))
    agent = StoredAgent(bench.agent(), tmp_path / "calls")
    first = agent.propose(plant_call(temperature=0))
    assert agent.propose(plant_call(temperature=0)) == first
    assert len(bench.server.requests) == 1 and bench.outcomes == ["ok"]
    (stored,) = (tmp_path / "calls").rglob("*.json")
    record = json.loads(stored.read_text(encoding="utf-8"))
    assert record["params"] == {"temperature": 0} and record["usage"]["cost_usd"] > 0
    other = StoredAgent(bench.agent("openai/gpt-4o"), tmp_path / "calls")
    other.propose(plant_call(temperature=0))
    assert len(bench.server.requests) == 2, "another model is another reply"


@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5"])
@pytest.mark.parametrize(
    "answer",
    [
        lambda: error(401, f"Incorrect API key provided: {CANARY}"),
        lambda: error(429, f"{CANARY} is too fast", retry_after="0.01"),
        lambda: error(400, f"Bearer {CANARY}"),
        lambda: tool_call({"name": CANARY, "days": CANARY}),
        lambda: content("", refusal=f"no, {CANARY}"),
        lambda: message(tool_use({"name": CANARY, "days": CANARY})),
        lambda: message({"type": "text", "text": f"no, {CANARY}"}, stop="refusal"),
        lambda: tool_call(GOOD),
    ],
)
def test_no_key_is_written_down(
    answer: Callable[[], Answer],
    model: str,
    bench: Bench,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    bench.server.script(answer())
    caplog.set_level(logging.INFO)
    told = ""
    try:
        StoredAgent(bench.agent(model, back_offs=1), tmp_path / "calls").propose(plant_call(retries=0))
    except AgentError as failure:
        told = str(failure) + repr(failure.__dict__)
        assert failure.__cause__ is None and failure.__suppress_context__
    assert CANARY in str(bench.server.headers), "the server has seen it"
    written = "".join(path.read_text(encoding="utf-8") for path in tmp_path.rglob("*") if path.is_file())
    printed = capfd.readouterr()
    for text in (told, written, caplog.text, printed.out, printed.err):
        assert CANARY not in text


def test_neither_prompt_nor_reply_reaches_the_ledger(bench: Bench) -> None:
    bench.server.script(tool_call({"name": "secret reply"}))
    with pytest.raises(InvalidReply):
        bench.agent().propose(plant_call(text="secret prompt", retries=0))
    assert "secret" not in bench.ledger_path.read_text(encoding="utf-8")


def test_the_documented_table_of_providers_is_the_table() -> None:
    page = (ROOT / "docs" / "providers.md").read_text(encoding="utf-8")
    for provider in PROVIDERS.values():
        assert f"`{provider.name}/" in page
        for name in (*provider.keys, provider.url_variable):
            assert not name or f"`{name}`" in page
    params = yaml.safe_load((ROOT / "prompts/production/extract/params.yaml").read_text(encoding="utf-8"))
    assert params["model"].partition("/")[0] in PROVIDERS
