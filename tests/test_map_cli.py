"""`sekisho map` as a process: one query or many, any catalogue, with a model or without, and what it leaves alone."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dagster_project.cli.console import stdout
from dagster_project.cli.map import MapRequest, run_map
from dagster_project.cli.map_show import show_mapped
from sekisho.catalogue import MapQuery
from sekisho.errors import InputError
from sekisho.mapping import match
from sekisho.mapping.mapped import Choice, Mapped
from sekisho.mapping.match import Candidate
from sekisho.mapping.rows import BadRow, read_rows
from tests.conftest import House
from tests.model_calls import Bench, bench, http
from tests.rerank import answering, entry, good
from tests.test_cli import PROGRAM, sekisho
from tests.wire import error

__all__ = ["bench", "http"]
TERMS = "id\tname\tacronym\tparent_id\nG:1\tgarden\t\t\nG:2\therb garden\tHG\tG:1\nG:3\trose garden\t\tG:1\n"
OPENAI = "openai/gpt-4o-mini"


def replies(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


class Here:
    """The command in this process: each one of its own would cost a second or two."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys, self._monkeypatch = capsys, monkeypatch

    def __call__(self, *queries: str, as_json: bool = True, env: dict[str, str] | None = None, **asked: Any) -> str:
        for name, value in (env or {}).items():
            self._monkeypatch.setenv(name, value)
        self.code = run_map(MapRequest(queries, as_json=as_json, **asked))
        return self._capsys.readouterr().out


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(capsys, monkeypatch)


@pytest.fixture
def terms(tmp_path: Path) -> Path:
    path = tmp_path / "elsewhere" / "gardens.tsv"
    path.parent.mkdir()
    path.write_text(TERMS, encoding="utf-8")
    return path


def test_m06_one_query_gets_its_candidates_with_score_and_signals_and_no_ai(house: House, here: Here) -> None:
    done = sekisho("map", "Dorsal raphe nucleus", "PAG", "--json", "--top-k", "3")
    assert done.returncode == 0, done.stderr
    first, second = replies(done.stdout)
    assert (first["query"], first["top_k"], len(first["candidates"])) == ("Dorsal raphe nucleus", 3, 3)
    assert set(first) == set(second) == {"query", "top_k", "candidates"}
    assert first["candidates"][0]["name"].startswith("Dorsal nucleus of the raphe")
    assert all(0 <= one["score"] <= 1 and one["signals"] for one in first["candidates"])
    shown = here("PAG", as_json=False)
    assert "▸" in shown and second["candidates"][0]["id"] in shown and here.code == 0


def test_a_foreign_catalogue_leaves_the_state_and_the_folder_beside_it_alone(
    house: House, here: Here, terms: Path
) -> None:
    found = replies(here("garden of roses", "HG", catalogue=terms))
    assert [reply["candidates"][0]["id"] for reply in found] == ["G:3", "G:2"]
    assert not house.state.exists() and [path.name for path in terms.parent.iterdir()] == ["gardens.tsv"]


