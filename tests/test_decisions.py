"""The decisions loader: ids that stay, statuses and dates in a closed form, a word on every file that is no record."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sekisho.decision import Decision, DecisionFile, DecisionLink
from sekisho.events import EventLog
from sekisho.ingest import ingest_decisions
from sekisho.sources.decisions import load_decisions
from sekisho.sources.decisions.dates import find_date, is_day_first
from sekisho.sources.decisions.names import own_id
from sekisho.sources.decisions.numbering import Claim, assign_ids
from sekisho.sources.decisions.page import read_page
from sekisho.sources.decisions.status import status_of
from sekisho.sources.decisions.summary import is_placeholder, summarise
from sekisho.sources.folder import DataFolder
from sekisho.warehouse import Warehouse
from tests.conftest import ROOT, House
from tests.graph import materialise
from tests.test_decision_forms import folder, loaded, one, put

__all__ = ["folder"]
needs_rights = pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
TEXT = "# A title\n\nThe quay was chosen.\n"

WORDINGS = {
    "accepted": (
        "Accepted|accepted|ACCEPTED|✅ Accepted|**Accepted**|Accepted.|Accepted on 2020-01-01|Accepted by @ito|Approved"
        "|Approved by the board"
        "|Adopted|Agreed|Active|Applied|Implemented|Implemented in #31|Partially implemented|Done"
        "|Final|Finalised|Ratified|Decided|Resolved|Completed|In effect|Current|Live|In use|Merged|Signed off|Confirmed"
        "|Effective|Released|Amended by ADR-9|Updated|Status: accepted|Proposed -> Accepted|~~Proposed~~ Accepted"
        "|This decision was accepted|Accepted -> see the core specification|採用|承認"
        "|承認済み|決定|採択|確定|実装済み|施行中"
    ),
    "proposed": (
        "Proposed|Proposal|Draft|DRAFT|WIP|In progress|in-progress|In review|Under review|Under discussion|Pending"
        "|Awaiting approval|Open|RFC|Request for comments|Undecided|Not implemented|Not yet accepted|Incomplete"
        "|Ongoing."
        "|On hold|Deferred|Postponed|Discussed by @ito and @baker|Provisional|Experimental|{proposed}|🤔 Proposed"
        "|提案|提案中|検討中|レビュー中|下書き|ドラフト|保留|未承認|起票"
    ),
    "rejected": (
        "Rejected|❌ Rejected|Declined|Withdrawn|Abandoned|Cancelled|Discarded|Not accepted|Won't do|wontfix|Denied"
        "|却下|不採用|棄却|撤回|見送り|取り下げ"
    ),
    "deprecated": (
        "Deprecated|Deprecated in favour of #66|Obsolete|Retired|Outdated|Archived|No longer relevant|Legacy|Expired"
        "|Accepted → Deprecated|非推奨|廃止|失効"
    ),
    "superseded": "Superseded|Superseded by ADR-5|superceded by 0005|Replaced by x|Superseeded|置換済み|置き換え済み",
    "superseded_in_part": "Partially superseded|Superseded in part by 7|Partly replaced|一部置換|一部廃止",
    "unstated": "|-|N/A|None|Unknown|?|🤷|なし",
    "other": "Purple|Reconsider in spring|保管",
}
CASES = [(wording, status) for status, wordings in WORDINGS.items() for wording in wordings.split("|")]


@pytest.mark.parametrize(("wording", "status"), CASES)
def test_a_wording_has_its_status(wording: str, status: str) -> None:
    assert status_of(wording) == status


@pytest.mark.parametrize(
    "choice",
    [
        "{proposed | accepted}",
        "Proposed | Accepted | Deprecated",
        "accepted, rejected or superseded",
        "[proposed / accepted / superseded by ADR-0005]",
        "What is the status, such as proposed, accepted, rejected, deprecated, superseded, etc.?",
        "提案・採用・廃止",
    ],
)
def test_a_templates_choice_is_no_status(choice: str) -> None:
    assert status_of(choice) == "unstated"


@pytest.mark.parametrize(
    ("section", "status", "wording"),
    [
        ("Proposed 2020-01-01\n\nAccepted 2020-02-01", "accepted", "Accepted 2020-02-01"),
        ("Accepted\n\nSuperseded by somebody", "superseded", "Superseded by somebody"),
        ("Superseded by somebody\n\nAccepted in its time", "superseded", "Superseded by somebody"),
        ("Accepted\n\nRemoved the old pump in May, too", "accepted", "Accepted"),
        ("Accepted\n\n**Declined** is option two", "accepted", "Accepted"),
        ("Date: 2020-01-01\n\nApproved", "accepted", "Approved"),
        ("Supersedes nothing", "unstated", ""),
        (
            "> **Note**\n> Unlike others this one explains, and it does so at a length that no status has.",
            "unstated",
            "",
        ),
        ("Purple", "other", "Purple"),
        ("- [ ] Proposed\n- [x] Accepted\n- [ ] Superseded", "accepted", "Accepted"),
        ("- Proposed: 2020-01-01\n- Accepted: 2020-02-01\n- Superseded:", "accepted", "Accepted: 2020-02-01"),
        ("Accepted\n\nSuperseded by: N/A", "accepted", "Accepted"),
        (":white_check_mark: Accepted", "accepted", ":white_check_mark: Accepted"),
    ],
)
def test_a_status_section_is_read_line_by_line(folder: Path, section: str, status: str, wording: str) -> None:
    found = one(folder, "0001-a.md", f"# A\n\n## Status\n\n{section}\n\n## Context\n\nDeprecated pumps leak.\n")
    assert (found.status, found.status_text) == (status, wording)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("# Old pumps\n\n> Superseded by the new ones\n\n## Context\n\nx", "superseded"),
        ("# [DEPRECATED] Old pumps\n\nThey leak.", "deprecated"),
        ("# Old pumps\n\n| Status | Date |\n|---|---|\n| Accepted | 2020-01-01 |\n\nx", "accepted"),
        ("# Old pumps\n\n| Status | Accepted |\n|---|---|\n| Date | 2020-01-01 |\n\nx", "accepted"),
        ("# Old pumps\n\n**Status:** accepted\n**Date:** 2020-01-01\n\nx", "accepted"),
        ("Status: accepted\nDate: 2020-01-01\n---\n\n# Old pumps\n\nx", "accepted"),
        ("# Old pumps\n\n## Status: accepted\n\nx", "accepted"),
        ("# Old pumps\n\n## ステータス / Status\n\n採用\n\nx", "accepted"),
        ("# Old pumps\n\n* Superseded by: none\n\n## Context\n\nx", "unstated"),
        ("# ~~7. Old pumps~~\n\n## Status\n\nSuperseded\n", "superseded"),
        ("# Old pumps\n\n## 状況\n\n採用した会社が多い。\n", "unstated"),
        ("# Old pumps\n\n## Context\n\nStatus: rejected requests are counted", "unstated"),
    ],
)
def test_a_status_stands_in_many_places(folder: Path, head: str, status: str) -> None:
    assert one(folder, "0001-a.md", head + "\n").status == status


def test_a_folder_of_the_superseded_overrules_what_was_written_before_the_move(folder: Path) -> None:
    found = one(folder, "superseded/0001-a.md", "# A\n\nStatus: Accepted\n\nx\n")
    assert (found.status, found.status_text) == ("superseded", "Accepted")


def test_a_proposal_supersedes_nothing_yet(folder: Path) -> None:
    put(folder, "0001-a.md", "# A\n\nStatus: accepted\n\nOne.\n")
    newer = one(folder, "0002-b.md", "---\nstatus: proposed\nsupersedes: 1\n---\n# B\n\nTwo.\n")
    older = loaded(folder)[0]["0001-a.md"]
    assert newer.targets("supersedes") == ["ADR-0001"]
    assert (older.status, older.links) == ("accepted", ())


@pytest.mark.parametrize(
    "prose",
    [
        "ADR-0009 supersedes ADR-0001.",
        "ADR-0001 was superseded when ADR-0009 came.",
        "The pump is replaced by a newer one as in ADR-0001.",
    ],
)
def test_running_text_about_others_makes_no_successor(folder: Path, prose: str) -> None:
    put(folder, "0001-a.md", TEXT)
    put(folder, "0009-c.md", TEXT)
    found = one(folder, "0002-b.md", f"# B\n\n## Context\n\n{prose}\n")
    assert {link.kind for link in found.links} == {"relates"}


@pytest.mark.parametrize(
    "prose",
    [
        "This decision supersedes ADR-0001.",
        "This ADR replaces [the old one](0001-a.md).",
        "The rule supersedes that description in [ADR 1](0001-a.md).",
        "As in [ADR-0001](0001-a.md), which this decision supersedes.",
        "本 ADR は ADR-0001 を置き換える。",
    ],
)
def test_running_text_about_itself_makes_a_predecessor(folder: Path, prose: str) -> None:
    put(folder, "0001-a.md", TEXT)
    assert one(folder, "0002-b.md", f"# B\n\n## Context\n\n{prose}\n").targets("supersedes") == ["ADR-0001"]


@pytest.mark.parametrize(
    "status",
    [
        "Superseded. See [B](0002-b.md).",
        "Superseded, see ADR-2",
        "Superseded\n\n- ADR-0002",
        "Superseded by 0002",
        "Superseded by 2 on 2021-03-04",
        "Superseded by 0002-b",
        "Superseded by [[0002-b]]",
    ],
)
def test_what_a_superseded_record_points_to_in_its_status_is_its_successor(folder: Path, status: str) -> None:
    put(folder, "0002-b.md", TEXT)
    assert one(folder, "0001-a.md", f"# A\n\n## Status\n\n{status}\n").targets("superseded_by") == ["ADR-0002"]


@pytest.mark.parametrize(
    ("wording", "successor"),
    [
        ("superseded by ADR-0002", ["ADR-0002"]),
        ("superseded by 0002-b", ["ADR-0002"]),
        ("superseded by [B](0002-b.md)", ["ADR-0002"]),
        ("superseded 2 May 2020", []),
    ],
)
def test_the_status_in_the_front_matter_names_the_successor(folder: Path, wording: str, successor: list[str]) -> None:
    put(folder, "0002-b.md", TEXT)
    found = one(folder, "0001-a.md", f'---\nstatus: "{wording}"\n---\n# A\n\nx\n')
    assert (found.status, found.targets("superseded_by")) == ("superseded", successor)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# ADR 7 - Pumps\n", "Pumps"),
        ("# [ADR-0007] Pumps\n", "Pumps"),
        ("# 7 Pumps\n", "Pumps"),
        ("# 0007: Pumps\n", "Pumps"),
        ("# ~~7. Pumps~~\n", "Pumps"),
        ("# Architecture Decision Record: Pumps\n", "Pumps"),
        ("Pumps\n=====\n", "Pumps"),
        ("## Pumps\n\n### Decision\n", "Pumps"),
        ("---\ntitle: 'ADR007: Pumps'\n---\n## Context\n", "Pumps"),
        ("- Title: Pumps\n- Status: accepted\n\n## Context\n", "Pumps"),
        ("# {short title of the problem}\n", "from the name"),
        ("## Context\n\nx\n\n# Appendix\n", "from the name"),
        ("# 3 pumps are enough\n", "3 pumps are enough"),
        ("# .NET pumps\n", ".NET pumps"),
        ("# ポンプ（補完）\n", "ポンプ（補完）"),
    ],
)
def test_a_title_has_no_id_and_is_never_a_section(folder: Path, text: str, title: str) -> None:
    assert one(folder, "0007-from-the-name.md", text + "\nx\n").title == title


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2020-1-5", "2020-01-05"),
        ("2020/01/05 10:00", "2020-01-05"),
        ("2020.01.05", "2020-01-05"),
        ("２０２０年１月５日", "2020-01-05"),
        ("2022-21-11", "2022-11-21"),
        ("June 19, 2018", "2018-06-19"),
        ("8th June 2023", "2023-06-08"),
        ("1 Mar 2023", "2023-03-01"),
        ("2023-Mar-01", "2023-03-01"),
        ("31/12/2020", "2020-12-31"),
        ("12/31/2020", "2020-12-31"),
        ("31.12.2020", "2020-12-31"),
        ("05.02.2020", "2020-02-05"),
        ("05/05/2020", "2020-05-05"),
        ("05/02/2020", ""),
        ("20200105", "2020-01-05"),
        ("2020-02-30", ""),
        ("{YYYY-MM-DD}", ""),
        ("version 1.2.3", ""),
        ("-", ""),
    ],
)
def test_a_date_is_read_or_not_guessed(text: str, date: str) -> None:
    assert find_date(text) == date


def test_a_slash_date_is_read_as_the_rest_of_the_log_writes_them(folder: Path) -> None:
    assert is_day_first(["31/12/2020", "05/02/2020"]) is True
    assert is_day_first(["12/31/2020"]) is False
    assert is_day_first(["05/02/2020"]) is None and is_day_first(["31/12/2020", "12/31/2020"]) is None
    put(folder, "0001-a.md", "# A\n\nDate: 31/12/2020\n\nx\n")
    assert one(folder, "0002-b.md", "# B\n\nDate: 05/02/2021\n\nx\n").date == "2021-02-05"


def ids(*paths: str, dates: dict[str, str] | None = None) -> dict[str, str]:
    return assign_ids([Claim(path, own_id(Path(path).stem), (dates or {}).get(path, "")) for path in paths])


def test_a_record_without_a_number_is_numbered_by_its_name_wherever_it_lies() -> None:
    assert ids("use-kafka.md")["use-kafka.md"] == ids("old/use-kafka.md", "0001-x.md")["old/use-kafka.md"]
    (number,) = ids("use-kafka.md").values()
    assert 5000 <= int(number.removeprefix("ADR-")) <= 9999


def test_a_record_of_a_category_keeps_its_id_when_its_title_changes() -> None:
    assert list(ids("ADR-CICD-001-argo.md").values()) == list(ids("ADR-CICD-1-flux.md").values())


@pytest.mark.parametrize("new", ["0003-new.md", "aaa.md", "2020-01-01-new.md", "ADR-OPS-001-new.md", "0001-zzz.md"])
def test_a_record_added_later_renumbers_no_other(new: str) -> None:
    log = ("0001-a.md", "0002-b.md", "use-kafka.md", "2021-05-06-x.md", "ADR-OPS-002-y.md", "sub/0001-c.md")
    before, after = ids(*log), ids(*log, new)
    assert {path: after[path] for path in log} == before and len(set(after.values())) == len(log) + 1


def test_of_a_doubled_number_the_elder_keeps_it_whatever_the_names() -> None:
    dates = {"0007-b.md": "2020-01-01", "0007-a.md": "2021-01-01"}
    assert ids("0007-b.md", "0007-a.md", dates=dates)["0007-b.md"] == "ADR-0007"


def test_a_number_used_again_in_another_folder_is_told_and_no_fault(folder: Path) -> None:
    put(folder, "0001-a.md", TEXT)
    put(folder, "billing/0001-b.md", TEXT)
    put(folder, "billing/0002-c.md", "# C\n\nAs ADR-0001 says.\n")
    put(folder, "0003-d.md", "# D\n\nAs ADR-0001 says.\n")
    found, told = loaded(folder)
    assert found["0001-a.md"].id == "ADR-0001" and found["billing/0001-b.md"].original_id == "0001"
    assert [(file.path, file.kind, file.is_fault) for file in told] == [("billing/0001-b.md", "renumbered", False)]
    assert found["billing/0002-c.md"].targets("relates") == [found["billing/0001-b.md"].id], "the nearest is meant"
    assert found["0003-d.md"].targets("relates") == ["ADR-0001"]


def test_ten_thousand_records_are_the_most_and_the_rest_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assigned = ids(*(f"name-{number}.md" for number in range(10_003)))
    assert len(assigned) == len(set(assigned.values())) == 10_000


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("template.md", "a template"),
        ("0000-template.md", "a template"),
        ("adr-template-short.md", "a template"),
        ("templates/0001-x.md", "a template"),
        ("README.md", "a listing"),
        ("sub/index.md", "a listing"),
        ("CHANGELOG.md", "a listing"),
        ("decision-log.md", "a listing"),
        ("0001-flow.png", "no Markdown"),
        ("LICENSE", "no Markdown"),
    ],
)
def test_what_is_no_decision_is_told_and_no_fault(folder: Path, name: str, told: str) -> None:
    put(folder, "0002-good.md", TEXT)
    put(folder, name, TEXT)
    found, (file,) = loaded(folder)
    assert set(found) == {"0002-good.md"}
    assert (file.path, file.kind, file.is_fault) == (name, "not_a_decision", False) and told in file.message


@pytest.mark.parametrize(
    "name", ["0012-use-email-templates.md", "0012-index-the-catalogue.md", "adr-12-readme-first.md"]
)
def test_a_decision_about_templates_or_indexes_is_one(folder: Path, name: str) -> None:
    assert one(folder, name, TEXT).id == "ADR-0012"


def test_a_readme_that_decides_is_the_record_of_its_folder_unless_others_lie_beside_it(folder: Path) -> None:
    decides = "# Kafka\n\n## Decision\n\nWe take it.\n"
    put(folder, "use-kafka/README.md", decides)
    put(folder, "many/README.md", decides)
    put(folder, "many/0003-x.md", TEXT)
    put(folder, "none/README.md", TEXT)
    found, told = loaded(folder)
    assert set(found) == {"use-kafka/README.md", "many/0003-x.md"}
    assert found["use-kafka/README.md"].original_id == "use-kafka"
    assert {file.path for file in told} == {"many/README.md", "none/README.md"}


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("0001-bad.md", b"# \x8a\x43\n", "not utf-8 (byte 2)"),
        ("0001-nul.md", b"# a\0b\n", "NUL"),
        ("0001-x.adoc", b"= A title\n", "no reader for .adoc"),
        ("0001-\x1b[31m.md", b"# a\n", "its name"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_fault_and_the_rest_loads(
    folder: Path, name: str, content: bytes, told: str
) -> None:
    put(folder, "0002-good.md", TEXT)
    put(folder, name, content)
    found, (file,) = loaded(folder)
    assert set(found) == {"0002-good.md"}
    assert (file.path, file.kind, file.is_fault) == (name, "unreadable", True) and told in file.message


@needs_rights
def test_a_file_without_read_permission_is_a_fault(folder: Path) -> None:
    put(folder, "0001-locked.md", TEXT).chmod(0)
    assert [file.kind for file in loaded(folder)[1]] == ["no_records", "unreadable"]


def test_a_link_out_of_the_folder_is_not_read(folder: Path, tmp_path: Path) -> None:
    (folder / "0001-x.md").symlink_to(put(tmp_path, "secret.md", TEXT))
    (folder / "linked").symlink_to(tmp_path)
    kinds = {file.path: file.kind for file in loaded(folder)[1]}
    assert kinds == {"0001-x.md": "unreadable", "linked": "unreadable", ".": "no_records"}


def test_another_encoding_is_read_where_it_is_configured_and_hidden_and_excluded_files_are_left_out(
    folder: Path,
) -> None:
    put(folder, "0001-a.md", "# 潮位\n\n## 決定\n\n毎朝配る。\n".encode("cp932"))
    put(folder, ".0002-b.md", TEXT)
    put(folder, "0003-c.md", TEXT)
    decisions, told = load_decisions(folder, encodings=("cp932",), excluded=lambda path: path.name == "0003-c.md")
    assert [(found.title, found.summary) for found in decisions] == [("潮位", "毎朝配る。")] and not told


def test_a_missing_folder_gives_no_rows_and_one_without_records_a_fault(folder: Path) -> None:
    assert load_decisions(folder / "nowhere") == ([], [])
    (file,) = load_decisions(folder)[1]
    assert (file.path, file.kind, file.is_fault) == (".", "no_records", True)


@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff", "<!-- only a comment -->\n"])
def test_an_empty_file_is_told_and_no_fault(folder: Path, text: str) -> None:
    put(folder, "0002-good.md", TEXT)
    put(folder, "0001-empty.md", text)
    found, (file,) = loaded(folder)
    assert set(found) == {"0002-good.md"} and (file.kind, file.is_fault) == ("empty", False)


def test_crlf_and_a_bom_are_read(folder: Path) -> None:
    found = one(
        folder, "0001-a.md", "\ufeff" + "---\nstatus: accepted\n---\n# A\n\n## Decision\n\nYes.\n".replace("\n", "\r\n")
    )
    assert (found.title, found.status, found.summary) == ("A", "accepted", "Yes.")


def test_an_id_in_the_front_matter_or_the_heading_numbers_a_file_without_one(folder: Path) -> None:
    put(folder, "kafka.md", "---\nid: ADR-012\n---\n# Kafka\n\nx\n")
    put(folder, "rabbit.md", "# 13. Rabbit\n\nx\n")
    put(folder, "three.md", "# 3 ways to queue\n\nx\n")
    found, _ = loaded(folder)
    assert (found["kafka.md"].id, found["rabbit.md"].id) == ("ADR-0012", "ADR-0013")
    assert found["rabbit.md"].title == "Rabbit"
    assert int(found["three.md"].id[4:]) >= 5000 and found["three.md"].title == "3 ways to queue"


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
    import shutil

    shutil.rmtree(house.data / "decisions")
    outcome = materialise("decisions")
    assert outcome.success and not outcome.failed_checks and house.warehouse.decisions() == []
