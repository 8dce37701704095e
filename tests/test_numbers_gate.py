"""The gate of numbers: the evidence of a number or date holds that value, whatever way it is written."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sekisho.dates import possible_dates
from sekisho.gates import evidence_holds_the_value
from sekisho.gates.numbers import holds_value
from sekisho.numerals import numerals
from sekisho.records import Fact, Provenance
from sekisho.schema import FieldSpec, NotesSchema, load_notes_schema
from tests.conftest import ROOT

LABELLED = ROOT / "benchmarks" / "local_notes"

# evidence, value, unit
HELD: list[tuple[str, Any, str]] = [
    ("a turnover of $1 million", 1_000_000, "USD"),
    ("a turnover of $1 million", 1, "million USD"),
    ("a $1.5bn deal", 1_500_000_000, "USD"),
    ("1,250 people", 1250, ""),
    ("1 250 people", 1250, ""),
    ("1\u00a0250 people", 1250, ""),
    ("1'250 people", 1250, ""),
    ("１，２５０円", 1250, "円"),
    ("¥1,250", 1250, "yen"),
    ("1.25 m", 1.25, "m"),
    ("1,25 m", 1.25, "m"),
    ("1.250,50 €", 1250.5, "EUR"),
    ("1,250.50", 1250.5, ""),
    ("1.250.000", 1_250_000, ""),
    ("12,34,567", 1_234_567, ""),
    ("twelve chairs", 12, ""),
    ("a hundred people", 100, ""),
    ("two thousand twenty-four", 2024, ""),
    ("4 million", 4_000_000, ""),
    ("10k runs", 10_000, ""),
    ("half a dozen eggs", 6, ""),
    ("twice a week", 2, ""),
    ("sieben Tage", 7, "days"),
    ("十二人", 12, ""),
    ("二十五日ごと", 25, "days"),
    ("3万5千円", 35_000, "円"),
    ("1億2000万円", 120_000_000, "JPY"),
    ("1万円", 1, "万円"),
    ("二〇二四年", 2024, ""),
    ("7-10 days", 7, "days"),
    ("7–10 days", 10, "days"),
    ("between 7 and 10 days", 7, "days"),
    ("7〜10日", 10, "日"),
    ("2-3 weeks", 14, "days"),
    ("10 weeks", 70, "days"),
    ("once a week", 7, "days"),
    ("weekly", 7, "days"),
    ("every other day", 2, "days"),
    ("every fortnight", 14, "days"),
    ("毎週", 7, "日"),
    ("隔週", 14, "days"),
    ("once a month", 30, "days"),
    ("24 months", 2, "years"),
    ("half an hour", 30, "min"),
    ("two and a half hours", 2.5, "h"),
    ("15 percent", 15, "%"),
    ("15 %", 0.15, ""),
    ("55 °F", 13, "°C"),
    ("10 miles", 16, "km"),
    ("-5 °C", -5, "°C"),
    ("−5℃", -5, "°C"),
    ("氷点下5度", -5, "°C"),
    ("5 degrees below zero", -5, "°C"),
    ("10⁶ cells", 1_000_000, ""),
    ("3 × 10⁶", 3_000_000, ""),
    ("2½ cups", 2.5, ""),
    ("1/2 cup", 0.5, ""),
    ("a rating of 4/5", 4, ""),
    ("no steps", 0, ""),
    ("There are no x-ray rooms", 0, "rooms"),
    ("none", 0, ""),
    ("Admission is free of charge", 0, "EUR"),
    ("駐車場はありません", 0, ""),
    ("24 VDC", 24, "V"),
    ("100 mm²", 100, "mm²"),
    ("2 acres", 0.81, "ha"),
    ("二部屋", 2, ""),
    ("零下5度", -5, "°C"),
    ("USD 5", 5, "USD"),
    ("CHF 5", 5, "CHF"),
    ("C$5", 5, "CAD"),
    ("6 ft", 72, "inches"),
    ("10 feet", 3.05, "m"),
    ("5 oz", 142, "g"),
    ("5 tons", 5000, "kg"),
    ("50 cl", 0.5, "l"),
    ("500 µg", 0.5, "mg"),
    ("2.4 GHz", 2400, "MHz"),
    ("3 MW", 3000, "kW"),
    ("2 TB", 2000, "GB"),
    ("50 m²", 50, "m²"),
    ("2 ha", 20_000, "m²"),
    ("36 km/h", 10, "m/s"),
    ("reaches 14 nautical miles", 14, "nautical miles"),
    ("光達距離は14海里である", 14, "nmi"),
    ("500 EUR per month", 500, "EUR"),
    ("20 mg/day", 20, "mg"),
    ("30 万円", 300_000, "円"),
    ("1年半", 1.5, "years"),
    ("1年半", 18, "months"),
    ("1時間30分", 90, "min"),
    ("1 h 30 min", 90, "min"),
    ("1h30", 90, "min"),
    ("1 hour and 30 minutes", 1.5, "h"),
    ("two dozen eggs", 24, ""),
    ("one third of it", 0.33, ""),
    ("1/3 cup", 0.33, ""),
    ("three quarters of an hour", 0.75, "h"),
    ("三人、十分間", 3, ""),
    ("三人、十分間", 10, ""),
    ("opened 2024-03-04", 2024, ""),
    ("段差なし", 0, ""),
    ("It has a garage", 1, ""),
    ("on the 3rd floor", 3, ""),
    ("opens at 10:00", 10, ""),
    ("in 2024, 250 people", 250, ""),
]
NOT_HELD: list[tuple[str, Any, str]] = [
    ("a turnover of $1 million", 1, "USD"),
    ("a firm with $1 million", 1, ""),
    ("1 250 people", 250, ""),
    ("1 250 people", 1, ""),
    ("1万円", 1, "円"),
    ("version 1.2.3", 12, ""),
    ("M4 bolts", 4, ""),
    ("7-10 days", 8, "days"),
    ("2-3 weeks", 2, "days"),
    ("10 weeks", 10, "days"),
    ("10 days", 1, "weeks"),
    ("10 °C", 10, "days"),
    ("once a month", 7, "days"),
    ("55 °F", 55, "°C"),
    ("1 mile", 2, "km"),
    ("-5 °C", 5, "°C"),
    ("15%", 0.15, "%"),
    ("10⁶ cells", 106, ""),
    ("3 × 10⁶", 3, ""),
    ("2½ cups", 21, ""),
    ("needs regular watering", 7, ""),
    ("It has two garages and a shed", 1, ""),
    ("no steps, 3 doors", 4, ""),
    ("零下5度", 5, "°C"),
    ("USD 5", 5, "EUR"),
    ("CHF 5", 5, "EUR"),
    ("C$5", 5, "USD"),
    *(
        (f"5 {unit}", 5, "m")
        for unit in ("ft", "inches", "oz", "tons", "cl", "µg", "GHz", "MW", "TB", "kB", "m²", "km/h")
    ),
    *((f"5 {unit}", 5, "USD") for unit in ("CHF", "cents", "SEK", "mAh")),
    ("5 W", 5, "MW"),
    ("5 mW", 5, "MW"),
    ("5px", 5, "m"),
    ("5 fathoms", 5, "m"),
    ("SEK 5", 5, "EUR"),
    ("There is no lift; rent is 500 EUR", 0, "EUR"),
    ("There is no lift, and the rent is due", 0, "EUR"),
    ("hundreds of people", 100, ""),
    ("several hundred people", 100, ""),
    ("dozens of people", 12, ""),
    ("数百人", 100, ""),
    ("数十人", 10, ""),
    ("十数人", 10, ""),
    ("一般に公開", 1, ""),
    ("十分に広い", 10, ""),
    ("千葉県", 1000, ""),
    ("三重県", 3, ""),
    ("百貨店", 100, ""),
    ("94.6 kg", 95, "kg"),
    ("2024-03-04", 3, ""),
    ("2024-03-04", 4, ""),
    ("at 10:30", 10, ""),
    ("at 10:30", 30, ""),
    ("1時間30分", 30, "min"),
]
DATES = {
    "2024-01-03": ["3 Jan 2024", "January 3rd, 2024", "2024-01-03", "2024/1/3", "3.1.2024", "3/1/2024", "1/3/2024"],
    "2024-02-29": ["2024年2月29日", "２０２４年２月２９日", "令和6年2月29日", "20240229", "the 29th of February 2024"],
    "2019-05-01": ["令和元年5月1日"],
    "2024-03-04": [
        *("令和六年三月四日", "二〇二四年三月四日", "4-Mar-2024", "the fourth of March 2024", "4-5 March 2024"),
        *("March 4-5, 2024", "3-4 March 2024", "March fourth, 2024"),
    ],
    "2024-03-21": ["the twenty-first of March 2024", "令和六年三月二十一日"],
}


def spec(value: Any, unit: str = "", description: str = "") -> FieldSpec:
    return FieldSpec(type="int" if isinstance(value, int) else "float", unit=unit, description=description)


@pytest.mark.parametrize(("evidence", "value", "unit"), HELD)
def test_evidence_that_says_the_number_in_any_honest_way_holds_it(evidence: str, value: Any, unit: str) -> None:
    assert holds_value("x", spec(value, unit), value, evidence), numerals(evidence)


@pytest.mark.parametrize(("evidence", "value", "unit"), NOT_HELD)
def test_evidence_that_says_another_number_does_not_hold_it(evidence: str, value: Any, unit: str) -> None:
    assert not holds_value("x", spec(value, unit), value, evidence), numerals(evidence)


def test_the_description_names_the_unit_where_the_field_has_none() -> None:
    assert holds_value("watering", spec(14, "", "Days between two waterings."), 14, "every two weeks")
    assert not holds_value("watering", spec(14), 14, "every two weeks")


@pytest.mark.parametrize(("day", "text"), [(day, text) for day, texts in DATES.items() for text in texts])
def test_a_date_is_held_in_any_order_and_script(day: str, text: str) -> None:
    assert holds_value("x", FieldSpec(type="date"), day, f"Opened {text}.")
    assert not holds_value("x", FieldSpec(type="date"), "2024-02-04", f"Opened {text}.")


@pytest.mark.parametrize("text", ["January 2024", "3 January", "2024", "last Wednesday"])
def test_a_date_that_is_not_whole_holds_no_date(text: str) -> None:
    assert not holds_value("x", FieldSpec(type="date"), "2024-01-03", text)


@given(st.dates(datetime.date(1900, 1, 1), datetime.date(2100, 12, 31)))
def test_every_date_is_read_back_from_the_ways_it_is_written(day: datetime.date) -> None:
    for text in (f"{day:%d %B %Y}", f"{day:%B} {day.day}, {day.year}", f"{day.year}年{day.month}月{day.day}日"):
        assert day in possible_dates(text)


@given(st.integers(0, 10**12))
def test_every_whole_number_is_held_by_the_ways_it_is_written_and_its_neighbours_are_not(number: int) -> None:
    for text in (f"{number} steps", f"{number:,} steps", f"{number:,}".replace(",", " ") + " steps"):
        assert holds_value("x", spec(1), number, text)
        assert not holds_value("x", spec(1), number + 1, text)


@settings(max_examples=300)
@given(
    st.text(alphabet="0123456789.,-/^×x eE½⁶²三万億千百分の$¥%°CFkmMillion one twenty日週毎隔()'~▲٣१\n", max_size=40)
)
def test_no_text_breaks_the_gate(text: str) -> None:
    numerals(text)


def test_a_long_evidence_is_read_to_its_end() -> None:
    assert holds_value("x", spec(1), 4321, "one " * 20_000 + "and 4321 steps")


def test_each_item_of_a_list_is_held_and_other_types_are_not_judged() -> None:
    schema = NotesSchema(
        fields={
            "sizes": FieldSpec(type="list", items="int"),
            "name": FieldSpec(type="str"),
            "free": FieldSpec(type="int", evidence=False),
        }
    )
    made_by = Provenance(agent="mock", prompt_sha256="p", reply_sha256="r")
    fact = Fact(
        path="a.md",
        source="a",
        fields={"sizes": [3, 5, 8], "name": "7 Up", "free": 9},
        evidence={"sizes": "sizes 3, 5 and 7", "name": "a drink"},
        note_sha256="s",
        provenance=made_by,
    )
    found = evidence_holds_the_value([fact], schema)
    assert [(one.item, one.message) for one in found] == [
        ("a.md", "the evidence does not say 8: sizes: sizes 3, 5 and 7")
    ]


@pytest.mark.parametrize("domain", ["trails", "equipment"])
def test_no_labelled_value_is_turned_back_and_no_other_notes_value_let_through(domain: str) -> None:
    folder: Path = LABELLED / domain
    schema = load_notes_schema(folder / "notes.schema.yaml")
    labels = yaml.safe_load((folder / "labels.yaml").read_text(encoding="utf-8")).values()
    numeric = {name: one for name, one in schema.fields.items() if one.type in ("int", "float", "date")}
    looked_at = 0
    for name, field in numeric.items():
        values = [label["fields"][name] for label in labels if label["fields"].get(name) is not None]
        for label in labels:
            value, evidence = label["fields"].get(name), label["evidence"].get(name)
            if value is not None and evidence:
                looked_at += 1
                assert holds_value(name, field, value, evidence), (value, evidence)
                for other in values:
                    assert other == value or not holds_value(name, field, other, evidence), (other, evidence)
    assert looked_at > 40
