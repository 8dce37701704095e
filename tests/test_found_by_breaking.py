"""Cases that someone found by trying to break it; each stands for its kind."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from sekisho.errors import InputError, WarehouseBusy
from sekisho.gates import Sources
from sekisho.text import fold, printable
from sekisho.warehouse import run_lock
from sekisho.yamlio import parse_yaml
from tests.conftest import ROOT, House
from tests.graph import evaluate, materialise
from tests.test_cli import report, sekisho

FIRST = "pet-safe-low-light"


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("Calathea is fine.", "."),
        ("Calathea is fine.", "e"),
        ("Calathea is fine.", "fin"),
        ("the cat", "the"),
        ("This is unsafe for pets", "safe for pets"),
        ("every 128 days", "28 days"),
        ("every 12 days", "every 1"),
    ],
)
def test_a_quote_of_next_to_nothing_or_of_half_a_word_stands_nowhere(source: str, quote: str) -> None:
    assert not Sources({"note": source}).check("note", quote).accepted


@pytest.mark.parametrize("quote", ["非常口は左", "13 °C", "5 m", "small pets"])
def test_a_short_quote_that_says_something_stands(quote: str) -> None:
    assert Sources({"note": "非常口は左。13 °C, 5 m, small pets"}).check("note", quote).accepted


@pytest.mark.parametrize(
    ("source", "quote", "stands"),
    [
        ("It is non-\ntoxic to cats", "It is non-toxic to cats", True),
        ("a hyper-\n  plasia", "a hyperplasia seen", False),
        ("marked hyper-\n  plasia", "marked hyperplasia", True),
        ("Long-\nand short-term", "Long- and short-term", True),
        ("it is un-\n\nsafe here", "unsafe here", False),
        ("絹ごし豆腐を\n使う", "絹ごし豆腐を使う", True),
    ],
)
def test_a_broken_line_does_not_break_a_quote(source: str, quote: str, stands: bool) -> None:
    assert Sources({"note": source}).check("note", quote).accepted == stands


def test_many_combining_marks_take_linear_time() -> None:
    def seconds(marks: int) -> float:
        began = time.perf_counter()
        fold("e" + "\u0301\u0316" * marks)
        return time.perf_counter() - began

    seconds(1000)
    assert seconds(80_000) < 40 * max(seconds(8_000), 0.01), "quadratic would be a hundred times"


def test_an_alias_bomb_and_half_a_surrogate_are_refused() -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10))
    with pytest.raises(InputError, match="aliases"):
        parse_yaml(bomb, file="f")
    with pytest.raises(InputError, match="surrogate"):
        parse_yaml('title: "x\\uD800"', file="f")
    with pytest.raises(InputError, match="holds itself"):
        parse_yaml("a: &a [*a]", file="f")


def test_half_a_surrogate_in_front_matter_is_that_files_error(house: House) -> None:
    house.note("06-odd.md", '---\ntitle: "x\\uD800"\n---\nbody\n')
    outcome = materialise("notes")
    assert [item for item, _ in outcome.items("every_file_was_read")] == ["06-odd.md"]


@pytest.mark.parametrize("odd", ["folder", "unwritable"])
def test_a_run_that_cannot_begin_has_not_passed(odd: str, house: House) -> None:
    house.settings.log_path.parent.mkdir(parents=True)
    if odd == "folder":
        house.settings.log_path.mkdir()
    else:
        house.settings.log_path.symlink_to("/proc/version")
    done = sekisho("run")
    assert done.returncode == 2
    assert str(house.settings.log_path) in done.stderr and "Traceback" not in done.stderr


def test_a_step_that_fails_is_told_whatever_its_message_says(house: House) -> None:
    assert report()[0] == 0
    house.settings.gaps_path.unlink()
    (house.settings.gaps_path / "DagsterAssetCheckFailedError").mkdir(parents=True)
    code, told = report()
    assert code == 1 and not told["passed"]
    assert any("gap.md: cannot be written" in line for line in told["failures"])


def test_two_runs_at_once_one_works_and_one_is_told(house: House) -> None:
    with run_lock(house.state, wait=0):
        done = sekisho("run", SEKISHO_LOCK_WAIT="0.2")
    assert done.returncode == 1
    assert "another run (process" in done.stderr
    assert not house.settings.warehouse_path.exists()
    code = f"import pathlib, sekisho.warehouse as w\nwith w.run_lock(pathlib.Path({str(house.state)!r}), wait=0): pass"
    with run_lock(house.state, wait=0):
        other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert WarehouseBusy.__name__ in other.stderr


def test_notes_that_went_missing_do_not_empty_the_published_base(house: House) -> None:
    assert materialise().success
    before = house.settings.compiled_path.read_bytes()
    shutil.rmtree(house.data / "notes")
    outcome = materialise()
    assert not outcome.success
    assert "no documents, where 5 are published" in outcome.failures
    assert house.settings.compiled_path.read_bytes() == before
    assert len(house.warehouse.answers()) == 3


def test_questions_that_went_missing_do_not_withdraw_the_answers(house: House) -> None:
    assert materialise().success
    (house.data / "questions.yaml").rename(house.data / "question.yaml")
    outcome = materialise()
    assert not outcome.success and "questions.yaml is missing" in outcome.failures
    assert len(house.warehouse.answers()) == 3
    (house.data / "questions.yaml").write_text("[]\n", encoding="utf-8")
    assert materialise().success
    assert house.warehouse.answers() == []


def test_a_draft_of_an_older_base_is_not_published(house: House) -> None:
    assert materialise().success
    frost, water = "Yucca survives frost outdoors, down to -5 °C", "Water it every 20 days"
    house.note("06-yucca.md", f"# Yucca\n\n{frost}. It is toxic to pets. {water}. It likes bright light.\n")
    fields = {"name": "Yucca", "pet_safe": False, "light": ["bright"], "watering_interval": 20, "min_temperature": -5}
    evidence = dict.fromkeys(fields, frost) | {"watering_interval": water}
    reply = {"fields": fields, "evidence": evidence}
    house.overlay({"extract:06-yucca": reply})
    assert materialise("notes", "facts", "knowledge_base").success
    materialise("answers")
    assert [answer.id for answer in house.warehouse.answers()] == [FIRST, "longest-between-waterings"]
    assert all(answer.kept for answer in house.warehouse.answers())
    assert "drafted from generation" in house.settings.gaps_path.read_text(encoding="utf-8")


def test_drafts_without_a_base_and_of_other_questions_are_not_published(house: House) -> None:
    materialise("draft_answers", "answers")
    assert house.warehouse.answers() == []
    assert materialise().success
    (house.data / "questions.yaml").write_text("- id: frost\n  question: Which plant bites?\n", encoding="utf-8")
    materialise("answers")
    assert house.warehouse.answers() == []


def test_a_kept_answer_has_its_quotes_places_in_the_new_text(house: House) -> None:
    assert materialise().success
    path = house.data / "notes" / "04-calathea.md"
    path.write_text("An added line.\n\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    fixtures = yaml.safe_load((house.data / "fixtures" / "plants.yaml").read_text(encoding="utf-8"))
    del fixtures[f"query:{FIRST}"]
    (house.data / "fixtures" / "plants.yaml").write_text(yaml.safe_dump(fixtures), encoding="utf-8")
    outcome = materialise()
    assert outcome.success and "answers_are_verified" not in outcome.failed_checks
    kept = next(answer for answer in house.warehouse.answers() if answer.id == FIRST)
    text = path.read_text(encoding="utf-8")
    assert kept.kept and [text[q.start : q.end] for q in kept.quotes] == [q.text for q in kept.quotes]


def test_a_fact_under_another_source_than_its_notes_is_refused(house: House) -> None:
    assert materialise().success
    facts = house.warehouse.facts()
    forged = [facts[0].model_copy(update={"source": "99-ghost-orchid"}), *facts[1:]]
    house.warehouse.replace_facts(forged, [], [])
    outcome = materialise("knowledge_base", checks=False)
    assert not outcome.success and "its source is 01-pothos, not 99-ghost-orchid" in outcome.failures


def test_a_tampered_rendering_is_seen_and_rendered_again(house: House) -> None:
    assert materialise().success
    path = house.settings.compiled_path
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace('"pet_safe": false', '"pet_safe": true'), encoding="utf-8")
    assert "knowledge_base_is_complete" in evaluate("knowledge_base").failed_checks
    assert materialise("knowledge_base").success
    assert path.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"status": "answered", "answer": "\u200b\u2060"}, "answered, yet without an answer"),
        ({"status": "unanswerable", "answer": None}, "unanswerable, yet with citations or quotes"),
    ],
)
def test_an_answer_that_cannot_be_seen_or_that_denies_itself_is_withheld(
    change: dict[str, object], message: str, house: House
) -> None:
    house.overlay({f"query:{FIRST}": {**house.fixture(f"query:{FIRST}"), **change}})
    assert (FIRST, message) in materialise().items("citations_are_present")


def test_ask_takes_no_other_question_for_the_asked_one(house: House) -> None:
    (house.data / "questions.yaml").write_text("- id: frost\n  question: Who lives 102 days?\n", encoding="utf-8")
    assert report()[0] in (0, 1)
    done = sekisho("ask", "--json", "Who lives 10² days?")
    assert done.returncode == 1 and '"id": "ask-' in done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_that_cannot_show_everything_gets_escapes(encoding: str, house: House) -> None:
    done = sekisho("run", "--fixtures", str(ROOT / "data/demonstrations/ghost.yaml"), PYTHONIOENCODING=encoding)
    assert done.returncode == 1, done.stderr
    assert "hallucinated citation: 99-ghost-orchid" in done.stdout


def test_odd_arguments_and_places_end_with_a_message(house: House, tmp_path: Path) -> None:
    assert report()[0] == 0
    assert sekisho("ask", b"\xff".decode("utf-8", "surrogateescape")).returncode == 1
    (tmp_path / "a file").touch()
    for variables in ({"SEKISHO_STATE": str(tmp_path / "a file")}, {"SEKISHO_DATA": "/" + "x" * 300}):
        done = sekisho("run", **variables)
        assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    missing = sekisho("run", "--json", IECQ_AGENT="claude", PATH="/nowhere")
    assert missing.returncode == 2 and "claude is not on the PATH" in missing.stdout


def test_a_stopped_run_does_not_tell_older_gaps_as_its_own(house: House) -> None:
    demonstrations = ROOT / "data/demonstrations"
    assert report("--fixtures", str(demonstrations / "no-citations.yaml"))[0] == 1
    code, told = report("--fixtures", str(demonstrations / "broken-fact.yaml"))
    assert code == 1 and {gap["stage"] for gap in told["gaps"]} == {"facts", "knowledge_base"}


def test_wide_spaces_are_shown_as_they_are() -> None:
    assert printable("水\u3000木\u00a0x") == "水\u3000木\u00a0x"
