"""Mappings as SSSOM TSV: the columns and values that the standard knows, and what each relation becomes."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from dagster_project.cli.map import MapRequest, run_map
from sekisho.catalogue import Catalogue, MapQuery, Term
from sekisho.mapping.mapped import Choice, Mapped
from sekisho.mapping.match import Candidate
from sekisho.mapping.reply import RELATIONS_JA, Relation
from sekisho.mapping.sssom import COLUMNS, to_sssom
from tests.conftest import House

# The slots of a mapping in the standard's version 1.0 that are used here, and the values of its closed lists.
SLOTS = {
    *("subject_label", "subject_type", "predicate_id", "object_id", "object_label", "mapping_justification"),
    *("mapping_tool", "mapping_tool_version", "confidence", "similarity_score", "similarity_measure", "comment"),
}
JUSTIFICATIONS = {"semapv:LexicalMatching", "semapv:CompositeMatching"}
FIRST = Candidate("UBERON:1", "amygdala", 1.0, {"exact": 1.0, "kind": "name"})
SECOND = Candidate("ä 7/b", 'the "odd"\tone', 0.25, {"fuzzy": 0.5})
CATALOGUE = Catalogue.of([Term(id="UBERON:1", name="amygdala"), Term(id="ä 7/b", name='the "odd"\tone')])


def mapped(query: str, *candidates: Candidate, ai: Choice | None = None) -> Mapped:
    return Mapped(asked=MapQuery(query=query), top_k=10, candidates=candidates, ai=ai)


def chosen(candidate: Candidate, relation: Relation, confidence: float | None = 0.8) -> Choice:
    return Choice(
        best_id=candidate.id,
        best_name=candidate.name,
        relation=relation,
        relation_ja=RELATIONS_JA[relation],
        confidence=confidence,
        reason="says\tso",
    )


ROWS = [
    mapped("amygdala", FIRST, SECOND),
    mapped("amygdaloid 扁桃体", SECOND, FIRST),
    mapped("nothing like it"),
    mapped("a match", FIRST, SECOND, ai=chosen(SECOND, "match")),
    mapped("a part of it", FIRST, ai=chosen(FIRST, "larger")),
    mapped("a whole", FIRST, ai=chosen(FIRST, "smaller", None)),
    mapped('another "thing"\nhere', FIRST, ai=chosen(FIRST, "different")),
    mapped("late", SECOND, FIRST, ai=Choice(best_id=SECOND.id, best_name=SECOND.name, error="no reply in time")),
]


def test_a_record_that_lacks_what_was_left_out_of_the_query_is_close_and_says_so() -> None:
    one = mapped("left amygdala", FIRST, SECOND).model_copy(update={"removed": (("left", "side"),)})
    _, (row,) = parse(to_sssom([one], CATALOGUE, version="1.2"))
    assert (row["predicate_id"], row["comment"]) == ("skos:closeMatch", "left out: left (side).")


def parse(text: str) -> tuple[dict[str, object], list[dict[str, str]]]:
    lines = text.split("\n")
    head = yaml.safe_load("\n".join(line[1:] for line in lines if line.startswith("#")))
    body = "\n".join(line for line in lines if not line.startswith("#"))
    return head, list(csv.DictReader(io.StringIO(body), delimiter="\t"))


def test_each_relation_is_a_predicate_and_what_is_not_there_is_no_term_found() -> None:
    _, rows = parse(to_sssom(ROWS, CATALOGUE, version="1.2"))
    found = [(row["predicate_id"], row["object_id"], row["mapping_justification"]) for row in rows]
    lexical, composite = "semapv:LexicalMatching", "semapv:CompositeMatching"
    assert found == [
        ("skos:exactMatch", "UBERON:1", lexical),
        ("skos:closeMatch", "record:%C3%A4%207%2Fb", lexical),
        ("skos:exactMatch", "sssom:NoTermFound", lexical),
        ("skos:exactMatch", "record:%C3%A4%207%2Fb", composite),
        ("skos:broadMatch", "UBERON:1", composite),
        ("skos:narrowMatch", "UBERON:1", composite),
        ("skos:exactMatch", "sssom:NoTermFound", composite),
        ("skos:closeMatch", "record:%C3%A4%207%2Fb", lexical),
    ]
    assert [row["confidence"] for row in rows] == ["", "", "", "0.8", "0.8", "", "0.8", ""]
    assert [row["similarity_score"] for row in rows][:4] == ["1.0000", "0.2500", "", "0.2500"]
    assert rows[-1]["comment"] == "no reply in time" and "nearest: UBERON:1 amygdala" in rows[-2]["comment"]


def test_the_file_has_the_metadata_and_columns_of_the_standard_and_each_text_on_one_line() -> None:
    text = to_sssom(ROWS, CATALOGUE, version="1.2")
    head, rows = parse(text)
    assert set(COLUMNS) == SLOTS and len(rows) == len(ROWS)
    assert isinstance(head["curie_map"], dict) and {"mapping_set_id", "license"} <= head.keys()
    assert {row["subject_type"] for row in rows} == {"rdfs literal"} and all(row["subject_label"] for row in rows)
    assert {row["mapping_justification"] for row in rows} <= JUSTIFICATIONS
    assert {(row["mapping_tool"], row["mapping_tool_version"]) for row in rows} == {("sekisho", "1.2")}
    for row in rows:
        for slot in ("predicate_id", "object_id", "mapping_justification"):
            assert row[slot].partition(":")[0] in head["curie_map"], "each prefix is in the map"
    assert rows[6]["subject_label"] == 'another "thing" here' and rows[3]["object_label"] == 'the "odd" one'
    assert to_sssom(ROWS, CATALOGUE, version="1.2") == text
    assert head["mapping_set_id"] != parse(to_sssom(ROWS[:2], CATALOGUE, version="1.2"))[0]["mapping_set_id"]


def test_the_command_writes_one_row_a_query_and_the_same_bytes_again(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.sssom.tsv"
    asked = MapRequest(file=house.data / "catalogue" / "queries.tsv", ai=True, sssom=out, as_json=True)
    assert run_map(asked) == 0
    head, rows = parse(out.read_text(encoding="utf-8"))
    assert len(rows) == len(capsys.readouterr().out.splitlines()) == 72 and head["mapping_set_id"]
    before = out.read_bytes()
    assert run_map(asked) == 0 and out.read_bytes() == before


def test_sssom_validate_accepts_it(tmp_path: Path) -> None:
    program = shutil.which("sssom")
    if program is None:
        pytest.skip("sssom-py is not installed here")
    path = tmp_path / "out.sssom.tsv"
    path.write_text(to_sssom(ROWS, CATALOGUE, version="1.2"), encoding="utf-8")
    done = subprocess.run([program, "validate", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
