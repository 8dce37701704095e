"""Hostile documents: orders, forgeries, escapes, links and odd files pass no gate, run nothing, read nothing outside.

The corpus is data (tests/hostile/corpus.yaml). All of it lies in one data folder, a model behind HTTP obeys what the
documents order, and every command is run once; what they told is then looked at.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from pytest_httpserver import HTTPServer
from typer.testing import CliRunner

from assets._results import check_result, preview, table
from dagster_project.cli.main import app
from sekisho.gates import Finding
from sekisho.mapping.sssom import COLUMNS
from sekisho.report import escape_markdown
from sekisho.sources.notes import load_notes
from sekisho.text import printable
from sekisho.warehouse import Warehouse
from tests.graph import Outcome, materialise
from tests.hostile.house import CORPUS, GOOD, HOSTILE_WORDS, ODD_NAMES, OUTSIDE_WORDS, HostileHouse, ObedientModel
from tests.terminal import bare_environment
from tests.test_cli import PROGRAM

PAYLOADS = {**CORPUS["notes"], "words": HOSTILE_WORDS, **{name: name for name in CORPUS["note_names"]}}
_MARKS = ("Question:", "Sources, as JSON:", "Queries, as JSON:", "Schema:", "【applicant_input】", "【candidate_adrs】")


class Seen(HostileHouse):
    """The house after all commands, with what the model was asked and what the first run came to."""

    prompts: list[str]
    first: Outcome
    first_answers: int


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seen]:
    house = Seen(tmp_path_factory.mktemp("hostile"))
    house.build()
    with HTTPServer(threaded=True) as http, pytest.MonkeyPatch.context() as patch:
        model = ObedientModel(http)
        for name in set(os.environ) - set(bare_environment()):
            patch.delenv(name)
        patch.setenv("SEKISHO_DATA", str(house.data))
        patch.setenv("SEKISHO_STATE", str(house.state))
        patch.setenv("IECQ_AGENT", "openai/gpt-4o-mini")
        patch.setenv("OPENAI_API_KEY", "sk-test-of-hostile-input")
        patch.setenv("OPENAI_BASE_URL", model.server.url)
        patch.setenv("MAP_USE_AI", "1")
        patch.chdir(house.root)
        house.first = materialise("notes", "facts", "knowledge_base", "answers")
        house.first_answers = len(Warehouse(house.state / "warehouse.duckdb", wait=1).answers())
        model.obeys_notes = False
        # The replies that were turned back are stored; another temperature is another call.
        for stored in (house.state / "llm_calls").rglob("*.json"):
            stored.unlink()
        done = subprocess.run([PROGRAM, "run"], capture_output=True, text=True, cwd=house.root, timeout=300)
        house.codes["run"], house.told["run"] = done.returncode, done.stdout + done.stderr
        runner = CliRunner()
        draft = house.data / "drafts" / "obey.md"
        claims = house.root / "claims.jsonl"
        claims.write_text("\n".join(_claims()) + "\n", encoding="utf-8")
        commands: dict[str, list[str]] = {
            "status": ["status"],
            "verify": ["verify"],
            "doctor": ["doctor"],
            "search": ["search", "orchard \x1b]0;owned\x07", "-k", "60"],
            "recall": ["recall", str(draft)],
            "map": [
                "map",
                "--file",
                str(house.data / "catalogue" / "queries.tsv"),
                "--sssom",
                str(house.root / "m.tsv"),
            ],
            "check": ["check", "quotes", "--sources", str(house.data / "notes"), str(claims)],
        }
        commands |= {f"{name} --json": [*line, "--json"] for name, line in commands.items() if name != "check"}
        for name, line in commands.items():
            result = runner.invoke(app, line)
            assert result.exception is None or isinstance(result.exception, SystemExit), (name, result.exception)
            house.codes[name], house.told[name] = result.exit_code, result.output
        house.prompts = list(model.prompts)
    yield house


def _claims() -> list[str]:
    said = [{"id": text, "source": text, "quote": text} for text in (*CORPUS["notes"].values(), HOSTILE_WORDS)]
    return [json.dumps(one, ensure_ascii=False) for one in said] + ["\x1b]0;owned\x07", "[" * 100_000]


def raw(text: str) -> set[str]:
    """The characters of a text that a terminal would act on, or hide."""
    return {char for char in text if char not in "\n\t" and printable(char) != char}


def test_there_are_enough_of_them() -> None:
    assert sum(map(len, CORPUS.values())) >= 100


def test_a_fact_that_obeys_a_document_stops_the_base_and_costs_no_neighbour(seen: Seen) -> None:
    assert not seen.first.success and seen.first_answers == 0
    assert {"fact_count_matches", "facts_fit_the_schema", "evidence_is_verbatim"} <= seen.first.failed_checks
    items = {item for check in ("facts_fit_the_schema", "evidence_is_verbatim") for item, _ in seen.first.items(check)}
    assert items == {"orders-to-ignore-the-schema.md", "forges-a-fence.md"}


def test_every_document_is_published_as_the_text_that_it_is(seen: Seen) -> None:
    base = Warehouse(seen.state / "warehouse.duckdb", wait=1).knowledge()
    names = [*CORPUS["notes"], *(name.removesuffix(".md") for name in CORPUS["note_names"])]
    assert {source.source for source in base.sources} == {"orchard", "hidden", "one-line", *names}
    texts = {source.source: source.text for source in base.sources}
    for name, text in CORPUS["notes"].items():
        assert seen.filled(text) in texts[name]


def test_answers_that_obey_are_withheld_and_the_others_published(seen: Seen) -> None:
    warehouse = Warehouse(seen.state / "warehouse.duckdb", wait=1)
    answers = {answer.id: answer for answer in warehouse.answers()}
    assert answers.keys() == {GOOD, ODD_NAMES, *CORPUS["questions"]}
    assert answers[ODD_NAMES].citations == tuple(name.removesuffix(".md") for name in CORPUS["note_names"])
    reasons = {name: [gap.reason for gap in warehouse.gaps() if gap.item == name] for name in CORPUS["answers"]}
    for name, order in CORPUS["answers"].items():
        assert any(seen.filled(order["refused"]) in reason for reason in reasons[name]), (name, reasons[name])


def test_citations_that_obey_are_dropped_one_by_one(seen: Seen) -> None:
    (recall,) = Warehouse(seen.state / "warehouse.duckdb", wait=1).recalls()
    assert "ADR-0101" in recall.candidates and "ADR-9999" not in recall.candidates
    assert [one.adr_id for one in recall.citations] == ["ADR-0101"] and recall.citations[0].relevance == "low"
    assert [one.why for one in recall.dropped] == [one["dropped"] for one in CORPUS["citations"] if "dropped" in one]


def test_choices_that_obey_fall_back_to_the_first_candidate(seen: Seen) -> None:
    ids = {id for id, _ in CORPUS["terms"]}
    for one in Warehouse(seen.state / "warehouse.duckdb", wait=1).mappings():
        assert one.best_id == one.candidates[0].id and one.best_id in ids
        assert one.ai is not None and (one.ai.relation is None or CORPUS["choices"][one.asked.query]["best_id"] in ids)


def test_nothing_of_a_document_is_run_and_nothing_outside_is_read(seen: Seen) -> None:
    assert not seen.marker.exists()
    made = {path.name for path in seen.root.rglob("*") if path.is_relative_to(seen.data) is False}
    assert not made & {"MARKER_NAME", "escaped.txt", "marker"}
    for path in seen.state.rglob("*"):
        assert not path.is_file() or OUTSIDE_WORDS.encode() not in path.read_bytes(), path
    for text in (*seen.told.values(), *seen.prompts):
        assert OUTSIDE_WORDS not in text and "root:x:0" not in text


def test_a_document_can_forge_no_part_of_a_prompt(seen: Seen) -> None:
    assert len(seen.prompts) > 60
    for prompt in seen.prompts:
        lines = prompt.splitlines()  # at every character that ends a line for somebody
        for mark in _MARKS:
            assert sum(line.strip().startswith(mark) for line in lines) <= 1, mark
        for kind in ("【applicant_input】", "【candidate_adrs】"):
            assert prompt.count(kind) == (1 if prompt.startswith("You help the author") else prompt.count(kind))
    (recalling, *_) = [prompt for prompt in seen.prompts if prompt.startswith("You help the author")]
    shown = json.JSONDecoder().raw_decode(recalling.partition("【candidate_adrs】\n")[2])[0]
    assert {one["id"] for one in shown} == {"ADR-0001", "ADR-0101", "ADR-0102", "ADR-0103", _far(shown)}


def _far(shown: list[dict[str, str]]) -> str:
    return next(one["id"] for one in shown if one["title"] == "A number beyond all")


def test_no_command_lets_a_control_character_through(seen: Seen) -> None:
    assert len(seen.told) == 14
    for name, text in seen.told.items():
        assert not raw(text), (name, raw(text))
    assert "owned" in seen.told["run"] and "owned" in seen.told["map"] and "owned" in seen.told["search"]


def test_commands_end_as_their_gates_say(seen: Seen) -> None:
    assert seen.codes["run"] == 1 and seen.codes["verify"] == 0 and seen.codes["recall"] == 0
    assert seen.codes["check"] == 1 and seen.codes["map"] == 0 and seen.codes["search"] == 0
    for name, text in seen.told.items():
        assert "Traceback" not in text, name


def test_json_is_the_same_value_in_safe_letters(seen: Seen) -> None:
    found = json.loads(seen.told["search --json"])
    texts = "".join(passage["text"] for passage in found)
    assert "\x1b]0;owned" in texts and "\u202e" in texts and "\x9b" in texts


@pytest.mark.parametrize("name", ["gap.md", "log.jsonl", "compiled.json", "documents.json", "llm_spend.jsonl"])
def test_no_file_of_the_state_holds_a_control_character(name: str, seen: Seen) -> None:
    text = (seen.state / name).read_text(encoding="utf-8")
    assert text and not raw(text), raw(text)
    if name.endswith(".jsonl"):
        events = [json.loads(line) for line in text.split("\n")[:-1]]
        assert all("forged" not in str(event.get("generation")) for event in events)


def _rendered(markdown: str) -> str:
    return str(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown))


def _no_markup(html: str, allowed: str) -> None:
    tags = set(re.findall(r"<\s*/?\s*([a-zA-Z][\w-]*)", html))
    assert tags <= set(allowed.split()), tags


def test_gap_md_holds_no_markup_of_anybody(seen: Seen) -> None:
    text = (seen.state / "gap.md").read_text(encoding="utf-8")
    _no_markup(_rendered(text), "h1 h2 ul li strong")
    assert not re.search(r"(?<!\\):\/\/|(?<!\\)@", text)


@pytest.mark.parametrize("name", sorted(PAYLOADS))
def test_a_payload_is_plain_text_in_dagsters_metadata(name: str) -> None:
    payload = PAYLOADS[name]
    rows = [{"item": payload, payload[:200]: payload}]
    shown = preview(rows).value
    assert shown is not None and not raw(shown)
    html = _rendered(shown)
    _no_markup(html, "table thead tbody tr th td")
    assert html.count("<tr>") == 2 and html.count("<td>") == 2
    records = table([{"item": payload}]).value.records
    result = check_result([Finding("gate", payload, payload)], looked_at=1)
    assert not raw(str(records[0].data["item"])) and not raw(result.description or "")
    assert not re.search(r"(?<!\\)://|(?<!\\)@|www(?!\\)\.", escape_markdown(payload))


def test_no_cell_of_an_export_is_a_formula(seen: Seen) -> None:
    lines = (seen.root / "m.tsv").read_text(encoding="utf-8").split("\n")
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    assert rows[0] == list(COLUMNS) and len(rows) == 1 + len(CORPUS["choices"])
    for row in rows[1:]:
        assert len(row) == len(COLUMNS)
        for cell in row:
            assert not cell.strip('"').startswith(tuple("=+-@＝＋－＠")) and not raw(cell), cell
    assert "'=orbit(1)" in {row[0] for row in rows}


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    house = HostileHouse(tmp_path_factory.mktemp("entries"))
    house.build()
    house.put_entries()
    notes = load_notes(house.data / "notes")
    assert not house.marker.exists() and not any(path.name == "escaped.txt" for path in house.root.rglob("*"))
    assert OUTSIDE_WORDS not in "".join(note.text for note in notes)
    return {note.path: note for note in notes}


@pytest.mark.parametrize("name", sorted(CORPUS["entries"]))
def test_what_is_no_document_is_refused_by_name(name: str, refused: dict[str, Any]) -> None:
    entry = CORPUS["entries"][name]
    note = refused[f"{name}{entry.get('suffix', '.md')}"]
    assert note.status == "unreadable" and entry["refused"] in note.problem and note.text == ""
    assert refused["orchard.md"].status == "read"


@pytest.mark.parametrize("name", CORPUS["entry_names"])
def test_a_name_that_a_terminal_would_act_on_is_refused(name: str, refused: dict[str, Any]) -> None:
    assert refused[name].status == "unreadable" and "rename it" in refused[name].problem


PLACES = ("notes", "decisions", "drafts", "portal_views", "catalogue", "fixtures", "golden")
FILES = ("sekisho.yaml", "notes.schema.yaml", "questions.yaml", "fixtures/x.yaml", "catalogue/terms.tsv")


@pytest.mark.parametrize("name", [*PLACES, *FILES])
def test_a_link_out_of_the_data_folder_is_never_followed(name: str, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    for file in ("x.md", "x.yaml", "terms.tsv"):
        (tmp_path / "outside" / file).write_text(f"id\tname\n{OUTSIDE_WORDS}\tx\n", encoding="utf-8")
    path = tmp_path / "data" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    target = tmp_path / "outside" if name in PLACES else tmp_path / "outside" / "x.yaml"
    path.symlink_to(target if name != "catalogue/terms.tsv" else tmp_path / "outside" / "terms.tsv")
    environment = {
        **bare_environment(),
        "SEKISHO_DATA": str(tmp_path / "data"),
        "SEKISHO_STATE": str(tmp_path / "state"),
    }
    with pytest.MonkeyPatch.context() as patch:
        for variable, value in environment.items():
            patch.setenv(variable, value)
        line = ["map", "orbit"] if name.startswith("catalogue") else ["doctor"]
        result = CliRunner().invoke(app, line)
    told = f"{result.output} {result.exception}"
    assert "leads out of the data folder" in told and OUTSIDE_WORDS not in told, told


def test_two_thousand_tiny_files_are_read_in_no_time_to_speak_of(tmp_path: Path) -> None:
    for number in range(2000):
        (tmp_path / f"{number:04}.md").write_text(f"Row {number}\n", encoding="utf-8")
    assert len(load_notes(tmp_path)) == 2000
