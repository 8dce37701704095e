"""The main job, end to end through the real graph: documents in, verified answers out."""

from __future__ import annotations

import json
from typing import Any

import duckdb
import pytest
import yaml

from sekisho.gates import verify_citations
from sekisho.retrieval.embeddings import documents_in
from sekisho.retrieval.encoder import encoder_of
from sekisho.retrieval.searcher import Searcher
from sekisho.retrieval.store import EmbeddingStore
from tests.conftest import ROOT, House
from tests.graph import materialise
from tests.test_graph import GRAPH

FIRST = "pet-safe-low-light"
KNOWN = {"01-pothos", "02-spider-plant", "03-snake-plant", "04-calathea", "05-zz-plant"}


def log(house: House) -> list[dict[str, Any]]:
    return [json.loads(line) for line in house.settings.log_path.read_text(encoding="utf-8").splitlines()]


def test_p01_the_line_runs_from_notes_to_answers(house: House) -> None:
    outcome = materialise()
    assert outcome.success and not outcome.failed_checks
    assert outcome.materialised == {*GRAPH}
    assert [fact.source for fact in house.warehouse.knowledge().facts] == sorted(KNOWN)
    assert house.settings.gaps_path.read_text(encoding="utf-8") == "# Gaps\n\nNothing was turned back.\n"


def test_p05_five_notes_ship_and_the_log_shows_all_of_them(house: House) -> None:
    materialise("notes", "facts", checks=False)
    extracted = [line for line in log(house) if line["event"] == "extract"]
    assert {line["source"] for line in extracted} == KNOWN
    assert [fact.source for fact in house.warehouse.facts()] == sorted(KNOWN)


def test_p06_a_reply_that_does_not_fit_becomes_a_gap_and_its_neighbours_go_on(house: House) -> None:
    reply = house.fixture("extract:03-snake-plant")
    reply["fields"]["surprise"] = 1
    house.overlay({"extract:03-snake-plant": reply})
    materialise("notes", "facts")
    assert len(house.warehouse.facts()) == 4
    gap = next(gap for gap in house.warehouse.gaps() if gap.stage == "facts")
    assert gap.item == "03-snake-plant.md"
    assert "fields.surprise: Extra inputs are not permitted" in gap.reason


def test_p06_the_prompt_carries_the_schema_and_the_note(house: House) -> None:
    from sekisho.agents.base import Call, Reply
    from sekisho.events import EventLog
    from sekisho.extract import extract_facts, make_extractor
    from sekisho.sources.folder import DataFolder
    from sekisho.sources.notes import load_notes

    seen: list[str] = []

    class Recorder:
        name = fingerprint = "recorder"

        def propose(self, call: Call) -> Reply:
            seen.append(call.prompt.text)
            return Reply({})

    folder = DataFolder(house.data)
    extractor = make_extractor(Recorder(), ROOT / "prompts", folder.notes_schema)
    notes = load_notes(house.data / "notes")
    extract_facts(notes, extractor, EventLog(house.settings.log_path, run="test"), workers=1)
    assert len(seen) == 5
    for note, prompt in zip(notes, seen, strict=True):
        assert json.dumps(note.text, ensure_ascii=False) in prompt
        assert '"watering_interval"' in prompt and '"additionalProperties": false' in prompt


def test_p07_the_source_comes_from_the_file_name_never_from_the_model(house: House) -> None:
    reply = house.fixture("extract:01-pothos")
    house.overlay({"extract:01-pothos": {**reply, "source": "99-liar"}})
    materialise("notes", "facts")
    assert "01-pothos.md" in {gap.item for gap in house.warehouse.gaps()}
    house.overlay({"extract:01-pothos": reply})
    materialise("notes", "facts")
    assert {fact.source for fact in house.warehouse.facts()} == KNOWN


def test_p08_a_broken_fact_leaves_the_published_base_byte_for_byte(house: House) -> None:
    assert materialise().success
    before = house.settings.compiled_path.read_bytes()
    overlay = yaml.safe_load((ROOT / "data/demonstrations/broken-fact.yaml").read_text(encoding="utf-8"))
    house.overlay(overlay)
    outcome = materialise()
    assert not outcome.success
    assert ("facts", "fact count 4 != 5") in outcome.items("fact_count_matches")
    assert "knowledge_base" not in outcome.materialised
    assert house.settings.compiled_path.read_bytes() == before
    assert "fact count 4 != 5" in house.settings.gaps_path.read_text(encoding="utf-8")


