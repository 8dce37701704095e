"""The agent seam: replies from fixtures, and what a reply must be to become a typed value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from sekisho.agents.backends import make_agent
from sekisho.agents.base import Call, Reply
from sekisho.agents.fixtures import FixtureAgent, load_fixtures
from sekisho.agents.prompts import RenderedPrompt, load_prompt
from sekisho.agents.subagent import SubAgent, json_from_text, parse_reply
from sekisho.errors import AgentUnavailable, InputError, InvalidReply
from sekisho.ingest import IngestReply, make_tidier
from sekisho.settings import load_settings
from tests.conftest import ROOT

PROMPTS = ROOT / "prompts"
VARIABLES = {"source": "n1", "text": "a document"}


class Numbered(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    n: int


def call(key: str, *, pass_through: dict[str, Any] | None = None, round: int = 1) -> Call:
    return Call(key, RenderedPrompt("p", "text", {}, "0"), Numbered, {}, pass_through=pass_through, round=round)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_p02_the_backend_is_switched_by_an_environment_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {}
    for agent in ("mock", "claude"):
        monkeypatch.setenv("IECQ_AGENT", agent)
        names[agent] = make_agent(load_settings()).name
    assert names == {"mock": "mock", "claude": "claude"}


def test_p03_mock_answers_by_key_and_the_same_every_time() -> None:
    agents = [FixtureAgent({"a": {"n": 1}, "b": {"n": 2}}), FixtureAgent({"b": {"n": 2}, "a": {"n": 1}})]
    assert [agent.propose(call("b")) for agent in agents for _ in range(2)] == [Reply({"n": 2})] * 4
    assert agents[0].fingerprint == agents[1].fingerprint
    assert agents[0].fingerprint != FixtureAgent({"a": {"n": 1}}).fingerprint


def test_p03_mock_returns_what_is_passed_through_unless_there_is_a_fixture() -> None:
    agent = FixtureAgent({"a": {"n": 1}})
    assert agent.propose(call("b", pass_through={"n": 9})) == Reply({"n": 9})
    assert agent.propose(call("a", pass_through={"n": 9})) == Reply({"n": 1})


def test_p03_under_mock_ingest_returns_the_original() -> None:
    text = "# 海馬\r\n  as it stands\n"
    tidier = make_tidier(FixtureAgent({}), PROMPTS)
    reply = tidier.ask("ingest:n1", {"source": "n1", "text": text}, pass_through={"text": text})
    assert (reply.value.text, reply.provenance.agent) == (text, "mock")


def test_a_missing_fixture_is_an_error_that_names_the_key_and_the_remedy() -> None:
    with pytest.raises(AgentUnavailable) as caught:
        FixtureAgent({}, "data/fixtures").propose(call("extract:n1"))
    assert str(caught.value).startswith("data/fixtures: no fixture for extract:n1 (add this key")


@pytest.mark.parametrize(("round", "n"), [(1, 10), (2, 20), (3, 30), (4, 30)])
def test_a_list_of_replies_is_one_per_round_and_the_last_for_all_later_ones(round: int, n: int) -> None:
    agent = FixtureAgent({"a": [{"n": 10}, {"n": 20}, {"n": 30}]})
    assert agent.propose(call("a", round=round)) == Reply({"n": n})


def test_an_empty_list_of_replies_is_itself_the_reply_and_fits_no_type() -> None:
    assert FixtureAgent({"a": []}).propose(call("a")) == Reply([])
    with pytest.raises(InvalidReply):
        make_tidier(FixtureAgent({"a": []}), PROMPTS).ask("a", VARIABLES)


def test_fixture_files_of_a_folder_are_one_set_and_the_overlay_replaces_single_keys(tmp_path: Path) -> None:
    write(tmp_path / "f" / "one.yaml", "a: {n: 1}")
    write(tmp_path / "f" / "deep" / "two.yml", "b: {n: 2}\nc: {n: 3}")
    overlay = write(tmp_path / "over.yaml", "b: {n: 20}")
    agent = load_fixtures(tmp_path / "f", overlay)
    assert [agent.propose(call(key)).content["n"] for key in "abc"] == [1, 20, 3]
    assert agent.fingerprint != load_fixtures(tmp_path / "f").fingerprint


def test_a_folder_without_fixtures_gives_an_agent_without_replies(tmp_path: Path) -> None:
    write(tmp_path / "f" / "empty.yaml", "# none yet")
    for folder in (tmp_path / "f", tmp_path / "missing"):
        assert load_fixtures(folder).fingerprint == FixtureAgent({}).fingerprint


def test_a_key_in_two_fixture_files_is_refused_and_both_are_named(tmp_path: Path) -> None:
    one, two = (write(tmp_path / name, "query:a: {n: 1}") for name in ("one.yaml", "two.yaml"))
    with pytest.raises(InputError) as caught:
        load_fixtures(tmp_path)
    assert (caught.value.file, caught.value.item) == (str(two), "query:a")
    assert str(one) in caught.value.message


@pytest.mark.parametrize("text", ["- a", "1: {n: 1}", "a: {n: 1}\na: {n: 2}", "a: ["])
def test_a_bad_fixture_file_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = write(tmp_path / "f.yaml", text)
    with pytest.raises(InputError) as caught:
        load_fixtures(tmp_path)
    assert caught.value.file == str(path)


def test_a_missing_overlay_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.yaml: no such file"):
        load_fixtures(tmp_path, tmp_path / "nowhere.yaml")


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ({"n": 1, "m": 2}, "m: Extra inputs"),
        ({"n": "1"}, "n: Input should be a valid integer"),
        ({"n": True}, "n: Input should be a valid integer"),
        ({}, "n: Field required"),
        ([{"n": 1}], "reply: "),
        (None, "reply: "),
        ({"n": "\ud800"}, "not JSON"),
        ({"n": float("nan")}, "not JSON"),
        ({"n": float("inf")}, "not JSON"),
        ({"n": {1, 2}}, "not JSON"),
    ],
)
def test_p06_a_reply_of_another_shape_is_refused_with_the_reason(content: Any, named: str) -> None:
    with pytest.raises(InvalidReply) as caught:
        parse_reply(Numbered, content)
    assert any(named in reason for reason in caught.value.reasons)


def test_a_reply_of_the_asked_shape_is_typed() -> None:
    assert parse_reply(Numbered, {"n": 7}) == Numbered(n=7)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"n": 1}', {"n": 1}),
        ('\n {"n": 1}\n', {"n": 1}),
        ("[1, 2]", [1, 2]),
        ('```json\n{"n": 1}\n```', {"n": 1}),
        ('\n```\n{\n "n": 1\n}\n```\n', {"n": 1}),
        ('```json\r\n{"n": 1}\r\n```', {"n": 1}),
        ('{"t": "a\u2028b\u0085c"}', {"t": "a\u2028b\u0085c"}),
        ('```json\n{"t": "a\u2028b\u0085c"}\n```', {"t": "a\u2028b\u0085c"}),
    ],
)
def test_json_is_taken_plain_or_out_of_one_fenced_block_without_loss(text: str, value: Any) -> None:
    assert json_from_text(text, BaseModel) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Here it is: {}",
        "{} as you asked",
        "Here:\n```json\n{}\n```",
        "```json\n{}\n```\nDone.",
        "```json\n{}\n```\n```json\n{}\n```",
        "```yaml\nn: 1\n```",
        "```json\n{}",
        "{'n': 1}",
        '{"n": 1,}',
        '{"n": NaN}',
        '{"n": -Infinity}',
        "[" * 100_000,
        "1" * 5000,
    ],
)
def test_text_that_is_not_just_json_is_refused_and_never_repaired(text: str) -> None:
    with pytest.raises(InvalidReply, match="not JSON"):
        json_from_text(text, BaseModel)


def test_a_sub_agent_records_which_reply_of_which_prompt_it_was() -> None:
    prompt = load_prompt(PROMPTS, "ingest")
    one, other = ({"text": "one"}, {"text": "other"})
    agent = SubAgent(FixtureAgent({"a": one, "b": other, "c": one}), prompt, IngestReply)
    made = [agent.ask(key, VARIABLES).provenance for key in "abc"]
    assert {provenance.prompt_sha256 for provenance in made} == {prompt.sha256}
    assert made[0].reply_sha256 == made[2].reply_sha256 != made[1].reply_sha256
