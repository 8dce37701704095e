"""Ids that stay when the log grows, and a word on every file that is no record."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sekisho.sources.decisions import load_decisions
from sekisho.sources.decisions.names import own_id
from sekisho.sources.decisions.numbering import Claim, assign_ids
from tests.decision_log import TEXT, loaded, log_folder, one, put

needs_rights = pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return log_folder(tmp_path)


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
