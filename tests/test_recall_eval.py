"""The golden evaluation: figures by their definition, the committed baseline, and a candidate beside production."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dagster_project.cli.main import app
from sekisho.errors import InputError
from sekisho.recall.records import DroppedCitation, Recall, RecallCitation
from sekisho.scorecards.baseline import Baseline, read_baseline, stale_inputs
from sekisho.scorecards.measure import inputs_of, scored
from sekisho.scorecards.recall import Expected, GoldenCase, compare, load_golden, score
from sekisho.settings import Settings
from sekisho.warehouse import Warehouse
from tests.conftest import ROOT
from tests.graph import materialise

BASELINE = ROOT / "data" / "golden" / "baselines" / "recall.json"


def case(draft: str, *ids: str) -> GoldenCase:
    return GoldenCase(draft=draft, expected=tuple(Expected(adr_id=id, relation="duplicate") for id in ids))


def recalled(draft: str, candidates: str, cited: str = "", dropped: tuple[str, ...] = (), **fields: Any) -> Recall:
    """A recall whose ids are single letters."""
    return Recall(
        draft=draft,
        path=draft,
        title="",
        status=fields.get("status", "recalled"),
        candidates=tuple(candidates),
        citations=tuple(
            RecallCitation(adr_id=id, relevance="high", relevance_reason="r", stands_in="own_summary") for id in cited
        ),
        dropped=tuple(DroppedCitation(adr_id="x", relevance_reason="r", why=why) for why in dropped),
    )


def test_r17_the_figures_are_those_of_their_definitions() -> None:
    golden = [case("1", "a", "b"), case("2", "z"), case("3", "q"), GoldenCase(draft="4", skipped="empty")]
    found = [
        recalled("1", "xayyyyyb", "ax", ("no_candidate", "duplicate")),
        recalled("2", "abcdefghijklmnopqrstz", "", ("no_candidate",)),
        recalled("4", "", status="skipped"),
    ]
    figures = score(found, golden)
    assert figures["drafts"] == 3
    assert figures["candidate_recall@20"] == pytest.approx(1 / 3, abs=1e-6)
    assert figures["candidate_recall@5"] == pytest.approx(1 / 6, abs=1e-6)
    assert figures["candidate_mrr"] == pytest.approx((1 / 2 + 1 / 21) / 3, abs=1e-6)
    assert figures["citation_recall"] == pytest.approx(1 / 6, abs=1e-6)
    assert figures["citation_precision"] == 0.5
    assert figures["citations_per_draft"] == pytest.approx(2 / 3, abs=1e-6)
    assert (figures["outside_candidates_rate"], figures["dropped_rate"]) == (0.4, 0.6)
    assert (figures["dropped: no_candidate"], figures["dropped: duplicate"]) == (0.4, 0.2)
    assert (figures["relevance: high"], figures["relevance: low"]) == (1.0, 0.0)
    assert figures["failed_rate"] == pytest.approx(1 / 3, abs=1e-6), "a draft that was not looked at found nothing"


def test_without_anything_expected_there_are_no_figures_and_nothing_to_hold_against_a_baseline() -> None:
    assert score([], [GoldenCase(draft="4", skipped="empty")]) == {}
    assert compare({}, {}, None) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: b\n", "a list of"),
        ("- draft: a\n  expected: [{adr_id: ADR-0001, relation: cousin}]\n", "relation"),
        ("- {draft: a}\n- {draft: a}\n", "twice"),
    ],
)
def test_a_golden_file_that_cannot_be_used_names_its_entry(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "g.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        load_golden(tmp_path / "g.yaml")


def test_r17_the_committed_baseline_is_of_this_prompt_schema_filter_and_golden_set() -> None:
    baseline = read_baseline(BASELINE)
    assert baseline is not None
    now = inputs_of(Settings(data=ROOT / "data", prompts=ROOT / "prompts"), "mock")
    changed = stale_inputs(now, baseline)
    assert changed == [], "measure again: sekisho run && sekisho eval recall --write-baseline, and commit it too"


@pytest.mark.parametrize("name", ["prompt", "schema", "filter", "golden"])
def test_r17_a_change_without_a_new_baseline_is_a_finding(name: str) -> None:
    baseline = read_baseline(BASELINE)
    assert baseline is not None
    changed = {**baseline.inputs, name: "another"}
    assert [found.message for found in compare(baseline.figures, changed, baseline)] == [
        f"measured with another {name}: measure again, and commit the baseline with the change"
    ]
    assert compare(baseline.figures, {**baseline.inputs, "candidates": "dense 5"}, baseline) == []


def test_r17_a_prompt_file_of_another_letter_is_another_input(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "prompts", tmp_path / "prompts")
    settings = Settings(data=ROOT / "data", prompts=tmp_path / "prompts")
    before = inputs_of(settings, "mock")
    folder = tmp_path / "prompts" / "production" / "recall-pre-gate"
    text = (folder / "output_schema.json").read_text(encoding="utf-8").replace('"maxItems": 5', '"maxItems": 6')
    (folder / "output_schema.json").write_text(text, encoding="utf-8")
    after = inputs_of(settings, "mock")
    assert {name for name in before if before[name] != after[name]} == {"prompt", "schema"}


def test_of_another_agent_only_the_candidates_are_judged() -> None:
    figures = {"candidate_recall@5": 0.8, "citation_recall": 0.9}
    baseline = Baseline({"agent": "mock"}, figures)
    worse = {"candidate_recall@5": 0.7, "citation_recall": 0.1}
    names = [found.item for found in compare(worse, {"agent": "mock"}, baseline)]
    assert names == ["candidate_recall@5", "citation_recall"]
    assert [found.item for found in compare(worse, {"agent": "local"}, baseline)] == ["candidate_recall@5"]


def test_without_a_baseline_the_gate_says_how_to_make_one() -> None:
    (found,) = compare({"candidate_mrr": 1.0}, {}, None)
    assert "--write-baseline" in found.message


# Over the sample, with its real vectors.


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The sample's data, prompts and state, decisions embedded and drafts recalled."""
    root = tmp_path_factory.mktemp("sample")
    for name in ("decisions", "drafts", "golden", "fixtures"):
        shutil.copytree(ROOT / "data" / name, root / "data" / name)
    shutil.copytree(ROOT / "prompts", root / "prompts")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEKISHO_DATA", str(root / "data"))
        patch.setenv("SEKISHO_STATE", str(root / "state"))
        patch.setenv("SEKISHO_EMBEDDING_DTYPE", "float32")  # the same figures on every machine
        outcome = materialise("decisions", "embeddings", "vector_index", "recall_citations", "recall_scorecard")
        assert outcome.success and not outcome.failed_checks, outcome.checks
    yield root


