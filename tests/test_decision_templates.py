"""The templates that logs are written after: Nygard, MADR, Y-statements, free forms, in English and Japanese."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.decision_log import links, loaded, log_folder, one, put


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return log_folder(tmp_path)


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
