"""The quote gate: what may differ from the source, what may not, and the reason that is given."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from sekisho.gates import Sources, Verdict, citations_exist, quotes_are_verbatim
from sekisho.gates.quotes import nearest, told
from sekisho.records import Draft, Quote
from sekisho.sentences import sentences
from sekisho.text import fold_needle
from tests.conftest import ROOT

LEASE = """# Lease of the mill

The tenant pays **900 euros** a month, and the `rent` is due on the *first* day.
See the [house rules](https://mill.example/rules?v=2) for the garden.

- Dogs are welcome in the yard.
- The oven heats the whole house.

1. Read the meter.
2. Send the figures to the *owner*.

| Room | Size |
|------|------|
| Hall | 40 m² |

> The well has been dry
> since 1998.
"""
HARBOUR = """港の規則

船は**午前六時**に港を出る。荷物は前の日までに届け、
係員から札を受け取る。『静かに』と書かれた札もある。
"""
SOURCES = Sources({"lease": LEASE, "harbour": HARBOUR, "empty": ""})


def check(quote: str, source: str = "lease") -> Verdict:
    return SOURCES.check(source, quote)


@pytest.mark.parametrize(
    "quote",
    [
        "The oven heats the whole house.",
        "The tenant pays **900 euros** a month",
        "[house rules](https://mill.example/rules?v=2) for the garden.",
        "- Dogs are welcome in the yard.\n- The oven heats the whole house.",
        "| Hall | 40 m² |",
    ],
)
def test_words_of_the_source_are_exact(quote: str) -> None:
    found = check(quote)
    assert found == Verdict("exact", "lease", LEASE.index(quote), LEASE.index(quote) + len(quote))


RENT = "The tenant pays **900 euros** a month, and the `rent` is due"
ROOMS = "Room | Size |\n|------|------|\n| Hall | 40 m²"
MARKED = [
    ("The tenant pays 900 euros a month, and the rent is due", RENT),
    ("The tenant pays 900 euros a month, and the `rent` is due", RENT),
    (
        "the rent is due on the first day. See the house rules",
        "the `rent` is due on the *first* day.\nSee the [house rules",
    ),
    ("Dogs are welcome in the yard. The oven heats", "Dogs are welcome in the yard.\n- The oven heats"),
    ("- Dogs are welcome in the yard. - The oven heats", "- Dogs are welcome in the yard.\n- The oven heats"),
    ("Read the meter. Send the figures to the owner.", "Read the meter.\n2. Send the figures to the *owner*."),
    ("1. Read the meter. 2. Send the figures to the owner.", "Read the meter.\n2. Send the figures to the *owner"),
    ("Room Size Hall 40 m²", ROOMS),
    ("Room | Size Hall | 40 m²", ROOMS),
    ("The well has been dry since 1998.", "The well has been dry\n> since 1998."),
    ("Lease of the mill The tenant pays 900 euros", "Lease of the mill\n\nThe tenant pays **900 euros"),
]


@pytest.mark.parametrize(("quote", "original"), MARKED)
def test_markdown_does_not_break_a_quote(quote: str, original: str) -> None:
    found = check(quote)
    assert found.reason == "typographic"
    assert LEASE[found.start : found.end] == original


@pytest.mark.parametrize(
    "quote",
    [
        "“The oven heats the whole house.”",
        "'The oven heats the whole house.'",
        "«The oven heats the whole house»",
        "「The oven heats the whole house.」",
        "The oven heats the whole house",
        '"The oven heats the whole house".',
        "  The oven\u00a0heats\n the who\u00adle house.\u200b ",
        "Ｔｈｅ ｏｖｅｎ ｈｅａｔｓ ｔｈｅ ｗｈｏｌｅ ｈｏｕｓｅ．",
    ],
)
def test_what_is_put_around_a_quote_or_falls_off_does_not_matter(quote: str) -> None:
    found = check(quote)
    assert found.accepted
    assert LEASE[found.start : found.end].rstrip(".") == "The oven heats the whole house"


@pytest.mark.parametrize(
    "quote",
    [
        "船は午前六時に港を出る。",
        "『船は午前六時に港を出る』",
        "荷物は前の日までに届け、係員から札を受け取る。",
        "港の規則 船は午前六時に港を出る",
    ],
)
def test_a_japanese_quote_stands_whatever_its_line_breaks_and_marks(quote: str) -> None:
    assert check(quote, "harbour").accepted


@pytest.mark.parametrize(
    "quote",
    [
        "The oven heats the whole house!",
        "Indeed: The oven heats the whole house.",
        "The oven heats the whole House.",
        "The oven heats the entire house.",
        "The oven heat the whole house.",
        "The stove heats the whole house.",
        "Hall 40 m2",
        "900 dollars a month",
        "The well has been dry since 1999.",
        "the house rules (https://mill.example)",
        "Dоgs are welcome in the yard.",  # a Cyrillic о
    ],
)
def test_any_other_difference_is_one(quote: str) -> None:
    assert check(quote).reason == "not_found"


@pytest.mark.parametrize(
    ("quote", "reason"),
    [
        ("Dogs are welcome ... the whole house.", "elided"),
        ("Dogs are … in the yard.", "elided"),
        ("The tenant pays [...] on the first day.", "elided"),
        ("Dogs are welcome in the yard. See the house rules for the garden.", "stitched"),
        ("The oven heats the garden of the house ...", "not_found"),
        ("The tenant pays 900 euros a month, is due on the first day.", "stitched"),
        ("Dogs are welcome in the yard. 荷物は前の日までに届け", "stitched"),
    ],
)
def test_elided_and_stitched_are_told_from_not_found(quote: str, reason: str) -> None:
    """Cases A3 and A10."""
    assert check(quote).reason == reason


def test_an_ellipsis_of_the_source_is_no_elision() -> None:
    assert Sources({"a": "He said: wait… and then left."}).check("a", "wait... and then left").accepted


@pytest.mark.parametrize("quote", ["", " ", "\u200b", "“”", "「」", "**", "( )", "\u3000", "* *", "` `"])
def test_a_quote_that_shows_nothing_is_empty(quote: str) -> None:
    assert check(quote).reason == "empty"


@pytest.mark.parametrize("quote", ["...", "、", "(1)", "the", "of the", "oven", "is not", "Dogs.", "40", "**yard**"])
def test_a_quote_that_says_nothing_is_too_short(quote: str) -> None:
    """Case A4."""
    assert check(quote).reason == "too_short"


@pytest.mark.parametrize("quote", ["ます", "これ", "である", "荷物", "午前", "規則", "プライバシー", "港の"])
def test_a_single_japanese_word_or_ending_is_too_short(quote: str) -> None:
    assert check(quote, "harbour").reason == "too_short"


@pytest.mark.parametrize(
    ("quote", "source"), [("40 m²", "lease"), ("Dogs are welcome", "lease"), ("札を受け取る", "harbour")]
)
def test_a_few_words_that_say_something_are_not_too_short(quote: str, source: str) -> None:
    assert check(quote, source).reason != "too_short"


def test_a_quote_from_another_known_source_is_misattributed_and_that_source_is_named() -> None:
    """Case A10."""
    found = check("The oven heats the whole house", "harbour")
    assert (found.reason, found.source) == ("misattributed", "lease")
    assert LEASE[found.start : found.end] == "The oven heats the whole house"


@pytest.mark.parametrize(
    "given_id",
    ["Lease", "lease ", "(lease)", "lease:12", "lease#2", "lease-chunk-1", "ｌｅａｓｅ", "le\u200base", "lease.md"],
)  # fmt: skip
def test_p10_a_malformed_id_is_unknown_and_the_nearest_known_one_is_named(given_id: str) -> None:
    """Case A6."""
    found = SOURCES.check(given_id, "The oven heats the whole house")
    assert (found.reason, found.source, found.hint) == ("unknown_source", given_id, "lease")


def test_p11_an_id_that_is_like_no_known_one_gets_no_hint() -> None:
    assert SOURCES.check("99-ghost-orchid", "The oven heats the whole house").hint == ""
    assert nearest("", ["a"]) == ""


def test_the_first_reason_that_holds_is_given() -> None:
    assert SOURCES.check("nowhere", "").reason == "unknown_source"
    assert check("the", "empty").reason == "too_short"
    both = Sources({"a": "You may not park here at night.", "b": "At last you may park here at night."})
    assert both.check("a", "park here at night").reason == "truncated"


def test_a_quote_is_not_looked_for_in_what_no_reader_sees() -> None:
    text = "A fair price. <!-- draft: the price is far too high --> See [the list](https://x.example/a-b-c-d)."
    assert not Sources({"a": text}).check("a", "the price is far too high").accepted


def test_a_squared_unit_and_an_exponent_are_what_they_are() -> None:
    text = "The field of 25 ㎡ holds 10⁶ seeds and 2½ trees."
    sources = Sources({"a": text})
    assert sources.check("a", "The field of 25 m² holds 10⁶ seeds").accepted
    for quote in ("holds 106 seeds", "holds 10⁶ seeds and 21/2 trees", "The field of 25 m2 holds"):
        assert not sources.check("a", quote).accepted


def test_told_names_the_reason_and_lets_no_outside_text_steer_the_terminal() -> None:
    found = Sources({"a": "It is not safe to swim here."}).check("a", "safe to swim here")
    assert told("quote", found, "a", "safe to swim here") == "quote truncated in a (left out: not): safe to swim here"
    shown = told("quote", SOURCES.check("\x1b[31m", "x"), "\x1b[31m", "x\ny")
    assert shown.isprintable()


_WORDS = [
    "amber",
    "bridge",
    "canal",
    "dawn",
    "ember",
    "forge",
    "garden",
    "harvest",
    "island",
    "kettle",
    "mill",
    "pebble",
]
_SENTENCES = st.lists(st.sampled_from(_WORDS), min_size=4, max_size=9).map(
    lambda words: f"The {' '.join(words)} holds."
)
_NAMES = ["橋", "運河", "夜明け", "庭園", "収穫", "灯り", "果樹園", "小石", "漁港"]
_JAPANESE = st.lists(st.sampled_from(_NAMES), min_size=2, max_size=4).map(lambda names: f"{'と'.join(names)}を守る。")
_PARTS = st.tuples(st.one_of(_SENTENCES, _JAPANESE), st.sampled_from([" ", "\n", "\n\n"]))
_TEXTS = st.lists(_PARTS.map("".join), min_size=1, max_size=8).map("".join)


@st.composite
def _slices(draw: st.DrawFn) -> tuple[str, str]:
    """A text and a slice of it from one sentence's start to another's end."""
    text = draw(_TEXTS)
    spans = sentences(text)
    first = draw(st.integers(0, len(spans) - 1))
    last = draw(st.integers(first, len(spans) - 1))
    return text, text[spans[first].start : spans[last].end]


@settings(deadline=None)
@given(_slices())
@example(("One sentence is here. 次の文はここにある。", "One sentence is here. 次の文はここにある。"))
def test_a_slice_from_one_sentence_boundary_to_another_is_accepted(case: tuple[str, str]) -> None:
    text, quote = case
    found = Sources({"a": text}).check("a", quote)
    assert found.reason == "exact"
    assert text[found.start : found.end] == quote


@settings(deadline=None)
@given(_slices(), st.data())
def test_with_a_letter_or_digit_replaced_it_is_rejected(case: tuple[str, str], data: st.DataObject) -> None:
    text, quote = case
    places = [at for at, char in enumerate(quote) if char.isalnum()]
    at = data.draw(st.sampled_from(places))
    other = data.draw(st.characters(categories=["Ll", "Lu", "Lo", "Nd"]))
    assume(fold_needle(other) != fold_needle(quote[at]) and fold_needle(other))
    changed = quote[:at] + other + quote[at + 1 :]
    assume(fold_needle(changed) not in fold_needle(text))
    assert not Sources({"a": text}).check("a", changed).accepted


@settings(deadline=None)
@given(_slices())
def test_the_offsets_slice_the_original_to_the_quote_however_it_is_written(case: tuple[str, str]) -> None:
    text, quote = case
    for written in (quote, f"“{quote}”", quote.replace(" ", "\u00a0"), quote.removesuffix(".").removesuffix("。")):
        found = Sources({"a": text}).check("a", written)
        assert found.accepted
        assert fold_needle(text[found.start : found.end]).rstrip(".。") == fold_needle(quote).rstrip(".。")


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=30))
def test_no_text_and_no_quote_make_the_gate_fail(text: str, quote: str) -> None:
    found = Sources({"a": text, "b": quote}).check("a", quote)
    assert 0 <= found.start <= found.end <= len(text if found.source == "a" else quote)


def test_the_documented_example_runs() -> None:
    page = (ROOT / "docs/gates.md").read_text(encoding="utf-8")
    names: dict[str, Verdict] = {}
    exec(page.partition("```python\n")[2].partition("```")[0], names)
    assert (names["verdict"].reason, names["verdict"].hint) == ("truncated", "non-")


@pytest.mark.parametrize(
    ("source", "text", "message"),
    [
        ("lease", "The oven cools the whole house.", "quote not found in lease: The oven cools the whole house."),
        ("harbour", "The oven heats the whole house.", "quote not found in harbour, but in lease: The oven heats"),
        ("lease", "The oven heats ... house.", "quote elided in lease"),
        ("lease", "Dogs are welcome in the yard. Read the meter.", "quote stitched in lease"),
        ("lease", "oven", "quote too short to say anything, from lease: oven"),
        ("lease", "「」", "quote empty, from lease"),
        ("leese", "The oven heats the whole house.", "quote from an unknown source: leese (nearest known: lease)"),
        ("lease", "tenant pays 900", "quote truncated in lease (left out: euros): tenant pays 900"),
    ],
)
def test_d04_the_gate_of_the_quotes_tells_the_reason(source: str, text: str, message: str) -> None:
    draft = Draft(
        id="q",
        question="?",
        status="answered",
        answer="Yes.",
        citations=[source],
        quotes=(Quote(source=source, text=text),),
        generation="g",
    )
    assert [found.message.startswith(message) for found in quotes_are_verbatim([draft], SOURCES)] == [True]


def test_d04_a_malformed_citation_keeps_its_words_and_names_the_nearest_source() -> None:
    draft = Draft(
        id="q",
        question="?",
        status="answered",
        answer="Yes.",
        citations=["Lease", "99-ghost"],
        shown=("lease",),
        generation="g",
    )
    messages = [found.message for found in citations_exist([draft], {"lease", "harbour"})]
    assert messages == ["hallucinated citation: Lease (nearest known: lease)", "hallucinated citation: 99-ghost"]


@pytest.mark.parametrize(
    "filler",
    [" ", "\t", "!", "?", "<!--", "- ", "--  ", "# A  #", "`  `_", "| --", "<del>", "<script>", "Key: a\n", "。"],
)
def test_a_long_run_of_one_thing_takes_no_quadratic_time(filler: str) -> None:
    """In quadratic time each of these sources would take minutes."""
    run = filler * (200_000 // len(filler))
    found = Sources({"run": f"Wait{run}x\n\nThe gate is open."}).check("run", "The gate is open.")
    assert found.source == "run"


def test_half_a_character_in_a_source_is_no_error() -> None:
    assert Sources({"half": "A lone \ud800 mark stands. The gate is open."}).check("half", "The gate is open.").accepted