def test_the_index_of_a_foreign_catalogue_is_built_once_and_kept_with_the_users_caches(
    house: House, here: Here, terms: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = here("HG", catalogue=terms)
    (kept,) = (house.settings.cache / "catalogue").iterdir()
    monkeypatch.setattr(match, "build_index", lambda catalogue: pytest.fail("built again"))
    assert here("HG", catalogue=terms) == first and house.settings.cache != house.state and kept.is_file()


def test_bulk_keeps_the_order_and_a_bad_row_is_that_rows_error_while_the_others_go_on(
    house: House, here: Here, terms: Path, tmp_path: Path
) -> None:
    rows = tmp_path / "rows.tsv"
    rows.write_bytes(
        "\ufeffnote\tQuery\nx\tHG\n\n y\t \nz\tgarden\nw\tro".encode() + b"\xe9se\nv\tmore\tcells\nu\trose garden\n"
    )
    done = sekisho("map", "--file", str(rows), "--catalogue", str(terms), "--json")
    assert done.returncode == 2, "what could not be mapped is told by the exit code too"
    found = replies(done.stdout)
    assert [reply["query"] for reply in found] == ["HG", "", "garden", "ro\ufffdse", "more", "rose garden"]
    assert [reply.get("line") for reply in found] == [None, 4, None, 6, 7, None]
    assert [reply["error"].partition(":")[0] for reply in found if "error" in reply] == [
        "no query",
        "is not UTF-8",
        "3 cells, the header has 2",
    ]
    assert [reply["candidates"][0]["id"] for reply in found if "candidates" in reply] == ["G:2", "G:1", "G:3"]
    lines = here(file=rows, catalogue=terms, as_json=False).splitlines()
    assert here.code == 2 and [line.split()[0] for line in lines] == ["✓", "✗", "✓", "✗", "✗", "✓"]


def test_a_list_of_names_needs_no_first_line(house: House, terms: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text('\ufeff\nHG\n\n"rose garden"\ngarden, herbs\n', encoding="utf-8")
    done = sekisho("map", "--file", str(names), "--catalogue", str(terms), "--json")
    assert [reply["query"] for reply in replies(done.stdout)] == ["HG", "rose garden", "garden, herbs"]
    assert done.returncode == 0 and "no column is called query: every line is taken for a query" in done.stderr
    names.write_text("garden, herbs\nHG\n", encoding="utf-8")
    done = sekisho("map", "--file", str(names), "--catalogue", str(terms))
    assert done.returncode == 2 and "texts with commas, one a line: query alone" in done.stderr
    names.write_text("query\ngarden, herbs\nHG\n", encoding="utf-8")
    done = sekisho("map", "--file", str(names), "--catalogue", str(terms), "--json")
    assert [reply["query"] for reply in replies(done.stdout)] == ["garden, herbs", "HG"] and not done.stderr


def test_how_many_are_listed_changes_neither_the_choice_nor_what_is_paid(
    house: House, bench: Bench, here: Here, terms: Path
) -> None:
    bench.server.script(*answering(lambda blocks: {"choices": [entry(block, 2, "larger") for block in blocks]}))
    settings = {"IECQ_AGENT": OPENAI, "MAP_USE_AI": "1", "MAP_POLICY": "trust"}
    (whole,) = replies(here("roses", catalogue=terms, env=settings))
    (short,) = replies(here("roses", catalogue=terms, top_k=1))
    assert len(whole["candidates"]) == 3 and whole["ai"] == short["ai"]
    assert short["candidates"] == whole["candidates"][:1] and short["ai"]["best_id"] == whole["candidates"][2]["id"]
    assert len(bench.server.requests) == 1


def test_a_line_of_many_is_ticked_only_where_a_record_is_likelier_right_than_wrong(
    house: House, here: Here, terms: Path, tmp_path: Path
) -> None:
    rows = tmp_path / "rows.tsv"
    rows.write_text("query\nherb gardens\nstone gate with a rose\nzzzz\n?\n", encoding="utf-8")
    lines = here(file=rows, catalogue=terms, as_json=False).splitlines()
    assert [line.split()[0] for line in lines] == ["✓", "?", "✗", "✗"]
    assert lines[2] == "✗  zzzz  no record fits"
    rows.write_text("query\nleft herb garden\n", encoding="utf-8")
    assert here(file=rows, catalogue=terms, as_json=False).rstrip().endswith(", left out: left (side)")
    shown = here("zzzz", catalogue=terms, as_json=False)
    assert "✗ no record fits" in shown and "▸" not in shown and "<0.001" not in shown
    assert "<0.001" in here("garbage", catalogue=terms, as_json=False)


def test_under_the_record_that_fits_those_that_do_not_are_only_counted() -> None:
    scores = {"G:1": 0.94, "G:2": 0.0002, "G:3": 0.00004, "G:4": 0.0}
    candidates = tuple(Candidate(id, f"garden {id}", score, {}) for id, score in scores.items())
    one = Mapped(asked=MapQuery(query="garden"), top_k=4, candidates=candidates)
    assert [candidate.id for candidate in one.fitting] == ["G:1", "G:2"]
    with stdout.capture() as shown:
        show_mapped(one)
    assert "2 more do not fit" in shown.get() and "garden G:3" not in shown.get() and "0.000 " not in shown.get()
    chosen = one.model_copy(update={"ai": Choice(best_id="G:4", best_name="garden G:4", relation="match")})
    assert [candidate.id for candidate in chosen.fitting] == ["G:1", "G:2", "G:4"], "a model's choice is always listed"
    nothing = one.model_copy(update={"candidates": candidates[2:]})
    assert nothing.fitting == nothing.listed, "where none fits, what came nearest"


def test_standard_input_is_answered_row_by_row_as_it_comes(house: House, terms: Path) -> None:
    command = [PROGRAM, "map", "--file", "-", "--catalogue", terms, "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("query\nHG\n")
        assert json.loads(process.stdout.readline())["candidates"][0]["id"] == "G:2"
        process.stdin.write("a garden, for herbs\n")
        assert json.loads(process.stdout.readline())["query"] == "a garden, for herbs"
        process.stdin.close()
        assert process.wait() == 0


def test_bad_input_ends_with_2_and_says_what_to_do(house: House) -> None:
    done = sekisho("map", "--file", "nowhere.tsv", "--json")
    assert done.returncode == 2 and "no such file" in json.loads(done.stdout)["error"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, "there is nothing to map .*or --file FILE"),
        ({"queries": ("x",), "catalogue": Path("nowhere.tsv")}, "there is no catalogue"),
        ({"queries": ("x",), "sssom": Path("nowhere/out.tsv")}, "no such folder"),
        ({"queries": ("x",), "catalogue": Path("rows.csv")}, "has no column 'id' .its columns: name, context"),
        ({"file": Path("rows.csv")}, "has no column 'query' .its columns: name, context.*write query for 'name'"),
        ({"file": Path("book.tsv")}, "looks like a spreadsheet"),
    ],
)
def test_what_cannot_be_used_at_all_is_told_with_its_remedy(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text("name,context\nx,y\n", encoding="utf-8")
    Path("book.tsv").write_bytes(b"PK\x03\x04\x14\x00\n")
    with pytest.raises(InputError, match=told) as caught:
        run_map(MapRequest(**asked))
    assert (caught.value.remedy and not house.state.exists()) or (house.state / "catalogue").is_dir()


def test_an_empty_query_is_its_own_error_and_the_other_is_mapped(house: House, here: Here, terms: Path) -> None:
    empty, other = replies(here(" ", "HG", catalogue=terms))
    assert here.code == 2 and "no query" in empty["error"] and other["candidates"]


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ('query,context\n"a, b",c\n', [("a, b", "c")]),
        ("query;n\na;1\n", [("a", "")]),
        ("query\na, b\tc\n", [("a, b\tc", "")]),
        ('n\tquery\n1\t"a ""b"""\n2\t"a" b\n', [('a "b"', ""), ('"a" b', "")]),
        ('query,n\n"two\nlines",1\nx,2\n', [("two\nlines", ""), ("x", "")]),
        ("\r\n\r\nquery\r\na\r\n", [("a", "")]),
        (
            'query,expected_id,relation,context\n"pons, left",B,match,a slice\n\nEC,,,\n',
            [("pons, left", "a slice"), ("EC", "")],
        ),
    ],
)
def test_rows_are_read_as_their_header_says(text: str, queries: list[tuple[str, str]]) -> None:
    found = [row for row in read_rows(text.encode().splitlines(keepends=True), "x") if not isinstance(row, BadRow)]
    assert [(row.query, row.context) for row in found] == queries


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"qurey\nPAG\n", "has no column 'query' (its columns: qurey)*write query for 'qurey'"),
        (b"queries\tcontext\nPAG\tx\n", "write query for 'queries'"),
        (b"Name\nPAG\n", "write query for 'name'"),
        (b"context\nPAG\n", "has no column 'query' (its columns: context)"),
        (b"%PDF-1.4\n1 0 obj\n", "looks like PDF"),
        (b"\x89PNG\r\n\x1a\n", "looks like a picture"),
        (b"\x1f\x8b\x08\x00\n", "looks like a compressed file"),
        (b"P\0A\0G\0\n\0", "looks like a binary file"),
        (b'"Medulla, left\nPAG\n', "x: line 1: "),
        (b"", "write one text a line"),
    ],
)
def test_what_is_no_list_of_names_is_not_taken_for_one(content: bytes, told: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_rows(io.BytesIO(content), "x"))
    assert all(part in str(caught.value) for part in told.split("*"))


