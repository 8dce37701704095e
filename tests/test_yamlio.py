"""YAML from people: safe, no key overwritten in silence, and errors that name the file and the place."""

from __future__ import annotations

from pathlib import Path

import pytest

from sekisho.errors import InputError
from sekisho.yamlio import load_yaml, parse_yaml


def refused(text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        parse_yaml(text, file="f.yaml", item="the item")
    assert (caught.value.file, caught.value.item) == ("f.yaml", "the item")
    return caught.value


def test_plain_values_come_as_yaml_says() -> None:
    assert parse_yaml("a: 1\nb: [x, 'no']\nc: {d: null}", file="f") == {"a": 1, "b": ["x", "no"], "c": {"d": None}}


@pytest.mark.parametrize("text", ["", "# only a comment", "~"])
def test_an_empty_document_is_none(text: str) -> None:
    assert parse_yaml(text, file="f") is None


@pytest.mark.parametrize(
    "text", ["a: 1\nb: 2\na: 3", "x:\n  a: 1\n  a: 1", "- {a: 1, a: 2}", "1: x\n1: y", "'a': 1\na: 2"]
)
def test_a_key_given_twice_is_refused_with_its_place(text: str) -> None:
    assert "stands twice" in str(refused(text))
    assert "line" in str(refused(text))


def test_the_same_key_in_two_mappings_is_no_duplicate() -> None:
    assert parse_yaml("a: {x: 1}\nb: {x: 2}", file="f") == {"a": {"x": 1}, "b": {"x": 2}}


def test_merge_keys_work_and_may_be_overridden() -> None:
    text = "base: &base {x: 1, y: 1}\nmerged: {<<: *base, y: 2}"
    assert parse_yaml(text, file="f")["merged"] == {"x": 1, "y": 2}


def test_a_syntax_error_names_line_and_column() -> None:
    assert "at line 2, column 9" in str(refused("a: 1\ntitle: b: c"))


@pytest.mark.parametrize(
    "text",
    [
        "[",
        "a:\n\tb: 1",
        "t: **bold**",
        'p: "C:\\Users"',
        "a: !custom 1",
        "!!python/object/apply:os.system [ls]",
        "a: \0",
        "? [a]\n: b",
        "a\n---\nb",
        "n: " + "1" * 5000,
        "[" * 2000 + "]" * 2000,
        "a: !!bool x",
        "a: !!timestamp x",
        "a: !!int ''",
        "a: !!float x",
    ],
)
def test_yaml_that_cannot_be_read_is_an_input_error_whatever_the_parser_raises(text: str) -> None:
    """Case C10."""
    assert "YAML" in str(refused(text))


def test_a_file_is_read_as_utf8_with_or_without_a_bom(tmp_path: Path) -> None:
    for prefix in (b"", b"\xef\xbb\xbf"):
        (tmp_path / "a.yaml").write_bytes(prefix + "海: 馬".encode())
        assert load_yaml(tmp_path / "a.yaml") == {"海": "馬"}


def test_a_file_in_another_encoding_is_refused_with_the_byte(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"a: " + "海".encode("cp932"))
    with pytest.raises(InputError, match=r"a\.yaml: not UTF-8 at byte 3"):
        load_yaml(tmp_path / "a.yaml")


def test_a_file_that_cannot_be_opened_is_refused_by_name(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.yaml", tmp_path):
        with pytest.raises(InputError, match=r"cannot be read|not a regular file") as caught:
            load_yaml(path)
        assert caught.value.file == str(path)


def test_dates_stay_text_so_that_a_swapped_month_costs_nothing() -> None:
    assert parse_yaml("a: 2024-02-29\nb: 2022-21-11", file="x") == {"a": "2024-02-29", "b": "2022-21-11"}
