"""The user's fact type: what each field accepts, strictly, and how a bad schema is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from sekisho.agents.subagent import parse_reply
from sekisho.errors import InputError, InvalidReply
from sekisho.schema import FactReply, NotesSchema, load_notes_schema


def one_field(**spec: Any) -> type[FactReply]:
    return NotesSchema.model_validate({"fields": {"x": {"evidence": False, **spec}}}).reply_type()


def value_of(kind: type[FactReply], value: Any) -> Any:
    reply = parse_reply(kind, {"fields": {"x": value}, "evidence": {}})
    return reply.fields.model_dump(by_alias=True)["x"]


def refused(kind: type[FactReply], content: Any) -> str:
    with pytest.raises(InvalidReply) as caught:
        parse_reply(kind, content)
    return str(caught.value)


TYPES: dict[str, dict[str, Any]] = {
    "str": {"type": "str"},
    "int": {"type": "int"},
    "float": {"type": "float"},
    "bool": {"type": "bool"},
    "date": {"type": "date"},
    "enum": {"type": "enum", "values": ["low", "high"]},
    "list": {"type": "list"},
    "list of int": {"type": "list", "items": "int"},
    "list of date": {"type": "list", "items": "date"},
    "list of enum": {"type": "list", "items": "enum", "values": ["low", "high"]},
}


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("str", "yes", "yes"),
        ("str", " 水 ", " 水 "),
        ("int", -5, -5),
        ("int", 10**30, 10**30),
        ("float", 1.5, 1.5),
        ("float", 2, 2.0),
        ("bool", False, False),
        ("date", "2024-02-29", "2024-02-29"),
        ("enum", "low", "low"),
        ("list", ["a", "b"], ["a", "b"]),
        ("list", [], []),
        ("list of int", [1, 2], [1, 2]),
        ("list of date", ["2024-02-29"], ["2024-02-29"]),
        ("list of enum", ["high", "low"], ["high", "low"]),
    ],
)
def test_a_field_accepts_values_of_its_type(name: str, value: Any, kept: Any) -> None:
    assert value_of(one_field(**TYPES[name]), value) == kept


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("str", value) for value in (5, True, None, "", "  \n", ["a"])),
        *(("int", value) for value in ("5", 5.0, 5.5, True, None)),
        *(("float", value) for value in ("1.5", True, None, float("nan"), float("inf"), float("-inf"))),
        *(("bool", value) for value in ("yes", "true", 1, 0, None)),
        *(("date", value) for value in ("2024-02-30", "29.2.2024", "2024-2-9", "2024-02-29T10:00:00", "", 20240229)),
        *(("enum", value) for value in ("Low", "low ", "medium", "", True, None, ["low"])),
        *(("list", value) for value in ("a", {"a": 1}, [1], [None], [""], None)),
        *(("list of int", value) for value in (["1"], [True], [1.5])),
        ("list of date", ["2024-02-30"]),
        *(("list of enum", value) for value in (["low", "medium"], "low")),
    ],
)
def test_a_field_refuses_other_values_and_the_reason_names_it(name: str, value: Any) -> None:
    kind = one_field(**TYPES[name])
    reasons = refused(kind, {"fields": {"x": value}, "evidence": {}})
    assert "fields.x" in reasons or (isinstance(value, float) and "not JSON" in reasons)


@pytest.mark.parametrize("value", ["1714521600", "0", "-1", "1e9"])
def test_a_date_is_no_number_of_seconds(value: str) -> None:
    refused(one_field(type="date"), {"fields": {"x": value}, "evidence": {}})


@pytest.mark.parametrize("value", ["\u200b", "\ufeff \u00ad"])
def test_text_that_prints_nothing_is_no_value(value: str) -> None:
    refused(one_field(type="str"), {"fields": {"x": value}, "evidence": {}})


def test_an_optional_field_may_be_null_or_left_out_and_is_null_then() -> None:
    kind = one_field(type="int", required=False)
    assert value_of(kind, None) is None
    assert value_of(kind, 3) == 3
    assert parse_reply(kind, {"fields": {}, "evidence": {}}).fields.model_dump(by_alias=True) == {"x": None}


def test_a_required_field_may_not_be_left_out() -> None:
    assert "fields.x: Field required" in refused(one_field(type="int"), {"fields": {}, "evidence": {}})


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ({"fields": {"x": 1, "y": 2}, "evidence": {"x": "one"}}, "fields.y"),
        ({"fields": {"x": 1}, "evidence": {"x": "one", "y": "two"}}, "evidence.y"),
        ({"fields": {"x": 1}, "evidence": {"x": "one"}, "source": "n1"}, "source"),
        ({"fields": {"x": 1}}, "evidence"),
        ({"evidence": {"x": "one"}}, "fields"),
        ({"fields": [1], "evidence": {"x": "one"}}, "fields"),
        ([], "reply"),
        (None, "reply"),
        ("text", "reply"),
    ],
)
def test_a_reply_of_another_shape_is_refused_and_the_place_named(content: Any, named: str) -> None:
    kind = NotesSchema.model_validate({"fields": {"x": {"type": "int"}}}).reply_type()
    assert named in refused(kind, content)


@pytest.mark.parametrize("evidence", [{}, {"x": None}, {"x": ""}, {"x": "  "}, {"x": 1}, {"x": ["one"]}])
def test_a_required_value_needs_evidence_that_is_text(evidence: dict[str, Any]) -> None:
    kind = NotesSchema.model_validate({"fields": {"x": {"type": "int"}}}).reply_type()
    assert "evidence" in refused(kind, {"fields": {"x": 1}, "evidence": evidence})


def test_an_optional_value_needs_evidence_only_when_it_is_given() -> None:
    kind = NotesSchema.model_validate({"fields": {"x": {"type": "int", "required": False}}}).reply_type()
    parse_reply(kind, {"fields": {"x": None}, "evidence": {"x": None}})
    parse_reply(kind, {"fields": {"x": 1}, "evidence": {"x": "one"}})
    assert "x has a value but no evidence" in refused(kind, {"fields": {"x": 0}, "evidence": {}})


def test_a_field_without_evidence_has_no_place_for_a_quote() -> None:
    assert "evidence.x" in refused(one_field(type="int"), {"fields": {"x": 1}, "evidence": {"x": "one"}})


AWKWARD = [
    "model_config",
    "copy",
    "json",
    "model_dump",
    "水やり",
    "class",
    "__init__",
    "_x",
    "a.b",
    "field_0",
    "with space",
]


def test_any_text_may_be_the_name_of_a_field() -> None:
    kind = NotesSchema.model_validate({"fields": {name: {"type": "str"} for name in AWKWARD}}).reply_type()
    values = {name: f"value of {name}" for name in AWKWARD}
    reply = parse_reply(kind, {"fields": values, "evidence": values})
    assert reply.fields.model_dump(by_alias=True) == values
    assert reply.evidence.model_dump(by_alias=True) == values
    for name in AWKWARD:
        assert f"fields.{name}" in refused(kind, {"fields": values | {name: 1}, "evidence": values})


def test_p06_the_schema_shown_to_the_model_holds_names_descriptions_and_units() -> None:
    spec = {"type": "int", "description": "How often.", "unit": "days"}
    schema = NotesSchema.model_validate({"fields": {"水やり": spec}}).reply_type().model_json_schema()
    assert schema["$defs"]["Fields"]["properties"]["水やり"]["description"] == "How often. [days]"
    assert schema["$defs"]["Fields"]["required"] == ["水やり"]
    assert schema["$defs"]["Fields"]["additionalProperties"] is False


def load(tmp_path: Path, text: str) -> NotesSchema:
    path = tmp_path / "notes.schema.yaml"
    path.write_text(text, encoding="utf-8")
    return load_notes_schema(path)


def test_enum_values_may_be_a_list_or_a_mapping_to_descriptions(tmp_path: Path) -> None:
    plain = load(tmp_path, "fields: {x: {type: enum, values: [low, high]}}")
    described = load(tmp_path, "fields: {x: {type: enum, values: {low: dim, high: bright}}}")
    assert plain.fields["x"].values == {"low": "", "high": ""}
    assert described.fields["x"].values == {"low": "dim", "high": "bright"}
    for schema in (plain, described):
        reply = {"fields": {"x": "low"}, "evidence": {"x": "dim"}}
        assert parse_reply(schema.reply_type(), reply).fields.model_dump(by_alias=True) == {"x": "low"}


@pytest.mark.parametrize("values", ["[yes, no]", "[on, low]", "[1, 2]", "{no: never, low: dim}", "{1: one}"])
def test_yes_no_and_numbers_among_enum_values_are_refused_with_the_advice_to_quote_them(
    tmp_path: Path, values: str
) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path, f"fields: {{x: {{type: enum, values: {values}}}}}")
    assert "fields.x" in str(caught.value.item)
    assert "quote" in str(caught.value)


def test_quoted_yes_and_no_are_enum_values(tmp_path: Path) -> None:
    assert list(load(tmp_path, "fields: {x: {type: enum, values: ['yes', 'no']}}").fields["x"].values) == ["yes", "no"]


@pytest.mark.parametrize(
    ("spec", "item"),
    [
        ({"type": "text"}, "fields.x.type"),
        ({}, "fields.x.type"),
        ({"type": "str", "requird": True}, "fields.x.requird"),
        ({"type": "str", "required": "maybe"}, "fields.x.required"),
        ({"type": "list", "items": "list"}, "fields.x.items"),
        ({"type": "enum"}, "fields.x"),
        ({"type": "enum", "values": []}, "fields.x"),
        ({"type": "list", "items": "enum"}, "fields.x"),
        ({"type": "enum", "values": {"low": 5}}, "fields.x.values.low"),
        (None, "fields.x"),
        ("str", "fields.x"),
    ],
)
def test_a_schema_error_names_the_file_and_the_field(tmp_path: Path, spec: Any, item: str) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path, yaml.safe_dump({"fields": {"x": spec}}))
    assert (caught.value.file, caught.value.item) == (str(tmp_path / "notes.schema.yaml"), item)


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({"type": "str", "requred": True}, "fields.x.requred: nobody reads 'requred' (the nearest is 'required')"),
        ({"type": "str", "colour": "red"}, "fields.x.colour: nobody reads 'colour' (correct"),
        (
            {"type": "data"},
            "fields.x.type: is 'data'; one of str, int, float, bool, date, enum or list (the nearest is 'date')",
        ),
        ("str", "fields.x: is a bare text: write its keys below it, `type: str` say"),
    ],
)
def test_a_schema_error_says_what_was_written_and_what_is_near(tmp_path: Path, spec: Any, told: str) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path, yaml.safe_dump({"fields": {"x": spec}}))
    assert told in str(caught.value)


@pytest.mark.parametrize("name", ["no", "1", "''", "' '"])
def test_a_field_name_that_is_no_text_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"fields\..*a field's name is text"):
        load(tmp_path, f"fields: {{{name}: {{type: str}}}}")


@pytest.mark.parametrize("text", ["", "- a", "fields:", "fields: []", "fields: [a]", "title: T", "fields: {}", "text"])
def test_a_schema_without_a_mapping_of_fields_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"notes\.schema\.yaml: a mapping with `title` and `fields`"):
        load(tmp_path, text)


def test_an_unknown_key_at_the_top_of_a_schema_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"titel: nobody reads 'titel' \(the nearest is 'title'\)"):
        load(tmp_path, "titel: T\nfields: {x: {type: str}}")
