"""Who supersedes whom, and what is only mentioned."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.decision_log import TEXT, loaded, log_folder, one, put


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return log_folder(tmp_path)


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
