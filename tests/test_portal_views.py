"""Portal views: every row is read or named, and the text that is embedded is what stripping left."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sekisho.retrieval.store import EmbeddingStore
from sekisho.sources.folder import DataFolder
from sekisho.sources.portal_views import load_views
from sekisho.strip import StripRules
from sekisho.strip.markers import BEGIN, END
from tests.conftest import ROOT, House
from tests.graph import materialise

PROGRAM = Path(sys.executable).with_name("sekisho")
ON = StripRules(enabled=True)


def write(root: Path, name: str, text: str | bytes) -> None:
    path = root / "portal_views" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)


def load(root: Path, rules: StripRules = ON) -> tuple[list[str], list[tuple[str, str, str]]]:
    views, problems = load_views(DataFolder(root), rules)
    return [view.view_id for view in views], [(found.path, found.item, found.message) for found in problems]


def test_rows_come_from_yaml_and_csv_in_the_order_of_their_ids(tmp_path: Path) -> None:
    write(tmp_path, "b.yaml", "- {view_id: z, ai_purpose: x}\n- {view_id: a}\n")
    write(tmp_path, "a.csv", 'view_id,title,ai_purpose\r\nm,M,"a: 1\r\nb: 2"\r\n')
    write(tmp_path, "sub/one.yml", "view_id: k\ntitle: 一\n")
    assert load(tmp_path) == (["a", "k", "m", "z"], [])
    view = next(view for view in load_views(DataFolder(tmp_path), ON)[0] if view.view_id == "m")
    assert view.doc_text == "M\n\n\n\na: 1\r\nb: 2"
    assert load(tmp_path / "nowhere") == ([], [])


def test_what_cannot_be_used_is_named_and_the_rest_is_there(tmp_path: Path) -> None:
    write(tmp_path, "bad.yaml", "view_id: [\n")
    write(tmp_path, "binary.csv", b"view_id\n\xff\n")
    write(
        tmp_path,
        "mixed.yaml",
        "- {view_id: good}\n- {title: no id}\n- {view_id: m, ai_purpose: {a: 1}}\n- 7\n- {view_id: 8}\n"
        "- {view_id: n, titel: N}\n- {view_id: ' '}\n",
    )
    write(tmp_path, "twice.yaml", "- {view_id: twin, title: one}\n- {view_id: twin, title: two}\n")
    write(tmp_path, "wide.csv", "view_id,title\nw,1,2\n")
    write(tmp_path, "what.txt", "x")
    found, problems = load(tmp_path)
    assert found == ["good"]
    told = {(path, item): message for path, item, message in problems}
    assert told["bad.yaml", ""].startswith("bad.yaml: not valid YAML at line 2")
    assert told["binary.csv", ""].startswith("not utf-8 (byte 8)")
    assert told["mixed.yaml", "row 2"] == "view_id: is missing"
    assert told["mixed.yaml", "row 3"] == "ai_purpose is no text: write it as a block, `ai_purpose: |`"
    assert told["mixed.yaml", "row 4"] == "a mapping with view_id is expected"
    assert told["mixed.yaml", "row 5"] == "view_id: is 8, not text: put it in quotes"
    assert told["mixed.yaml", "row 6"] == "titel: nobody reads 'titel' (the nearest is 'title')"
    assert told["mixed.yaml", "row 7"] == "view_id: is empty: write text"
    assert told["twice.yaml", "twin"] == "this id stands 2 times: twice.yaml"
    assert told["wide.csv", "row 1"] == "cells beyond the header: put a text that holds a comma in quotes"
    assert told["what.txt", ""] == "no reader for .txt: write YAML or CSV"
    assert len(told) == len(problems) == 11


def test_csv_says_what_is_wrong_with_it_and_long_cells_and_blank_rows_are_no_fault(tmp_path: Path) -> None:
    guide = "x: 1\n" * 50_000
    write(tmp_path, "long.csv", f'view_id,ai_purpose,\n,,\n\nlong,"{guide}",\n,,,\n')
    write(tmp_path, "open.csv", 'view_id,title\na,"never closed\nb,c\n')
    write(tmp_path, "quote.csv", 'view_id,title\na,"one" two\n')
    write(tmp_path, "twice.csv", "view_id,title,title\na,one,two\n")
    write(tmp_path, "nameless.csv", "view_id,,\na,lost,x\n")
    found, problems = load(tmp_path)
    assert found == ["long"]
    assert load_views(DataFolder(tmp_path), ON)[0][0].ai_purpose == guide
    assert problems == [
        ("nameless.csv", "row 1", "cells beyond the header: put a text that holds a comma in quotes"),
        ("open.csv", "", "no CSV at line 3: unexpected end of data"),
        ("quote.csv", "", "no CSV at line 2: ',' expected after '\"'"),
        ("twice.csv", "", "the column 'title' stands twice: rename one of the two"),
    ]


def test_s11_the_block_is_taken_out_just_before_the_template(tmp_path: Path) -> None:
    write(
        tmp_path, "v.yaml", f"view_id: v\ntitle: T\ndescription: D\nai_purpose: |\n  a: 1\n  {BEGIN}\n  x: [\n  {END}\n"
    )
    off, on = (load_views(DataFolder(tmp_path), rules)[0][0] for rules in (StripRules(), ON))
    assert off.doc_text == f"T\n\nD\n\na: 1\n{BEGIN}\nx: [\n{END}\n"
    assert on.doc_text == "T\n\nD\n\na: 1\n"
    assert off.ai_purpose == on.ai_purpose


def test_s01_s08_turning_the_switch_embeds_exactly_the_affected_views_anew(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    selection = ("notes", "portal_views", "embeddings", "vector_index")

    def chunks() -> dict[str, str]:
        store = EmbeddingStore(house.settings.warehouse_path)
        return {chunk.source: chunk.text_sha256 for chunk in store.chunks() if chunk.kind == "view"}

    def encoded() -> int:
        lines = [json.loads(line) for line in house.settings.log_path.read_text(encoding="utf-8").splitlines()]
        return sum(line["encoded"] for line in lines if line["event"] == "embed")

    assert materialise(*selection).success
    before, first = chunks(), encoded()
    assert len(before) == first == 9
    monkeypatch.setenv("CHROMA_STRIP_DECIKG", "1")
    assert materialise(*selection).success
    changed = {name for name, digest in chunks().items() if digest != before[name]}
    assert changed == {"order_lines", "suppliers", "watering_log", "refunds", "toriatsukai_guide"}
    assert encoded() - first == len(changed)
    monkeypatch.delenv("CHROMA_STRIP_DECIKG")
    assert materialise(*selection).success
    assert chunks() == before


def test_s07_s09_s12_diagnostics_stand_in_columns_metadata_and_log_and_nothing_stops(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROMA_STRIP_DECIKG", "1")
    outcome = materialise("portal_views")
    assert outcome.success and not outcome.failed_checks
    views = {view.view_id: view for view in house.warehouse.views()}
    assert views["free_text"].decikg_strip_method == "failed" and views["free_text"].decikg_strip_error
    assert all(isinstance(value, bool | int | str) for view in views.values() for value in view.diagnostics().values())
    lines = [json.loads(line) for line in house.settings.log_path.read_text(encoding="utf-8").splitlines()]
    logged = {line["view"]: line for line in lines if line["event"] == "portal_view"}
    for name, view in views.items():
        assert {key: logged[name][key] for key in view.diagnostics()} == view.diagnostics()


def test_views_are_found_by_search_as_the_documents_show_with_the_block_and_without(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert materialise().success
    done = subprocess.run(
        [PROGRAM, "search", "which nursery delivers plants", "--json"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    best: dict[str, Any] = json.loads(done.stdout)[0]
    assert (best["kind"], best["source"]) == ("view", "suppliers")
    text = (ROOT / "docs" / "strip.md").read_text(encoding="utf-8")
    block = re.findall(r"```console\n(\$ sekisho search.*?)```", text, re.DOTALL)[0]
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = step.partition("\n")
        if command.startswith("export "):
            name, _, value = command.removeprefix("export ").partition("=")
            monkeypatch.setenv(name, value)
            assert materialise("portal_views", "embeddings", "vector_index").success
            continue
        words = shlex.split(command)
        done = subprocess.run([PROGRAM, *words[1:]], capture_output=True, text=True)
        assert done.stdout == shown, done.stderr


@pytest.mark.parametrize(
    ("variables", "text", "out", "told"),
    [
        ({}, b"decikg: 1\r\n", b"decikg: 1\r\n", ("none", False)),
        ({"CHROMA_STRIP_DECIKG": "1"}, b"decikg: 1\na: \xe6\xb5\xb7", "a: 海\n".encode(), ("yaml", True)),
        ({"CHROMA_STRIP_DECIKG": "1"}, b"\xff", b"\xff", ("failed", False)),
    ],
)
def test_s01_the_command_gives_the_text_byte_for_byte_and_one_line_of_diagnostics(
    variables: dict[str, str], text: bytes, out: bytes, told: tuple[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    done = subprocess.run([PROGRAM, "strip", *["-"] * bool(variables)], input=text, capture_output=True)
    assert (done.returncode, done.stdout) == (0, out)
    found = json.loads(done.stderr)
    assert (found["decikg_strip_method"], found["decikg_stripped"]) == told


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("CHROMA_STRIP_DECIKG", "perhaps", "CHROMA_STRIP_DECIKG"),
        ("CHROMA_STRIP_DECIKG_FALLBACK", "guess", "Input should be 'none' or 'regex'"),
        ("CHROMA_STRIP_DECIKG_REGEX_BEGIN", "(", "no regular expression"),
        ("CHROMA_STRIP_DECIKG_REGEX_END", "(?P<", "no regular expression"),
    ],
)
def test_s06_a_wrong_setting_is_told_at_the_start(
    name: str, value: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    done = subprocess.run([PROGRAM, "strip"], input=b"a: 1", capture_output=True)
    assert done.returncode == 2
    assert name.encode() in done.stderr and told.encode() in done.stderr and not done.stdout
