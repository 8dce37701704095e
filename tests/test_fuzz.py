"""Every parser of outside input under Hypothesis: a result or an error of ours, in bounded time, and no neighbour lost.

`FUZZ_EXAMPLES=5000 pytest tests/test_fuzz.py` (or `make fuzz`) looks longer, each time at other examples.
"""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sekisho.agents.claude import _envelope
from sekisho.agents.fixtures import load_fixtures
from sekisho.agents.prompts import load_prompt
from sekisho.agents.spend import LedgerReader
from sekisho.agents.store import unreadable_replies
from sekisho.agents.subagent import json_from_text, parse_reply
from sekisho.alerts.outbox import Outbox
from sekisho.claims import judge
from sekisho.draft import AnswerReply
from sekisho.errors import InputError, InvalidReply, SekishoError, SettingsError
from sekisho.gates import Sources
from sekisho.gates.answers import verify_citations
from sekisho.health import recall_health
from sekisho.mapping.reply import RerankReply
from sekisho.mapping.rows import BadRow, read_rows
from sekisho.recall.citations import filter_valid_citations
from sekisho.recall.reply import RecallReply
from sekisho.report import escape_markdown
from sekisho.retrieval.index import IndexUnusable, open_index
from sekisho.schema import load_notes_schema
from sekisho.scorecards.baseline import read_baseline
from sekisho.settings import load_settings, variables
from sekisho.sources.catalogue.load import load_catalogue
from sekisho.sources.decisions import load_decisions, parse_draft
from sekisho.sources.decisions.page import read_page
from sekisho.sources.folder import DataFolder
from sekisho.sources.inventory import read_ingested
from sekisho.sources.notes import load_notes, split_front_matter
from sekisho.sources.portal_views import load_views
from sekisho.sources.watch import Cursor
from sekisho.strip import StripRules, sanitize_ai_purpose_for_chroma
from sekisho.text import fold, json_text, printable, shortened
from sekisho.yamlio import parse_yaml
from tests.conftest import ROOT

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "30"))
SIZE = 20_000 if "FUZZ_EXAMPLES" in os.environ else 5_000  # characters of what is repeated
fuzzed = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="FUZZ_EXAMPLES" not in os.environ,
    database=None,
    suppress_health_check=list(HealthCheck),
)
_WRITTEN = yaml.safe_load((ROOT / "tests" / "hostile" / "pieces.yaml").read_text(encoding="utf-8"))
PIECES = (*(piece for row in _WRITTEN for piece in row), "0x" + "f" * 5000, "1" * 5000)
piece = st.sampled_from(PIECES)
texts = st.one_of(
    st.lists(piece, max_size=40).map("".join),
    st.lists(st.one_of(piece, st.text(st.characters(codec="utf-8"), max_size=8)), max_size=30).map("".join),
)
raws = st.one_of(
    texts.map(lambda text: text.encode("utf-8")), st.binary(max_size=200), texts.map(lambda t: t.encode("utf-16"))
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just(10**400),
    st.floats(),
    st.text(max_size=12),
    piece,
    st.sampled_from(["answered", "unanswerable", "a", "ADR-0001", "match", "high", "fields", "\ud800"]),
)
NAMES = (
    *("status", "answer", "citations", "quotes", "source", "text", "recallCitations", "adr_id", "relevance", "reason"),
    *(
        "relevance_reason",
        "choices",
        "query",
        "best_id",
        "relation",
        "confidence",
        "fields",
        "evidence",
        "name",
        "type",
    ),
    *("result", "is_error", "draft", "expected", "id", "question", "title", "values"),
)
names = st.sampled_from(NAMES)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(names, st.text(max_size=5)), inner, max_size=5)
    ),
    max_leaves=12,
)
replies = st.one_of(
    texts, values.map(lambda value: json.dumps(value)), values.map(lambda v: f"```json\n{json.dumps(v)}\n```")
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return path


@fuzzed
@given(raws, st.sampled_from([".md", ".rst", ".txt"]))
def test_a_note_is_read_empty_or_told_and_costs_no_neighbour(folder: Path, raw: bytes, suffix: str) -> None:
    bad = put(folder / "notes" / f"bad{suffix}", raw)
    put(folder / "notes" / "good.md", "# Good\n\nGood words.\n")
    found = {note.path: note for note in load_notes(folder / "notes", encodings=("utf-8", "utf-16"))}
    bad.unlink()
    assert found["good.md"].status == "read" and found["good.md"].title == "Good"
    note = found[bad.name]
    assert bool(note.problem) == (note.status == "unreadable") and bool(note.text) <= (note.status != "unreadable")


@fuzzed
@given(texts)
def test_front_matter_and_body_are_the_text(text: str) -> None:
    front, body = split_front_matter(text)
    assert text.endswith(body) and front in text and len(front) + len(body) <= len(text)


@fuzzed
@given(texts, st.booleans())
def test_yaml_is_a_value_that_json_can_hold_or_an_error_with_its_file(text: str, plain: bool) -> None:
    try:
        value = parse_yaml(text, file="f.yaml", plain=plain)
    except InputError as error:
        assert error.file == "f.yaml" and error.remedy
    else:
        json.dumps(value, default=str, skipkeys=True).encode("utf-8")
        str(value)


@fuzzed
@given(raws, st.sampled_from([".md", ".rst"]))
def test_a_decision_is_read_or_told_and_costs_no_neighbour(folder: Path, raw: bytes, suffix: str) -> None:
    bad = put(folder / "decisions" / f"0007-bad{suffix}", raw)
    put(folder / "decisions" / "0001-good.md", "# Good\n\n## Status\n\nAccepted\n\n## Decision\n\nGood words.\n")
    found, told = load_decisions(folder / "decisions", encodings=("utf-8", "utf-16"))
    bad.unlink()
    good = next(decision for decision in found if decision.path == "0001-good.md")
    assert (good.id, good.title) == ("ADR-0001", "Good") and good.summary.startswith("Good words")
    assert len({decision.id for decision in found}) == len(found)
    assert bad.name in {decision.path for decision in found} | {file.path for file in told}


@fuzzed
@given(texts, st.sampled_from([".md", ".rst", ".mdx", ".txt"]))
def test_a_page_is_read_whatever_it_is(text: str, suffix: str) -> None:
    page = read_page(text, suffix)
    assert all(block.lines[0] <= block.lines[1] for block in page.blocks)


@fuzzed
@given(texts, st.sampled_from(["-", "a.md", "a.yaml", "a.rst"]))
def test_a_draft_is_one_or_an_input_error(text: str, path: str) -> None:
    try:
        draft = parse_draft(text, path)
    except InputError:
        return
    assert draft.path == path and isinstance(draft.needs_adr, bool)


@fuzzed
@given(raws, st.sampled_from(["terms.tsv", "terms.csv", "aliases.tsv", "abbreviations.tsv", "tokens.tsv"]))
def test_a_catalogue_has_good_records_or_an_input_error(folder: Path, raw: bytes, name: str) -> None:
    path = folder / "catalogue"
    put(path / "terms.tsv", "id\tname\nG:1\tgood\n")
    bad = put(path / name, raw)
    if name == "terms.csv":
        (path / "terms.tsv").unlink()
    try:
        catalogue, _ = load_catalogue(path)
    except InputError as error:
        assert error.file and name.startswith("terms")
    else:
        ids = [term.id for term in catalogue.terms]
        assert ids == sorted(set(ids)) and all(ids) and (name.startswith("terms") or ids == ["G:1"])
    bad.unlink()


@settings(fuzzed, max_examples=max(5, EXAMPLES // 4))
@given(raws, st.sampled_from([".obo", ".owl", ".json"]))
def test_an_ontology_is_read_or_an_input_error(folder: Path, raw: bytes, suffix: str) -> None:
    try:
        assert load_catalogue(put(folder / "ontology" / f"x{suffix}", raw))[0].terms
    except InputError as error:
        assert error.file


@fuzzed
@given(st.sampled_from([b"query\n", b"query\tcontext\n", b"query,kind\n", b"query;kind\n", b""]), raws)
def test_each_row_of_queries_is_a_query_or_its_own_error(head: bytes, raw: bytes) -> None:
    try:
        rows = list(read_rows(io.BytesIO(head + raw + b"\n"), "q.tsv"))
    except InputError as error:
        assert not head and error.file == "q.tsv"
        return
    for row in rows:
        assert row.error if isinstance(row, BadRow) else row.query.strip()


@fuzzed
@given(st.one_of(texts, values.map(lambda value: json_text({"extract:a": value}))))
def test_fixtures_are_replies_or_an_input_error(folder: Path, text: str) -> None:
    put(folder / "fixtures" / "good.yaml", "query:good: {status: unanswerable}\n")
    bad = put(folder / "fixtures" / "bad.yaml", text)
    try:
        agent = load_fixtures(folder / "fixtures")
        assert agent.fingerprint.startswith("mock:") and "query:good" in agent._replies
        for reply in agent._replies.values():
            try:
                parse_reply(AnswerReply, reply)
            except InvalidReply as error:
                assert error.reasons
    except InputError as error:
        assert error.file
    bad.unlink()


@fuzzed
@given(st.dictionaries(st.sampled_from(sorted(variables())), st.one_of(piece, st.text(max_size=20)), max_size=3))
def test_settings_are_usable_or_a_settings_error_that_names_the_variable(given_: dict[str, str]) -> None:
    kept = {name: value for name, value in given_.items() if "\0" not in value and value.isprintable()}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in kept.items():
            patch.setenv(name, value)
        try:
            load_settings()
        except SettingsError as error:
            assert any(name in str(error) for name in kept)


@fuzzed
@given(
    st.sampled_from(["sekisho.yaml", "questions.yaml", "notes.schema.yaml"]),
    st.one_of(texts, values.map(lambda value: yaml.safe_dump(value, allow_unicode=True) if is_small(value) else "a")),
)
def test_the_files_of_a_data_folder_are_usable_or_an_input_error_that_names_them(
    folder: Path, name: str, text: str
) -> None:
    path = put(folder / "data" / name, text)
    try:
        DataFolder(folder / "data").check()
        if name == "notes.schema.yaml":
            load_notes_schema(path).reply_type().model_json_schema()
    except InputError as error:
        assert error.file == str(path) and error.remedy
    path.unlink()


def is_small(value: Any) -> bool:
    """Whether YAML can be written of a value at all: half a surrogate pair cannot."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, UnicodeError):
        return False
    return True


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
@given(texts, st.sampled_from([".yaml", ".csv"]))
def test_a_view_is_read_or_told_and_costs_no_neighbour(folder: Path, text: str, suffix: str) -> None:
    root = folder / "viewed"
    put(root / "portal_views" / "good.yaml", "view_id: good_view\ntitle: Good\n")
    bad = put(root / "portal_views" / f"bad{suffix}", text)
    found, problems = load_views(DataFolder(root), StripRules(enabled=True))
    bad.unlink()
    assert "good_view" in {view.view_id for view in found} or problems
    assert all(problem.message for problem in problems)


@fuzzed
@given(texts, st.sampled_from(["none", "regex"]))
def test_stripping_never_raises_and_a_text_without_a_block_is_the_very_same(text: str, fallback: Any) -> None:
    done = sanitize_ai_purpose_for_chroma(text, StripRules(enabled=True, fallback=fallback))
    assert done.text == text or len(done.text) < len(text)
    if "decikg" not in text.lower():
        assert done.text == text


@fuzzed
@given(st.sampled_from(["prompt.md", "params.yaml", "output_schema.json"]), st.one_of(texts, replies))
def test_a_prompt_is_usable_or_an_input_error(folder: Path, name: str, text: str) -> None:
    root = folder / "prompts"
    for path in (ROOT / "prompts" / "production" / "ingest").iterdir():
        put(root / "production" / "ingest" / path.name, path.read_bytes())
    put(root / "production" / "ingest" / name, text)
    try:
        load_prompt(root, "ingest").render({"schema": {}, "source": "a", "text": "b"})
    except InputError as error:
        assert error.file


@fuzzed
@given(st.one_of(texts, st.text()))
def test_what_is_shown_is_on_one_line_and_json_is_the_same_value(text: str) -> None:
    for shown in (printable(text), shortened(text), escape_markdown(text)):
        assert printable(shown) == shown and "\n" not in shown
    told = json_text({"text": [text]})
    assert json.loads(told) == {"text": [text]} and printable(told) == told


PARSERS: dict[str, Callable[[str], object]] = {
    "fold": fold,
    "page": read_page,
    "rst page": lambda text: read_page(text, ".rst"),
    "draft": lambda text: parse_draft(text, "a.md"),
    "yaml": lambda text: parse_yaml(text, file="f"),
    "front matter": lambda text: read_page(f"---\n{text}\n---\n"),
    "sources": lambda text: Sources({"a": text}).check("a", "some words that stand nowhere"),
    "quote": lambda text: Sources({"a": "Some words."}).check("a", text),
    "strip": lambda text: sanitize_ai_purpose_for_chroma(text, StripRules(enabled=True, fallback="regex")),
    "rows": lambda text: list(read_rows(io.BytesIO(b"query\n" + text.encode("utf-8")), "q")),
    "json": lambda text: json_from_text(text, AnswerReply),
    "citations": lambda text: filter_valid_citations([{"adr_id": "A", "relevance_reason": text}], {"A": text}, text),
    "markdown": escape_markdown,
}


@pytest.mark.parametrize("name", sorted(PARSERS))
def test_time_grows_no_faster_than_the_text_whatever_is_repeated(name: str) -> None:
    slow = {}
    for repeated in PIECES:
        text = (repeated * SIZE)[:SIZE]
        began = time.process_time()
        with suppress(SekishoError):
            PARSERS[name](text)
        if (took := time.process_time() - began) > SIZE / 5_000:
            slow[repeated] = took
    assert not slow
