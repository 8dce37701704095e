"""The asset and the command: recall is made whatever the index is like, and asks again only about what has changed."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from dagster_project.cli.ask import answer_question
from dagster_project.cli.console import stdout
from dagster_project.cli.recall import recall_draft
from sekisho.decision import Decision
from sekisho.errors import InputError, SettingsError
from sekisho.evidence.page import build_page
from sekisho.evidence.report import render_page
from sekisho.recall.records import UNJUDGED, Recall
from sekisho.records import KnowledgeBase
from tests.graph import materialise, materialise_beside_checks
from tests.recall_house import DRAFT, REASONS, RecallHouse, cite, ingested, recall_house
from tests.report_material import material_of

__all__ = ["ingested", "recall_house"]
_ASKED = "recall_pre_gate_citations_filtered"


@pytest.fixture(autouse=True)
def _fixtures(recall_house: RecallHouse) -> None:
    reply(recall_house, hold=[cite("ADR-0013"), cite("ADR-0006")])


def reply(house: RecallHouse, **citations: list[Any]) -> None:
    """What the fixtures answer for each draft."""
    replies = {f"recall:{draft}": {"recallCitations": named} for draft, named in citations.items()}
    path = house.data / "fixtures" / "recall.yaml"
    path.write_text(yaml.safe_dump(replies, allow_unicode=True), encoding="utf-8")


def ids(recall: Recall) -> list[str]:
    return [one.adr_id for one in recall.citations]


def spoiled(house: RecallHouse, how: str) -> None:
    """Make the index missing, broken or stale."""
    folder = house.state / "index"
    if how == "missing":
        shutil.rmtree(folder)
    elif how == "broken":
        (file,) = folder.glob("*/vectors.hnsw")
        file.write_bytes(b"no index")
    else:
        new = Decision(id="ADR-0099", original_id="99", path="99.md", title="Holds", status="accepted", text="Holds.")
        house.warehouse.replace_decisions(
            [*house.warehouse.decisions(), new.model_copy(update={"date": "2020-01-01"})], []
        )
        with duckdb.connect(str(house.warehouse.path)) as connection:
            connection.execute("DELETE FROM chunks WHERE source = 'ADR-0012'")
            connection.execute("DELETE FROM embeddings_384 WHERE text_sha256 NOT IN (SELECT text_sha256 FROM chunks)")


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("missing", "there is no index yet"),
        ("broken", "the index file is not what was written"),
        ("stale", "the index is older than the vectors"),
    ],
)
def test_r02_r15_with_a_failing_index_and_its_checks_in_the_same_run_recall_is_made(
    recall_house: RecallHouse, how: str, told: str
) -> None:
    spoiled(recall_house, how)
    outcome = materialise_beside_checks("recall_citations", "vector_index")
    assert outcome.success and outcome.materialised == {"recall_citations"}
    assert "index_is_fresh" in outcome.failed_checks
    assert not {"recall_is_not_degraded", "citations_were_candidates"} & outcome.failed_checks
    assert any(reason.startswith(told) for _, reason in outcome.items("index_is_fresh"))
    assert ids(recall_house.only()) == ["ADR-0013", "ADR-0006"]
    assert "ADR-0012" in recall_house.only().candidates, "a decision without its vector is ranked by its words"


def test_r15_index_lag_names_the_decision_and_the_days_since_its_date(recall_house: RecallHouse) -> None:
    spoiled(recall_house, "stale")
    told = dict(materialise_beside_checks("recall_citations", "vector_index").items("index_is_fresh"))
    assert told["ADR-0012"].startswith("ADR-0012 (accepted) is not indexed yet, ")
    days = (
        told["ADR-0099"].removeprefix("ADR-0099 (accepted) is not indexed yet, ").removesuffix(" days after its date")
    )
    assert int(days) > 2000


def test_r02_without_an_embedding_model_the_vectors_fail_and_recall_is_an_empty_list(
    recall_house: RecallHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEKISHO_EMBEDDING_MODEL", "/nowhere/model")
    outcome = recall_house.asset("embeddings", "vector_index")
    assert not outcome.success and outcome.materialised == {"recall_citations"}
    assert (recall_house.only().status, ids(recall_house.only())) == ("embedding_failed", [])
    assert [event["event"] for event in recall_house.events()] == ["recall_pre_gate_embedding_failed"]
    ((_, reason),) = outcome.items("recall_is_not_degraded")
    assert reason.startswith("embedding_failed: settings: ")


def test_r12_only_what_changed_is_asked_again_and_what_is_gone_leaves_nothing(recall_house: RecallHouse) -> None:
    other = recall_house.data / "drafts" / "other.yaml"
    other.write_text("title: Void tickets\ncontext: A refunded ticket opens a gate.\n", encoding="utf-8")
    (recall_house.data / "drafts" / "no.yaml").write_text("title: Colour\nneeds_adr: false\n", encoding="utf-8")
    reply(recall_house, hold=[cite("ADR-0013")], other=[cite("ADR-0017")])
    assert not recall_house.asset().failed_checks
    first = recall_house.warehouse.recalls()
    assert [(recall.draft, ids(recall)) for recall in first] == [("hold", ["ADR-0013"]), ("other", ["ADR-0017"])]
    recall_house.asset()
    assert recall_house.warehouse.recalls() == first and len(recall_house.events(_ASKED)) == 2
    other.write_text("title: Void tickets\ncontext: A ticket that was paid back opens a gate.\n", encoding="utf-8")
    recall_house.asset()
    assert [event["draft"] for event in recall_house.events(_ASKED)][2:] == ["other"]
    other.unlink()
    recall_house.asset()
    assert recall_house.warehouse.recalls() == first[:1] and len(recall_house.events(_ASKED)) == 3


def test_a_draft_that_cannot_be_read_is_told_and_costs_no_other(recall_house: RecallHouse) -> None:
    (recall_house.data / "drafts" / "bad.yaml").write_text("title: [\n", encoding="utf-8")
    outcome = recall_house.asset()
    assert [item for item, _ in outcome.items("recall_is_not_degraded")] == ["bad.yaml"]
    assert outcome.success and ids(recall_house.only()) == ["ADR-0013", "ADR-0006"]


def test_two_drafts_of_one_id_are_both_recalled(recall_house: RecallHouse) -> None:
    (recall_house.data / "drafts" / "hold.yaml").write_text("title: Holds\ncontext: Ten minutes.\n", encoding="utf-8")
    assert recall_house.asset().success
    assert [recall.path for recall in recall_house.warehouse.recalls()] == ["hold.md", "hold.yaml"]


def test_r05_the_built_in_prompt_warns(
    recall_house: RecallHouse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SEKISHO_PROMPTS", str(tmp_path / "nowhere"))
    outcome = recall_house.asset()
    ((item, reason),) = outcome.items("recall_is_not_degraded")
    assert item == "hold" and reason.startswith("the built-in prompt stood in: ")
    assert ids(recall_house.only()) == ["ADR-0013", "ADR-0006"]


def test_the_local_agent_names_its_top_five_with_a_sentence_of_their_own_summary(
    recall_house: RecallHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IECQ_AGENT", "local")
    assert not recall_house.asset().failed_checks
    recall = recall_house.only()
    assert ids(recall) == list(recall.candidates[:5]) and not recall.dropped
    assert {(one.stands_in, one.relevance) for one in recall.citations} == {("own_summary", "low")}
    base = KnowledgeBase(generation="", facts=(), sources=())
    page = render_page(build_page(material_of(base, [], recalls=(recall,))))
    done = recall_house.cli("--json", str(recall_house.draft))
    assert page.count(UNJUDGED) == done.stderr.count(UNJUDGED) == 1 and len(json.loads(done.stdout)) == 1
    table = recall_house.cli()
    assert "rank" in table.stdout and [f"{n} of 6" in table.stdout for n in ("1st", "5th", "6th")] == [
        True,
        True,
        False,
    ]
    assert " low " not in table.stdout, "nobody judged it"


def test_a_question_where_there_are_decisions_and_no_notes_is_told_where_to_look(recall_house: RecallHouse) -> None:
    assert materialise("notes", "facts", "knowledge_base").success
    with pytest.raises(InputError, match="there are no notes here") as caught:
        answer_question("Why is a refund an entry of its own?")
    remedy = "put some there, then sekisho run; past decisions: sekisho search, sekisho recall"
    assert caught.value.remedy == remedy


# The command.


def test_the_table_has_both_ids_the_status_and_what_was_dropped(recall_house: RecallHouse) -> None:
    reply(recall_house, hold=[cite("ADR-0006"), cite("ADR-0012", "ten minutes", "med"), cite("ADR-0013", "made up")])
    done = recall_house.cli()
    assert done.exit_code == 0
    for text in ("ADR-0006", "0006", "superseded", "Holds are kept in Redis", "high", "(in the draft)"):
        assert text in done.stdout
    assert "dropped: ADR-0013: reason stands nowhere" in done.stdout
    assert recall_house.warehouse.recalls() == [], "the command stores nothing"


def test_on_a_narrow_terminal_each_decision_is_a_block(
    recall_house: RecallHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply(recall_house, hold=[cite("ADR-0006"), cite("ADR-0012", "ten minutes", "med")])
    monkeypatch.setattr(stdout, "width", 72)
    shown = recall_house.cli().stdout
    first = f"ADR-0006 Holds are kept in Redis\n  0006, superseded, high\n  “{REASONS['ADR-0006']}”\n"
    assert first in shown and "  “ten minutes” (in the draft)\n" in shown and "in the log" not in shown


def test_standard_input_is_a_draft_too(recall_house: RecallHouse) -> None:
    reply(recall_house, **{"-": [cite("ADR-0013")]})
    done = recall_house.cli("-", "--json", text="title: Holds\ncontext: Ten minutes.\n")
    assert json.loads(done.stdout) == {"recallCitations": [cite("ADR-0013")]}


@pytest.mark.parametrize(
    ("text", "variables", "told"),
    [
        ("title: ''\n", {}, "the draft is empty"),
        ("title: a\nneeds_adr: false\n", {}, "needs_adr is false"),
        (DRAFT, {"RECALL_ENABLED": "false"}, "RECALL_ENABLED is false"),
        (DRAFT, {"SEKISHO_EMBEDDING_MODEL": "/nowhere"}, "embedding failed (settings)"),
    ],
)
def test_an_empty_list_says_why(
    recall_house: RecallHouse, monkeypatch: pytest.MonkeyPatch, text: str, variables: dict[str, str], told: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    asked = recall_house.cli("-", "--json", text=text)
    assert json.loads(asked.stdout) == {"recallCitations": []} and len(asked.stderr.splitlines()) == 1
    assert told in asked.stderr or "recall could not look" in asked.stderr
    done = recall_house.cli("-", text=text)
    assert done.exit_code == 0 and f"no related decision is named: {told}" in done.stdout


def test_a_held_warehouse_is_waited_for_and_then_an_empty_list(
    recall_house: RecallHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEKISHO_LOCK_WAIT", "0.1")
    with duckdb.connect(str(recall_house.warehouse.path)):
        done = recall_house.cli(str(recall_house.draft), "--json")
    assert (done.exit_code, json.loads(done.stdout)) == (0, {"recallCitations": []})
    assert "held by another process for more than 0.1 s" in done.stderr


def test_input_that_cannot_be_used_is_an_error_that_names_it(
    recall_house: RecallHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match=r"nowhere\.md: cannot be read"):
        recall_draft("nowhere.md")
    with pytest.raises(InputError, match=r"drafts: is a folder \(name one draft; all of them: sekisho run\)"):
        recall_draft(str(recall_house.data / "drafts"))
    for text, told in ((b"title: \x8a\x43\n", "not utf-8"), (b"title: [\n", "not valid YAML")):
        path = recall_house.data / "bad.yaml"
        path.write_bytes(text)
        with pytest.raises(InputError, match=told):
            recall_draft(str(path))
    monkeypatch.setenv("IECQ_AGENT", "oracle")
    with pytest.raises(SettingsError, match="oracle"):
        recall_draft(str(recall_house.draft))
    monkeypatch.delenv("IECQ_AGENT")
    shutil.rmtree(recall_house.state)
    with pytest.raises(InputError, match=r"no decision is known yet.*sekisho run"):
        recall_draft(str(recall_house.draft))


def test_bad_input_ends_the_process_with_2_and_a_draft_with_0(recall_house: RecallHouse) -> None:
    program = Path(sys.executable).with_name("sekisho")
    run: Any = {"capture_output": True, "text": True, "env": dict(os.environ)}
    bad = subprocess.run([program, "recall", "nowhere.md", "--json"], **run)
    assert bad.returncode == 2 and "nowhere.md" in json.loads(bad.stdout)["error"]
    done = subprocess.run([program, "recall", str(recall_house.draft), "--json"], **run)
    assert done.returncode == 0, done.stderr
    assert json.load(io.StringIO(done.stdout)) == {"recallCitations": [cite("ADR-0013"), cite("ADR-0006")]}
