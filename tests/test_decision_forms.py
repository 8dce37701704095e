"""Awkward forms in which records are met, one to eight: names, numbers, dates, front matter, Japanese fields."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.decision_log import links, loaded, log_folder, one, put


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return log_folder(tmp_path)


def test_form_01_a_record_is_the_readme_of_a_dated_folder(folder: Path) -> None:
    text = "## Decision\n\nOne serializer for ids.\n\n## Rationale\n\nThere were four.\n"
    put(folder, "2022-06-02-id-serializer/README.md", text)
    put(folder, "2022-06-02-id-serializer/measured.md", "# Numbers\n\nTen a second.\n")
    put(folder, "2022-07-11-berth-names/README.md", text.replace("serializer for ids", "name for a berth"))
    put(folder, "README.md", "# Decisions\n\n- [ids](2022-06-02-id-serializer/)\n")
    found, told = loaded(folder)
    assert set(found) == {"2022-06-02-id-serializer/README.md", "2022-07-11-berth-names/README.md"}
    first = found["2022-06-02-id-serializer/README.md"]
    assert (first.original_id, first.title, first.date) == ("2022-06-02-id-serializer", "id serializer", "2022-06-02")
    assert (first.summary, first.status) == ("One serializer for ids.", "unstated")
    assert [(file.path, file.kind, file.is_fault) for file in told] == [
        ("2022-06-02-id-serializer/measured.md", "not_a_decision", False),
        ("README.md", "not_a_decision", False),
    ]


def test_form_02_dated_files_have_their_title_in_yaml_and_their_status_in_the_folder(folder: Path) -> None:
    put(folder, "2022-03-25-base-context.md", "---\ntitle: One base for contexts\n---\nEvery context is made by it.\n")
    put(folder, "_superseded/2022-03-25-own-context.md", "---\ntitle: Own contexts\n---\nEach makes its own.\n")
    found, told = loaded(folder)
    base, own = found["2022-03-25-base-context.md"], found["_superseded/2022-03-25-own-context.md"]
    assert (base.title, base.date, base.summary) == (
        "One base for contexts",
        "2022-03-25",
        "Every context is made by it.",
    )
    assert (own.status, own.status_text) == ("superseded", "_superseded")
    assert base.id != own.id and not told


def test_form_03_a_swapped_day_and_month_costs_nothing_else(folder: Path) -> None:
    text = "---\ntitle: Anchors are counted\ndate: 2022-21-11\nstatus: accepted\n---\nBy the diver.\n"
    found = one(folder, "2022-21-11-anchors.md", text)
    assert (found.title, found.date, found.date_text) == ("Anchors are counted", "2022-11-21", "2022-21-11")
    assert found.original_id == "2022-21-11-anchors"


def test_front_matter_that_is_no_yaml_is_read_line_by_line_and_told(folder: Path) -> None:
    text = "---\ntitle: Moorings: who pays\nstatus: 'accepted'\ntags:\n  - money\n---\nThe owner.\n"
    found = one(folder, "0005-moorings.md", text)
    assert (found.title, found.status) == ("Moorings: who pays", "accepted")
    (told,) = loaded(folder)[1]
    assert (told.kind, told.is_fault) == ("front_matter", False) and "line 2" in told.message


def test_form_04_of_a_doubled_number_the_elder_keeps_it_and_prose_resolves_to_neither(folder: Path) -> None:
    put(folder, "0046-azure.md", "---\ndate: 2024-06-20\n---\n# Azure\n\nModels are rented.\n")
    put(folder, "0046-kernel.md", "---\ndate: 2024-05-02\n---\n# Kernel\n\nContent grows up.\n")
    put(folder, "0047-next.md", "# Next\n\n## Links\n\n- ADR-0046\n- [Azure](0046-azure.md)\n")
    found, told = loaded(folder)
    assert found["0046-kernel.md"].id == "ADR-0046"
    azure = found["0046-azure.md"]
    assert azure.id != "ADR-0046" and azure.original_id == "0046"
    assert [(file.path, file.kind, file.is_fault) for file in told] == [("0046-azure.md", "doubled_number", True)]
    assert "0046-kernel.md" in told[0].message and azure.id in told[0].message
    assert links(found["0047-next.md"]) == {("relates", azure.id, False)}
    assert found["0047-next.md"].unresolved == ("ADR-0046",)


def test_form_05_the_file_name_is_trusted_over_the_heading_and_a_target_over_its_text(folder: Path) -> None:
    put(
        folder,
        "0052-gates.md",
        "# 48. Functional tests of gates\n\nWe test gates. See ADR-48 and [ADR 36](0037-bus.md).\n",
    )
    put(folder, "0048-doors.md", "# 48. Doors\n\nDoors open.\n")
    put(folder, "0036-rails.md", "# Rails\n\nRails bend.\n")
    put(folder, "0037-bus.md", "# Bus\n\nEvents travel.\n")
    found, told = loaded(folder)
    assert (found["0052-gates.md"].id, found["0052-gates.md"].title) == ("ADR-0052", "Functional tests of gates")
    assert links(found["0052-gates.md"]) == {("relates", "ADR-0037", False), ("relates", "ADR-0048", False)}
    assert not told


@pytest.mark.parametrize(
    ("name", "id", "original"),
    [
        ("adr-01.md", "ADR-0001", "adr-01"),
        ("adr-9.md", "ADR-0009", "adr-9"),
        ("000-first.md", "ADR-0000", "000"),
        ("0000-first.md", "ADR-0000", "0000"),
        ("2023-08-18_025-slug.md", "ADR-0025", "2023-08-18_025"),
        ("ADR 0007 rails.md", "ADR-0007", "ADR 0007"),
        ("ADR022.md", "ADR-0022", "ADR022"),
        ("12.md", "ADR-0012", "12"),
        ("adr_0031_buoys.rst", "ADR-0031", "adr_0031"),
        ("0007_潮位.md", "ADR-0007", "0007"),
    ],
)
def test_form_06_numbers_come_padded_or_not(folder: Path, name: str, id: str, original: str) -> None:
    found = one(folder, name, "Rails\n\nRails are painted every year, and in winter twice.\n")
    assert (found.id, found.original_id) == (id, original)


@pytest.mark.parametrize(
    "written",
    ["ADR-3", "ADR 003", "ADR003", "ADR #0003", "ADR3", "[0003]", "adr-3", "ADR\n  0003", "[ADR\n  3][three]"],
)
def test_form_06_numbers_are_mentioned_in_many_ways(folder: Path, written: str) -> None:
    put(folder, "0003-rails.md", "# Rails\n\nRails bend.\n")
    found = one(folder, "0015-points.md", f"# Points\n\nThey turn as {written} says.\n\n[three]: 0003-rails.md\n")
    assert links(found) == {("relates", "ADR-0003", False)}


def test_form_06_a_second_number_may_lack_its_prefix(folder: Path) -> None:
    for number in (13, 15, 16):
        put(folder, f"00{number}-x.md", f"# Rule {number}\n\nA rule.\n")
    found = one(folder, "0020-y.md", "# Rules\n\nAs in ADR-0013 / 0015 and 0016, at 0040 metres.\n")
    assert [link.target for link in found.links] == ["ADR-0013", "ADR-0015", "ADR-0016"]


def test_form_07_categories_count_for_themselves_and_keep_their_ids_by_name(folder: Path) -> None:
    put(folder, "設計/adr/ADR-CICD-001-deploy.md", "# ADR-CICD-001: Deploy at night\n\nAt night.\n")
    put(folder, "設計/adr/ADR-TIER1-001-rust.md", "# ADR-TIER1-001: Rust\n\nAs ADR-CICD-001 / 002 say.\n")
    put(folder, "設計/adr/ADR-CICD-002-canary.md", "# ADR-CICD-002: Canaries\n\nOne in ten.\n")
    put(folder, "設計/adr/ADR-0001-mesh.md", "# ADR-0001: A mesh\n\nOne mesh.\n")
    found, told = loaded(folder)
    by_original = {decision.original_id: decision for decision in found.values()}
    assert set(by_original) == {"ADR-CICD-001", "ADR-TIER1-001", "ADR-CICD-002", "ADR-0001"}
    assert by_original["ADR-0001"].id == "ADR-0001"
    assert by_original["ADR-CICD-001"].title == "Deploy at night"
    assert links(by_original["ADR-TIER1-001"]) == {
        ("relates", by_original["ADR-CICD-001"].id, False),
        ("relates", by_original["ADR-CICD-002"].id, False),
    }
    assert len({decision.id for decision in found.values()}) == 4 and not told


def test_form_08_japanese_records_tell_status_and_revision_in_fields_or_yaml(folder: Path) -> None:
    put(folder, "ADR-0027-tide.md", "# ADR-0027: 潮位\n\n## 決定\n\n毎朝配る。\n")
    put(folder, "ADR-0005-net.md", "# ADR-0005: 回線\n\n## 決定\n\n一本にする。\n")
    text = """---
status: 採用
status_note: 試験運用を終えた
revises: ["ADR-0027"]
justifies: [7f9c1e52-0b5d-4c39-8a10-2f3f6a9f0005]
---
# ADR-0031: 潮位の配り方

- 改訂対象：ADR-0027 §2（配布時刻のみ）

## コンテキスト

本 ADR は ADR-0005 を置き換える。

## 決定

夜に配る。
"""
    found = one(folder, "ADR-0031-tide.md", text)
    assert (found.status, found.summary) == ("accepted", "夜に配る。")
    assert links(found) == {("supersedes", "ADR-0027", True), ("supersedes", "ADR-0005", False)}
    statuses = {path: decision.status for path, decision in loaded(folder)[0].items()}
    assert statuses["ADR-0027-tide.md"] == "superseded_in_part"
    assert statuses["ADR-0005-net.md"] == "superseded"
