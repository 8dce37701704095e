"""A run with a budget: what is paid is kept, what remains is named, and the next run asks only that."""

from __future__ import annotations

import json

import pytest
from werkzeug import Request, Response

from dagster_project.cli.ask import answer_question
from dagster_project.cli.run import run_pipeline
from sekisho.agents.budget import dollars
from tests.conftest import House
from tests.graph import materialise
from tests.model_calls import CANARY, Bench, bench, http
from tests.test_cli import report, sekisho
from tests.test_instructor_pipeline import Model, openai_house, spend
from tests.wire import billed

__all__ = ["bench", "http", "openai_house"]
DOCUMENTS = {"01-pothos", "02-spider-plant", "03-snake-plant", "04-calathea", "05-zz-plant"}


class DearModel(Model):
    """Answers as the sample does, and each reply costs all that its request allows."""

    def _answer(self, request: Request) -> Response:
        longest = json.loads(request.get_data())["max_tokens"]
        return billed(super()._answer(request), len(request.get_data()) + 1_000, longest)


def spent(house: House) -> float:
    return sum(line.get("cost_usd") or 0.0 for line in spend(house))


def test_a_run_stops_asking_before_its_cap_and_the_next_one_asks_only_the_rest(
    openai_house: House, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = DearModel(openai_house, bench)
    monkeypatch.setenv("SEKISHO_BUDGET_USD", "0.012")
    outcome = materialise()
    first = dict(model.asked)
    assert not outcome.success and 2 <= len(first) <= 4 and spent(openai_house) <= 0.012
    refused = {
        gap.item.removesuffix(".md"): gap.reason for gap in openai_house.warehouse.gaps() if gap.stage == "facts"
    }
    assert {f"extract:{source}" for source in DOCUMENTS - refused.keys()} == first.keys()
    assert all("not asked: the budget of 0.012 USD has no room left" in reason for reason in refused.values())
    assert len(list(openai_house.settings.calls_path.rglob("*.json"))) == len(first), "all that is paid is stored"
    monkeypatch.setenv("SEKISHO_BUDGET_USD", "1")
    assert materialise().success
    assert len(model.asked) == 8 and set(model.asked.values()) == {1}


def test_questions_beyond_the_budget_are_gaps_and_the_others_are_answered(
    openai_house: House, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = DearModel(openai_house, bench)
    assert materialise("notes", "facts").success
    monkeypatch.setenv("SEKISHO_BUDGET_USD", "0.0105")
    outcome = materialise()
    published = {answer.id for answer in openai_house.warehouse.answers()}
    gaps = {gap.item for gap in openai_house.warehouse.gaps() if "not asked: the budget" in gap.reason}
    assert len(published) == 2 and len(gaps) == 1 and not published & gaps
    assert "citations_are_present" in outcome.failed_checks
    monkeypatch.setenv("SEKISHO_BUDGET_USD", "0.0105")
    assert materialise().success, "what is stored costs nothing, and each run has a budget of its own"
    assert set(model.asked.values()) == {1}


def test_d05_the_command_says_what_was_spent_and_what_was_not_asked(
    openai_house: House, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = DearModel(openai_house, bench)
    monkeypatch.setenv("SEKISHO_BUDGET_USD", "0.012")
    done = sekisho("run")
    assert done.returncode == 1
    assert f"budget: spent {dollars(spent(openai_house))} of 0.012 USD\n" in done.stdout
    not_asked = {f"extract:{source}" for source in DOCUMENTS} - model.asked.keys()
    assert f"not asked: {', '.join(sorted(not_asked))}" in done.stdout
    assert "the budget was reached" in done.stdout and CANARY not in done.stdout + done.stderr
    code, full = report(SEKISHO_BUDGET_USD="1")
    assert (code, full["budget"]["not_asked"], full["budget"]["unknown_usd"]) == (0, [], 0)
    assert len(model.asked) == 8 and set(model.asked.values()) == {1}


def test_a_budget_that_cannot_be_held_ends_the_command_with_2(openai_house: House, bench: Bench) -> None:
    done = sekisho("run", IECQ_AGENT="openai/house-model-1", SEKISHO_BUDGET_USD="1")
    assert done.returncode == 2 and "the price of openai/house-model-1" in done.stderr
    assert bench.server.requests == [] and not openai_house.state.exists()


def test_what_is_not_tidied_for_want_of_budget_ends_the_run_as_not_passed(
    openai_house: House, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    Model(openai_house, bench)
    monkeypatch.setenv("SEKISHO_NORMALISE", "1")
    monkeypatch.setenv("SEKISHO_BUDGET_USD", "0.008")  # room for every call but those of 16384 tokens
    told = run_pipeline(progress=False)
    assert told.success and len(told.answers) == 3 and all(gate.passed for gate in told.gates)
    assert told.budget is not None and told.budget.not_asked == tuple(sorted(f"ingest:{name}" for name in DOCUMENTS))
    assert not told.passed


def test_each_question_asked_from_the_shell_has_a_budget_of_its_own(
    openai_house: House, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    DearModel(openai_house, bench)
    assert materialise().success
    question = "Which plant is the tallest?"
    monkeypatch.setenv("SEKISHO_BUDGET_USD", "0.001")
    for _ in range(2):
        assert "not asked: the budget of 0.001 USD" in answer_question(question).reasons[0]
    monkeypatch.setenv("SEKISHO_BUDGET_USD", "0.006")
    assert answer_question(question).answer
    assert answer_question("And the smallest?").answer
