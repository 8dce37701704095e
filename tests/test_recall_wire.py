"""Recall with a model behind HTTP: whatever comes back, it ends with 0, says what happened, and asked once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from werkzeug import Response

from tests.model_calls import CANARY, Bench, bench, http
from tests.recall_house import REASONS, RecallHouse, cite, ingested, recall_house
from tests.wire import Answer, content, error, message, slowly, tool_call, tool_use

__all__ = ["bench", "http", "ingested", "recall_house"]
_FILTERED = "recall_pre_gate_citations_filtered"
_FAILED = "recall_pre_gate_llm_failed"
_DEGRADED = "recall_is_not_degraded"
_OUTSIDE = "citations_were_candidates"


@pytest.fixture(autouse=True)
def _agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IECQ_AGENT", "openai/gpt-4o-mini")


def listed(*citations: Any) -> dict[str, Any]:
    return {"recallCitations": list(citations)}


def fenced(value: Any) -> str:
    return f"```json\n{json.dumps(value, ensure_ascii=False)}\n```"


ALL = [cite(id) for id in REASONS]
GOOD = cite("ADR-0013")
FULL_WIDTH = cite("ADR-0013", "Ａ　ｈｏｌｄ is a pair\nof ledger entries")
OTHER = cite("ADR-0012", REASONS["ADR-0013"])

# By name: the server's answer, the reason of a failure or the counts of the filter, what is cited, what warns.
CASES: dict[str, tuple[Answer, Any, Sequence[str], Sequence[str]]] = {
    "time-out": (slowly(tool_call(listed(GOOD)), 0.7), "timeout", [], [_DEGRADED]),
    "401": (error(401, "bad key"), "access_denied", [], [_DEGRADED]),
    "429 with Retry-After": (error(429, "slow down", retry_after="1"), "rate_limited", [], [_DEGRADED]),
    "500": (error(500), "failed", [], [_DEGRADED]),
    "invalid JSON": (tool_call('{"recallCitations": ['), "invalid_reply", [], [_DEGRADED]),
    "prose": (content("I would cite ADR-0013."), "invalid_reply", [], [_DEGRADED]),
    "not a model's reply": (Response("<html>", content_type="text/html"), "failed", [], [_DEGRADED]),
    "wrong type of the list": (tool_call(listed() | {"recallCitations": "none"}), "invalid_reply", [], [_DEGRADED]),
    "a bare list": (content([GOOD]), "invalid_reply", [], [_DEGRADED]),
    "fenced JSON": (content(fenced(listed(GOOD))), (1, 1, 0), ["ADR-0013"], []),
    "wrong types beside a good one": (
        tool_call(listed({"adr_id": 13, "relevance": [], "relevance_reason": None}, "ADR-0006", GOOD)),
        (3, 1, 2),
        ["ADR-0013"],
        [_OUTSIDE],
    ),
    "six citations": (tool_call(listed(*ALL)), (6, 5, 1), list(REASONS)[:5], []),
    "an invented id": (tool_call(listed(cite("ADR-9999", "ten minutes"), GOOD)), (2, 1, 1), ["ADR-0013"], [_OUTSIDE]),
    "a reason that stands nowhere": (
        tool_call(listed(GOOD, cite("ADR-0006", "made up"))),
        (2, 1, 1),
        ["ADR-0013"],
        [],
    ),
    "no reason stands anywhere": (tool_call(listed(cite("ADR-0006", "made up"))), (1, 0, 1), [], [_DEGRADED]),
    "an empty list": (tool_call(listed()), (0, 0, 0), [], []),
    "values that are no JSON beside a good one": (
        tool_call(
            '{"recallCitations": [{"adr_id": NaN, "relevance": "low", "relevance_reason": "ten minutes"},'
            r'{"adr_id": "ADR-0006", "relevance": "low", "relevance_reason": "\ud800 ten minutes"},'
            f'{{"adr_id": {"9" * 6000}}}, {{"adr_id": 1e999}}, {{"adr_id": "ADR-0006", "adr_id": "ADR-0004"}},'
            f"{json.dumps(GOOD)}]}}"
        ),
        (6, 1, 5),
        ["ADR-0013"],
        [_OUTSIDE],
    ),
    "a doubled key around the list": (
        tool_call('{"recallCitations": [], "recallCitations": []}'),
        "invalid_reply",
        [],
        [_DEGRADED],
    ),
    "extra keys": (tool_call({"thoughts": "hm", **listed({**GOOD, "why": 1})}), (1, 1, 0), ["ADR-0013"], []),
}


def check_events(house: RecallHouse, expected: Any) -> None:
    """One draft, one prompt, and then either what failed or what the filter did."""
    loaded, last = house.events()
    assert (loaded["event"], loaded["origin"], loaded["draft"]) == ("prompt_loaded", "file", "hold")
    if isinstance(expected, str):
        assert (last["event"], last["reason"]) == (_FAILED, expected)
    else:
        assert last["event"] == _FILTERED
        assert (last["returned"], last["kept"], last["dropped"]) == expected
    assert CANARY not in json.dumps(last)


@pytest.mark.parametrize("name", CASES)
def test_r02_r06_r13_whatever_the_server_answers_it_is_one_call_an_event_and_a_warning_at_most(
    name: str, recall_house: RecallHouse, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, expected, cited, warns = CASES[name]
    monkeypatch.setenv("SEKISHO_MODEL_TIMEOUT", "0.3" if name == "time-out" else "30")
    bench.server.script(answer)
    outcome = recall_house.asset()
    assert len(bench.server.requests) == 1
    assert outcome.success and outcome.materialised == {"recall_citations"}
    assert outcome.failed_checks == set(warns)
    assert [one.adr_id for one in recall_house.only().citations] == cited
    check_events(recall_house, expected)


@pytest.mark.parametrize("name", ["500", "429 with Retry-After", "invalid JSON", "six citations", "an invented id"])
def test_r02_sekisho_recall_ends_with_0_and_prints_the_next_nodes_json(
    name: str, recall_house: RecallHouse, bench: Bench
) -> None:
    answer, expected, cited, _ = CASES[name]
    bench.server.script(answer)
    done = recall_house.cli(str(recall_house.draft), "--json")
    assert (done.exit_code, len(bench.server.requests)) == (0, 1)
    state = json.loads(done.stdout)
    assert list(state) == ["recallCitations"] and [one["adr_id"] for one in state["recallCitations"]] == cited
    assert all(list(one) == ["adr_id", "relevance", "relevance_reason"] for one in state["recallCitations"])
    assert ("recall could not look" in done.stderr) == isinstance(expected, str)
    assert cited or "recall:hold" not in done.stderr
    check_events(recall_house, expected)


def test_r09_r10_full_width_reasons_relevance_in_capitals_and_words_of_another_decision(
    recall_house: RecallHouse, bench: Bench
) -> None:
    bench.server.script(tool_call(listed({**FULL_WIDTH, "relevance": "HIGH"}, OTHER, cite("ADR-0006", "ten minutes"))))
    assert recall_house.asset().failed_checks == set()
    found = [(one.adr_id, one.relevance, one.stands_in) for one in recall_house.only().citations]
    assert found == [
        ("ADR-0013", "low", "own_summary"),
        ("ADR-0012", "high", "other_summary"),
        ("ADR-0006", "high", "draft"),
    ]
    (event,) = recall_house.events(_FILTERED)
    assert (event["kept"], event["misattributed"]) == (3, 1)


def test_r04_r05_what_is_sent_is_the_draft_the_candidates_the_strict_schema_and_what_the_model_takes(
    recall_house: RecallHouse, bench: Bench
) -> None:
    bench.server.script(tool_call(listed()))
    recall_house.asset()
    (sent,) = bench.server.requests
    (only,) = sent["messages"]
    assert only["role"] == "user" and only["content"].index("【applicant_input】") < only["content"].index(
        "【candidate_adrs】"
    )
    assert (sent["temperature"], sent["seed"], sent["max_tokens"]) == (0, 42, 2048)
    shown = sent["tools"][0]["function"]["parameters"]["properties"]["recallCitations"]
    assert shown["maxItems"] == 5 and shown["items"]["properties"]["relevance"]["enum"] == ["high", "med", "low"]


def test_r04_live_asks_claude_opus(recall_house: RecallHouse, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IECQ_AGENT", "live")
    bench.server.script(message(tool_use(listed(GOOD))))
    assert recall_house.asset().failed_checks == set()
    (sent,) = bench.server.requests
    assert sent["model"].startswith("claude-opus-4-") and sent["max_tokens"] == 2048


def test_the_same_draft_is_paid_for_once_and_a_failure_is_asked_again(recall_house: RecallHouse, bench: Bench) -> None:
    bench.server.script(error(500), tool_call(listed(GOOD)), error(500))
    assert recall_house.asset().failed_checks == {_DEGRADED}
    assert recall_house.asset().failed_checks == set()
    kept = recall_house.only()
    assert recall_house.asset().failed_checks == set()
    assert recall_house.only() == kept and len(bench.server.requests) == 2


def test_no_server_at_all_is_an_empty_list(recall_house: RecallHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    done = recall_house.cli()
    assert done.exit_code == 0 and "no related decision is named: llm failed (unavailable)" in done.stdout
