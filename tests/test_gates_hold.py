"""A gate holds however the asset is launched: alone, with checks deselected, after the input has changed."""

from __future__ import annotations

import pytest
import yaml

from sekisho.gates import Finding, guarded
from tests.conftest import ROOT, House
from tests.graph import evaluate, materialise

FIRST = "pet-safe-low-light"


def demonstration(name: str) -> dict[str, object]:
    loaded: dict[str, object] = yaml.safe_load((ROOT / f"data/demonstrations/{name}.yaml").read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize("checks", [True, False])
def test_f02_the_knowledge_base_alone_refuses_a_broken_fact(checks: bool, house: House) -> None:
    assert materialise().success
    before = house.settings.compiled_path.read_bytes()
    generation = house.warehouse.knowledge().generation
    house.overlay(demonstration("broken-fact"))
    materialise("notes", "facts", checks=False)
    outcome = materialise("knowledge_base", checks=checks)
    assert not outcome.success
    assert "fact count 4 != 5" in outcome.failures
    assert f"the last published generation {generation} stands" in outcome.failures
    assert house.settings.compiled_path.read_bytes() == before
    assert house.warehouse.knowledge().generation == generation
    assert "fact count 4 != 5" in house.settings.gaps_path.read_text(encoding="utf-8")


def test_f02_the_whole_graph_with_checks_deselected_publishes_nothing_unverified(house: House) -> None:
    house.overlay(demonstration("broken-fact"))
    outcome = materialise(checks=False)
    assert not outcome.success
    assert not house.warehouse.knowledge().generation
    assert not house.settings.compiled_path.exists()


@pytest.mark.parametrize("checks", [True, False])
def test_f02_the_answers_alone_withhold_a_ghost(checks: bool, house: House) -> None:
    assert materialise().success
    house.overlay(demonstration("ghost"))
    materialise("draft_answers", checks=False)
    assert materialise("answers", checks=checks).success
    assert FIRST not in {answer.id for answer in house.warehouse.answers()}
    assert len(house.warehouse.answers()) == 2
    assert "hallucinated citation: 99-ghost-orchid" in house.settings.gaps_path.read_text(encoding="utf-8")


def test_a_duplicate_and_an_unreadable_file_stop_the_base_with_checks_deselected(house: House) -> None:
    house.note("06-fern.md", b"\xff\xfe\xff")
    outcome = materialise(checks=False)
    assert not outcome.success
    assert "unreadable file: 06-fern.md" in outcome.failures
    assert not house.warehouse.knowledge().generation


def test_facts_extracted_from_an_older_text_are_not_published(house: House) -> None:
    assert materialise().success
    house.note("01-pothos.md", "# Pothos\n\nI know nothing about it any more.\n")
    materialise("notes", checks=False)
    outcome = materialise("knowledge_base")
    assert not outcome.success
    assert "the note has changed since this fact was extracted" in outcome.failures
    assert ("01-pothos", "published from an older text: 01-pothos") in evaluate("knowledge_base").items(
        "knowledge_base_is_complete"
    )


def test_facts_that_no_longer_fit_the_schema_are_not_published(house: House) -> None:
    assert materialise().success
    schema = house.data / "notes.schema.yaml"
    schema.write_text(schema.read_text(encoding="utf-8").replace("type: bool", "type: str"), encoding="utf-8")
    outcome = materialise("knowledge_base")
    assert not outcome.success
    assert "fields.pet_safe: Input should be a valid string" in outcome.failures


def test_an_answer_is_withheld_when_its_source_is_gone(house: House) -> None:
    assert materialise().success
    (house.data / "notes" / "04-calathea.md").unlink()
    materialise("notes", "facts", "knowledge_base")
    assert FIRST not in {answer.id for answer in house.warehouse.answers()}, "withdrawn with the base it rested on"
    assert materialise("draft_answers", "answers").success
    assert FIRST not in {answer.id for answer in house.warehouse.answers()}
    assert "hallucinated citation: 04-calathea" in house.settings.gaps_path.read_text(encoding="utf-8")


def test_a_failed_call_keeps_the_answer_that_still_holds_and_says_so(house: House) -> None:
    assert materialise().success
    path = house.data / "fixtures" / "plants.yaml"
    fixtures = yaml.safe_load(path.read_text(encoding="utf-8"))
    del fixtures[f"query:{FIRST}"]
    path.write_text(yaml.safe_dump(fixtures, allow_unicode=True), encoding="utf-8")
    outcome = materialise("draft_answers", "answers")
    assert (
        f"no draft: {house.data / 'fixtures'}: no fixture for query:{FIRST}"
        in outcome.items("citations_are_present")[0][1]
    )
    kept = {answer.id: answer.kept for answer in house.warehouse.answers()}
    assert kept == {FIRST: True, "longest-between-waterings": False, "frost": False}


def test_compiled_json_is_rendered_again_when_it_is_behind(house: House) -> None:
    assert materialise().success
    before = house.settings.compiled_path.read_bytes()
    house.settings.compiled_path.unlink()
    assert materialise("knowledge_base").success
    assert house.settings.compiled_path.read_bytes() == before


def test_f03_a_predicate_that_raises_is_a_failed_result_with_the_reason() -> None:
    def broken() -> list[Finding]:
        raise ValueError("no light")

    (finding,) = guarded("gate", broken)
    assert finding.message == "the gate itself failed: ValueError: no light"