def test_p08_x_md_beside_x_txt_is_a_duplicate_source_never_merged(house: House) -> None:
    house.note("x.md", "Calathea is non-toxic.")
    house.note("x.txt", "Calathea is non-toxic to pets.")
    house.overlay({"extract:x": house.fixture("extract:04-calathea")})
    outcome = materialise()
    assert ("x", "duplicate source: x") in outcome.items("sources_are_unique")
    assert not house.warehouse.knowledge().facts
    assert [fact.path for fact in house.warehouse.facts() if fact.source == "x"] == ["x.md", "x.txt"]


def test_p09_the_sample_question_is_answered_by_the_calathea_alone(house: House) -> None:
    assert materialise().success
    answer = next(answer for answer in house.warehouse.answers() if answer.id == FIRST)
    assert answer.question == "Which plant is safe for pets and tolerates low light?"
    assert answer.citations == ("04-calathea",)
    text = (house.data / "notes" / "04-calathea.md").read_text(encoding="utf-8")
    assert [text[quote.start : quote.end] for quote in answer.quotes] == [quote.text for quote in answer.quotes]
    facts = {fact.source: fact.fields for fact in house.warehouse.knowledge().facts}
    both = [name for name, fields in facts.items() if fields["pet_safe"] and "low" in fields["light"]]
    assert both == ["04-calathea"]


@pytest.mark.parametrize("citations", [None, [], "04-calathea", {"04-calathea": 1}, 0, ""])
def test_p10_citations_absent_empty_or_no_list_are_missing(citations: object) -> None:
    assert verify_citations(citations, KNOWN) == ["citations missing or empty"]


def test_p10_membership_is_exact_and_the_original_string_is_kept() -> None:
    cited = ["n3", "[n1]", "N1", " n1 ", "n01", "ｎ１", "【1】", "n1,n2", "n1#c2", "A title", None, "²", 3]
    shown = [*cited[:10], "null", "²", "3"]
    assert verify_citations(cited, {"n1", "n2"}) == [f"hallucinated citation: {original}" for original in shown]
    assert verify_citations(["n1", "n2"], {"n1", "n2"}) == []


def test_p10_a_known_source_that_was_not_shown_fails_too() -> None:
    assert verify_citations(["n1"], {"n1", "n2"}, shown={"n2"}) == ["citation not shown to the model: n1"]


def test_p11_the_three_demonstrations() -> None:
    assert verify_citations(["04-calathea"], KNOWN) == []
    assert verify_citations(["99-ghost-orchid"], KNOWN) == ["hallucinated citation: 99-ghost-orchid"]
    assert verify_citations([], KNOWN) == ["citations missing or empty"]


@pytest.mark.parametrize(
    ("demonstration", "message"),
    [("ghost", "hallucinated citation: 99-ghost-orchid"), ("no-citations", "citations missing or empty")],
)
def test_p11_a_refused_answer_is_withheld_and_the_others_are_published(
    demonstration: str, message: str, house: House
) -> None:
    house.overlay(yaml.safe_load((ROOT / f"data/demonstrations/{demonstration}.yaml").read_text(encoding="utf-8")))
    outcome = materialise()
    assert outcome.success, "a non-blocking gate does not stop the run"
    assert [answer.id for answer in house.warehouse.answers()] == ["longest-between-waterings", "frost"]
    assert message in house.settings.gaps_path.read_text(encoding="utf-8")


