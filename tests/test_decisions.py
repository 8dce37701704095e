"""Summaries, whatever a file may hold, the sample log, the warehouse and the asset."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sekisho.decision import Decision, DecisionFile, DecisionLink
from sekisho.events import EventLog
from sekisho.ingest import ingest_decisions
from sekisho.sources.decisions import load_decisions
from sekisho.sources.decisions.dates import find_date
from sekisho.sources.decisions.page import read_page
from sekisho.sources.decisions.status import status_of
from sekisho.sources.decisions.summary import is_placeholder, summarise
from sekisho.sources.folder import DataFolder
from sekisho.warehouse import Warehouse
from tests.conftest import ROOT, House
from tests.decision_log import TEXT, log_folder, one, put
from tests.graph import materialise


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return log_folder(tmp_path)


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("---\nsummary: In short.\n---\n# A\n\n## Decision\n\nLong.\n", "In short."),
        ("---\nsummary: TBD\n---\n# A\n\n## Decision\n\nLong.\n", "Long."),
        ("# A\n\n## TL;DR\n\nIn short.\n\n## Decision\n\nLong.\n", "In short."),
        ("# A\n\n## Decision\n\n{what was decided}\n\n## Context\n\nThe pump leaks.\n", "The pump leaks."),
        ("# A\n\n## Decision\n\nTBD\n\n## Context\n\nThe pump leaks.\n", "The pump leaks."),
        ("# A\n\n## Decision\n\nWhat is the change that we're proposing?\n\n## Context\n\nLeaks.\n", "Leaks."),
        ("# A\n\n## 決定\n\nここに決定を記述する。\n\n## 背景\n\nポンプが漏れる。\n", "ポンプが漏れる。"),
        (
            "# A\n\nDate: 2020-01-01\nAuthor: Ito\n\n![map](map.png)\n\n[x](http://x.example)\n\nReal words.\n",
            "Real words.",
        ),
        ("# A\n\n## Change log\n\n- 2020-01-01: First draft\n", "A"),
        ("# A\n\n## Decision\n\nWe will:\n\n- pump\n- bail\n", "We will:\npump\nbail"),
        ("# A\n\n## Decision\n\nFirst.\n\n### Confirmation\n\nSecond.\n", "First."),
        ("# A\n\n```\ncode alone\n```\n", "A"),
    ],
)
def test_a_summary_is_the_decision_or_the_first_real_paragraph(folder: Path, text: str, summary: str) -> None:
    assert one(folder, "0001-a.md", text).summary == summary


def test_the_words_of_a_template_are_placeholders_and_a_decision_in_braces_is_not() -> None:
    assert is_placeholder(
        'Chosen option: "{title of option 1}", because {justification | it resolves force {force} | …}.'
    )
    assert is_placeholder("[short title, … ]") and is_placeholder("N/A")
    assert not is_placeholder("Wrap constants in {braces}, because people know them from elsewhere.")


def test_sub_headings_belong_to_the_section_around_them(folder: Path) -> None:
    page = read_page("# A\n\n## Decision\n\n### Phase one\n\nPump.\n\n## Something\n\nElse.\n")
    assert [(block.text, block.section) for block in page.blocks if block.kind == "text"] == [
        ("Pump.", "decision"),
        ("Else.", ""),
    ]
    assert summarise({}, page.blocks, "A") == "Pump."


WORDS = st.sampled_from(
    [
        *(
            "# ",
            "## Status\n",
            "## Decision\n",
            "Superseded by ",
            "ADR-0001",
            "[x](0001-a.md)",
            "---\n",
            "status: ",
            "a: [",
        ),
        *(
            "| a |",
            "\n",
            "\n\n",
            "- ",
            "> ",
            "{",
            "}",
            "<!--",
            "-->",
            "```",
            "\t",
            "決定",
            "。",
            "2022-21-11",
            ":::",
            "\r\n",
        ),
        *("\x00", "===="),
    ]
)


@given(
    st.lists(st.one_of(WORDS, st.text(max_size=8)), max_size=40).map("".join), st.sampled_from([".md", ".mdx", ".rst"])
)
@settings(max_examples=200, deadline=None)
def test_whatever_a_file_holds_it_is_read_and_hides_no_other(text: str, suffix: str) -> None:
    page = read_page(text, suffix)
    assert isinstance(summarise(page.front, page.blocks, "title"), str)
    assert status_of(text) and isinstance(find_date(text), str)


def test_the_sample_log_loads_whole(tmp_path: Path) -> None:
    decisions, told = load_decisions(ROOT / "data" / "decisions")
    assert len(decisions) >= 26 and not any(file.is_fault for file in told)
    assert {file.path for file in told} == {"README.md", "template.md"}
    assert {decision.status for decision in decisions} >= {
        "accepted",
        "proposed",
        "rejected",
        "deprecated",
        "superseded",
        "superseded_in_part",
    }
    assert not [decision.id for decision in decisions if decision.unresolved]
    linked = {decision.id for decision in decisions if decision.links}
    linked |= {link.target for decision in decisions for link in decision.links}
    assert len(linked) >= len(decisions) - 1
    assert all(decision.summary and decision.date for decision in decisions)


def test_decisions_come_back_from_the_warehouse_as_they_went_in(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "w.duckdb")
    link = DecisionLink(kind="supersedes", target="ADR-0002", partial=True)
    held = Decision(
        id="ADR-0001", original_id="1", path="1.md", title="海馬 'x'", links=(link,), unresolved=("ADR-9",), sha256="0"
    )
    files = [DecisionFile(path="2.md", kind="unreadable", message="why")]
    warehouse.replace_decisions([held], files)
    assert warehouse.decisions() == [held] and warehouse.decision_files() == files
    warehouse.replace_decisions([], [])
    assert warehouse.decisions() == [] and warehouse.decision_files() == []


def test_the_ingest_tells_what_is_amiss_in_the_event_log(tmp_path: Path) -> None:
    put(tmp_path, "data/decisions/0001-a.md", TEXT)
    put(tmp_path, "data/decisions/0001-b.md", TEXT)
    seen: list[dict[str, object]] = []
    log = EventLog(tmp_path / "log.jsonl", run="r", listener=lambda event: seen.append(dict(event)))
    decisions, files = ingest_decisions(DataFolder(tmp_path / "data"), log)
    log.close()
    assert (len(decisions), len(files)) == (2, 1)
    assert [(event["event"], event.get("path"), event.get("read")) for event in seen] == [
        ("decision_file", "0001-b.md", None),
        ("decisions", None, 2),
    ]


def test_the_asset_warns_of_a_bad_file_and_the_run_goes_on(house: House) -> None:
    put(house.data, "decisions/0099-bad.md", b"\xff\xfe\x00")
    outcome = materialise("decisions")
    assert outcome.success and not outcome.checks["decisions", "every_file_was_read"].passed
    assert len(house.warehouse.decisions()) >= 26


def test_a_data_folder_without_decisions_has_no_rows_and_passes(house: House) -> None:
    shutil.rmtree(house.data / "decisions")
    outcome = materialise("decisions")
    assert outcome.success and not outcome.failed_checks and house.warehouse.decisions() == []
