"""Every parser of what people write under Hypothesis: a result or an error of ours, in bounded time, no neighbour lost.

`FUZZ_EXAMPLES=5000 pytest tests/test_fuzz.py` looks longer, each time at other examples; so does `make fuzz`, which
also runs `test_fuzz_replies.py`.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sekisho.agents.fixtures import load_fixtures
from sekisho.agents.prompts import load_prompt
from sekisho.agents.subagent import json_from_text, parse_reply
from sekisho.draft import AnswerReply
from sekisho.errors import InputError, InvalidReply, SekishoError, SettingsError
from sekisho.gates import Sources
from sekisho.mapping.rows import BadRow, read_rows
from sekisho.recall.citations import filter_valid_citations
from sekisho.report import escape_markdown
from sekisho.schema import load_notes_schema
from sekisho.settings import load_settings, variables
from sekisho.sources.catalogue.load import load_catalogue
from sekisho.sources.decisions import load_decisions, parse_draft
from sekisho.sources.decisions.page import read_page
from sekisho.sources.folder import DataFolder
from sekisho.sources.notes import load_notes, split_front_matter
from sekisho.sources.portal_views import load_views
from sekisho.strip import StripRules, sanitize_ai_purpose_for_chroma
from sekisho.text import fold, json_text
from sekisho.yamlio import parse_yaml
from tests.conftest import ROOT
from tests.fuzzing import EXAMPLES, PIECES, SIZE, folder, fuzzed, piece, put, raws, replies, texts, values

__all__ = ["folder"]


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
