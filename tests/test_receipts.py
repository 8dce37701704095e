"""Receipts: what is published can be derived again without a model, and whatever does not agree is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from dagster_project.cli.verify import verify
from sekisho.errors import InputError
from sekisho.receipts import Verified
from tests.conftest import House
from tests.graph import materialise
from tests.test_cli import sekisho

FIRST = "pet-safe-low-light"
LONGEST = "longest-between-waterings"
QUOTE = "Calathea is non-toxic to cats and dogs"


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published state, made by the first test that needs it; each gets a copy of its own."""
    return tmp_path_factory.mktemp("published") / "state"


@pytest.fixture
def published(house: House, state: Path) -> House:
    if not state.exists():
        assert materialise().success
        shutil.copytree(house.state, state)
    shutil.copytree(state, house.state, dirs_exist_ok=True)
    return house


def verified(house: House) -> dict[str, Verified]:
    generation = house.warehouse.published().base.generation
    return {f"{item.kind} {item.id}".replace(generation, "base"): item for item in verify().items}


def statuses(house: House) -> dict[str, str]:
    return {name: item.status for name, item in verified(house).items() if item.status != "holds"}


def rewrite(house: House, old: str, new: str) -> None:
    path = house.data / "notes" / "04-calathea.md"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def tamper(house: House, *statements: str) -> None:
    with duckdb.connect(str(house.settings.warehouse_path)) as connection:
        for statement in statements:
            connection.execute(statement)


def test_all_that_is_published_holds_and_ends_0(published: House) -> None:
    done = sekisho("verify", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["holds"]) == (0, True)
    assert [item["kind"] for item in told["items"]] == ["knowledge base", *["fact"] * 5, *["answer"] * 3]
    assert {item["status"] for item in told["items"]} == {"holds"}


def test_each_published_quote_and_evidence_has_its_verdict_and_place(published: House) -> None:
    base = published.warehouse.knowledge()
    texts = {source.source: source.text for source in base.sources}
    for fact in base.facts:
        assert fact.places.keys() == fact.evidence.keys()
        for name, place in fact.places.items():
            assert place.reason in ("exact", "typographic")
            assert texts[fact.source][place.start : place.end] == fact.evidence[name]
    assert {quote.reason for answer in published.warehouse.answers() for quote in answer.quotes} == {"exact"}
    compiled = json.loads(published.settings.compiled_path.read_text(encoding="utf-8"))
    for fact, row in zip(base.facts, compiled["facts"], strict=True):
        receipt = row["receipt"]
        assert receipt["note_sha256"] == fact.note_sha256
        assert receipt["reply_sha256"] == fact.provenance.reply_sha256
        assert receipt["evidence"] == {name: place.model_dump() for name, place in fact.places.items()}


def test_a_receipt_keeps_the_verdict_on_the_models_own_words(house: House) -> None:
    reply = house.fixture(f"query:{FIRST}")
    reply["quotes"][0]["text"] = "“Calathea is non‑toxic to cats and dogs.”"
    house.overlay({f"query:{FIRST}": reply})
    for _ in range(2):
        assert materialise().success
        answer = house.warehouse.answers()[0]
        assert (answer.quotes[0].text, answer.quotes[0].reason) == (QUOTE, "typographic")
        assert statuses(house) == {}


def test_an_answer_that_was_kept_has_a_receipt_that_holds(published: House) -> None:
    published.overlay({f"query:{FIRST}": {"status": "nonsense"}})
    materialise()
    assert published.warehouse.answers()[0].kept
    assert statuses(published) == {}


def test_in_a_changed_source_a_quote_still_stands_and_its_new_place_is_told(published: House) -> None:
    rewrite(published, "# Calathea\n", "# Calathea\n\nA new first paragraph.\n")
    found = verified(published)
    changed = {"fact 04-calathea", f"answer {FIRST}", "answer frost"}  # frost is unanswerable: it rests on all sources
    assert statuses(published) == dict.fromkeys(changed, "source changed")
    text = (published.data / "notes" / "04-calathea.md").read_text(encoding="utf-8")
    quotes = found[f"answer {FIRST}"].quotes
    assert quotes and all(quote.stands and text[quote.start : quote.end] == quote.text for quote in quotes)
    assert {quote.about for quote in found["fact 04-calathea"].quotes} >= {"name", "pet_safe", "light"}
    done = sekisho("verify")
    assert done.returncode == 1
    assert f"“{QUOTE}” still stands: 04-calathea" in done.stdout
    assert "holds: 6, source changed: 3" in done.stdout