def test_p12_state_is_external_and_says_which_output_came_from_which_input(house: House) -> None:
    materialise()
    assert {path.name for path in house.state.iterdir()} >= {"log.jsonl", "compiled.json", "gap.md"}
    fact = house.warehouse.knowledge().facts[0]
    line = next(line for line in log(house) if line["event"] == "extract" and line["source"] == fact.source)
    assert line["note"] == fact.note_sha256
    assert line["reply_sha256"] == fact.provenance.reply_sha256
    assert line["prompt_sha256"] == fact.provenance.prompt_sha256
    with duckdb.connect(str(house.settings.warehouse_path), read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM knowledge_facts").fetchone() == (5,)


def test_p04_with_mock_the_same_inputs_give_the_same_bytes(house: House) -> None:
    materialise()
    first = [path.read_bytes() for path in (house.settings.compiled_path, house.settings.gaps_path)]
    house.settings.warehouse_path.unlink()
    house.settings.compiled_path.unlink()
    materialise()
    assert [path.read_bytes() for path in (house.settings.compiled_path, house.settings.gaps_path)] == first


def test_an_unanswerable_question_is_published_as_such_and_carries_no_answer(house: House) -> None:
    materialise()
    frost = next(answer for answer in house.warehouse.answers() if answer.id == "frost")
    assert (frost.status, frost.answer, frost.citations) == ("unanswerable", "", ())
    house.overlay({"query:frost": {"status": "unanswerable", "answer": "All of them", "citations": [], "quotes": []}})
    outcome = materialise("draft_answers", "answers")
    assert ("frost", "unanswerable, yet with an answer") in outcome.items("citations_are_present")
    assert "frost" not in {answer.id for answer in house.warehouse.answers()}


def test_an_empty_file_is_listed_and_not_expected(house: House) -> None:
    house.note("06-empty.md", "---\ntitle: Later\n---\n\n")
    outcome = materialise()
    assert outcome.success
    assert [note.source for note in house.warehouse.notes() if note.status == "empty"] == ["06-empty"]
    assert len(house.warehouse.knowledge().facts) == 5


def test_an_excluded_file_is_no_document(house: House) -> None:
    house.note("drafts/secret.md", b"\xff\xfe broken")
    (house.data / "sekisho.yaml").write_text("exclude: [drafts/]\n", encoding="utf-8")
    assert materialise().success
    assert len(house.warehouse.notes()) == 5


def test_the_reading_copy_is_shown_to_the_model_and_the_gates_look_at_the_original(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEKISHO_NORMALISE", "1")
    house.overlay({"ingest:04-calathea": {"text": "Calathea is safe. It is content with low to medium light."}})
    outcome = materialise()
    assert outcome.success, "the fixtures' evidence stands in the originals"
    notes = {note.source: note for note in house.warehouse.notes()}
    assert notes["04-calathea"].shown.startswith("Calathea is safe.")
    assert notes["01-pothos"].shown == notes["01-pothos"].text, "mock passes the original through"
    reply = house.fixture("extract:04-calathea")
    reply["evidence"]["pet_safe"] = "Calathea is safe"
    house.overlay({"extract:04-calathea": reply})
    assert "evidence_is_verbatim" in materialise("notes", "facts").failed_checks


def test_what_is_published_is_in_the_letters_of_its_source(house: House) -> None:
    """A harmless variant of the model's passes the gates; the reader sees what really stands there."""
    fact, answer = house.fixture("extract:04-calathea"), house.fixture(f"query:{FIRST}")
    fact["evidence"]["pet_safe"] = "Calathea  is non\u2010toxic to ｃats and dogs"
    answer["quotes"][0]["text"] = "Calathea is\u00a0non-toxic to cats and ｄogs"
    house.overlay({"extract:04-calathea": fact, f"query:{FIRST}": answer})
    assert materialise().success
    base = house.warehouse.knowledge()
    text = next(source.text for source in base.sources if source.source == "04-calathea")
    evidence = next(fact.evidence for fact in base.facts if fact.source == "04-calathea")
    assert all(quote in text for quote in evidence.values())
    for published in house.warehouse.answers():
        for quote in published.quotes:
            whole = next(source.text for source in base.sources if source.source == quote.source)
            assert whole[quote.start : quote.end] == quote.text


def test_b3_a_refused_run_leaves_what_is_published_to_be_searched(house: House) -> None:
    assert materialise().success
    old = house.data / "notes" / "04-calathea.md"
    old.write_text(old.read_text(encoding="utf-8").replace("cats", "tigers"), encoding="utf-8")
    house.note("06-fern.md", "Ferns say nothing that a fixture knows.")
    (house.data / "notes" / "01-pothos.md").unlink()
    assert not materialise().success
    base = house.warehouse.knowledge()
    settings = house.settings
    found = Searcher(
        documents_in(base), EmbeddingStore(settings.warehouse_path), encoder_of(settings), settings.index_path
    ).search("plants", k=50)
    assert {passage.source for passage in found} == KNOWN
    assert any("cats" in passage.text for passage in found if passage.source == "04-calathea")


def test_an_empty_data_folder_publishes_an_empty_base(house: House) -> None:
    import shutil

    shutil.rmtree(house.data)
    house.data.mkdir()
    assert materialise().success
    assert json.loads(house.settings.compiled_path.read_text(encoding="utf-8"))["facts"] == []
