"""Sentences are exact slices of the original, in Markdown, hard-wrapped text and Japanese."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.sentences import kinded_sentences, sentences
from tests.conftest import ROOT


def words(text: str) -> list[str]:
    return [span.of(text) for span in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "It weighs 4.2 kg. Dr. Ames left at 5 p.m. He said no!",
            ["It weighs 4.2 kg.", "Dr. Ames left at 5 p.m.", "He said no!"],
        ),
        ("It is 18 m. Then 5 m high. He saw 3 p. m.", ["It is 18 m.", "Then 5 m high.", "He saw 3 p. m."]),
        ("It weighs approx. 40 kg. No. 5 is ours.", ["It weighs approx. 40 kg.", "No. 5 is ours."]),
        ("**Mind it.** Then *more.* (An aside.) End", ["**Mind it.**", "Then *more.*", "(An aside.) End"]),
        (
            "重さは14.2kg。本当？「危ない。触るな。」と書いてある。",
            ["重さは14.2kg。", "本当？", "「危ない。触るな。」と書いてある。"],
        ),
        ("😀 one. 𠮷野 two.", ["😀 one.", "𠮷野 two."]),
        ("", []),
        (" \n***\n", []),
    ],
)
def test_a_text_is_cut_at_the_ends_of_its_sentences(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_headings_bullets_tables_code_and_front_matter_stand_alone() -> None:
    prose = "---\ntitle: A\n---\n# Head\nBody goes\non. End.\n- one\n- two. Three\n\n"
    text = prose + "| a | b |\n|---|---|\n| 1. x | 2 |\n\n```\nrun. it\n```\n"
    assert words(text) == [
        "title: A",
        "Head",
        "Body goes\non.",
        "End.",
        "one",
        "two.",
        "Three",
        "a | b",
        "1. x | 2",
        "run. it",
    ]


def test_a_hard_wrapped_sentence_keeps_its_line_breaks_whatever_they_are() -> None:
    assert words("One\r\ntwo. Three.\r\n\r\n> quoted\r\n> on.") == ["One\r\ntwo.", "Three.", "quoted\r\n> on."]


def test_each_sentence_tells_what_holds_it() -> None:
    text = "---\na: b\n---\n# Head\n\nProse. More [prose](x).\n\nUnder\n---\n\n- item\n\n  again\n"
    text += "- [Home](/) | [Shop](/s)\n\n[One](/1) · [Two](/2)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    text += "```\ncode\n```\n\nEnd\n"
    kinds = [(kind, span.of(text)) for span, kind in kinded_sentences(text)]
    assert kinds == [
        ("line", "a: b"),
        ("heading", "Head"),
        ("prose", "Prose."),
        ("prose", "More [prose](x)."),
        ("heading", "Under"),
        ("item", "item"),
        ("item", "again"),
        ("links", "[Home](/) | [Shop](/s)"),
        ("links", "[One](/1) · [Two](/2)"),
        ("head", "a | b"),
        ("row", "1 | 2"),
        ("line", "code"),
        ("prose", "End"),
    ]


def test_a_text_longer_than_what_the_segmenter_gets_at_once_is_cut_as_it_is_piece_by_piece() -> None:
    parts = [f"Entry {number} was written by Dr. Ames{', once more' * (number % 40)}." for number in range(300)]
    assert words(" ".join(parts)) == parts


def test_a_sentence_longer_than_what_the_segmenter_gets_at_once_stays_one() -> None:
    endless = "It goes on" + " and on" * 3000 + "."
    assert words(f"Before. {endless} After.") == ["Before.", endless, "After."]


def test_half_a_character_does_not_stop_the_segmenter() -> None:
    assert words("A lone \ud800 mark. Then more.") == ["A lone \ud800 mark.", "Then more."]


@given(st.text(alphabet=st.sampled_from("aB1 .!?。」「*-#>|`\n\r\t_()é😀の"), max_size=60))
def test_spans_are_ordered_disjoint_and_lose_no_letter(text: str) -> None:
    spans = sentences(text)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    kept = "".join(span.of(text) for span in spans)
    lost = [char for char in text if char.isalpha()]
    assert [char for char in kept if char.isalpha()] == lost


def test_every_sample_note_is_covered() -> None:
    for path in (ROOT / "data/notes").glob("*.md"):
        text = path.read_text(encoding="utf-8")
        spans = sentences(text)
        gaps = [text[a.end : b.start] for a, b in pairwise(spans)]
        assert not any(char.isalnum() for gap in gaps for char in gap)
