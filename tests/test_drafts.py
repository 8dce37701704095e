"""Drafts of decisions: Markdown with or without front matter, or YAML; a bad one hides no other."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from sekisho.errors import InputError
from sekisho.hashing import sha256_text
from sekisho.sources.decisions import load_decisions, load_drafts, parse_draft
from tests.conftest import ROOT
from tests.decision_log import put

MARKDOWN = """# Heat the quay

Ice forms at night.

## Background

Two clerks slipped.

## Considered Options

- salt
- pipes

## What we fear

Rust.
"""


def test_markdown_without_front_matter_has_its_parts_by_heading() -> None:
    draft = parse_draft(MARKDOWN, "heat.md")
    assert (draft.id, draft.title, draft.options) == ("heat", "Heat the quay", "- salt\n- pipes")
    assert draft.context == "Ice forms at night.\n\nTwo clerks slipped.\n\n## What we fear\n\nRust."
    assert draft.needs_adr and draft.sha256 == sha256_text(MARKDOWN)


def test_front_matter_has_the_last_word_on_each_part() -> None:
    text = f"---\ntitle: Salt\ncontext: It is cold.\noptions: [a, b]\nneeds_adr: no\nadr_id: ADR-0007\n---\n{MARKDOWN}"
    draft = parse_draft(text, "heat.md")
    assert (draft.title, draft.context, draft.options) == ("Salt", "It is cold.", "- a\n- b")
    assert (draft.needs_adr, draft.adr_id) == (False, "ADR-0007")


@pytest.mark.parametrize("path", ["heat.yaml", "sub/heat.yml", "-"])
def test_yaml_is_read_by_suffix_or_by_its_keys(path: str) -> None:
    draft = parse_draft("title: Heat\ncontext: |\n  Ice.\n  Much.\noptions:\n  - salt\n  - pipes\n", path)
    assert (draft.title, draft.context, draft.options) == ("Heat", "Ice.\nMuch.", "- salt\n- pipes")


def test_markdown_from_a_pipe_is_markdown() -> None:
    assert parse_draft(MARKDOWN, "-").title == "Heat the quay"
    assert parse_draft(f"---\ntitle: Salt\n---\n{MARKDOWN}", "-").title == "Salt"


@pytest.mark.parametrize("text", ["", "\n", "---\ntitle: ''\n---\n\n<!-- here -->\n"])
def test_an_empty_draft_is_one_without_words(text: str) -> None:
    draft = parse_draft(text, "a.md")
    assert (draft.title, draft.context, draft.options) == ("", "", "")


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        ("a.yaml", "title: [", "not valid YAML"),
        ("a.yaml", "- a\n", "not a mapping"),
        ("a.yaml", "title: a\nneeds_adr: perhaps\n", "needs_adr is 'perhaps'"),
        ("a.md", "---\ntitle: a: b\nx: [\n---\nbody\n", "front matter"),
    ],
)
def test_a_draft_that_cannot_be_read_is_told_and_hides_no_other(
    tmp_path: Path, path: str, text: str, told: str
) -> None:
    with pytest.raises(InputError, match=told.replace("'", ".")):
        parse_draft(text, path)
    put(tmp_path, path, text)
    put(tmp_path, "good.md", MARKDOWN)
    drafts, (file,) = load_drafts(tmp_path)
    assert [draft.path for draft in drafts] == ["good.md"]
    assert (file.path, file.kind) == (path, "unreadable") and told in file.message


def test_other_files_are_told_and_two_drafts_of_one_id_as_well(tmp_path: Path) -> None:
    for name in ("a.md", "a.yaml", "b.png", "template.md", ".hidden.md"):
        put(tmp_path, name, "title: x\n")
    drafts, told = load_drafts(tmp_path)
    assert [draft.path for draft in drafts] == ["a.md", "a.yaml"]
    assert [(file.path, file.kind, file.is_fault) for file in told] == [
        ("b.png", "not_a_decision", False),
        ("template.md", "not_a_decision", False),
        ("a.yaml", "doubled_number", True),
    ]
    assert load_drafts(tmp_path / "nowhere") == ([], [])


def test_the_samples_drafts_and_their_golden_answers_name_what_is_there() -> None:
    drafts, told = load_drafts(ROOT / "data" / "drafts")
    known = {decision.id for decision in load_decisions(ROOT / "data" / "decisions")[0]}
    golden = yaml.safe_load((ROOT / "data" / "golden" / "recall.yaml").read_text(encoding="utf-8"))
    assert [case["draft"] for case in golden] and {case["draft"] for case in golden} == {draft.id for draft in drafts}
    assert len(drafts) == 6 and not told
    by_id = {draft.id: draft for draft in drafts}
    for case in golden:
        expected = [citation["adr_id"] for citation in case["expected"]]
        assert set(expected) <= known and len(set(expected)) == len(expected)
        assert {citation["relation"] for citation in case["expected"]} <= {
            "duplicate",
            "prerequisite",
            "contradiction",
            "complement",
        }
        draft = by_id[case["draft"]]
        reaches = draft.needs_adr and bool(draft.title + draft.context + draft.options)
        assert reaches == bool(expected) == ("skipped" not in case)
