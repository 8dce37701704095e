"""The first stage of mapping: which records a text may mean, scored, without any model."""

from __future__ import annotations

import subprocess
import sys
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sekisho.catalogue import Abbreviation, Alias, Catalogue, Curated, Term, Token
from sekisho.mapping.cleaning import Cleaner
from sekisho.mapping.designators import agreement
from sekisho.mapping.initials import align, is_short_form, letters_of, spell
from sekisho.mapping.match import Matcher, Matches, open_matcher
from sekisho.mapping.store import save_index
from sekisho.mapping.weights import FEATURES
from sekisho.mapping.words import deep, parse
from sekisho.text import fold_needle
from tests.conftest import ROOT

NAMES = """
brain|encephalon|Br|
thalamus||Th|brain
hypothalamus|||brain
midbrain|mesencephalon||brain
pons|||brain
cerebral cortex||Ctx|brain
anterior cingulate cortex|||cerebral cortex
anterior cingulate cortex, dorsal part||ACAd|anterior cingulate cortex
entorhinal cortex|||cerebral cortex
entorhinal cortex, layer 2|||entorhinal cortex
entorhinal cortex, layer 3|||entorhinal cortex
external capsule||ec|brain
accessory nerve||acc|brain
hippocampus|海馬||brain
hippocampal fissure|||hippocampus
CA1 field|field CA1||hippocampus
CA2 field|||hippocampus
CA3 field|||hippocampus
medial geniculate body|||thalamus
medial geniculate body, ventral division|||medial geniculate body
lateral geniculate body|||thalamus
ventral posterolateral nucleus|||thalamus
posterior nucleus|||thalamus
periaqueductal gray|central gray||midbrain
periaqueductal gray, lateral column|||periaqueductal gray
dorsal raphe nucleus|nucleus raphe dorsalis||midbrain
dorsal raphe nucleus, dorsal part|||dorsal raphe nucleus
median raphe nucleus|||midbrain
red nucleus|||midbrain
basolateral amygdaloid nucleus|||brain
basolateral amygdaloid complex|||brain
lateral habenula|||thalamus
lateral hypothalamic area|lateral hypothalamus||hypothalamus
nucleus of the solitary tract|||brain
solitary tract|||brain
alpha motor column|||pons
beta motor column|||pons
fourth ventricle|||brain
third ventricle|||brain
left cerebellar hemisphere|||brain
right cerebellar hemisphere|||brain
cerebellar hemisphere|||brain
視床下部|||brain
視床下部外側野|||視床下部
視床下部内側野|||視床下部
小脳核|||brain
"""


def catalogue_of(text: str = NAMES, **curated: object) -> Catalogue:
    rows = [line.split("|") for line in text.strip().splitlines()]
    ids = {name: f"T{at:02}" for at, (name, *_) in enumerate(rows)}
    terms = [
        Term(
            id=ids[name],
            name=name,
            synonyms=tuple(filter(None, [synonym])),
            acronym=acronym,
            parent_id=ids.get(parent, ""),
        )
        for name, synonym, acronym, parent in rows
    ]
    return Catalogue.of(terms, Curated.model_validate(curated))


CATALOGUE = catalogue_of()
MATCHER = Matcher.build(CATALOGUE)


def names(found: Matches) -> list[str]:
    return [candidate.name for candidate in found.candidates]


def first(query: str, matcher: Matcher = MATCHER) -> str:
    return names(matcher.match(query))[0]


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


@pytest.mark.parametrize(
    ("query", "never"),
    [
        ("CA1", ["CA2 field", "CA3 field"]),
        ("field CA 3", ["CA1 field", "CA2 field"]),
        ("layer II of entorhinal cortex", ["entorhinal cortex, layer 3"]),
        ("beta motor column", ["alpha motor column"]),
        ("ventricle III", ["fourth ventricle"]),
        ("cerebellar hemisphere, left", ["right cerebellar hemisphere"]),
        ("右 cerebellar hemisphere", ["left cerebellar hemisphere"]),
    ],
)
def test_m1_numbers_letters_of_a_series_and_sides_never_cross(query: str, never: list[str]) -> None:
    found = names(MATCHER.match(query, top_k=50))
    assert found and not set(found) & set(never)