def test_a_quote_that_the_new_text_turns_round_no_longer_stands(published: House) -> None:
    rewrite(published, QUOTE, f"It is not true that {QUOTE}")
    quotes = {quote.text: quote for quote in verified(published)[f"answer {FIRST}"].quotes}
    assert not quotes[QUOTE].stands
    assert quotes["It is content with low to medium light"].stands


def test_a_quote_that_moved_to_another_source_is_found_there(published: House) -> None:
    rewrite(published, QUOTE, "It is harmless")
    published.note("06-new.md", f"# New\n\n{QUOTE}.\n")
    quote = next(one for one in verified(published)[f"answer {FIRST}"].quotes if one.text == QUOTE)
    assert (quote.stands, quote.reason, quote.found_in) == (False, "misattributed", "06-new")
    assert quote.end - quote.start == len(QUOTE)


def test_a_source_that_is_gone_is_told_with_all_that_rests_on_it(published: House) -> None:
    (published.data / "notes" / "04-calathea.md").unlink()
    gone = {"fact 04-calathea", f"answer {FIRST}", "answer frost"}
    assert statuses(published) == dict.fromkeys(gone, "source gone")
    assert sekisho("verify").returncode == 1


def test_a_source_that_cannot_be_read_any_more_is_gone(published: House) -> None:
    published.note("04-calathea.md", b"\xff\xfe\x00")
    assert statuses(published)["fact 04-calathea"] == "source gone"


def test_a_renamed_suffix_is_the_same_source(published: House) -> None:
    notes = published.data / "notes"
    (notes / "04-calathea.md").rename(notes / "04-calathea.txt")
    assert statuses(published) == {}


def test_a_refusal_to_answer_rests_on_every_source(house: House) -> None:
    house.overlay({f"query:{FIRST}": {"status": "unanswerable", "answer": None, "citations": [], "quotes": []}})
    assert materialise().success
    (house.data / "notes" / "01-pothos.md").write_text("# Pothos\n\nOther.\n", encoding="utf-8")
    found = verified(house)[f"answer {FIRST}"]
    assert (found.status, found.reasons) == ("source changed", ("changed: 01-pothos",))


TAMPERED: dict[str, tuple[str, str, str]] = {
    "a field": (
        "UPDATE knowledge_facts SET fields = replace(fields, 'false', 'true') WHERE source = '01-pothos'",
        "fact 01-pothos",
        "its fields are not those of the reply",
    ),
    "the evidence": (
        "UPDATE knowledge_facts SET evidence = replace(evidence, 'toxic', 'sweet') WHERE source = '01-pothos'",
        "fact 01-pothos",
        "the evidence does not stand as recorded: pet_safe",
    ),
    "a place": (
        "UPDATE knowledge_facts SET places = replace(places, '\"start\": 10', '\"start\": 9')",
        "fact 01-pothos",
        "the evidence does not stand as recorded: name",
    ),
    "a verdict": (
        f"UPDATE answers SET quotes = replace(quotes, '\"exact\"', '\"typographic\"') WHERE id = '{LONGEST}'",
        f"answer {LONGEST}",
        "the verdict on a quote is not the one recorded",
    ),
    "an offset": (
        f"UPDATE answers SET quotes = replace(quotes, '\"start\": ', '\"start\": 1') WHERE id = '{FIRST}'",
        f"answer {FIRST}",
        "the quote stands elsewhere than recorded",
    ),
    "the text of a quote": (
        f"UPDATE answers SET quotes = replace(quotes, 'non-toxic', 'toxic') WHERE id = '{FIRST}'",
        f"answer {FIRST}",
        "the quote stands elsewhere than recorded",
    ),
    "the answer": (
        f"UPDATE answers SET answer = 'Pothos.' WHERE id = '{FIRST}'",
        f"answer {FIRST}",
        "it does not say what the reply says",
    ),
    "a citation": (
        f"UPDATE answers SET citations = '[\"01-pothos\"]' WHERE id = '{FIRST}'",
        f"answer {FIRST}",
        "its citations are not those of the reply",
    ),
    "the reply": (
        f"UPDATE answers SET reply = replace(reply, 'Calathea', 'Pothos') WHERE id = '{FIRST}'",
        f"answer {FIRST}",
        "the reply on record is not the one that was received",
    ),
    "the question": (
        f"UPDATE answers SET question = 'Why?' WHERE id = '{FIRST}'",
        f"answer {FIRST}",
        "the row was changed after it was published",
    ),
    "a source's text": (
        "UPDATE knowledge_sources SET text = text || ' ' WHERE source = '01-pothos'",
        "fact 01-pothos",
        "the text on record is not the one it was read from",
    ),
    "a fact that is taken out": (
        "DELETE FROM knowledge_facts WHERE source = '01-pothos'",
        "knowledge base base",
        "its generation is not the digest of its facts",
    ),
    "a receipt that is missing": (
        "UPDATE answers SET receipt = '' WHERE id = 'frost'",
        "answer frost",
        "published before receipts were kept: run again",
    ),
}


