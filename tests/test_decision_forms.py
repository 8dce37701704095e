"""The forms in which decision records are met, each with a text of our own and what must come of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sekisho.decision import Decision, DecisionFile
from sekisho.sources.decisions import load_decisions


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "decisions"
    path.mkdir(parents=True)
    return path


def put(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def loaded(folder: Path, **files: str) -> tuple[dict[str, Decision], list[DecisionFile]]:
    """The decisions by path, and what was told."""
    decisions, told = load_decisions(folder)
    return {decision.path: decision for decision in decisions}, told


def one(folder: Path, name: str, text: str) -> Decision:
    put(folder, name, text)
    return loaded(folder)[0][name]


def links(decision: Decision) -> set[tuple[str, str, bool]]:
    return {(link.kind, link.target, link.partial) for link in decision.links}


NYGARD = """# 7. Keep the tide tables in the pier kiosk

Date: 2021-03-09

## Status

Accepted

Supersedes [3. Fetch tides on demand](0003-fetch-tides.md)

## Context

The pier loses its uplink twice a week.

## Decision

We will copy a year of tide tables to every kiosk.

## Consequences

A wrong table stays wrong until the next copy.
"""
MADR_2 = """# Use one queue per berth

* Status: accepted
* Deciders: harbour team
* Date: 2020-11-02

Technical Story: a berth was booked twice.

## Context and Problem Statement

Two clerks may sell the same berth.

## Considered Options

* One queue per berth
* A lock in the database

## Decision Outcome

Chosen option: "One queue per berth", because it orders the sales without a lock.
"""
MADR_4 = """---
# These are optional metadata elements. Feel free to remove any of them.
status: "proposed"
date: 2024-06-01
decision-makers: [Ito, Baker]
---
# Print tickets at the gate

## Context and Problem Statement

Paper stock is sent by post.

<!-- This is an optional element. Feel free to remove. -->
## Decision Drivers

* cost of postage

## Decision Outcome

Chosen option: "Thermal printers", because postage ends.

<!-- This is an optional element. Feel free to remove. -->
### Confirmation

A gate prints ten tickets a minute.
"""
Y_STATEMENT = """# Freight manifests

In the context of the freight desk, facing manifests of forty pages, we decided for streaming XML and against a DOM,
to achieve a steady memory footprint, accepting that errors are found late.
"""
FREE = """How we name buoys

Buoys are named for the chart square they lie in, for skippers read the chart and not our database.
Nobody may rename one while it is at sea.
"""
JAPANESE = """# ADR-0012：潮位データの保管先

- ステータス：採用
- 日付：2023年4月5日
- 関連：ADR-0007

## 背景

桟橋の回線は週に二度切れる。

## 検討した代替案

- その都度取得する

## 決定

潮位表は一年分を各端末に配る。

## 影響

