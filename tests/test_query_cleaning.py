"""What is taken out of a query before it is looked for, and what curated words stand for."""

from __future__ import annotations

import pytest

from sekisho.catalogue import Abbreviation, Alias, Catalogue, Curated, Term, Token
from sekisho.mapping.cleaning import Cleaner
from sekisho.mapping.match import Matcher
from tests.matching import MATCHER, catalogue_of, first, names


@pytest.mark.parametrize(
    ("query", "cleaned", "removed"),
    [
        ("red nucleus, left", "red nucleus", [("left", "side")]),
        ("Pvalb+ neurons in the pons", "pons", [("Pvalb+", "marker"), ("neurons in the", "cell type")]),
        ("acute slices of the red nucleus", "red nucleus", [("acute slices of the", "method")]),
        ("hypothalamus, excluding the lateral area", "hypothalamus", [("excluding the lateral area", "excluded")]),
        ("左の海馬", "海馬", [("左", "side")]),
        ("Purkinje cell layer", "Purkinje cell layer", []),
        ("left", "left", []),
        ("x" * 1200, "x" * 1000, [("200 characters", "too long")]),
    ],
)  # fmt: skip
def test_what_is_no_name_is_taken_out_of_a_query_and_told(
    query: str, cleaned: str, removed: list[tuple[str, str]]
) -> None:
    assert Cleaner(Curated()).clean(query) == (cleaned, tuple(removed))


def test_a_word_that_names_of_the_catalogue_use_is_not_taken_out() -> None:
    assert Cleaner(Curated()).clean("adipose tissue").text == "adipose"
    tissues = Catalogue.of([Term(id="A", name="brown fatty tissue"), Term(id="B", name="adipose organ")])
    found = Matcher.build(tissues).match("fatty tissues, brown")
    assert (found.candidates[0].id, found.removed) == ("A", ())


ROOMS = """
magnetic resonance imaging suite|imaging room|MRI|
computed tomography suite|CT suite|CT|
electroencephalography laboratory||EEG|
clinical laboratory|||
biopsy unit|||
stem cell unit|||
tissue bank|||
blood bank|||
HIV-positive clinic|||
clinic|||
tea without milk|||
tea|||
"""


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("MRI suite", "magnetic resonance imaging suite"),
        ("EEG laboratory", "electroencephalography laboratory"),
        ("biopsies unit", "biopsy unit"),
        ("units for stem cells", "stem cell unit"),
        ("tissue banks", "tissue bank"),
        ("HIV-positive clinics", "HIV-positive clinic"),
        ("teas without milk", "tea without milk"),
    ],
)
def test_what_other_catalogues_names_are_made_of_is_no_method_cell_or_marker(query: str, name: str) -> None:
    found = Matcher.build(catalogue_of(ROOMS)).match(query)
    assert (names(found)[0], found.removed) == (name, ())


def test_m9_an_acronym_beside_other_words_stands_for_its_records_name_and_a_beginning_for_the_word() -> None:
    wards = catalogue_of(
        "intensive care unit||ICU|\npaediatric intensive care unit||PICU|\nneonatal intensive care unit||NICU|\n"
        "paediatrics|||\ncardiology|||\ncarbon dioxide|||\npolyethylene terephthalate|||\nphysical therapy||PT|\n"
        "magnetic resonance imaging suite||MRI|"
    )
    matcher = Matcher.build(wards)
    found = matcher.match("Pediatric ICU").candidates[0]
    assert (found.name, found.signals["expanded"]) == ("paediatric intensive care unit", 1)
    assert first("neonatal ICU", matcher) == "neonatal intensive care unit"
    assert first("ICU", matcher) == "intensive care unit"
    assert first("suite of MRI", matcher) == "magnetic resonance imaging suite"
    assert first("Cardio", matcher) == "cardiology"
    assert first("pt", matcher) == first("PT", matcher) == "physical therapy"


