"""Folding: what a quote may differ in from its source, and the way back to the original offsets."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sekisho.text import find_quote, fold, fold_needle, is_blank, printable, says_something

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
    ("10～20", "10~20"),
]


@pytest.mark.parametrize(("text", "folded"), FOLDS)
def test_a_harmless_difference_folds_away(text: str, folded: str) -> None:
    assert fold(text).text == folded


@pytest.mark.parametrize(("mark", "plain"), [("\u00b4", "'"), ("\u2033", '"')])
def test_every_character_that_the_table_names_folds_as_the_table_says(mark: str, plain: str) -> None:
    assert fold(f"a{mark}").text == f"a{plain}"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Œdema", "OEdema"), ("Œdema", "Oedema"), ("Æon", "AEon"), ("α-synuclein", "alpha-synuclein"), ("CA1", "ca1")],
)
def test_a_difference_in_letters_does_not_fold(one: str, other: str) -> None:
    assert fold(one).text != fold(other).text
    assert find_quote(fold(one), other) is None


def test_a_quote_is_found_across_typographic_differences_and_its_offsets_slice_the_original() -> None:
    source = "He said: re\u2011use of “10 µm” slices – don’t freeze."
    span = find_quote(fold(source), 're-use of "10 μm" slices - don\'t freeze')
    assert span is not None
    assert source[slice(*span)] == "re\u2011use of “10 µm” slices – don’t freeze"


def test_offsets_slice_the_original_around_clusters_ligatures_and_invisible_characters() -> None:
    source = "前ｶﾞス、か\u3099、㍿、neu\u00adron\u00a0ﬁn"
    for quote, original in [
        ("ガス", "ｶﾞス"),
        ("ス、が", "ス、か\u3099"),
        ("株式会社", "㍿"),
        ("neuron fin", "neu\u00adron\u00a0ﬁn"),
    ]:
        span = find_quote(fold(source), quote)
        assert span is not None, quote
        assert source[slice(*span)] == original


def test_a_base_letter_alone_is_not_found_in_its_composed_form() -> None:
    assert find_quote(fold("か\u3099く"), "か") is None
    assert find_quote(fold("ｶﾞス"), "カ") is None


def test_white_space_around_a_quote_does_not_matter_but_within_it_does() -> None:
    source = fold("one  two\nthree")
    assert find_quote(source, "  two three\n") == (5, 14)
    assert find_quote(source, "twothree") is None


def test_an_elided_quote_is_not_found_but_a_real_ellipsis_is() -> None:
    assert find_quote(fold("is not permitted to terminate"), "is ... permitted to terminate") is None
    assert find_quote(fold("wait…"), "wait...") == (0, 5)


def test_a_word_hyphenated_at_the_end_of_a_line_does_not_break_a_quote() -> None:
    """Case A15."""
    assert find_quote(fold("marked hyper-\nplasia was seen"), "marked hyperplasia was seen") is not None


@pytest.mark.parametrize("quote", ["", "   ", "\n\t", "\u200b", "\u00ad\ufeff \u2060", "\u3000"])
def test_an_empty_quote_stands_nowhere(quote: str) -> None:
    assert find_quote(fold("some \u200b text"), quote) is None
    assert is_blank(quote)


@pytest.mark.parametrize("mark", ["\u200e", "\u200f", "\u061c", "\u202c", "\u2062", "\u2068", "\ufe0f"])
def test_an_invisible_mark_alone_is_blank_and_stands_nowhere(mark: str) -> None:
    """Case A4: emptiness is tested after invisible characters are stripped; these print nothing either."""
    assert is_blank(mark)
    assert find_quote(fold(f"some{mark} text"), mark) is None


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


@given(_simple, st.data())
def test_the_span_of_a_found_quote_folds_to_the_folded_quote(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))]
    span = find_quote(fold(text), quote)
    if span is not None:
        assert fold_needle(text[slice(*span)]) == fold_needle(quote)


@given(_texts, st.data())
def test_the_span_of_a_found_quote_always_holds_the_folded_quote(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))]
    span = find_quote(fold(text), quote)
    if span is not None:
        assert fold_needle(quote) in fold(text[slice(*span)]).text


@given(_texts)
def test_a_whole_text_is_found_in_itself_unless_it_says_nothing(text: str) -> None:
    readings = (fold(text), *fold(text).others)
    says = any(says_something(reading.text.strip()) for reading in readings)
    assert (find_quote(fold(text), text) is not None) == says


@given(_texts)
def test_printable_text_is_one_line_and_printing_it_again_changes_nothing(text: str) -> None:
    shown = printable(text)
    assert len(shown.splitlines()) <= 1
    assert printable(shown) == shown