@pytest.mark.parametrize("what", list(TAMPERED))
def test_a_row_that_was_tampered_with_is_a_broken_receipt(what: str, published: House) -> None:
    statement, item, reason = TAMPERED[what]
    tamper(published, statement)
    found = verified(published)[item]
    assert found.status == "receipt broken"
    assert any(told.startswith(reason) for told in found.reasons), found.reasons
    assert sekisho("verify", "--json").returncode == 1


def test_a_note_that_nothing_rests_on_yet_is_named_beside_what_holds(published: House) -> None:
    notes = published.data / "notes"
    (notes / "06-fern.md").write_text("# Fern\n\nIt likes shade.\n", encoding="utf-8")
    (notes / "05-zz-plant.md.md").write_text("New text\n", encoding="utf-8")
    (notes / "07-blank.md").write_text("\n", encoding="utf-8")
    (notes / "08-raw.md").write_bytes(b"\xff\xfe\x00")
    found = verify()
    assert found.holds and [path.partition(" ")[0] for path in found.beside] == [
        "05-zz-plant.md.md",
        "06-fern.md",
        "08-raw.md",
    ]
    assert found.beside[-1].startswith("08-raw.md (not utf-8")
    done = sekisho("verify")
    assert done.returncode == 0 and "not in what is published: 05-zz-plant.md.md, 06-fern.md, 08-raw" in done.stdout


def test_a_source_that_moved_or_cannot_be_read_is_told_so(published: House) -> None:
    notes = published.data / "notes"
    (notes / "04-calathea.md").rename(notes / "calathea.md")
    (notes / "01-pothos.md").write_bytes(b"\xff\xfe\x00")
    found = verified(published)
    assert found["fact 04-calathea"].reasons == ("gone: 04-calathea, the same text is at calathea.md",)
    assert found["fact 01-pothos"].reasons[0].startswith("cannot be read: 01-pothos: not utf-8")
    assert verify().beside == ["calathea.md"]


def test_compiled_json_that_was_written_to_is_a_broken_receipt(published: House) -> None:
    path = published.settings.compiled_path
    path.write_text(path.read_text(encoding="utf-8").replace("28", "82"), encoding="utf-8")
    assert statuses(published) == {"knowledge base base": "receipt broken"}


def test_compiled_json_that_is_not_there_is_told_as_missing(published: House) -> None:
    published.settings.compiled_path.unlink()
    assert verified(published)["knowledge base base"].reasons == ("compiled.json is missing, or is no text",)


def test_a_warehouse_that_cannot_be_read_ends_2(published: House) -> None:
    tamper(published, "DROP TABLE answers")
    with pytest.raises(InputError, match="nothing of it can be verified"):
        verify()