@pytest.mark.parametrize(
    ("query", "cleaned"),
    [
        ("Surgery, excl. thoracic", "Surgery"),
        ("surgery minus hand", "surgery"),
        ("surgery (except of the hand)", "surgery"),
        ("surgery, other than thoracic", "surgery"),
        ("surgery w/o beds", "surgery"),
        ("surgery apart from the hand", "surgery"),
        ("外科、手外科を除く", "外科"),
        ("手外科を除く外科", "外科"),
        ("小児科以外の外科", "外科"),
        ("外科（手外科以外）", "外科"),
        ("小児科以外", ""),
        ("other than surgery", ""),
        ("minus strand", "minus strand"),
        ("Excel table", "Excel table"),
    ],
)
def test_what_a_query_leaves_out_is_not_looked_for(query: str, cleaned: str) -> None:
    found = Cleaner(Curated()).clean(query)
    assert found.text == cleaned and {why for _, why in found.removed} <= {"excluded"}
    wards = Matcher.build(
        catalogue_of("surgery|||\nthoracic surgery|||\nhand surgery|||\n外科|||\n手外科|||\n小児科|||")
    )
    expected = {"surgery": ["surgery"], "外科": ["外科"], "": []}.get(cleaned.lower())
    assert expected is None or names(wards.match(query))[:1] == expected


def test_records_that_fit_alike_are_told_and_signs_alone_find_nothing() -> None:
    valves = Matcher.build(
        catalogue_of("ball valve|||\ngate valve|||\npump|||\nhepatitis A|||\nhepatitis B|||\nC++|||")
    )
    assert valves.match("valve").ambiguous == "2 records fit it alike: T00, T01"
    assert valves.match("hepatitis").ambiguous == "2 records fit it alike: T03, T04"
    assert (
        valves.match("pump").ambiguous == valves.match("ball valves").ambiguous == valves.match("zzz").ambiguous == ""
    )
    assert [valves.match(sign).candidates for sign in ("?", "-", "++")] == [(), (), ()]
    assert first("c++", valves) == "C++"


@pytest.mark.parametrize("query", ["PAG\x07", "\x00PAG", "P.A.G.", "P.A.G"])
def test_control_characters_and_dots_between_letters_change_nothing(query: str) -> None:
    assert MATCHER.match(query).candidates == MATCHER.match("PAG").candidates


def test_curated_tokens_keep_a_word_in_a_query() -> None:
    keep = Curated(tokens=(Token(text="slices", kind="keep"), Token(text="slice", kind="keep")))
    assert Cleaner(keep).clean("pineapple slices").text == "pineapple slices"
    assert Cleaner(Curated()).clean("pineapple slices").text == "pineapple"


def test_a_text_that_is_a_record_s_own_is_not_cleaned() -> None:
    found = MATCHER.match("Left cerebellar hemisphere")
    assert (found.cleaned, found.removed) == ("Left cerebellar hemisphere", ())
    assert found.candidates[0].name == "left cerebellar hemisphere"


def test_curated_knowledge_is_a_signal_and_a_hint() -> None:
    known = catalogue_of(
        aliases=[Alias(text="the bridge", id="T04")],
        abbreviations=[
            Abbreviation(text="SuG", id="T28", note="as in old papers"),
            Abbreviation(text="HTh", expansion="hypothalamus"),
        ],
        tokens=[Token(text="adult", kind="modifier"), Token(text="mouse", kind="stop")],
    )
    matcher = Matcher.build(known)
    bridge = matcher.match("The Bridge").candidates[0]
    assert (bridge.name, bridge.signals["kind"]) == ("pons", "alias")
    found = matcher.match("SuG")
    assert (found.candidates[0].name, found.candidates[0].signals["kind"]) == ("red nucleus", "abbreviation")
    assert found.hints[0] == "SuG = T28 red nucleus (as in old papers)"
    assert names(matcher.match("sug"))[0] != "red nucleus" or matcher.match("sug").candidates[0].score < 0.9
    written = matcher.match("lateral HTh")
    assert written.candidates[0].name == "lateral hypothalamic area"
    assert written.candidates[0].signals["expanded"] == 1
    assert written.hints == ("HTh = hypothalamus",)
    adult = matcher.match("adult mouse pons")
    assert (adult.candidates[0].name, adult.removed) == ("pons", (("adult", "modifier"),))
    assert adult.candidates[0].signals["same_words"] == 1