@pytest.mark.parametrize("style", ["{side}-Insula", "Insula_{letter}", "ctx-{letter}h-insula", "Insula ({letter})"])
@pytest.mark.parametrize("query", ["Insula (R)", "insula, R", "insula_R", "right insula", "insula (右)", "rh-insula"])
def test_m1_a_side_is_read_from_the_codes_of_atlases(style: str, query: str) -> None:
    code = str.lower if style.startswith("ctx") else str
    rows = [style.format(side=side, letter=code(side[0])) for side in ("Left", "Right")]
    assert names(Matcher.build(catalogue_of("\n".join(f"{row}|||" for row in rows))).match(query)) == rows[1:]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("5HT1A receptor", "5-HT1A receptor"),
        ("C-2 segment", "C2 segment"),
        ("c 2 segment", "C2 segment"),
        ("area 3-b", "area 3b"),
        ("area 3 b", "area 3b"),
        ("Brodmann area 04", "area 4"),
        ("layer VI a", "layer 6a"),
        ("layer 6-a", "layer 6a"),
        ("layers VIb", "layer 6-b"),
    ],
)
def test_m1_a_hyphen_or_space_within_a_designator_parts_nothing(query: str, name: str) -> None:
    rows = (
        "5-HT1A receptor",
        "5-HT2A receptor",
        "C2 segment",
        "C3 segment",
        "area 3b",
        "area 4",
        "layer 6a",
        "layer 6-b",
    )
    assert first(query, Matcher.build(catalogue_of("\n".join(f"{row}|||" for row in rows)))) == name


SERIES = """
hepatitis A|||
hepatitis B|||
vitamin A|||
vitamin C|||
vitamin B12|||
vitamin D3|||
A型肝炎|||
B型肝炎|||
copper(I) sulfate|||
copper(II) sulfate|||
iron(II) chloride|||
iron(III) chloride|||
塩化鉄(II)|||
塩化鉄(III)|||
piston (1)|||
piston (2)|||
1,1-dichloroethane|||
1,2-dichloroethane|||
sodium carbonate|||
sodium bicarbonate|||
nerve (II)|seeing nerve||
"""


@pytest.mark.parametrize(
    ("query", "name", "never"),
    [
        ("hepatitis a", "hepatitis A", "hepatitis B"),
        ("hepatitis A virus", "hepatitis A", "hepatitis B"),
        ("A vitamin", "vitamin A", "vitamin C"),
        ("vitamin D", "", "vitamin A"),
        ("D型肝炎", "", "A型肝炎"),
        ("vitamin B-12", "vitamin B12", "vitamin D3"),
        ("vitamin d-3", "vitamin D3", "vitamin B12"),
        ("copper (I) sulphates", "copper(I) sulfate", "copper(II) sulfate"),
        ("iron(II) chlorde", "iron(II) chloride", "iron(III) chloride"),
        ("塩化鉄(III)", "塩化鉄(III)", "塩化鉄(II)"),
        ("pistons (2)", "piston (2)", "piston (1)"),
        ("dichloroethane, 1,2-", "1,2-dichloroethane", "1,1-dichloroethane"),
        ("1,1 dichloroethanes", "1,1-dichloroethane", "1,2-dichloroethane"),
        ("seeing nerve (III)", "", "nerve (II)"),
        ("sodium bi-carbonate", "sodium bicarbonate", ""),
    ],
)
def test_m1_a_letter_or_numeral_in_brackets_behind_a_hyphen_or_beside_another_never_crosses(
    query: str, name: str, never: str
) -> None:
    found = names(Matcher.build(catalogue_of(SERIES)).match(query, top_k=50))
    assert never not in found
    assert not name or found[0] == name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a part of a wheel", "part wheel"),
        ("A red wheel", "red wheel"),
        ("room with a view", "room view"),
        ("Vitamin A acid", "vitamin a acid"),
        ("vitamin a", "vitamin a"),
        ("Vitamin C and A complex", "vitamin c a complex"),
        ("IL-6 of T-cells", "il6 t cell"),
    ],
)
def test_an_article_is_told_from_a_letter_of_a_series(text: str, words: str) -> None:
    assert parse(text).text == words


def test_m1_a_side_that_the_query_names_beside_a_part_of_the_words_never_crosses() -> None:
    doors = catalogue_of(
        "left front door|front door, passenger's||\nright front door|||\nleft knee service|||\nroof|||"
    )
    for query in ("right door", "door, right", "right knee", "right passenger's front door", "RD, right"):
        assert not set(names(Matcher.build(doors).match(query))) & {"left front door", "left knee service"}
    assert first("right door", Matcher.build(doors)) == "right front door"
    assert first("front door, passenger's", Matcher.build(doors)) == "left front door"


