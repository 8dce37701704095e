"""Statuses, titles and dates as they are worded in the wild, in a closed form."""

from __future__ import annotations

from pathlib import Path

import pytest

from sekisho.sources.decisions.dates import find_date, is_day_first
from sekisho.sources.decisions.status import status_of
from tests.decision_log import log_folder, one, put


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return log_folder(tmp_path)


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