誤った表は次の配布まで残る。
"""


def test_nygard_is_read_and_its_link_resolved(folder: Path) -> None:
    put(
        folder, "0003-fetch-tides.md", "# 3. Fetch tides on demand\n\n## Status\n\nAccepted\n\n## Decision\n\nWe ask.\n"
    )
    found = one(folder, "0007-keep-tides.md", NYGARD)
    assert (found.id, found.original_id, found.title) == ("ADR-0007", "0007", "Keep the tide tables in the pier kiosk")
    assert (found.status, found.status_text, found.date) == ("accepted", "Accepted", "2021-03-09")
    assert found.summary == "We will copy a year of tide tables to every kiosk."
    assert links(found) == {("supersedes", "ADR-0003", False)}
    older = loaded(folder)[0]["0003-fetch-tides.md"]
    assert (older.status, older.status_text) == ("superseded", "Accepted"), "the successor has the last word"
    assert links(older) == {("superseded_by", "ADR-0007", False)}


def test_madr_2_has_its_fields_in_a_list(folder: Path) -> None:
    found = one(folder, "0004-one-queue.md", MADR_2)
    assert (found.title, found.status, found.date) == ("Use one queue per berth", "accepted", "2020-11-02")
    assert found.summary.startswith('Chosen option: "One queue per berth", because')


def test_madr_4_has_its_fields_in_front_matter(folder: Path) -> None:
    found = one(folder, "0009-print.md", MADR_4)
    assert (found.title, found.status, found.date) == ("Print tickets at the gate", "proposed", "2024-06-01")
    assert found.summary == 'Chosen option: "Thermal printers", because postage ends.'
    assert "optional element" not in found.body and "optional element" in found.text


def test_a_y_statement_is_its_own_summary(folder: Path) -> None:
    found = one(folder, "0002-manifests.md", Y_STATEMENT)
    assert (found.title, found.status) == ("Freight manifests", "unstated")
    assert found.summary.startswith("In the context of the freight desk") and found.summary.endswith("found late.")


def test_a_free_form_without_anything_has_the_name_for_a_title_and_its_first_paragraph_for_a_summary(
    folder: Path,
) -> None:
    found = one(folder, "how-we-name-buoys.txt", FREE)
    assert (found.title, found.original_id) == ("how we name buoys", "how-we-name-buoys")
    assert found.summary.startswith("How we name buoys\nBuoys are named for the chart square")


def test_japanese_headings_and_fields_are_read_with_full_width_marks(folder: Path) -> None:
    put(folder, "0007-keep-tides.md", NYGARD)
    found = one(folder, "ADR-0012-tides.md", JAPANESE)
    assert (found.title, found.status, found.status_text) == ("潮位データの保管先", "accepted", "採用")
    assert (found.date, found.date_text) == ("2023-04-05", "2023年4月5日")
    assert found.summary == "潮位表は一年分を各端末に配る。"
    assert links(found) == {("relates", "ADR-0007", False)}


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
    put(folder, name, "Rails\n\nRails are painted every year, and in winter twice.\n")
    ((found, *_), told) = load_decisions(folder)
    assert (found.id, found.original_id, told) == (id, original, [])


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


@pytest.mark.parametrize(
    ("head", "title", "status", "wording"),
    [
        ("---\ntitle: |\n  25. Sell by phone\ntags: [Proposed, sales]\n---\n", "Sell by phone", "proposed", "Proposed"),
        ("---\nstatus: {proposed | rejected | accepted}\ndate: {YYYY-MM-DD}\n---\n", "", "unstated", ""),
        ("---\nstatus: {proposed}\ndate: {2023-11-10}\n---\n", "", "proposed", "proposed"),
        ("## Status\n\n✅ Accepted\n\n", "", "accepted", "✅ Accepted"),
        ("## Status\n\n🤔 Proposed\n\n", "", "proposed", "🤔 Proposed"),
        (
            "- Status: Accepted (lazy consensus) & implemented\n\n",
            "",
            "accepted",
            "Accepted (lazy consensus) & implemented",
        ),
        (
            "## Status\n\nImplemented in <https://x.example/pr/3>\n\n",
            "",
            "accepted",
            "Implemented in https://x.example/pr/3",
        ),
        ("## Status\n\nIssue: <https://x.example/9>\n\nDraft\n\n", "", "proposed", "Draft"),
        ("## Status\n\nProposed | Accepted | Deprecated\n\n", "", "unstated", ""),
        ("## Status\n\nWhat is the status, such as proposed, accepted, rejected?\n\n", "", "unstated", ""),
    ],
)
def test_form_09_a_status_is_a_tag_a_template_an_emoji_or_free_text(
    folder: Path, head: str, title: str, status: str, wording: str
) -> None:
    found = one(folder, "0025-sell.md", f"{head}## Decision\n\nClerks sell by phone.\n")
    assert (found.title, found.status, found.status_text) == (title or "sell", status, wording)
    assert found.summary == "Clerks sell by phone."


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("## Status\n\nAccepted. This part of the decision is superseded by [40](0040-new.md), not the rest.\n", ""),
        ("", "## Supersedes\n\nThe tariff parts of [ADR 32. Fares: sections of everything](0032-old.html)\n"),
        ("## Status\n\nAccepted (partially superseded by ADR-40)\n", ""),
        ('---\nstatus_note: "ADR-0040: components 1–3 superseded"\nstatus: accepted\n---\n', ""),
        ("", "## Status\n\nAccepted\n\nAmends [32. Fares](/adr/32)\n"),
    ],
)
def test_form_10_what_is_superseded_in_part_stands(folder: Path, older: str, newer: str) -> None:
    front, _, rest = older.rpartition("---\n")
    put(
        folder,
        "0032-old.md",
        f"{front}{'---' if front else ''}\n# Fares\n\n{rest}\n## Decision\n\nFares are per mile.\n".lstrip(),
    )
    put(folder, "0040-new.md", f"# Tariffs\n\n{newer}\n## Decision\n\nTariffs are per hour.\n")
    found, _ = loaded(folder)
    assert links(found["0032-old.md"]) == {("superseded_by", "ADR-0040", True)}
    assert found["0032-old.md"].status == "superseded_in_part"
    assert links(found["0040-new.md"]) == {("supersedes", "ADR-0032", True)}


@pytest.mark.parametrize(
    "target",
    [
        "0032-old.html",
        "/adr/32",
        "./0032-old",
        "../decisions/0032-old.md#status",
        "https://github.com/harbour/berths/blob/main/docs/adr/0032-old.md",
        "[old]",
    ],
)
def test_form_10_links_lead_to_a_record_in_many_ways(folder: Path, target: str) -> None:
    put(folder, "0032-old.md", "# Fares\n\nPer mile.\n")
    link = "[Fares][old]" if target == "[old]" else f"[Fares]({target})"
    text = f"# Tariffs\n\n## Status\n\nSupersedes {link}\n\n[old]: 0032-old.md\n"
    assert links(one(folder, "0040-new.md", text)) == {("supersedes", "ADR-0032", False)}


@pytest.mark.parametrize("value", ['["0010"]', "0010", "10", "[ADR-0010]", "0010-old.md", "\n  - 0010-old"])
def test_form_10_numbers_stand_bare_in_yaml_and_are_no_octals(folder: Path, value: str) -> None:
    put(folder, "0008-other.md", "# Octal\n\nNever meant.\n")
    put(folder, "0010-old.md", "# Fares\n\nPer mile.\n")
    assert links(one(folder, "0040-new.md", f"---\nsupersedes: {value}\n---\n# Tariffs\n\nPer hour.\n")) == {
        ("supersedes", "ADR-0010", False)
    }


def test_form_11_a_change_log_is_no_summary_and_other_projects_records_are_none_of_ours(folder: Path) -> None:
    put(folder, "adr-028-slack.md", "# ADR 028: Slack water\n\n## Context\n\nSlack water is short.\n")
    text = """# ADR 100: Locks