@pytest.mark.parametrize("change", ["receipt = NULL", "quotes = '{}'", "quotes = '[1]'", "status = 'x'"])
def test_a_row_that_is_no_record_is_that_items_broken_receipt_and_hides_no_other(change: str, published: House) -> None:
    tamper(published, f"UPDATE answers SET {change} WHERE id = 'frost'")
    assert statuses(published) == {"answer frost": "receipt broken"}
    assert verified(published)["answer frost"].reasons[0].startswith("it cannot be read: ")
    done = sekisho("verify", "--json")
    assert done.returncode == 1 and len(json.loads(done.stdout)["items"]) == 9


def test_a_fact_that_is_no_record_hides_no_other(published: House) -> None:
    tamper(published, "UPDATE knowledge_facts SET receipt = NULL WHERE source = '01-pothos'")
    found = {item.id: item.status for item in verify().items}
    assert found["01-pothos"] == "receipt broken" and found["04-calathea"] == "holds"
    assert len(found) == 9


MISSING = "it was published and is no longer on record"
UNLISTED: dict[str, tuple[str, str, str]] = {
    "an answer that is taken out": ("DELETE FROM answers WHERE id = 'frost'", "answer frost", MISSING),
    "a fact that is taken out": ("DELETE FROM knowledge_facts WHERE source = '01-pothos'", "fact 01-pothos", MISSING),
    "a source that is taken out": (
        "DELETE FROM knowledge_sources WHERE source = '01-pothos'",
        "knowledge base base",
        "the source 01-pothos was published and is no longer on record",
    ),
    "a source that is added": (
        "INSERT INTO knowledge_sources SELECT 99, 'new', path, text, sha256, reader FROM knowledge_sources LIMIT 1",
        "knowledge base base",
        "the source new was not published",
    ),
    "an answer that is added": (
        "INSERT INTO answers SELECT * REPLACE ('new' AS id) FROM answers WHERE id = 'frost'",
        "answer new",
        "it was not published",
    ),
    "a source's path": (
        "UPDATE knowledge_sources SET path = 'nope.md' WHERE source = '01-pothos'",
        "fact 01-pothos",
        "its source is not what was published",
    ),
    "the list": (
        "UPDATE manifests SET items = '{}' WHERE part = 'answers'",
        "knowledge base base",
        "the list of the published answers was changed",
    ),
    "the list that is taken out": (
        "DELETE FROM manifests WHERE part = 'answers'",
        "knowledge base base",
        "no list of the published answers is on record",
    ),
}


@pytest.mark.parametrize("what", list(UNLISTED))
def test_rows_that_are_missing_or_added_are_broken_receipts(what: str, published: House) -> None:
    statement, item, reason = UNLISTED[what]
    tamper(published, statement)
    found = verified(published)[item]
    assert found.status == "receipt broken"
    assert any(told.startswith(reason) for told in found.reasons), found.reasons


def test_a_second_file_of_the_same_id_is_a_changed_source(published: House) -> None:
    published.note("01-pothos.txt", "# Pothos\n\nOther.\n")
    found = verified(published)["fact 01-pothos"]
    assert found.status == "source changed"
    assert found.reasons == ("changed: 01-pothos (now 2 files: 01-pothos.md, 01-pothos.txt)",)


def test_nothing_published_and_no_data_folder_end_2(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    done = sekisho("verify")
    assert done.returncode == 2 and "nothing is published" in done.stderr
    assert not house.settings.warehouse_path.exists()
    monkeypatch.setenv("SEKISHO_DATA", "/nowhere")
    with pytest.raises(InputError, match="no such folder"):
        verify()


def test_hostile_words_of_a_source_do_not_reach_the_terminal(house: House) -> None:
    note = (house.data / "notes" / "04-calathea.md").read_text(encoding="utf-8")
    house.note("04-calathea.md", note.replace("# Calathea\n", "# Calathea\n\n\x1b[2J\n"))
    assert materialise().success
    house.note("04-calathea.md", note)
    assert "\x1b[2J" not in sekisho("verify").stdout


def test_a_second_run_over_the_same_input_gives_the_same_receipts(published: House) -> None:
    def stored() -> Any:
        base = published.warehouse.knowledge()
        return published.settings.compiled_path.read_bytes(), base, published.warehouse.answers()

    before = stored()
    assert materialise().success
    assert stored() == before
