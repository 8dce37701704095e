"""The call store: a reply is paid for once, and what cannot be used is asked for again."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from sekisho.agents.backends import make_agent
from sekisho.agents.base import Call, Reply
from sekisho.agents.fixtures import FixtureAgent
from sekisho.agents.prompts import RenderedPrompt
from sekisho.agents.spend import SpendLedger
from sekisho.agents.store import StoredAgent
from sekisho.agents.subagent import parse_reply
from sekisho.errors import AgentFailed, InvalidReply
from sekisho.events import EventLog
from sekisho.extract import extract_facts, make_extractor
from sekisho.settings import load_settings
from sekisho.sources.folder import DataFolder
from sekisho.sources.notes import load_notes
from tests.conftest import ROOT, House
from tests.model_calls import GOOD, Bench, bench, http, plant_call
from tests.wire import tool_call

__all__ = ["bench", "http"]


class Numbered(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    n: int


class Renumbered(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    number: int


class Paid:
    """An agent whose every reply costs: it counts its calls and numbers its replies."""

    fingerprint = "paid"

    def __init__(self, name: str = "paid") -> None:
        self.name = name
        self.asked: list[str] = []

    def propose(self, call: Call) -> Reply:
        self.asked.append(call.key)
        return Reply({"n": len(self.asked)}, "model-1", {"input_tokens": 5.0, "cost_usd": 0.25})


class Says:
    """An agent that always gives the same content, whatever it is."""

    name = fingerprint = "says"

    def __init__(self, content: Any) -> None:
        self._content = content

    def propose(self, call: Call) -> Reply:
        return Reply(self._content)


CALL = Call(
    "k", RenderedPrompt("p", "the prompt", {"model": "m", "temperature": 0}, "abc"), Numbered, {"type": "object"}
)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_p12_the_second_time_the_stored_reply_answers(tmp_path: Path) -> None:
    inner = Paid()
    first = StoredAgent(inner, tmp_path).propose(CALL)
    again = StoredAgent(inner, tmp_path).propose(CALL)
    assert again == first == Reply({"n": 1}, "model-1", {"input_tokens": 5.0, "cost_usd": 0.25})
    assert inner.asked == ["k"]


@pytest.mark.parametrize(
    "other",
    [
        replace(CALL, prompt=replace(CALL.prompt, text="another prompt")),
        replace(CALL, prompt=replace(CALL.prompt, sha256="def")),
        replace(CALL, prompt=replace(CALL.prompt, params={"model": "m", "temperature": 1})),
        replace(CALL, prompt=replace(CALL.prompt, params={"model": "m2", "temperature": 0})),
        replace(CALL, schema={"type": "object", "title": "T"}),
    ],
    ids=["text", "prompt files", "params", "model", "schema"],
)
def test_another_prompt_model_parameter_or_schema_is_asked_anew(tmp_path: Path, other: Call) -> None:
    inner = Paid()
    agent = StoredAgent(inner, tmp_path)
    assert [agent.propose(call).content["n"] for call in (CALL, other, CALL, other)] == [1, 2, 1, 2]


def test_what_a_killed_writer_left_is_removed_after_a_day(tmp_path: Path) -> None:
    StoredAgent(Paid(), tmp_path).propose(CALL)
    (reply,) = tmp_path.glob("*/*.json")
    old, new = (reply.with_name(f".{reply.name}.{name}") for name in ("old", "new"))
    for left in (old, new):
        left.write_text("{", encoding="utf-8")
    os.utime(old, (1, 1))
    os.utime(reply, (1, 1))
    StoredAgent(Paid(), tmp_path)
    assert [file for file in (old, new, reply) if file.exists()] == [new, reply]


def test_another_agent_is_asked_anew(tmp_path: Path) -> None:
    other = Paid("other")
    StoredAgent(Paid(), tmp_path).propose(CALL)
    StoredAgent(other, tmp_path).propose(CALL)
    assert other.asked == ["k"]


@pytest.mark.parametrize(
    "spoilt",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b"\xff\xfe",
        b'{"content": {"n": 1}}',
        b'{"content": {"n": "1"}, "model": "m", "usage": {}}',
        b'{"content": {"n": 1}, "model": 5, "usage": {}}',
        b'{"content": {"n": 1}, "model": "m", "usage": [1]}',
    ],
)
def test_a_spoilt_stored_reply_is_asked_for_again_and_replaced(tmp_path: Path, spoilt: bytes) -> None:
    inner = Paid()
    agent = StoredAgent(inner, tmp_path)
    agent.propose(CALL)
    (path,) = files(tmp_path)
    path.write_bytes(spoilt)
    assert agent.propose(CALL).content == {"n": 2}
    assert agent.propose(CALL).content == {"n": 2}
    assert inner.asked == ["k", "k"]
    aside = tmp_path / "damaged" / path.name
    assert files(tmp_path) == [path, aside] and aside.read_bytes() == spoilt


def test_a_stored_reply_that_no_longer_parses_is_asked_for_again(tmp_path: Path) -> None:
    inner = Paid()
    agent = StoredAgent(inner, tmp_path)
    agent.propose(CALL)
    agent.propose(replace(CALL, reply_type=Renumbered))
    assert inner.asked == ["k", "k"]


def test_p12_the_reply_is_on_disk_before_propose_returns(tmp_path: Path) -> None:
    reply = StoredAgent(Paid(), tmp_path / "deep" / "llm_calls").propose(CALL)
    (path,) = files(tmp_path)
    record = json.loads(path.read_text(encoding="utf-8"))
    usage, params = dict(reply.usage), dict(reply.params)
    assert record == {
        "call": path.stem,
        "key": "k",
        "content": reply.content,
        "model": reply.model,
        "usage": usage,
        "params": params,
        "sha256": record["sha256"],
    }


@pytest.mark.parametrize("content", [{"n": "1"}, [], "text", None])
def test_a_reply_of_another_shape_is_stored_too_for_it_was_paid_for(tmp_path: Path, content: Any) -> None:
    assert StoredAgent(Says(content), tmp_path).propose(CALL) == Reply(content)
    assert json.loads(files(tmp_path)[0].read_text(encoding="utf-8"))["content"] == content


@pytest.mark.parametrize("content", [{"n": "\ud800"}, {"n": float("inf")}], ids=["lone surrogate", "1e999"])
def test_a_reply_that_is_no_proper_json_is_stored_for_it_was_paid_for_and_then_refused(
    tmp_path: Path, content: Any
) -> None:
    reply = StoredAgent(Says(content), tmp_path).propose(CALL)
    assert json.loads(files(tmp_path)[0].read_text(encoding="ascii"))["content"] == content
    with pytest.raises(InvalidReply):
        parse_reply(CALL.reply_type, reply.content)


def test_a_failed_call_is_not_stored(tmp_path: Path) -> None:
    class Unhappy(Paid):
        def propose(self, call: Call) -> Reply:
            super().propose(call)
            raise AgentFailed("overloaded")

    inner = Unhappy()
    for _ in range(2):
        with pytest.raises(AgentFailed):
            StoredAgent(inner, tmp_path).propose(CALL)
    assert (len(inner.asked), files(tmp_path)) == (2, [])


def test_the_store_goes_by_the_name_of_the_agent_that_is_really_asked(tmp_path: Path) -> None:
    agent = StoredAgent(Paid("paid-2"), tmp_path)
    assert (agent.name, agent.fingerprint) == ("paid-2", "paid")


def test_p03_mock_replies_are_never_stored(house: House) -> None:
    settings = load_settings()
    agent = make_agent(settings)
    assert isinstance(agent, FixtureAgent)
    folder = DataFolder(settings.data)
    notes = load_notes(folder.root / "notes")
    events = EventLog(settings.log_path, run="r1")
    extraction = extract_facts(notes, make_extractor(agent, ROOT / "prompts", folder.notes_schema), events)
    assert len(extraction.facts) == 5
    assert not (settings.state / "llm_calls").exists()


def test_replies_of_claude_are_stored_under_the_state_folder(
    house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\ncat >/dev/null\necho '{\"n\": 7}'\n", encoding="ascii")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("IECQ_AGENT", "claude")
    assert make_agent(load_settings()).propose(CALL).content == {"n": 7}
    program.unlink()
    assert make_agent(load_settings()).propose(CALL).content == {"n": 7}
    assert len(files(load_settings().state / "llm_calls")) == 1


def test_a_reply_to_another_call_under_this_calls_name_is_not_taken(tmp_path: Path) -> None:
    inner = Paid()
    agent = StoredAgent(inner, tmp_path)
    other = replace(CALL, prompt=replace(CALL.prompt, text="another question"))
    agent.propose(CALL)
    (mine,) = files(tmp_path)
    agent.propose(other)
    (theirs,) = [path for path in files(tmp_path) if path != mine]
    theirs.write_bytes(mine.read_bytes())
    agent.propose(other)
    assert inner.asked == ["k", "k", "k"]


def test_twenty_threads_that_ask_the_same_pay_once(tmp_path: Path) -> None:
    inner = Paid()
    agent = StoredAgent(inner, tmp_path)
    with ThreadPoolExecutor(20) as pool:
        replies = list(pool.map(lambda _: agent.propose(CALL), range(20)))
    assert inner.asked == ["k"] and len({json.dumps(reply.content) for reply in replies}) == 1


def asked_again(feedback: str, round: int) -> Call:
    """The same call in a later round, with a reason in its prompt."""
    prompt = replace(CALL.prompt, text=f"{CALL.prompt.text} {feedback}")
    return replace(CALL, prompt=prompt, round=round, repeats=CALL.prompt.text)


def test_a_call_that_is_repeated_with_reasons_is_asked_once_in_each_round(tmp_path: Path) -> None:
    inner = Paid()
    calls = [CALL, asked_again("wrong", 2), asked_again("wrong", 3), asked_again("still wrong", 3)]
    assert [StoredAgent(inner, tmp_path).propose(call).content["n"] for call in calls] == [1, 2, 3, 4]
    assert [StoredAgent(inner, tmp_path).propose(call).content["n"] for call in calls[1:]] == [2, 3, 4]
    assert len(inner.asked) == 4


def test_once_the_loop_has_asked_again_the_first_round_finds_the_newer_reply(tmp_path: Path) -> None:
    inner = Paid()
    agent = StoredAgent(inner, tmp_path)
    agent.propose(CALL)
    agent.propose(asked_again("wrong", 2))
    assert agent.propose(CALL).content == {"n": 2}
    assert agent.propose(replace(CALL, round=2)).content == {"n": 2}, "nothing was held against it: no new question"
    assert inner.asked == ["k", "k"]


def test_a_process_that_ended_between_the_two_files_loses_nothing(tmp_path: Path) -> None:
    inner = Paid()
    agent = StoredAgent(inner, tmp_path)
    agent.propose(CALL)
    (first,) = files(tmp_path)
    before = first.read_bytes()
    agent.propose(asked_again("wrong", 2))
    first.write_bytes(before)
    assert agent.propose(CALL).content == {"n": 1}
    assert agent.propose(asked_again("wrong", 2)).content == {"n": 2}
    assert agent.propose(CALL).content == {"n": 2} and len(inner.asked) == 2


def test_a_reply_of_another_shape_does_not_take_the_place_of_one_that_can_be_read(tmp_path: Path) -> None:
    StoredAgent(Paid("says"), tmp_path).propose(CALL)
    StoredAgent(Says({"n": "?"}), tmp_path).propose(asked_again("wrong", 2))
    assert StoredAgent(Says(None), tmp_path).propose(CALL).content == {"n": 1}


class Interrupted(Paid):
    """An agent that is ended right after its reply has arrived."""

    def propose(self, call: Call) -> Reply:
        call.arrived(super().propose(call))
        raise KeyboardInterrupt


def test_a_reply_is_kept_the_moment_it_arrives_whatever_becomes_of_the_call(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        StoredAgent(Interrupted(), tmp_path).propose(CALL)
    later = Paid()
    assert StoredAgent(later, tmp_path).propose(CALL).content == {"n": 1} and later.asked == []


def test_a_reply_of_a_provider_is_kept_before_its_line_is_in_the_ledger(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_given: Any, **_named: Any) -> None:
        raise KeyboardInterrupt

    bench.server.script(tool_call(GOOD))
    monkeypatch.setattr(SpendLedger, "book", killed)
    with pytest.raises(KeyboardInterrupt):
        StoredAgent(bench.agent(), tmp_path / "calls").propose(plant_call())
    assert StoredAgent(bench.agent(), tmp_path / "calls").propose(plant_call()).content == GOOD
    assert len(bench.server.requests) == 1


@pytest.mark.parametrize("whole", [True, False])
def test_what_a_killed_process_left_beside_its_place_is_taken_up_where_it_is_whole(tmp_path: Path, whole: bool) -> None:
    StoredAgent(Paid(), tmp_path).propose(CALL)
    (path,) = files(tmp_path)
    data = path.read_bytes()
    path.unlink()
    path.with_name(f".{path.name}.abc").write_bytes(data if whole else data[:-9])
    inner = Paid()
    assert StoredAgent(inner, tmp_path).propose(CALL).content == {"n": 1}
    assert inner.asked == ([] if whole else ["k"]) and path in files(tmp_path)


def test_a_reply_that_another_process_put_into_its_place_meanwhile_is_no_failure(tmp_path: Path) -> None:
    class Taken(Paid):
        def propose(self, call: Call) -> Reply:
            reply = super().propose(call)
            (aside,) = tmp_path.glob("??/.*")
            other = Paid()
            other.asked = ["before"] * 8
            StoredAgent(other, tmp_path).propose(CALL)
            aside.unlink()
            return reply

    assert StoredAgent(Taken(), tmp_path).propose(CALL).content == {"n": 1}
    assert StoredAgent(Paid(), tmp_path).propose(CALL).content == {"n": 9}


def test_a_reply_stored_before_there_was_a_digest_is_read(tmp_path: Path) -> None:
    StoredAgent(Paid(), tmp_path).propose(CALL)
    (path,) = files(tmp_path)
    record = json.loads(path.read_text(encoding="ascii"))
    del record["sha256"]
    path.write_text(json.dumps(record), encoding="ascii")
    inner = Paid()
    assert StoredAgent(inner, tmp_path).propose(CALL).content == {"n": 1} and inner.asked == []
