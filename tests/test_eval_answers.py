"""The evaluation of answers: figures worked out by hand, the golden set's mistakes, the baseline, and the command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from typer.testing import CliRunner, Result

from dagster_project.cli.main import app
from sekisho.errors import InputError
from sekisho.records import Answer, Gap, Provenance, Question
from sekisho.scorecards.answers import (
    HIGHER_IS_BETTER,
    LOWER_IS_BETTER,
    GoldenAnswer,
    compare_answers,
    load_golden_answers,
    score_answers,
)
from sekisho.scorecards.baseline import Baseline, read_baseline, stale_inputs
from sekisho.scorecards.measure_answers import measure_answers
from sekisho.scorecards.plots import plot_answers, plot_recall
from sekisho.scorecards.values import contains
from sekisho.settings import Settings, load_settings
from sekisho.warehouse import Warehouse
from tests.conftest import ROOT, House
from tests.graph import Outcome, evaluate, materialise

BASELINE = ROOT / "data" / "golden" / "baselines" / "answers.json"
MADE_BY = Provenance(agent="mock", prompt_sha256="p", reply_sha256="r")


def answer(id: str, cites: str = "", text: str = "", question: str = "?") -> Answer:
    """A published answer whose citations are single letters; without any, that nothing answers the question."""
    status: Any = "answered" if cites else "unanswerable"
    told = {"question": question, "answer": text, "generation": "g", "provenance": MADE_BY}
    return Answer(id=id, status=status, citations=tuple(cites), quotes=(), **told)


def golden(id: str, cites: str = "", *values: str) -> GoldenAnswer:
    return GoldenAnswer(question=id, citations=tuple(cites), values=values, unanswerable=not cites)


GOLDEN = [
    golden("right", "ab", "28 days"),
    golden("partly", "ab", "Calathea", "low light"),
    golden("withheld", "c", "red"),
    golden("gave up", "d"),
    golden("unanswerable"),
    golden("made up"),
    golden("of another text", "e"),
]
PUBLISHED = [
    answer("right", "ba", "Every 28 days."),
    answer("partly", "axy", "calathea, in bright light"),
    answer("gave up"),
    answer("unanswerable"),
    answer("made up", "z", "Yes."),
    answer("of another text", "e", question="!"),
    answer("nobody expects it", "q"),
]
QUESTIONS = [Question(id=case.question, question="?") for case in GOLDEN]
GAPS = [
    Gap(stage="answers", item="withheld", gate="citations_exist", reason="hallucinated citation: X"),
    Gap(stage="facts", item="withheld", gate="facts", reason="of another stage"),
]


def test_the_figures_are_those_of_their_definitions() -> None:
    figures = score_answers(GOLDEN, QUESTIONS, PUBLISHED, GAPS).figures
    assert figures == {
        "questions": 7.0,
        "right": round(2 / 7, 6),
        "citation_precision": 0.5,  # a b a of b a, a x y, z
        "citation_recall": round(3 / 7, 6),  # of a b, a b, c, d, e
        "citation_precision_by_question": round((1 + 1 / 3 + 0) / 3, 6),
        "citation_recall_by_question": round((1 + 1 / 2) / 5, 6),
        "values_present": 0.5,  # 28 days, Calathea; not low light, red
        "withheld_rate": round(2 / 7, 6),
        "rightly_unanswerable": 0.5,
        "wrongly_answered_rate": 0.5,
        "wrongly_unanswerable_rate": 0.2,
    }
    assert figures.keys() - HIGHER_IS_BETTER - LOWER_IS_BETTER == {
        "questions",
        "citation_precision_by_question",
        "citation_recall_by_question",
    }


def test_each_case_says_what_is_missing_what_is_too_much_and_why_it_was_withheld() -> None:
    score = score_answers(GOLDEN, QUESTIONS, PUBLISHED, GAPS)
    cases = {case.question: case for case in score.cases}
    assert {name: case.verdict for name, case in cases.items()} == {
        "partly": "not as expected",
        "withheld": "withheld",
        "gave up": "wrongly unanswerable",
        "made up": "wrongly answered",
        "of another text": "withheld",
    }
    partly = cases["partly"]
    assert (partly.missing, partly.surplus, partly.absent) == (("b",), ("x", "y"), ("low light",))
    assert (partly.precision, partly.recall) == (pytest.approx(1 / 3, abs=1e-6), 0.5)
    assert (cases["withheld"].why, cases["withheld"].missing) == (("hallucinated citation: X",), ("c",))
    assert cases["of another text"].why == ("not answered yet: sekisho run",)
    assert cases["made up"].surplus == ("z",) and cases["made up"].recall is None
    json.dumps(score.as_dict(), allow_nan=False)


def test_a_figure_of_nothing_is_left_out_and_without_a_golden_set_there_is_none() -> None:
    only = score_answers([golden("unanswerable")], QUESTIONS, PUBLISHED, []).figures
    assert only.keys() == {
        "questions", "right", "withheld_rate", "rightly_unanswerable", "wrongly_answered_rate"
    }  # fmt: skip
    assert score_answers([], QUESTIONS, PUBLISHED, []).figures == {}
    assert compare_answers({}, {}, None) == []


@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        ("every 28 days", "28 days", True),
        ("every 128 days", "28 days", False),
        ("2.28 m", "28", False),
        ("28.5 m", "28", False),
        ("It is 28.", "28", True),
        ("first 128, then 28", "28", True),
        ("ＺＺ　plant", "zz plant", True),
        ("a concatenation", "cat", False),
        ("Katze und Hund", "katze", True),
        ("水やりは六日ごと", "六日", True),
        ("non\u00adtoxic, 28\u200b days", "nontoxic", True),
        ("a plant", "pl\u200bant", True),
        ("", "x", False),
    ],
)
def test_a_value_stands_in_an_answer_as_a_whole(text: str, value: str, found: bool) -> None:
    assert contains(text, value) is found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: b\n", "g.yaml: a list of entries is expected, each with `question`"),
        ("- just text\n", "g.yaml: entry 1: is a bare text: write `question: …`"),
        ("- [a]\n", "g.yaml: entry 1: is ['a']: write `question: …`"),
        ("-\n", "g.yaml: entry 1: is empty: write `question: …`"),
        ("- {question: a, citations: [n], unanswerable: true}\n", "entry 1 (a): unanswerable, yet"),
        ("- {question: a}\n", "entry 1 (a): names neither citations nor `unanswerable: true`"),
        ("- {question: a, citations: n}\n", "entry 1 (a).citations: is 'n', not a list: put it in [ ]"),
        ("- {question: a, citations: [28]}\n", "entry 1 (a).citations.1: is 28, not text: put it in quotes"),
        ("- {question: a, citations: [n, n]}\n", "citations: one of them stands twice"),
        ("- {question: a, citations: [n], values: ['']}\n", "values: one of them is empty"),
        ("- {question: a, citations: [n], value: [x]}\n", "entry 1 (a).value: nobody reads 'value' (the nearest is"),
        ("- {questoin: a, citations: [n]}\n", "entry 1.questoin: nobody reads 'questoin' (the nearest is"),
        ("- {citations: [n]}\n", "entry 1.question: is missing"),
        ("- {question: a, citations: }\n", "entry 1 (a).citations: is empty: write a list"),
        ("- {question: a, citations: [n], 7: x}\n", "entry 1 (a).7: is a name that is not text: put it in quotes"),
        ("- {question: a, unanswerable: maybe}\n", "entry 1 (a).unanswerable: is 'maybe', not true or false"),
        ("- &x {question: a, citations: [n]}\n- *x\n", "entry 2 (a): this question stands twice"),
        ("- {question: b, citations: [n]}\n", "g.yaml: b: no such question (write it as in questions.yaml"),
        ("- {question: a, citations: [m]}\n", "g.yaml: a: no such source: m (write the note's path without its"),
        ("- {question: a, question: a}\n", "stands twice"),
    ],
)
def test_a_golden_file_with_a_mistake_names_file_item_and_remedy(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "g.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        load_golden_answers(path, ["a"], {"n"})
    assert told in str(raised.value) and raised.value.file == str(path) and raised.value.remedy


def test_a_golden_set_behind_a_link_out_of_the_folder_or_without_its_folder_is_told(tmp_path: Path) -> None:
    golden = tmp_path / "data" / "golden"
    golden.parent.mkdir()
    golden.write_text("a file", encoding="utf-8")
    with pytest.raises(InputError, match="golden: not a folder"):
        load_golden_answers(golden / "answers.yaml", [], ())
    golden.unlink()
    golden.mkdir()
    (tmp_path / "answers.yaml").write_text("[]", encoding="utf-8")
    for target, told in (("answers.yaml", "leads out of the data folder"), ("data/none.yaml", "leads nowhere")):
        (golden / "answers.yaml").unlink(missing_ok=True)
        (golden / "answers.yaml").symlink_to(tmp_path / target)
        with pytest.raises(InputError, match=told):
            load_golden_answers(golden / "answers.yaml", [], ())


def test_a_golden_file_of_comments_alone_is_no_golden_set(tmp_path: Path) -> None:
    path = tmp_path / "g.yaml"
    path.write_text("# - question: a\n", encoding="utf-8")
    assert load_golden_answers(path, [], ()) == load_golden_answers(tmp_path / "none.yaml", [], ()) == []


def test_what_is_worse_is_a_finding_and_another_model_is_another_matter() -> None:
    figures = score_answers(GOLDEN, QUESTIONS, PUBLISHED, GAPS).figures
    best = {**figures, "right": 1.0, "withheld_rate": 0.0, "citation_recall_by_question": 1.0}
    baseline = Baseline({"agent": "mock", "prompt": "p"}, best)
    worse = compare_answers(figures, {"agent": "mock", "prompt": "p"}, baseline)
    assert [found.item for found in worse] == ["right", "withheld_rate"]
    assert compare_answers(figures, {"agent": "local", "model": "m", "prompt": "p"}, baseline) == []
    (other,) = compare_answers(best, {"agent": "mock", "prompt": "q"}, baseline)
    assert other.message.startswith("measured with another prompt: measure again")
    (none,) = compare_answers(figures, {}, None)
    assert "`sekisho eval answers --write-baseline` writes one" in none.message


@pytest.mark.parametrize(("form", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_a_plot_of_figures_is_the_same_bytes_for_the_same_figures(form: str, begins: bytes) -> None:
    figures = score_answers(GOLDEN, QUESTIONS, PUBLISHED, GAPS).figures
    baseline = Baseline({}, {**figures, "right": 1.0})
    picture = plot_answers(figures, baseline, form)
    assert picture.startswith(begins) and picture == plot_answers(figures, baseline, form)
    assert picture != plot_answers(figures, None, form) != plot_answers({**figures, "right": 1.0}, None, form)
    assert b"20" + b"26-" not in picture, "no date is in it"
    assert plot_answers({}, baseline) == plot_recall({"production": {}}, None) == b""
    assert plot_recall({"production": {"candidate_mrr": 0.5}, "candidate": {}}, None, form).startswith(begins)


# Over the sample, once published.


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with its golden set, answered by its fixtures."""
    root = tmp_path_factory.mktemp("published")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEKISHO_DATA", str(root / "data"))
        patch.setenv("SEKISHO_STATE", str(root / "state"))
        House(root).add_drafts()
        outcome = materialise("notes", "facts", "knowledge_base", "draft_answers", "answers", "answer_scorecard")
        assert outcome.success and not outcome.failed_checks, outcome.failures
    return root


