"""Awkward forms in which records are met, nine to twelve: statuses, parts, other projects, other markup."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.decision_log import TEXT, links, loaded, log_folder, one, put


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return log_folder(tmp_path)


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


def test_the_first_record_of_every_log_at_another_site_is_not_ours(folder: Path) -> None:
    put(folder, "0001-record-architecture-decisions.md", TEXT)
    text = "# B\n\nAs [adr-tools](https://github.com/x/y/blob/main/adr/0001-record-architecture-decisions.md) does.\n"
    assert one(folder, "0002-b.md", text).links == ()