def test_a_list_of_names_has_one_a_line_whatever_stands_in_it() -> None:
    lines = b'"Medulla, left"\nMedulla, right\rPAG\r\nP\0G\nPKC alpha\n'
    found = list(read_rows(io.BytesIO(lines), "x"))
    assert [row.query for row in found] == ["Medulla, left", "Medulla, right", "PAG", "P\\x00G", "PKC alpha"]
    assert [type(row) is BadRow for row in found] == [False, False, False, True, False]


def test_a_misspelt_column_is_told_and_one_of_the_users_own_is_not() -> None:
    told: list[str] = []
    rows = list(read_rows([b"query\tcontxt\tremark\texpectedid\n", b"a\tb\tc\td\n"], "x", told.append))
    assert [row.context for row in rows if isinstance(row, MapQuery)] == [""]
    assert told == [
        "nobody reads the column 'contxt'; the nearest is 'context'",
        "nobody reads the column 'expectedid'; the nearest is 'expected_id'",
    ]


def test_m06_a_model_that_fails_is_told_in_each_reply_and_the_command_ends_with_0(
    house: House, bench: Bench, here: Here, terms: Path
) -> None:
    bench.server.script(error(401, "bad key"))
    (reply,) = replies(here("HG", ai=True, catalogue=terms, env={"IECQ_AGENT": OPENAI}))
    assert here.code == 0
    assert reply["candidates"][0]["id"] == reply["ai"]["best_id"] == "G:2" and "HTTP 401" in reply["ai"]["error"]


