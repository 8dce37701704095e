"""The loop: what one round turned back is asked again in the next, and nothing else is."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
import yaml

from dagster_project.cli.loop import LoopReport, run_until_done
from dagster_project.rounds import LIMIT, ROUND, round_of, tags_of
from sekisho.errors import InputError
from sekisho.rounds import Round
from tests.conftest import ROOT, House
from tests.graph import materialise
from tests.test_cli import sekisho

FIRST = "pet-safe-low-light"
SOURCES = ["01-pothos", "02-spider-plant", "03-snake-plant", "04-calathea", "05-zz-plant"]
QUESTIONS = [FIRST, "longest-between-waterings", "frost"]
EVERYTHING = Counter([*(f"extract:{source}" for source in SOURCES), *(f"query:{name}" for name in QUESTIONS)])


def demonstration(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / f"data/demonstrations/{name}.yaml").read_text(encoding="utf-8"))
    return loaded


def wrong_once(house: House, *names: str) -> list[str]:
    """Let replies be those of a demonstration in the first round and right from the second on; the keys."""
    wrong = {key: reply for name in names for key, reply in demonstration(name).items()}
    house.overlay({key: [reply, house.fixture(key)] for key, reply in wrong.items()})
    return list(wrong)


def asked(house: House, run: str | None = None) -> Counter[str]:
    """The calls that were made, by key, from the event log."""
    lines = [json.loads(line) for line in house.settings.log_path.read_text(encoding="utf-8").splitlines()]
    names = {"extract": "source", "query": "id"}
    return Counter(
        f"{line['event']}:{line[names[line['event']]]}"
        for line in lines
        if line["event"] in names and run in (None, line["run"])
    )


def loop(limit: int | None = None) -> LoopReport:
    return run_until_done(limit, progress=False)


def repair(number: int, limit: int | None = 3) -> dict[str, str]:
    return tags_of(Round(number, limit))


def test_p13_an_answer_wrong_in_round_1_and_right_in_round_2_ends_done_with_one_extra_call(house: House) -> None:
    (key,) = wrong_once(house, "ghost")
    report = loop()
    assert report.done and [(line.round, line.asked, line.turned_back) for line in report.rounds] == [
        (1, 8, 1),
        (2, 1, 0),
    ]
    assert asked(house) == EVERYTHING + Counter([key])
    assert asked(house, report.rounds[1].run) == Counter([key])
    published = {answer.id: answer for answer in house.warehouse.answers()}
    assert list(published) == QUESTIONS and published[FIRST].citations == ("04-calathea",)
    assert [answer.provenance.round for answer in published.values()] == [2, 1, 1]
    assert not any(answer.kept for answer in published.values())
    assert house.settings.gaps_path.read_text(encoding="utf-8") == "# Gaps\n\nNothing was turned back.\n"


@pytest.mark.parametrize("fault", ["no such words", "wrong type"])
def test_p13_a_fact_wrong_in_round_1_and_right_in_round_2_ends_done_with_one_extra_call(
    fault: str, house: House
) -> None:
    key = "extract:03-snake-plant"
    if fault == "wrong type":
        wrong_once(house, "broken-fact")
    else:
        right = house.fixture(key)
        house.overlay({key: [{**right, "evidence": {**right["evidence"], "pet_safe": "Cats love it"}}, right]})
    report = loop()
    assert report.done and [(line.asked, line.turned_back) for line in report.rounds] == [(5, 1), (4, 0)]
    assert asked(house) == EVERYTHING + Counter([key])
    rounds = {fact.source: fact.provenance.round for fact in house.warehouse.knowledge().facts}
    assert rounds == {source: 2 if key.endswith(source) else 1 for source in SOURCES}


def test_p13_a_fact_and_then_an_answer_take_three_rounds_and_two_extra_calls(house: House) -> None:
    (fact,) = wrong_once(house, "broken-fact")
    ghost = demonstration("ghost")[f"query:{FIRST}"]
    house.overlay({f"query:{FIRST}": [ghost, ghost, house.fixture(f"query:{FIRST}")]})
    report = loop()
    assert report.done and [line.asked for line in report.rounds] == [5, 4, 1]
    assert asked(house) == EVERYTHING + Counter([fact, f"query:{FIRST}"])


def test_what_passed_is_published_in_round_1_and_stays_byte_for_byte(house: House) -> None:
    wrong_once(house, "ghost")
    materialise()
    before = house.warehouse.answers(), house.settings.compiled_path.read_bytes()
    assert [answer.id for answer in before[0]] == QUESTIONS[1:]
    materialise(tags=repair(2))
    assert (house.warehouse.answers()[1:], house.settings.compiled_path.read_bytes()) == before


def test_p13_a_hopeless_answer_ends_after_n_rounds_with_1_and_a_gap_that_says_so(house: House) -> None:
    house.overlay(demonstration("ghost"))
    done = sekisho("run", "--until-done", "--max-rounds", "2", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["done"], told["passed"]) == (1, False, False)
    assert [(line["round"], line["asked"], line["turned_back"]) for line in told["rounds"]] == [(1, 8, 1), (2, 1, 1)]
    assert [answer["id"] for answer in told["answers"]] == QUESTIONS[1:]
    text = house.settings.gaps_path.read_text(encoding="utf-8")
    assert f"- **{FIRST}**: turned back in round 2 of 2; the limit was reached, so it is not asked again" in text
    assert "hallucinated citation: 99-ghost-orchid" in text


def test_a_hopeless_fact_is_asked_n_times_and_its_neighbours_once(house: House) -> None:
    (key,) = demonstration("broken-fact")
    house.overlay(demonstration("broken-fact"))
    report = loop()
    assert not report.done and [line.asked for line in report.rounds] == [5, 1, 1]
    assert asked(house)[key] == 3 and sum(asked(house).values()) == 7
    text = house.settings.gaps_path.read_text(encoding="utf-8")
    assert "- **03-snake-plant.md**: turned back in round 3 of 3; the limit was reached" in text
    assert "fields.pet_safe" in text and "fact count 4 != 5" in text


def test_the_text_shows_each_round_and_how_it_ended(house: House) -> None:
    done = sekisho("run", "--until-done", "--fixtures", str(ROOT / "data/demonstrations/second-try.yaml"))
    assert done.returncode == 0, done.stderr
    assert "round 1 of 3\n" in done.stderr and f"round 2 of 3: asking again about {FIRST}\n" in done.stderr
    shown = done.stdout.splitlines()
    assert shown[-3:] == [
        "round 1: 8 asked, 1 turned back",
        "round 2: 1 asked, 0 turned back",
        "DONE after 2 of 3 rounds",
    ]


def test_a_run_in_which_all_passes_is_one_round(house: House) -> None:
    report = loop()
    assert report.done and [line.asked for line in report.rounds] == [8]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--max-rounds", "2"], "--max-rounds: it counts the rounds of --until-done (add --until-done)"),
        (["--until-done", "--max-rounds", "0"], "--max-rounds"),
        (["--until-done", "--max-rounds", "some"], "--max-rounds"),
    ],
)
def test_a_limit_that_makes_no_sense_ends_2_before_anything_runs(arguments: list[str], told: str, house: House) -> None:
    done = sekisho("run", *arguments)
    assert done.returncode == 2 and told in done.stderr
    assert not house.settings.warehouse_path.exists()


def test_without_a_limit_that_of_the_settings_holds(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEKISHO_MAX_ROUNDS", "2")
    house.overlay(demonstration("ghost"))
    assert len(loop().rounds) == 2
    monkeypatch.setenv("SEKISHO_MAX_ROUNDS", "0")
    with pytest.raises(InputError, match="SEKISHO_MAX_ROUNDS"):
        loop()


def test_a_file_that_cannot_be_read_is_not_asked_about_again(house: House) -> None:
    house.overlay(demonstration("ghost"))
    house.note("06-fern.md", b"Ferns like \x8a\x43\x94\x6e.")
    report = loop()
    assert not report.done and len(report.rounds) == 1 and not report.left


def test_two_files_of_one_source_are_not_asked_about_again(house: House) -> None:
    house.note("04-calathea.txt", (house.data / "notes" / "04-calathea.md").read_bytes())
    report = loop()
    assert not report.done and [line.asked for line in report.rounds] == [6]


def test_a_run_that_breaks_is_not_repeated(house: House) -> None:
    house.overlay(demonstration("ghost"))
    house.settings.gaps_path.mkdir(parents=True)
    report = loop()
    assert not report.done and len(report.rounds) == 1
    assert any("gap.md: cannot be written" in line for line in report.last.failures)


def test_a_missing_fixture_is_asked_for_again_without_a_reason(house: House) -> None:
    path = house.data / "fixtures" / "plants.yaml"
    fixtures = yaml.safe_load(path.read_text(encoding="utf-8"))
    right = fixtures.pop(f"query:{FIRST}")
    path.write_text(yaml.safe_dump(fixtures, allow_unicode=True), encoding="utf-8")
    materialise()
    (gap,) = house.warehouse.gaps()
    assert (gap.item, gap.again, gap.feedback) == (FIRST, True, ())
    house.overlay({f"query:{FIRST}": right})
    assert materialise(tags=repair(2)).success
    assert asked(house)[f"query:{FIRST}"] == 2 and sum(asked(house).values()) == 9
    assert [answer.id for answer in house.warehouse.answers()] == QUESTIONS


def test_a_note_that_changed_and_a_new_one_are_asked_about_in_a_later_round(house: House) -> None:
    wrong_once(house, "ghost")
    materialise()
    path = house.data / "notes" / "01-pothos.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nIt also grows in an office.\n", encoding="utf-8")
    house.note("06-fern.md", (house.data / "notes" / "04-calathea.md").read_bytes())
    house.overlay({"extract:06-fern": house.fixture("extract:04-calathea")})
    before = asked(house)
    assert materialise(tags=repair(2)).success
    facts = {key: count for key, count in (asked(house) - before).items() if key.startswith("extract")}
    assert facts == {"extract:01-pothos": 1, "extract:06-fern": 1}
    assert {f"query:{name}" for name in QUESTIONS} <= (asked(house) - before).keys(), "the base is another generation"


def test_a_reading_copy_is_not_made_again_in_a_later_round(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEKISHO_NORMALISE", "1")
    house.overlay({"ingest:04-calathea": [{"text": "Calathea, tidied."}, {"text": "Tidied once more."}]})
    wrong_once(house, "ghost")
    materialise()
    house.note("06-fern.md", (house.data / "notes" / "05-zz-plant.md").read_bytes())
    house.overlay(
        {"ingest:06-fern": {"text": "Fern, tidied."}, "extract:06-fern": house.fixture("extract:05-zz-plant")}
    )
    materialise(tags=repair(2))
    shown = {note.source: note.shown for note in house.warehouse.notes()}
    assert (shown["04-calathea"], shown["06-fern"]) == ("Calathea, tidied.", "Fern, tidied.")


def test_an_answer_whose_first_call_failed_keeps_the_published_one_until_a_later_round_answers(house: House) -> None:
    assert materialise().success
    right = house.fixture(f"query:{FIRST}")
    house.overlay({f"query:{FIRST}": [{"status": "?"}, right]})
    materialise()
    assert {answer.id: answer.kept for answer in house.warehouse.answers()}[FIRST]
    materialise(tags=repair(2))
    assert {answer.id: answer.kept for answer in house.warehouse.answers()} == dict.fromkeys(QUESTIONS, False)


def test_a_fact_that_failed_otherwise_in_the_next_round_is_still_told(house: House) -> None:
    """A gap of the round before does not hide what a gate says now."""
    key = "extract:03-snake-plant"
    right = house.fixture(key)
    no_words = {**right, "evidence": {**right["evidence"], "pet_safe": "Cats love it"}}
    house.overlay({key: [demonstration("broken-fact")[key], no_words]})
    materialise()
    materialise(tags=repair(2))
    gaps = [gap for gap in house.warehouse.gaps() if gap.item == "03-snake-plant.md"]
    assert [(gap.gate, gap.round) for gap in gaps] == [("evidence_is_verbatim", 2)]


@pytest.mark.parametrize("tags", [{ROUND: "zero"}, {ROUND: "0"}, {ROUND: "2", LIMIT: ""}, {ROUND: "-1"}])
def test_tags_that_name_no_round_are_refused_by_name_and_nothing_is_asked(tags: dict[str, str], house: House) -> None:
    with pytest.raises(InputError, match="tag sekisho/"):
        round_of(tags)
    outcome = materialise(tags=tags)
    assert not outcome.success and not outcome.materialised
