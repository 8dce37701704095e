"""What a model replies, what is shown and what the state holds under Hypothesis: a verdict, or an error of ours."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.agents.claude import _envelope
from sekisho.agents.spend import LedgerReader
from sekisho.agents.store import unreadable_replies
from sekisho.agents.subagent import json_from_text, parse_reply
from sekisho.alerts.outbox import Outbox
from sekisho.claims import judge
from sekisho.draft import AnswerReply
from sekisho.errors import InputError, InvalidReply
from sekisho.gates import Sources
from sekisho.gates.answers import verify_citations
from sekisho.health import recall_health
from sekisho.mapping.reply import RerankReply
from sekisho.recall.citations import filter_valid_citations
from sekisho.recall.reply import RecallReply
from sekisho.report import escape_markdown
from sekisho.retrieval.index import IndexUnusable, open_index
from sekisho.scorecards.baseline import read_baseline
from sekisho.sources.inventory import read_ingested
from sekisho.sources.watch import Cursor
from sekisho.text import json_text, printable, shortened
from tests.fuzzing import folder, fuzzed, put, raws, replies, texts, values

__all__ = ["folder"]


@fuzzed
@given(st.lists(st.one_of(raws, replies.map(lambda text: text.encode("utf-8", "surrogatepass"))), max_size=5))
def test_each_claim_has_a_verdict_of_its_own(lines: list[bytes]) -> None:
    raw = b"\n".join([*lines, b'{"id": "good", "source": "a", "quote": "Good words stand here"}'])
    judged = list(judge(io.BytesIO(raw), Sources({"a": "Good words stand here."})))
    assert judged[-1].accepted and [one.line for one in judged] == list(range(1, raw.count(b"\n") + 2))
    for one in judged:
        assert json.loads(one.as_line())["accepted"] == one.accepted and one.reason != "gate_failed"


@fuzzed
@given(replies, st.sampled_from([AnswerReply, RecallReply, RerankReply]))
def test_a_models_text_is_the_asked_type_or_an_invalid_reply(text: str, kind: type[Any]) -> None:
    try:
        content = json_from_text(text, kind)
        reply = parse_reply(kind, content)
    except InvalidReply as error:
        assert error.reasons and all(reason == printable(reason) or "\n" in reason for reason in error.reasons)
        return
    assert isinstance(reply, kind)
    json.dumps(content)


@fuzzed
@given(values, replies)
def test_what_a_model_cites_is_judged_whatever_it_is(value: Any, text: str) -> None:
    messages = verify_citations(value, {"a"})
    assert (messages == []) == (isinstance(value, list) and bool(value) and all(one == "a" for one in value))
    raw = value if isinstance(value, list) else [value]
    found = filter_valid_citations(raw, {"ADR-0001": "Good words stand here"}, "A draft of words")
    assert all(one.adr_id == "ADR-0001" for one in found.kept)
    _envelope(text)


@fuzzed
@given(texts, texts)
def test_a_quote_is_accepted_only_where_its_letters_stand(source: str, quote: str) -> None:
    verdict = Sources({"a": source}).check("a", quote)
    if verdict.accepted:
        assert 0 <= verdict.start < verdict.end <= len(source) and source[verdict.start : verdict.end].strip()


@fuzzed
@given(st.one_of(raws, replies.map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_files_of_the_state_are_read_or_told(folder: Path, raw: bytes) -> None:
    state = folder / "state"
    path = put(state / "documents.json", raw)
    assert isinstance(read_ingested(path), dict)
    assert isinstance(Cursor.read(raw.decode("utf-8", "replace")), Cursor)
    ledger = LedgerReader(put(state / "llm_spend.jsonl", raw))
    lines = ledger.new_lines(unfinished=True)
    assert len(lines) + len(ledger.malformed) == len(raw.removesuffix(b"\n").split(b"\n")) * bool(raw)
    assert recall_health(put(state / "log.jsonl", raw)).malformed >= 0
    assert unreadable_replies(put(state / "calls" / "aa" / "x.json", raw).parent.parent)[0] == 1
    put(state / "outbox" / "x.json", raw)
    assert len(Outbox(state / "outbox").letters()) <= 1
    put(state / "index" / "current", "0" * 16)
    put(state / "index" / ("0" * 16) / "vectors.hnsw", raw)
    put(state / "index" / ("0" * 16) / "manifest.json", raw)
    with pytest.raises(IndexUnusable):
        open_index(state / "index", "model", ["a"])
    try:
        read_baseline(put(state / "baseline.json", raw))
    except InputError as error:
        assert error.file


@fuzzed
@given(st.one_of(texts, st.text()))
def test_what_is_shown_is_on_one_line_and_json_is_the_same_value(text: str) -> None:
    for shown in (printable(text), shortened(text), escape_markdown(text)):
        assert printable(shown) == shown and "\n" not in shown
    told = json_text({"text": [text]})
    assert json.loads(told) == {"text": [text]} and printable(told) == told