@pytest.fixture
def settings(published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A copy of it that a test may spoil."""
    shutil.copytree(published, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("SEKISHO_DATA", str(tmp_path / "data"))
    return load_settings()


def eval_answers(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["eval", "answers", *arguments])


def withhold(settings: Settings, id: str) -> None:
    warehouse = Warehouse(settings.warehouse_path)
    kept = [one for one in warehouse.answers() if one.id != id]
    gap = Gap(stage="answers", item=id, gate="citations_exist", reason="hallucinated citation: 99-ghost-orchid")
    warehouse.publish_answers(kept, [gap])


def check(outcome: Outcome) -> str:
    evaluation = outcome.checks["answer_scorecard", "no_regression"]
    return "" if evaluation.passed else str(evaluation.description)


def test_r17_the_committed_baseline_is_of_this_prompt_schema_golden_set_and_fixtures(settings: Settings) -> None:
    measured, baseline = measure_answers(settings, Warehouse(settings.warehouse_path)), read_baseline(BASELINE)
    assert baseline is not None
    changed = stale_inputs(measured.inputs, baseline)
    assert changed == [], "measure again: sekisho run && sekisho eval answers --write-baseline, and commit it too"
    assert measured.figures == baseline.figures and measured.figures["right"] == 1.0


@pytest.mark.parametrize("name", ["prompt", "schema", "golden", "questions"])
def test_r17_a_change_of_what_decides_the_figures_needs_a_new_baseline(name: str, settings: Settings) -> None:
    measured, baseline = measure_answers(settings, Warehouse(settings.warehouse_path)), read_baseline(BASELINE)
    (found,) = compare_answers(measured.figures, {**measured.inputs, name: "another"}, baseline)
    assert found.message == f"measured with another {name}: measure again, and commit the baseline with the change"


def test_a_withheld_answer_is_a_regression_for_the_command_and_for_the_check(settings: Settings) -> None:
    assert eval_answers().stdout.endswith("✓ nothing is worse than the baseline\n")
    withhold(settings, "pet-safe-low-light")
    told = eval_answers().stdout
    assert "withheld: pet-safe-low-light missing: 04-calathea; does not say: Calathea, non-toxic; why: halluc" in told
    assert "✗ citation_recall 0.500, the baseline has 1.000" in told
    found = json.loads(eval_answers("--json").stdout)
    assert (found["figures"]["withheld_rate"], found["baseline"]["figures"]["withheld_rate"]) == (0.333333, 0.0)
    assert [one["item"] for one in found["findings"]] == ["citation_recall", "right", "values_present", "withheld_rate"]
    outcome = evaluate("answer_scorecard")
    assert outcome.success and check(outcome) == "citation_recall 0.500, the baseline has 1.000 (findings: 4)"


def test_a_baseline_and_a_plot_are_written_on_demand(settings: Settings, tmp_path: Path) -> None:
    withhold(settings, "frost")
    settings.answers_baseline_path.unlink()
    plot = tmp_path / "plot.svg"
    assert "! no baseline is there" in eval_answers("--plot", str(plot)).stdout
    assert plot.read_bytes().startswith(b"<?xml")
    assert eval_answers("--write-baseline").stdout.endswith("✓ nothing is worse than the baseline\n")
    written = read_baseline(settings.answers_baseline_path)
    assert written is not None and written.figures["rightly_unanswerable"] == 0.0
    bad = eval_answers("--plot", str(tmp_path / "plot.jpg"))
    assert isinstance(bad.exception, InputError) and bad.exception.item == "--plot"
    (tmp_path / "device.svg").symlink_to("/dev/null")
    bad = eval_answers("--plot", str(tmp_path / "device.svg"))
    assert isinstance(bad.exception, InputError) and bad.exception.message == "not a regular file"


def test_no_baseline_is_made_of_answers_to_another_prompt(settings: Settings, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "prompts", tmp_path / "prompts")
    text = tmp_path / "prompts" / "production" / "query" / "prompt.md"
    text.write_text(text.read_text(encoding="utf-8") + "\nBe brief.\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEKISHO_PROMPTS", str(tmp_path / "prompts"))
        refused = eval_answers("--write-baseline")
        assert "made with another prompt than that of now: sekisho run" in eval_answers().stdout
    assert isinstance(refused.exception, InputError) and "another prompt" in str(refused.exception)


def test_a_golden_set_with_a_mistake_warns_and_fails_no_run(settings: Settings) -> None:
    path = settings.data / "golden" / "answers.yaml"
    path.write_text("- {question: frost, citations: [04-calatea]}\n", encoding="utf-8")
    outcome = materialise("answer_scorecard")
    assert outcome.success
    told = f"{path}: frost: no such source: 04-calatea (write the note's path without its suffix)"
    assert check(outcome) == told
    error = eval_answers().exception
    assert isinstance(error, InputError) and str(error) == told


def test_a_baseline_that_cannot_be_read_warns_too_and_the_figures_are_there(settings: Settings) -> None:
    settings.answers_baseline_path.write_text("{", encoding="utf-8")
    outcome = materialise("answer_scorecard")
    assert outcome.success and "restore it from version control" in check(outcome)


def test_without_a_golden_set_or_anything_published_there_is_nothing_to_measure(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    (settings.data / "golden" / "answers.yaml").unlink()
    outcome = materialise("answer_scorecard")
    assert outcome.success and check(outcome) == ""
    said = outcome.checks["answer_scorecard", "no_regression"]
    assert said.description == "nothing to measure: there is no golden set"
    assert said.metadata["looked_at"] == dg.IntMetadataValue(0), "the report folds it"
    assert isinstance(eval_answers().exception, InputError)
    shutil.copy(ROOT / "data" / "golden" / "answers.yaml", settings.data / "golden")
    monkeypatch.setenv("SEKISHO_STATE", str(settings.state / "nothing here"))
    error = eval_answers().exception
    assert isinstance(error, InputError) and "no answer is published yet" in str(error)