## Changelog

- 2022-01-05: First draft by @skipper
- 2022-02-09: Reviewed by @pilot

## Status

Proposed

## Context

Locks fill as the SDK ADR-028 wants it; the [pilots' 028](https://github.com/pilots/sdk/blob/main/adr-028-keys.md) too.
"""
    put(folder, "core/adr-065-locks.md", text.replace("100", "065"))
    found = one(folder, "adr-100-locks.md", text)
    assert (found.id, found.status, found.links, found.unresolved) == ("ADR-0100", "proposed", (), ())
    assert found.summary.startswith("Locks fill as") and "skipper" not in found.body
    assert loaded(folder)[0]["core/adr-065-locks.md"].id == "ADR-0065"


RST = """
ADR 14: Ropes of hemp
=====================

:Status: Accepted
:Date: 2019-02-11

.. contents::
   :local:

Context
-------

Nylon stretches. See :doc:`adr-0013-nylon` and `the survey <https://x.example>`_.

.. note::
   Hemp rots.

Decision
--------

Ropes are of hemp::

    # not a heading

Details
~~~~~~~

Three strands.
"""


def test_form_12_restructured_text_has_underlined_headings(folder: Path) -> None:
    put(folder, "adr-0013-nylon.rst", "#####\nNylon\n#####\n\nDecision\n========\n\nNylon for tugs.\n")
    found = one(folder, "adr-0014-hemp.rst", RST)
    assert (found.title, found.status, found.date) == ("Ropes of hemp", "accepted", "2019-02-11")
    assert found.summary.startswith("Ropes are of hemp")
    assert links(found) == {("relates", "ADR-0013", False)}
    nylon = loaded(folder)[0]["adr-0013-nylon.rst"]
    assert (nylon.title, nylon.summary) == ("Nylon", "Nylon for tugs.")


def test_form_12_mdx_tells_its_status_in_an_admonition(folder: Path) -> None:
    put(folder, "0022-new.mdx", "# New kiosks\n\n## Decision\n\nKiosks are of glass.\n")
    text = """---
title: Wooden kiosks
---
import AdrTable from '@site/table'

<AdrTable frontMatter={frontMatter} rows={[1, 2]} />

:::warning Deprecated
Wood rots, see [the new ones](./0022-new.mdx).
:::

```sh
# install nothing
```

## Decision

Kiosks are of wood.
"""
    found = one(folder, "0021-old.mdx", text)
    assert (found.title, found.status, found.status_text) == ("Wooden kiosks", "deprecated", "Deprecated")
    assert found.summary == "Kiosks are of wood."
    assert links(found) == {("relates", "ADR-0022", False)}
    assert "AdrTable" not in found.body


def test_form_12_of_several_headings_the_first_is_the_title(folder: Path) -> None:
    found = one(folder, "0030-x.md", "```sh\n# install\n```\n\n# Cranes\n\nUp.\n\n# Appendix\n\nDown.\n")
    assert found.title == "Cranes"


def test_form_12_a_quoted_example_is_no_link(folder: Path) -> None:
    put(folder, "0009-docker.md", "# Boats in bottles\n\nWe bottle boats.\n")
    text = '# Record decisions\n\nA title is short, such as *"ADR 9: Use Docker for deployment"* or `ADR-9`.\n'
    assert one(folder, "0000-record.md", text).links == ()


def test_form_12_a_very_long_record_has_a_short_summary(folder: Path) -> None:
    found = one(folder, "0031-long.md", "# Long\n\n## Decision\n\n" + "The quay is long and wet. " * 3000)
    assert len(found.summary) <= 600 and found.summary.endswith("wet.")