def test_a_quote_that_is_never_closed_is_an_error_of_the_lines_that_it_swallows() -> None:
    lines = b'query,context\na,1\n"PAG,1\nACC,2\n'.splitlines(keepends=True)
    good, bad = read_rows(lines, "x")
    assert isinstance(good, MapQuery) and good.query == "a"
    assert isinstance(bad, BadRow) and bad.line == 3 and "lines 3 to 4 were taken for one row" in bad.error


def test_m03_bulk_with_a_model_asks_eight_at_a_time_shows_the_context_and_keeps_what_was_paid(
    house: House, bench: Bench, here: Here, terms: Path, tmp_path: Path
) -> None:
    seen: list[Any] = []
    bench.server.script(*answering(lambda blocks: seen.extend(blocks) or good(blocks)))
    rows = tmp_path / "rows.csv"
    rows.write_text("query,context\n" + "herb garden,own\n" + "rose garden,\n" * 8, encoding="utf-8")
    given: dict[str, Any] = {"file": rows, "context": "plants", "catalogue": terms}
    settings = {"IECQ_AGENT": OPENAI, "MAP_USE_AI": "1", "MAP_POLICY": "trust"}
    done = here(**given, env=settings)
    assert here.code == 0 and len(bench.server.requests) == 2
    assert sorted(block["context"] for block in seen) == ["own", *["plants"] * 8]
    assert all(reply["ai"]["best_id"] == reply["candidates"][1]["id"] for reply in replies(done))
    assert here(**given) == done and len(bench.server.requests) == 2
    assert {path.name for path in house.state.iterdir()} == {"llm_calls", "llm_spend.jsonl", "log.jsonl"}
    assert all("ai" not in reply for reply in replies(here(**given, ai=False)))


def test_a_choice_is_shown_in_words_and_what_a_model_wrote_gets_no_control_over_the_terminal(
    house: House, bench: Bench, here: Here, terms: Path
) -> None:
    bench.server.script(*answering(lambda blocks: {"choices": [entry(blocks[0], 1, "larger", reason="[b]a[/b]\x1b")]}))
    shown = here("herbs", ai=True, catalogue=terms, as_json=False, env={"IECQ_AGENT": OPENAI})
    assert "larger (より大きい), confidence 0.95" in shown and "[b]a[/b]\\x1b" in shown


def test_mapping_never_loads_torch_and_local_stays_with_the_first_stage(house: House) -> None:
    code = (
        "import os, sys; from dagster_project.cli.map import MapRequest, run_map\n"
        "run_map(MapRequest(queries=('PAG',), as_json=True)); os.environ['IECQ_AGENT'] = 'local'\n"
        "run_map(MapRequest(queries=('PAG',), ai=True))\n"
        "print([name for name in ('torch', 'sentence_transformers', 'sklearn', 'dagster') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "the first candidate stands: the local agent has no model" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"
