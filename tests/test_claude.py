"""The `claude -p` agent against a real program of that name, first on PATH, that records what it was given."""

from __future__ import annotations

import inspect
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sekisho.agents.backends import make_agent
from sekisho.agents.base import Call, Reply
from sekisho.agents.claude import ClaudeAgent
from sekisho.agents.prompts import RenderedPrompt, load_prompt
from sekisho.agents.spend import LedgerReader, SpendLedger
from sekisho.agents.subagent import SubAgent
from sekisho.errors import AgentError, AgentFailed, AgentTimeout, AgentUnavailable, InvalidReply
from sekisho.ingest import IngestReply
from sekisho.settings import load_settings
from tests.conftest import ROOT

HOSTILE = (
    "‘quoted’ \"double\" 'single' $(touch /tmp/pwned-by-a-document) `id` ; rm -rf / \\ --help\n-p\n%s {{ x }} 海馬"
)
Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Write `claude`: a script that records argv, stdin and its folder, then runs `body`; the record's path."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    record = tmp_path / "record.json"

    def make(output: str = "", *, body: str = "") -> Path:
        program = folder / "claude"
        program.write_text(
            f"#!{sys.executable}\n"
            "import json, os, pathlib, subprocess, sys, time\n"
            "stdin = sys.stdin.buffer.read().decode('utf-8')\n"
            f"pathlib.Path({str(record)!r}).write_text(json.dumps("
            "{'argv': sys.argv[1:], 'stdin': stdin, 'cwd': os.getcwd(), 'files': os.listdir()}))\n"
            f"{body}\n"
            f"sys.stdout.buffer.write({output.encode('utf-8')!r})\n",
            encoding="utf-8",
        )
        program.chmod(0o755)
        return record

    return make


def call(text: str = "the prompt", **params: Any) -> Call:
    return Call("extract:n1", RenderedPrompt("extract", text, params, "0"), IngestReply, {})


def envelope(result: Any, **fields: Any) -> str:
    return json.dumps({"type": "result", "subtype": "success", "is_error": False, "result": result, **fields})


