"""Folding: what a quote may differ in from its source, and the way back to the original offsets."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sekisho.text import fold, fold_needle, is_blank, printable
from sekisho.text.markup import plain, words_of

# Frozen: a changed row is a changed promise about which quotes are accepted.
FOLDS = [
    ("‘q’", "'q'"),
    ("don’t", "don't"),
    ("‚q‛", "'q'"),
    ("“q”", '"q"'),
    ("„q‟", '"q"'),
    ("«q»", '"q"'),
    ("5′", "5'"),
    ("ʼ", "'"),
    ("re\u2010use", "re-use"),
    ("re\u2011use", "re-use"),
    ("1\u20122", "1-2"),
    ("1\u20132", "1-2"),
    ("a\u2014b", "a-b"),
    ("a\u2015b", "a-b"),
    ("\u22125 °C", "-5 °C"),
    ("\ufe63", "-"),
    ("neu\u00adron", "neuron"),
    ("a\u200bb", "ab"),
    ("a\u200c\u200db", "ab"),
    ("a\u2060b", "ab"),
    ("\ufeffabc", "abc"),
    ("10\u00a0µm", "10 μm"),
    ("a\u3000b", "a b"),
    ("a \t\r\n b", "a b"),
    ("［１］", "[1]"),
    ("ＡＢＣ", "ABC"),
    ("amyloid ﬁbrils", "amyloid fibrils"),
    ("ｶﾞ", "ガ"),
    ("ﾊﾟ", "パ"),
    ("か\u3099", "が"),
    ("e\u0301", "é"),
    ("\u1112\u1161\u11ab", "한"),
    ("㍿", "株式会社"),
    ("Ⅵ", "VI"),
    ("wait…", "wait..."),
    ("µ", "μ"),
    ("10〜20", "10~20"),
    ("25 ㎡", "25 m²"),
    ("1⁄2", "1/2"),
    ("か ｶﾞ", "かガ"),
    ("10～20", "10~20"),
]


@pytest.mark.parametrize(("text", "folded"), FOLDS)
def test_a_harmless_difference_folds_away(text: str, folded: str) -> None:
    assert fold(text).text == folded


@pytest.mark.parametrize("text", ["10⁶", "2½", "H₂O", "①", "x³", "¼", "⁻⁹"])
def test_what_nfkc_makes_a_plain_digit_stays_what_it_is(text: str) -> None:
    assert fold(text).text == text


@pytest.mark.parametrize(("mark", "plain"), [("\u00b4", "'"), ("\u2033", '"')])
def test_every_character_that_the_table_names_folds_as_the_table_says(mark: str, plain: str) -> None:
    assert fold(f"a{mark}").text == f"a{plain}"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Œdema", "OEdema"), ("Œdema", "Oedema"), ("Æon", "AEon"), ("α-synuclein", "alpha-synuclein"), ("CA1", "ca1")],
)
def test_a_difference_in_letters_does_not_fold(one: str, other: str) -> None:
    assert fold(one).text != fold(other).text


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b", "\u00ad\ufeff \u2060", "\u3000"])
def test_what_prints_nothing_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("mark", ["\u200e", "\u200f", "\u061c", "\u202c", "\u2062", "\u2068", "\ufe0f"])
def test_an_invisible_mark_alone_is_blank(mark: str) -> None:
    """Case A4: emptiness is tested after invisible characters are stripped; these print nothing either."""
    assert is_blank(mark)


@pytest.mark.parametrize("text", ["a", ".", "海", " x ", "\u200bx"])
def test_what_prints_is_not_blank(text: str) -> None:
    assert not is_blank(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, 海馬 and é", "plain text, 海馬 and é"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb", "a\\u202eb"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("a\u2028b", "a\\u2028b"),
        ("\x07", "\\x07"),
        ("\x9b", "\\x9b"),
        ("\u200b", "\\u200b"),
        ("\ud800", "\\ud800"),
        ("\ue000", "\\ue000"),
    ],
)
def test_printable_writes_what_steers_a_terminal_as_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown


_TRICKY = "aé か\u3099ｶﾞㄱ\u1100\u1161\u0301\u200b\u00ad\ufeff‘“–−…ﬁ㍿⑴µ\u00b4\u00a8 \n\u3000\u00a0"
_texts = st.text(st.one_of(st.sampled_from(_TRICKY), st.characters(codec="utf-8")), max_size=40)
# Pieces that become one folded character at most, so that no span can begin or end inside an original one.
_PIECES = ["a", "b", "é", "e\u0301", "か\u3099", "ｶﾞ", "\u00ad", "\u200b", "–", "’", " ", "\n", "\u3000"]
_simple = st.lists(st.sampled_from(_PIECES), max_size=20).map("".join)


@given(_texts)
@example("a\u200b\u0301")
@example("か\u00ad\u3099")
def test_folding_twice_equals_folding_once(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once


@given(_texts)
def test_offsets_never_go_back_and_stay_within_the_original(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert list(folded.starts) == sorted(folded.starts)
    assert list(folded.ends) == sorted(folded.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(folded.starts, folded.ends, strict=True))


@given(_texts)
def test_what_is_looked_for_is_folded_as_the_text_is(text: str) -> None:
    assert fold_needle(text) == fold(text).text.strip()


@given(_simple, st.data())
def test_each_folded_character_comes_from_its_place_in_the_original(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    if folded.text:
        at = data.draw(st.integers(0, len(folded.text) - 1))
        start, end = folded.span(at, 1)
        assert fold(text[start:end]).text == folded.text[at]


@given(_texts)
def test_printable_text_is_one_line_and_printing_it_again_changes_nothing(text: str) -> None:
    shown = printable(text)
    assert len(shown.splitlines()) <= 1
    assert printable(shown) == shown


@given(st.text(alphabet="ab本 \n|-*_`~<>/![]()&;:.\\#1dels", max_size=80))
@example("<del>a</del> &amp; `b`[c](d)")
def test_the_words_of_a_text_are_the_same_with_and_without_the_way_back(text: str) -> None:
    shown = plain(text)
    assert words_of(text) == shown.text
    assert len(shown.starts) == len(shown.ends) == len(shown.text)
