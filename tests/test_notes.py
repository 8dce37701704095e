"""The notes loader: every file is read, empty, or named with the reason; never raises, never hides a neighbour."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sekisho.hashing import sha256_text
from sekisho.records import Note
from sekisho.sources.notes import load_notes
from sekisho.warehouse import Warehouse

needs_rights = pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "notes"
    path.mkdir(parents=True)
    return path


def put(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def only(folder: Path, encodings: tuple[str, ...] = ("utf-8",)) -> Note:
    (note,) = load_notes(folder, encodings=encodings)
    return note


def problem_beside_a_good_neighbour(folder: Path, name: str) -> str:
    """The problem of a bad entry, and that the file next to it was read all the same."""
    put(folder, "good.md", "fine")
    notes = {note.path: note for note in load_notes(folder)}
    assert notes["good.md"].status == "read"
    assert notes[name].status == "unreadable"
    return notes[name].problem


def test_a_missing_folder_gives_no_rows(tmp_path: Path) -> None:
    assert load_notes(tmp_path / "nowhere") == []


def test_notes_are_ordered_by_path(folder: Path) -> None:
    for name in ("b.md", "a/z.md", "c/a.md", "a.md", "B.md"):
        put(folder, name, "x")
    paths = [note.path for note in load_notes(folder)]
    assert paths == sorted(paths) and len(paths) == 5


def test_utf8_text_is_kept_as_it_is(folder: Path) -> None:
    put(folder, "a.md", "# 海馬\r\n\r\nＡ “q” \u200b\r\n")
    note = only(folder)
    assert note.text == "# 海馬\r\n\r\nＡ “q” \u200b\r\n"
    assert (note.title, note.status, note.sha256) == ("海馬", "read", sha256_text(note.text))


def test_a_bom_is_dropped_and_front_matter_after_it_is_read(folder: Path) -> None:
    put(folder, "a.md", b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\nbody\r\n")
    note = only(folder)
    assert (note.title, note.text) == ("T", "---\r\ntitle: T\r\n---\r\nbody\r\n")


def test_cp932_far_into_a_file_is_refused_by_name_with_its_place(folder: Path) -> None:
    put(folder, "a.txt", b"a" * 5120 + "海馬".encode("cp932"))
    note = only(folder)
    assert (note.path, note.status, note.text) == ("a.txt", "unreadable", "")
    assert "utf-8" in note.problem and "5120" in note.problem and "encodings" in note.problem


def test_cp932_is_read_where_it_is_configured(folder: Path) -> None:
    put(folder, "a.txt", b"a" * 5120 + "海馬".encode("cp932"))
    assert only(folder, ("utf-8", "cp932")).text.endswith("a海馬")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_utf16_without_configuration_is_refused(folder: Path, encoding: str) -> None:
    put(folder, "a.txt", "hello".encode(encoding))
    assert only(folder).status == "unreadable"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_utf16_is_read_where_it_is_configured(folder: Path, encoding: str) -> None:
    put(folder, "a.txt", "hello".encode(encoding))
    assert only(folder, (encoding,)).text == "hello"


def test_nul_characters_make_a_file_unreadable(folder: Path) -> None:
    put(folder, "a.md", "text\0more")
    assert "NUL" in problem_beside_a_good_neighbour(folder, "a.md")


def test_a_title_comes_from_front_matter_before_the_heading(folder: Path) -> None:
    put(folder, "a.md", "---\ntitle: ' From front '\n---\n# Heading\n")
    assert only(folder).title == "From front"


@pytest.mark.parametrize("bad", ["title: a: b", "title: !!bool x", "title: !!timestamp x", "a: 1\na: 2", "{"])
def test_invalid_front_matter_is_that_files_problem_alone(folder: Path, bad: str) -> None:
    put(folder, "bad.md", f"---\n{bad}\n---\nbody\n")
    assert "front matter" in problem_beside_a_good_neighbour(folder, "bad.md")


def test_a_front_matter_problem_names_the_line_of_the_file(folder: Path) -> None:
    put(folder, "bad.md", "---\nok: 1\ntitle: a: b\n---\nbody\n")
    assert "line 3" in problem_beside_a_good_neighbour(folder, "bad.md")


@pytest.mark.parametrize(
    "text",
    [
        "```yaml\n---\ntitle: a: b\n---\n```\n",
        "---\ntitle: a: b\nnever closed\n",
        "---\njust a rule above this\n---\nmore\n",
        "\n---\ntitle: a: b\n---\n",
    ],
)
def test_dashes_that_enclose_no_front_matter_are_body(folder: Path, text: str) -> None:
    put(folder, "a.md", text)
    note = only(folder)
    assert (note.status, note.title, note.text) == ("read", "", text)


@pytest.mark.parametrize(
    "content",
    ["", "  \r\n\t", "\u200b\ufeff\u00ad", "\ufeff", "---\ntitle: T\n---\n", "---\ntitle: T\n...\n \n", "---\n---"],
)
def test_a_file_without_text_is_empty_and_not_expected_to_give_a_fact(folder: Path, content: str) -> None:
    put(folder, "a.md", content)
    note = only(folder)
    assert (note.status, note.problem, note.is_document) == ("empty", "", False)


def test_b1_files_of_one_name_in_other_folders_or_cases_have_ids_of_their_own(folder: Path) -> None:
    for name in ("a/readme.md", "b/readme.md", "b/README.txt"):
        put(folder, name, name)
    assert sorted(note.source for note in load_notes(folder)) == ["a/readme", "b/README", "b/readme"]


def test_x_md_beside_x_txt_are_two_notes_that_claim_one_source(folder: Path) -> None:
    put(folder, "x.md", "one")
    put(folder, "x.txt", "two")
    assert [(note.path, note.source) for note in load_notes(folder)] == [("x.md", "x"), ("x.txt", "x")]


def test_p07_the_source_id_is_the_path_without_suffix_in_nfc(folder: Path) -> None:
    put(folder, "guides/cafe\u0301.v2.md", "x")
    assert only(folder).source == "guides/caf\u00e9.v2"


def test_two_names_that_differ_in_normal_form_alone_can_both_be_stored(folder: Path, tmp_path: Path) -> None:
    put(folder, "caf\u00e9.md", "one")
    put(folder, "cafe\u0301.md", "two")
    notes = load_notes(folder)
    assert [note.source for note in notes] == ["caf\u00e9", "caf\u00e9"]
    warehouse = Warehouse(tmp_path / "w.duckdb")
    warehouse.replace_notes(notes, [])
    assert [note.text for note in warehouse.notes()] == [note.text for note in notes]


def test_names_that_begin_with_a_dot_are_left_out(folder: Path) -> None:
    for name in (".hidden.md", ".git/a.md", "sub/.DS_Store", "seen.md"):
        put(folder, name, "x")
    assert only(folder).path == "seen.md"


def test_excluded_files_are_left_out(folder: Path) -> None:
    put(folder, "a.md", "x")
    put(folder, "b.md", "x")
    assert [note.path for note in load_notes(folder, excluded=lambda path: path.name == "a.md")] == ["b.md"]


@pytest.mark.parametrize(("name", "named"), [("scan.png", ".png"), ("README", "without a suffix"), ("x.md~", ".md~")])
def test_a_file_without_a_reader_is_named_with_its_suffix(folder: Path, name: str, named: str) -> None:
    put(folder, name, "x")
    assert named in problem_beside_a_good_neighbour(folder, name)


@pytest.mark.parametrize("name", ["linked", "linked.md"])
def test_a_link_to_a_folder_is_reported_and_not_followed(folder: Path, tmp_path: Path, name: str) -> None:
    put(tmp_path / "elsewhere", "secret.md", "secret")
    (folder / name).symlink_to(tmp_path / "elsewhere")
    assert problem_beside_a_good_neighbour(folder, name)
    assert len(load_notes(folder)) == 2


def test_a_link_out_of_the_folder_is_reported_and_not_read(folder: Path, tmp_path: Path) -> None:
    (folder / "link.md").symlink_to(put(tmp_path, "secret.md", "secret"))
    assert "leads out" in problem_beside_a_good_neighbour(folder, "link.md")


def test_a_link_within_the_folder_is_read(folder: Path) -> None:
    (folder / "link.md").symlink_to(put(folder, "real.md", "text"))
    assert [(note.path, note.text) for note in load_notes(folder)] == [("link.md", "text"), ("real.md", "text")]


@pytest.mark.parametrize("target", ["missing.md", "loop.md"])
def test_a_broken_or_circular_link_is_reported(folder: Path, target: str) -> None:
    (folder / "loop.md").symlink_to(folder / target)
    assert "cannot be opened" in problem_beside_a_good_neighbour(folder, "loop.md")


def test_a_fifo_is_reported_and_does_not_block(folder: Path) -> None:
    os.mkfifo(folder / "pipe.md")
    assert "not a regular file" in problem_beside_a_good_neighbour(folder, "pipe.md")


@needs_rights
def test_a_file_without_read_permission_is_reported(folder: Path) -> None:
    put(folder, "locked.md", "x").chmod(0)
    assert "cannot be opened" in problem_beside_a_good_neighbour(folder, "locked.md")


@needs_rights
def test_a_folder_without_read_permission_is_reported(folder: Path) -> None:
    put(folder, "locked/a.md", "x")
    put(folder, "good.md", "fine")
    (folder / "locked").chmod(0)
    try:
        notes = load_notes(folder)
    finally:
        (folder / "locked").chmod(0o755)
    assert [(note.path, note.status) for note in notes] == [("good.md", "read"), ("locked", "unreadable")]


@pytest.mark.parametrize("name", ["two\nlines.md", "esc\x1b[31m.md", "bidi\u202e.md"])
def test_a_name_with_control_characters_is_reported(folder: Path, name: str) -> None:
    put(folder, name, "x")
    assert "its name" in problem_beside_a_good_neighbour(folder, name)


def test_a_name_that_is_no_utf8_is_reported(folder: Path) -> None:
    put(folder, os.fsdecode(b"caf\xe9.md"), "x")
    assert "its name" in problem_beside_a_good_neighbour(folder, "caf\\udce9.md")