def test_m1_a_side_chooses_the_record_of_that_side_and_else_the_whole() -> None:
    assert first("hemisphere of cerebellum, right") == "right cerebellar hemisphere"
    assert first("hemispheres of cerebellum") == "cerebellar hemisphere"
    assert first("left red nucleus") == "red nucleus"


@pytest.mark.parametrize(
    ("asked", "label", "short", "expected"),
    [
        ("ca1", "ca1", False, (0, 0)),
        ("ca1", "ca2", False, None),
        ("4a", "4b", False, None),
        ("v1 4", "v4 1", False, None),
        ("ca3", "3", False, (1, 0)),
        ("2 3", "3", False, (1, 0)),
        ("", "2", False, (0, 1)),
        ("alpha", "beta", False, None),
        ("ca3sp", "ca3", True, (0, 0)),
        ("ca3sp", "ca2", True, None),
    ],
)
def test_designators_agree_or_differ(asked: str, label: str, short: bool, expected: tuple[int, int] | None) -> None:
    found = agreement(asked.split(), label.split(), short=short)
    assert (found is None) == (expected is None)
    if (asked, label) != ("ca3", "3") and found is not None:
        assert found == expected


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


def test_m5_the_first_stage_needs_no_torch_and_no_model() -> None:
    code = (
        "import sys; from tests.test_matcher import MATCHER; MATCHER.match('MGB');"
        "print([name for name in ('torch', 'sklearn', 'openai', 'instructor', 'dagster') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_a_kept_index_gives_the_same_and_a_damaged_or_foreign_one_is_built_again(tmp_path: Path) -> None:
    asked = ["MGB", "CA1", "dorsal raphe", "海馬"]
    fresh = MATCHER.match_all(asked)
    assert open_matcher(CATALOGUE, tmp_path).match_all(asked) == fresh
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    assert open_matcher(CATALOGUE, tmp_path).match_all(asked) == fresh
    assert kept.read_bytes() == whole
    for damaged in (b"", whole[: len(whole) // 2], whole.replace(b"cerebellar", b"cerebe??ar", 1)):
        kept.write_bytes(damaged)
        assert open_matcher(CATALOGUE, tmp_path).match_all(asked) == fresh
        assert kept.read_bytes() == whole
    other = Catalogue.of([Term(id="A", name="wall")])
    save_index(tmp_path / "foreign", other, Matcher.build(other).index)
    (foreign,) = (tmp_path / "foreign").iterdir()
    foreign.replace(kept)
    (tmp_path / "foreign").rmdir()
    assert open_matcher(CATALOGUE, tmp_path).match_all(asked) == fresh
    assert names(open_matcher(other, tmp_path).match("MGB")) == ["wall"]
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_cannot_be_written_to_costs_no_more_than_the_cache(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert open_matcher(CATALOGUE, tmp_path / "file").match("MGB") == MATCHER.match("MGB")


class _Letters:
    """An encoder of texts by their letters: real arithmetic without a model."""

    def encode(self, texts: list[str] | tuple[str, ...]) -> np.ndarray:
        rows = np.array([[text.count(chr(97 + at)) for at in range(26)] for text in texts], dtype=np.float32) + 0.01
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def test_the_signal_of_meaning_is_there_only_with_an_encoder() -> None:
    query = "capsule, extremal"
    with_meaning = Matcher.build(CATALOGUE, _Letters()).match(query).candidates
    assert all("meaning" in candidate.signals for candidate in with_meaning)
    without = MATCHER.match(query).candidates
    assert not any("meaning" in candidate.signals for candidate in without)
    assert with_meaning[0].name == without[0].name == "external capsule"
    assert with_meaning[0].score > without[0].score


def test_initials_align_with_words_in_order_before_others() -> None:
    def fit(form: str, name: str, above: str = "") -> float:
        return float(align([form], spell(parse(name).words, parse(above).words)[None])[0][0])

    assert fit("MGB", "medial geniculate body") == 1
    assert fit("MGB", "medial geniculate body") > fit("GMB", "medial geniculate body") > fit("XYZ", "medial geniculate")
    assert fit("PoT", "posterior nucleus of thalamus") > fit("PoT", "posterior nucleus", "thalamus") > 0.7
    assert fit("SCsu", "superficial layer of superior colliculus") > fit("SCsu", "superior colliculus")
    # A compound's second part begins a word too.
    assert MATCHER.match("PAG").candidates[0].signals["initials"] == 1
    assert fit("PAG", "periaqueductal gray") < 0.9
    forms = ["MGB", "mgb", "MoCe", "x"]
    together = align(forms, np.stack([spell(parse("medial geniculate body").words)] * 4))
    alone = [align([form], spell(parse("medial geniculate body").words)[None]) for form in forms]
    assert [float(value) for value in together[0]] == [float(one[0][0]) for one in alone]


@pytest.mark.parametrize(
    ("text", "letters", "short"),
    [
        ("MGB", "MGB", True),
        ("CA3sp", "CA3sp", True),
        ("LamIV", "Lam4", True),
        ("BötC", "BotC", True),
        ("3N", "3N", True),
        ("L G N", "LGN", True),
        ("12", "12", False),
        ("red nucleus", "rednucleus", False),
        ("海馬", "海馬", False),
    ],
)
def test_short_forms_are_told_from_names(text: str, letters: str, short: bool) -> None:
    assert (letters_of(text), is_short_form(text)) == (letters, short)


@pytest.mark.parametrize(
    "forms",
    [
        "thalamus thalamic thalami",
        "nucleus nuclei nuclear",
        "cortex cortices cortical",
        "cerebellum cerebellar cerebelli",
        "ventricle ventricular",
        "pons pontine pontis",
        "ganglion ganglia ganglionic",
        "hypophysis hypophyseal",
        "amygdala amygdaloid",
    ],
)
def test_noun_adjective_and_cases_share_a_stem(forms: str) -> None:
    assert len({deep(word) for form in forms.split() for word in parse(form).words}) == 1


def test_stems_part_what_is_not_one() -> None:
    stems = [deep(parse(word).words[0]) for word in ("ventral", "ventricle", "medulla", "medial", "caudal", "cauda")]
    assert len(set(stems)) >= 5


LIST = """
medial lateral dorsal ventral anterior red white nucleus tract gyrus body layer field 1 2 3 IV left right area of
thalamus pons 海馬 CA1 α
"""
WORDS = st.sampled_from(LIST.split())
TEXTS = st.one_of(st.lists(WORDS, min_size=1, max_size=5).map(" ".join), st.text(min_size=1, max_size=12))
TERMS = st.lists(
    st.tuples(TEXTS, st.lists(TEXTS, max_size=2), st.sampled_from(["", "MN", "mn"])), min_size=1, max_size=12
)
QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def made(rows: list[tuple[str, list[str], str]]) -> list[Term]:
    ids = count()
    return [
        Term(id=f"T{next(ids):02}", name=name, synonyms=tuple(synonyms), acronym=acronym)
        for name, synonyms, acronym in rows
        if fold_needle(name)
    ]


@QUICK
@given(TERMS)
def test_m1_a_query_equal_to_a_unique_name_or_synonym_gets_that_record_first(
    rows: list[tuple[str, list[str], str]],
) -> None:
    terms = made(rows)
    matcher = Matcher.build(Catalogue.of(terms))
    owners: dict[str, set[str]] = {}
    for term in terms:
        for text in (term.name, *term.synonyms):
            owners.setdefault(fold_needle(text), set()).add(term.id)
    for text, ids in owners.items():
        if len(ids) == 1 and text:
            assert matcher.match(text).candidates[0].id in ids


@QUICK
@given(TERMS, TEXTS, st.randoms(use_true_random=False))
def test_permuting_the_rows_and_asking_with_others_changes_nothing(
    rows: list[tuple[str, list[str], str]], query: str, draw: object
) -> None:
    terms = made(rows)
    found = Matcher.build(Catalogue.of(terms)).match(query)
    draw.shuffle(terms)  # type: ignore[attr-defined]
    matcher = Matcher.build(Catalogue.of(terms))
    assert matcher.match_all(["other", query, "red nucleus 2"])[1] == found
    assert all(0 <= candidate.score <= 1 for candidate in found.candidates)
    assert len({candidate.id for candidate in found.candidates}) == len(found.candidates) <= 10


@QUICK
@given(st.lists(WORDS, min_size=1, max_size=3), st.integers(1, 30), st.integers(1, 30))
def test_m1_a_number_never_finds_a_record_of_another(words: list[str], ours: int, theirs: int) -> None:
    plain = [word for word in words if word.isalpha() and word not in ("IV", "α")]
    name = " ".join([*plain, "area"])
    matcher = Matcher.build(Catalogue.of([Term(id="A", name=f"{name} {theirs}"), Term(id="B", name="red body")]))
    assert ("A" in {one.id for one in matcher.match(f"{name} {ours}").candidates}) == (ours == theirs)