@pytest.fixture
def settings(sample: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("SEKISHO_EMBEDDING_DTYPE", "float32")
    for name in ("data", "prompts", "state"):
        monkeypatch.setenv(f"SEKISHO_{name.upper()}", str(sample / name))
    return Settings(data=sample / "data", prompts=sample / "prompts", state=sample / "state")


def evaluate(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["eval", "recall", *arguments])


def test_r17_the_command_finds_what_the_baseline_says_and_so_does_the_scorecard(settings: Settings) -> None:
    log = settings.log_path.read_bytes()
    done = evaluate("--json")
    assert done.exit_code == 0, done.exception
    told = json.loads(done.stdout)
    baseline = json.loads(BASELINE.read_text(encoding="utf-8"))
    assert told["findings"] == [] and told["baseline"] == baseline
    assert scored(settings, Warehouse(settings.warehouse_path).recalls()).figures == told["production"]["figures"]
    assert settings.log_path.read_bytes() == log, "an evaluation is no run of recall's: its health does not count it"


def test_r17_a_baseline_is_written_with_what_was_measured(settings: Settings) -> None:
    path = settings.data / "golden" / "baselines" / "recall.json"
    kept = path.read_bytes()
    path.unlink()
    assert "--write-baseline" in evaluate().stdout
    assert "no baseline is there" not in evaluate("--write-baseline").stdout
    written, committed = read_baseline(path), read_baseline(BASELINE)
    path.write_bytes(kept)
    assert written is not None and committed is not None
    assert (written.inputs, written.figures.keys()) == (committed.inputs, committed.figures.keys())
    assert written.figures["citation_recall"] > 0.9


def test_r17_a_candidate_is_compared_with_production_on_the_same_set(settings: Settings) -> None:
    missing = evaluate("--stage", "candidate")
    assert isinstance(missing.exception, InputError) and "candidate/recall-pre-gate" in str(missing.exception)
    folder = settings.prompts / "candidate" / "recall-pre-gate"
    shutil.copytree(settings.prompts / "production" / "recall-pre-gate", folder)
    try:
        (folder / "prompt.md").write_text("{% if %}", encoding="utf-8")
        assert isinstance(evaluate("--stage", "candidate").exception, InputError), "nothing stands in for it"
        (folder / "prompt.md").write_text("{{ schema }}{{ applicant_input }}{{ candidate_adrs }}", encoding="utf-8")
        told = json.loads(evaluate("--stage", "candidate", "--json").stdout)
        assert told["candidate"]["inputs"]["prompt"] != told["production"]["inputs"]["prompt"]
        assert told["candidate"]["figures"].keys() == told["production"]["figures"].keys()
        written = evaluate("--stage", "candidate", "--write-baseline")
        assert isinstance(written.exception, InputError)
    finally:
        shutil.rmtree(folder.parent)


def test_a_draft_of_the_golden_set_that_is_gone_is_an_error_that_names_it(settings: Settings) -> None:
    path = settings.data / "drafts" / "extend-hold.md"
    text = path.read_bytes()
    path.unlink()
    try:
        error = evaluate().exception
        assert isinstance(error, InputError) and error.item == "extend-hold"
    finally:
        path.write_bytes(text)


def test_a_golden_set_with_a_mistake_warns_and_fails_no_run(settings: Settings) -> None:
    path = settings.data / "golden" / "recall.yaml"
    text = path.read_bytes()
    path.write_text("- {draft: extend-hold, expect: []}\n", encoding="utf-8")
    try:
        outcome = materialise("recall_scorecard")
    finally:
        path.write_bytes(text)
    assert outcome.success
    ((item, reason),) = outcome.items("no_regression", "recall_scorecard")
    assert item == "entry 1 (extend-hold).expect"
    assert f"{path}: {item}: nobody reads 'expect' (the nearest is 'expected')" in reason


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- {draft: a, expected: [ADR-0001]}", "(a).expected.1: is a bare text: write `adr_id: …` and `relation: …`"),
        ("- {draft: a, expected: ADR-0001}", "(a).expected: is 'ADR-0001', not a list: put it in [ ]"),
        ("- {draft: a, expected: [{adr_id: ADR-0001}]}", "(a).expected.1.relation: is missing"),
        ("- {draft: a, expected: [{adr_id: A, relaton: x}]}", "'relaton' (the nearest is 'relation')"),
        ("- {draft: a, expected: [{adr_id: A, relation: complements}]}", "(the nearest is 'complement')"),
        (
            "- {draft: a, expected: [{adr_id: A, relation: duplicate}, {adr_id: A, relation: complement}]}",
            "entry 1 (a): 'A' stands twice: a decision has one relation to a draft",
        ),
        (
            "- {draft: a, skipped: later, expected: [{adr_id: A, relation: duplicate}]}",
            "write either `skipped`",
        ),
        ("- {draft: a, expected: [{adr_id: ' ', relation: duplicate}]}", "(a).expected.1.adr_id: is empty: write text"),
        ("- {draft: a, expected: [{adr_id: A, relation:}]}", "(a).expected.1.relation: is empty; one of duplicate"),
        ("- {draft: a, skipped: no}", "(a).skipped: is false (as no and off are), not text: put it in quotes"),
        ("- {draft: a}\n- {draft: a}", "entry 2 (a): this draft stands twice (put them together)"),
    ],
)
def test_a_golden_file_with_a_mistake_names_file_item_and_remedy(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "golden" / "recall.yaml"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        load_golden(path)
    assert told in str(raised.value) and raised.value.file == str(path) and raised.value.remedy
