"""The evaluation of mapping: figures that were worked out by hand, the baseline, the plot, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dagster_project.cli.evaluate_mapping import evaluate_mapping, show_evaluation
from sekisho.catalogue import Catalogue, MapQuery, Term
from sekisho.errors import InputError
from sekisho.mapping.files import golden_problems
from sekisho.mapping.mapped import ChoiceCall, Mapped, Said
from sekisho.mapping.match import Candidate
from sekisho.mapping.policy import Policy, settle
from sekisho.mapping.reply import Relation
from sekisho.scorecards.baseline import Baseline
from sekisho.scorecards.mapping import Case, Rates, Spending, score_mappings, worse_than
from sekisho.scorecards.plots import plot_mapping
from tests.conftest import House
from tests.test_cli import sekisho

TEN = tuple(
    Candidate(f"T:{n}", f"term {n}", 1 - n / 10, {"exact": 1.0, "kind": "name"} if n == 1 else {}) for n in range(1, 10)
)


def one(
    query: str, expected: str, says: str = "", relation: Relation | None = "match", kind: str = "k", sure: float = 0.8
) -> Mapped:
    asked = MapQuery(query=query, expected_id=expected, kind=kind, difficulty="hard", relation="match")
    if not says:
        return Mapped(asked=asked, top_k=10, candidates=TEN)
    said = Said(id=says, relation=relation, confidence=sure)
    choice = settle(TEN, said, "", Policy("trust"))
    return Mapped(asked=asked, top_k=10, candidates=TEN, said=said, ai=choice)


CHOSEN = [
    one("right and kept", "T:1", "T:1"),
    one("improved", "T:2", "T:2"),
    one("worsened", "T:1", "T:3", "larger"),
    one("from wrong to wrong", "T:4", "T:5", kind="other"),
    one("out of reach", "T:99", "T:1", "different", kind="other"),
    one("invented", "T:1", "T:77", kind="other"),
    one("no known record", "", "T:1", "different"),
]


def test_m08_rates_are_over_queries_with_a_known_record_and_relations_over_all() -> None:
    score = score_mappings(CHOSEN, [])
    assert score.queries == 7
    assert score.rates == Rates(6, 3 / 6, 5 / 6, (1 + 1 / 2 + 1 + 1 / 4 + 0 + 1) / 6, 3 / 6)
    assert score.by_kind["k"] == Rates(3, 2 / 3, 1, (1 + 1 / 2 + 1) / 3, 2 / 3)
    assert set(score.by_kind) == {"k", "other"} and score.by_difficulty == {"hard": score.rates}
    assert score.relations == {"match": 3, "larger": 1, "smaller": 0, "different": 2, "fell back": 1}
    assert score.same_relation == 3 / 7, "the one that fell back has no relation, and had a known one"


def test_what_a_golden_set_says_that_cannot_be_is_told() -> None:
    queries = [
        MapQuery(query="a", expected_id="T:1", relation="match"),
        MapQuery(query="b", expected_id="T:77", relation="equal"),
    ]
    found = golden_problems(queries, Catalogue.of([Term(id="T:1", name="a")]), "queries.csv")
    remedy = ": correct it, or leave it empty"
    assert [(problem.path, problem.item, problem.message) for problem in found] == [
        ("queries.csv", "b", f"expected_id 'T:77' is no record and counts as not found{remedy}"),
        (
            "queries.csv",
            "b",
            f"relation 'equal' is none of match, larger, smaller, different and is not counted{remedy}",
        ),
    ]
    wrong = one("b", "T:1", "T:1").model_copy(update={"asked": queries[1]})
    assert score_mappings([wrong], []).same_relation is None


def test_m08_what_the_choice_changed_is_listed_case_by_case() -> None:
    score = score_mappings(CHOSEN, [])
    assert {case.query: case.verdict for case in score.cases} == {
        "improved": "improved",
        "worsened": "worsened",
        "from wrong to wrong": "changed",
        "out of reach": "out of reach",
    }
    assert score.cases[1] == Case("worsened", "k", "T:1", "T:1", "T:3", "larger", "worsened")
    assert [score.count(name) for name in ("changed", "improved", "worsened")] == [3, 1, 1]


def test_m09_both_policies_are_measured_on_the_same_replies() -> None:
    # T:1 is the only exact hit, and nobody is sure enough to replace it: what was improved or worsened is undone.
    assert score_mappings(CHOSEN, [], confidence=0.9).policies == {"trust": 3 / 6, "guarded": 3 / 6}
    assert score_mappings(CHOSEN, [], confidence=0.8).policies == {"trust": 3 / 6, "guarded": 4 / 6}


def test_costs_are_sums_and_one_that_is_not_known_makes_the_sum_unknown() -> None:
    call = ChoiceCall(key="rerank:1", round=1, queries=8, input_tokens=100, output_tokens=10, usd=0.25)
    assert score_mappings([], [call, call]).spending == Spending(2, 200, 20, 0.5)
    free = call.model_copy(update={"usd": None, "key": "rerank:2"})
    assert score_mappings([], [call, free]).spending == Spending(2, 200, 20, None)


def test_without_a_choice_or_a_known_record_the_figures_are_left_out() -> None:
    plain = score_mappings([one("a", "T:1")], [])
    assert set(plain.figures) == {"hit_at_1", "hit_at_10", "mrr"} and plain.relations == {} and plain.policies == {}
    nothing = score_mappings([one("a", "")], [])
    assert nothing.rates is None and nothing.figures == {} and plot_mapping(nothing) == b""


def test_a_lost_query_is_a_regression_and_a_baseline_of_a_choice_does_not_judge_a_run_without_one() -> None:
    baseline = Baseline({}, score_mappings([one("a", "T:1", "T:1")] * 60, []).figures)
    worse = score_mappings([one("a", "T:1", "T:1")] * 59 + [one("a", "T:2", "T:1")], [])
    assert [finding.item for finding in worse_than(worse, baseline)] == ["hit_after_choice", "hit_at_1"]
    assert worse_than(score_mappings([one("a", "T:1")] * 60, []), baseline) == []
    assert "not measured" in worse_than(score_mappings([], []), baseline)[0].message


@pytest.mark.parametrize(("form", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_a_plot_is_the_same_bytes_for_the_same_figures(form: str, begins: bytes) -> None:
    picture = plot_mapping(score_mappings(CHOSEN, []), form)
    assert picture.startswith(begins) and picture == plot_mapping(score_mappings(CHOSEN, []), form)
    assert b"20" + b"26-" not in picture, "no date is in it"


def test_m08_the_command_tells_the_figures_and_writes_plot_and_baseline(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = house.settings.mapping_baseline_path
    plot = tmp_path / "plot.svg"
    baseline.unlink(missing_ok=True)
    assert evaluate_mapping(ai=True, plot=plot, write=False).baseline is None and not baseline.exists()
    found = evaluate_mapping(ai=True, plot=None, write=True)
    assert found.baseline is not None and found.baseline.figures == found.score.figures and found.stale == ()
    assert plot.read_bytes().startswith(b"<?xml")
    show_evaluation(found)
    shown = capsys.readouterr().out
    for told in ("all ", "abbreviation", "relations: match", "model calls: 9", "changed: ", "nothing is worse"):
        assert told in shown
    done = sekisho("eval", "mapping", "--json", MAP_POLICY="trust")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["rates"]["hit_after_choice"] is None and told["worse"] == told["stale"] == []
    assert set(told["counts"]) == {"changed", "improved", "worsened", "out of reach"}


def test_what_cannot_be_measured_is_bad_input(house: House, tmp_path: Path) -> None:
    for plot in (tmp_path / "plot.jpg", tmp_path / "none" / "plot.png"):
        with pytest.raises(InputError):
            evaluate_mapping(ai=None, plot=plot, write=False)
    (house.data / "catalogue" / "queries.tsv").write_text("query\nPAG\n", encoding="utf-8")
    with pytest.raises(InputError, match="nothing to measure mapping with"):
        evaluate_mapping(ai=None, plot=None, write=False)