def is_running(pid: int) -> bool:
    """Whether a process still does something; one that ended but was not yet collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def gone_soon(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_running(pid)


def wait_for(path: Path) -> int:
    return int(path.read_text(encoding="ascii"))


def test_p03_the_prompt_arrives_on_standard_input_and_never_in_the_arguments(install: Install) -> None:
    record = install(envelope('{"text": "ok"}'))
    ClaudeAgent().propose(call(HOSTILE))
    seen = json.loads(record.read_text(encoding="utf-8"))
    assert seen["stdin"] == HOSTILE
    assert "-p" in seen["argv"]
    assert not any(word in argument for argument in seen["argv"] for word in ("quoted", "touch", "海馬"))


def test_a_hostile_document_reaches_the_program_as_one_json_string(install: Install) -> None:
    record = install(envelope('{"text": "ok"}'))
    tidier = SubAgent(ClaudeAgent(), load_prompt(ROOT / "prompts", "ingest"), IngestReply)
    assert tidier.ask("ingest:n1", {"source": "n1", "text": HOSTILE}).value.text == "ok"
    stdin = json.loads(record.read_text(encoding="utf-8"))["stdin"]
    assert json.loads(stdin.strip().splitlines()[-1]) == HOSTILE
    assert not Path("/tmp/pwned-by-a-document").exists()


def test_the_program_has_no_tools_stands_in_an_empty_folder_and_gets_the_prompts_model(install: Install) -> None:
    record = install(envelope("{}"))
    ClaudeAgent().propose(call(model="anthropic/claude-x-1"))
    seen = json.loads(record.read_text(encoding="utf-8"))
    assert seen["argv"][seen["argv"].index("--tools") + 1] == ""
    assert seen["argv"][seen["argv"].index("--model") + 1] == "claude-x-1"
    assert seen["files"] == [] and not Path(seen["cwd"]).exists()


def test_an_envelope_gives_reply_models_tokens_and_cost(install: Install) -> None:
    usage = {"input_tokens": 10, "output_tokens": 20, "service_tier": "standard"}
    install(envelope('{"text": "海"}', usage=usage, total_cost_usd=0.5, modelUsage={"b": {}, "a": {}}))
    expected = {"input_tokens": 10.0, "output_tokens": 20.0, "cost_usd": 0.5}
    assert ClaudeAgent().propose(call()) == Reply({"text": "海"}, "a,b", expected)


@pytest.mark.parametrize("figure", [10**400, float("nan"), float("inf"), -1, "12", True], ids=str)
def test_a_figure_that_no_call_can_have_is_unknown_and_costs_no_reply(
    install: Install, tmp_path: Path, figure: Any
) -> None:
    usage = {"input_tokens": figure, "output_tokens": figure, "cache_read_input_tokens": figure}
    install(envelope('{"text": "ok"}', usage=usage, total_cost_usd=figure))
    ledger = SpendLedger(tmp_path / "ledger.jsonl", "r1")
    assert ClaudeAgent(ledger=ledger).propose(call()) == Reply({"text": "ok"}, "", {})
    (booked,) = LedgerReader(ledger.path).new_lines()
    assert (booked.outcome, booked.input_tokens, booked.cost_usd) == ("ok", None, None)


@pytest.mark.parametrize("text", ['{"text": "ok"}', ' {"text": "ok"}\n', '```json\n{"text": "ok"}\n```'])
@pytest.mark.parametrize("wrap", [envelope, str])
def test_json_plain_or_fenced_in_an_envelope_or_bare_is_the_reply(
    install: Install, text: str, wrap: Callable[[str], str]
) -> None:
    install(wrap(text))
    assert ClaudeAgent().propose(call(model="m")) == Reply({"text": "ok"}, "m", {})


@pytest.mark.parametrize(
    "output",
    [
        "",
        "I cannot do that.",
        envelope("I cannot do that."),
        envelope('Here: {"text": "ok"}'),
        envelope('{"text": NaN}'),
        envelope(None),
        envelope({"text": "ok"}),
    ],
)
def test_output_that_is_no_json_is_an_invalid_reply(install: Install, output: str) -> None:
    install(output)
    with pytest.raises(InvalidReply):
        ClaudeAgent().propose(call())


def test_an_error_in_the_envelope_is_a_failure_with_its_words(install: Install) -> None:
    install(envelope("Credit balance\nis too low", is_error=True))
    with pytest.raises(AgentFailed, match=r"extract:n1: claude reports an error: Credit balance\\nis too low"):
        ClaudeAgent().propose(call())


def test_a_non_zero_exit_is_a_failure_with_its_code_and_words(install: Install) -> None:
    install(envelope('{"text": "ok"}'), body="sys.stderr.write('\\x1b[31mnot logged in'); sys.exit(3)")
    with pytest.raises(AgentFailed) as caught:
        ClaudeAgent().propose(call())
    assert "exit code 3: \\x1b[31mnot logged in" in str(caught.value)
    assert caught.value.item == "extract:n1"


def test_a_program_that_does_not_read_its_input_is_still_heard(install: Install, tmp_path: Path) -> None:
    install()
    (tmp_path / "bin" / "claude").write_text("#!/bin/sh\necho not today >&2\nexit 1\n", encoding="ascii")
    with pytest.raises(AgentFailed, match="not today"):
        ClaudeAgent().propose(call("x" * 1_000_000))


def test_a_missing_program_is_unavailable_with_a_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AgentUnavailable, match=r"claude cannot be started: .*\(install"):
        ClaudeAgent().propose(call())


def test_a_program_that_may_not_be_run_is_unavailable(install: Install, tmp_path: Path) -> None:
    install()
    (tmp_path / "bin" / "claude").chmod(0o644)
    with pytest.raises(AgentUnavailable, match="Permission denied"):
        ClaudeAgent(program=str(tmp_path / "bin" / "claude")).propose(call())


# Each of these starts a child that would outlive the call by far, and writes down its process id.
SLEEPER = "import time; time.sleep(60)"
SPAWN = (
    "child = subprocess.Popen([sys.executable, '-c', {code!r}]{how}); pathlib.Path({pid!r}).write_text(str(child.pid))"
)


def spawn(pid: Path, code: str = SLEEPER, how: str = "") -> str:
    return SPAWN.format(code=code, how=how, pid=str(pid))


def test_a_time_out_ends_the_whole_process_group(install: Install, tmp_path: Path) -> None:
    install(body=spawn(tmp_path / "pid") + "; time.sleep(60)")
    began = time.monotonic()
    with pytest.raises(AgentTimeout, match=r"no reply within 1\.5 s .*SEKISHO_MODEL_TIMEOUT") as caught:
        ClaudeAgent(timeout=1.5).propose(call())
    assert time.monotonic() - began < 10
    assert caught.value.retryable
    assert gone_soon(wait_for(tmp_path / "pid"))


def test_a_child_that_holds_the_output_after_the_program_ended_is_ended_at_the_time_out(
    install: Install, tmp_path: Path
) -> None:
    install("{}", body=spawn(tmp_path / "pid"))
    with pytest.raises(AgentTimeout):
        ClaudeAgent(timeout=1.5).propose(call())
    assert gone_soon(wait_for(tmp_path / "pid"))


def test_a_child_that_the_program_left_behind_is_ended_with_the_call(install: Install, tmp_path: Path) -> None:
    quiet = ", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL"
    install("{}", body=spawn(tmp_path / "pid", how=quiet))
    ClaudeAgent().propose(call())
    assert gone_soon(wait_for(tmp_path / "pid"))


def test_a_child_in_a_group_of_its_own_does_not_hold_up_the_time_out(install: Install, tmp_path: Path) -> None:
    code = "import time; time.sleep(8)"
    install(body=spawn(tmp_path / "pid", code, ", start_new_session=True") + "; time.sleep(60)")
    began = time.monotonic()
    with pytest.raises(AgentTimeout):
        ClaudeAgent(timeout=1.5).propose(call())
    assert time.monotonic() - began < 5


def test_every_failure_of_the_program_names_the_call(install: Install, tmp_path: Path) -> None:
    install(body="time.sleep(60)")
    slow = ClaudeAgent(timeout=0.5)
    missing = ClaudeAgent(program=str(tmp_path / "nowhere"))
    for agent in (slow, missing):
        with pytest.raises(AgentError) as caught:
            agent.propose(call())
        assert caught.value.item == "extract:n1", type(caught.value).__name__


def test_p03_the_time_out_is_180_seconds_unless_it_is_set(
    install: Install, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert load_settings().model_timeout == 180.0
    assert inspect.signature(ClaudeAgent).parameters["timeout"].default == 180.0
    install(body="time.sleep(60)")
    monkeypatch.setenv("IECQ_AGENT", "claude")
    monkeypatch.setenv("SEKISHO_MODEL_TIMEOUT", "0.5")
    with pytest.raises(AgentTimeout, match=r"within 0\.5 s"):
        make_agent(load_settings()).propose(call())
