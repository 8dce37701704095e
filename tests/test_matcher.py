"""The first stage of mapping: which records a text may mean, scored, without any model."""

from __future__ import annotations

import pytest

from sekisho.catalogue import Catalogue, Term
from sekisho.mapping.match import Matcher
from sekisho.mapping.weights import FEATURES
from tests.matching import MATCHER, first, names


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Thalamus", "thalamus"),
        ("mesencephalon", "midbrain"),
        ("nucleus of solitary tract", "nucleus of the solitary tract"),
        ("tract, solitary", "solitary tract"),
        ("raphe nucleus, dorsal", "dorsal raphe nucleus"),
        ("solitary tracts", "solitary tract"),
        ("α motor column", "alpha motor column"),
        ("ventricle IV", "fourth ventricle"),
        ("4th ventricle", "fourth ventricle"),
        ("第4脳室 fourth ventricle", "fourth ventricle"),
        ("periaqueductal grey", "periaqueductal gray"),
        ("Nucleus ventralis posterolateralis", "ventral posterolateral nucleus"),
        ("hipocampal fisure", "hippocampal fissure"),
        ("nuclei of thalamus, ventral posterolateral", "ventral posterolateral nucleus"),
        ("entorhinal cortex layer III", "entorhinal cortex, layer 3"),
        ("amygdaloid nucleus, basolateral", "basolateral amygdaloid nucleus"),
        ("amygdaloid complex, basolateral", "basolateral amygdaloid complex"),
        ("posterior thalamic nucleus", "posterior nucleus"),
        ("海馬", "hippocampus"),
        ("視床下部の", "視床下部"),
        ("小脳の核", "小脳核"),
        ("外側視床下部", "視床下部外側野"),
    ],
)
def test_m1_spelling_order_plural_numerals_and_latin_do_not_part_what_is_one_name(query: str, name: str) -> None:
    assert first(query) == name


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("MGB", "medial geniculate body"),
        ("mgb", "medial geniculate body"),
        ("PAG", "periaqueductal gray"),
        ("VPL", "ventral posterolateral nucleus"),
        ("PoTh", "posterior nucleus"),
        ("ACAd", "anterior cingulate cortex, dorsal part"),
        ("MGBv", "medial geniculate body, ventral division"),
    ],
)
def test_m9_a_short_form_is_spelt_by_the_beginnings_of_a_names_words(query: str, name: str) -> None:
    assert first(query) == name


def test_m9_a_short_form_finds_all_that_it_may_mean_among_its_ten() -> None:
    assert {"anterior cingulate cortex", "accessory nerve"} <= set(names(MATCHER.match("ACC")))
    assert {"entorhinal cortex", "external capsule"} <= set(names(MATCHER.match("EC")))
    assert {"lateral habenula", "lateral hypothalamic area"} <= set(names(MATCHER.match("LH")))


def test_m1_the_case_of_an_acronym_is_a_signal() -> None:
    assert first("acc") == "accessory nerve"
    assert first("ec") == "external capsule"
    exact, other = (MATCHER.match(query).candidates for query in ("acc", "ACC"))
    scores = [next(c for c in found if c.name == "accessory nerve") for found in (exact, other)]
    assert scores[0].score > scores[1].score
    assert scores[0].signals["acronym_case"] == 1 and "acronym_case" not in scores[1].signals


def test_m9_a_whole_is_preferred_to_its_parts_where_the_query_names_the_whole() -> None:
    assert first("Dorsal raphe nuclei") == "dorsal raphe nucleus"
    assert first("gray, periaqueductal") == "periaqueductal gray"
    assert first("dorsal raphe nucleus, dorsal division") == "dorsal raphe nucleus, dorsal part"


def test_m1_scores_come_with_their_signals_best_first_and_ten_at_most() -> None:
    found = MATCHER.match("lateral geniculate nucleus")
    assert len(found.candidates) == 10
    scores = [(-candidate.score, candidate.id) for candidate in found.candidates]
    assert scores == sorted(scores)
    signals = found.candidates[0].signals
    assert signals["label"] == "lateral geniculate body" and signals["kind"] == "name"
    assert {"bm25", "fuzzy", "covered", "covers"} <= signals.keys() <= {"label", "kind", *FEATURES}
    assert [c.id for c in MATCHER.match("lateral geniculate nucleus", top_k=3).candidates] == [
        c.id for c in found.candidates[:3]
    ]


def test_a_bare_generic_word_or_a_name_of_several_records_is_ambiguous_and_says_so() -> None:
    assert MATCHER.match("nucleus").ambiguous == "'nucleus' is a generic word: 6 names end in it"
    assert "generic" in MATCHER.match("Nuclei").ambiguous
    assert MATCHER.match("red nucleus").ambiguous == ""
    assert MATCHER.match("thalamus").ambiguous == ""
    double = Catalogue.of([Term(id="A", name="roof"), Term(id="B", name="roof"), Term(id="C", name="wall")])
    assert Matcher.build(double).match("roof").ambiguous == "2 records are called 'roof'"
    assert names(Matcher.build(double).match("roof"))[:2] == ["roof", "roof"]


@pytest.mark.parametrize("query", ["", "  ", "\u200b", "???", "x" * 10_000, "(", "a" * 8 + "\n\0"])
def test_no_query_breaks_the_matcher(query: str) -> None:
    found = MATCHER.match(query)
    assert found.query == query
    assert all(0 <= candidate.score <= 1 for candidate in found.candidates)
