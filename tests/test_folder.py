"""The data folder: every file is optional, and a bad one is an `InputError` that names the file and the item."""

from __future__ import annotations

from pathlib import Path

import pytest

from sekisho.errors import InputError
from sekisho.records import Question
from sekisho.sources.folder import DataFolder, FolderConfig


@pytest.fixture
def root(tmp_path: Path) -> Path:
    path = tmp_path / "data"
    (path / "notes").mkdir(parents=True)
    return path


def configured(root: Path, text: str) -> DataFolder:
    (root / "sekisho.yaml").write_text(text, encoding="utf-8")
    return DataFolder(root)


def asked(root: Path, text: str) -> DataFolder:
    (root / "questions.yaml").write_text(text, encoding="utf-8")
    return DataFolder(root)


def test_an_empty_folder_has_defaults_no_questions_and_a_schema_without_fields(root: Path) -> None:
    folder = DataFolder(root).check()
    assert folder.config == FolderConfig(exclude=(), encodings=("utf-8",), timezone="UTC")
    assert folder.questions == ()
    assert folder.notes_schema.fields == {}
    assert not folder.excluded(root / "notes" / "a.md")


def test_a_missing_folder_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        DataFolder(tmp_path / "nowhere").check()
    assert caught.value.file == str(tmp_path / "nowhere")
    assert "SEKISHO_DATA" in str(caught.value)


@pytest.mark.parametrize("text", ["", "# only a comment\n", "{}"])
def test_an_empty_configuration_is_the_defaults(root: Path, text: str) -> None:
    assert configured(root, text).config == FolderConfig()


@pytest.mark.parametrize(
    ("pattern", "path", "excluded"),
    [
        ("notes/drafts/*.md", "notes/drafts/a.md", True),
        ("drafts/*.md", "notes/drafts/a.md", True),
        ("notes/drafts/", "notes/drafts/deep/a.md", True),
        ("*.pdf", "notes/deep/scan.pdf", True),
        ("**/old/**", "notes/a/old/b/c.md", True),
        ("/a.md", "notes/a.md", True),
        ("/a.md", "notes/deep/a.md", False),
        ("notes/a.md", "decisions/a.md", False),
        ("*.pdf", "notes/a.md", False),
    ],
)
def test_exclude_patterns_are_seen_from_data_and_from_the_folder_in_it(
    root: Path, pattern: str, path: str, excluded: bool
) -> None:
    assert configured(root, f"exclude: ['{pattern}']").excluded(root / path) is excluded


@pytest.mark.parametrize("again", ["!keep.md", "!notes/keep.md", "!/notes/keep.md"])
def test_an_exclude_pattern_with_an_exclamation_mark_takes_a_file_in_again(root: Path, again: str) -> None:
    folder = configured(root, f"exclude: ['*.md', '{again}']")
    assert folder.excluded(root / "notes" / "other.md")
    assert not folder.excluded(root / "notes" / "keep.md")


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("exlude: ['*.pdf']", "exlude"),
        ("exclude: '*.pdf'", "exclude"),
        ("exclude: [1]", "exclude.1"),
        ("encodings: [utf-8, klingon]", "encodings"),
        ("encodings: [hex]", "encodings"),
        ("encodings: utf-8", "encodings"),
        ("timezone: Mars/Olympus", "timezone"),
        ("timezone: ../../etc/passwd", "timezone"),
        ("timezone: 9", "timezone"),
        ("timezone: Asia", "timezone"),
    ],
)
def test_a_bad_configuration_names_the_file_and_the_item(root: Path, text: str, item: str) -> None:
    with pytest.raises(InputError) as caught:
        configured(root, text).check()
    assert (caught.value.file, caught.value.item) == (str(root / "sekisho.yaml"), item)


@pytest.mark.parametrize("text", ["- a", "just text", "exclude: [", "a: \0"])
def test_a_configuration_that_is_no_mapping_names_the_file(root: Path, text: str) -> None:
    with pytest.raises(InputError) as caught:
        configured(root, text).check()
    assert caught.value.file == str(root / "sekisho.yaml")


def test_a_bad_exclude_pattern_is_refused_before_anything_is_read(root: Path) -> None:
    with pytest.raises(InputError) as caught:
        configured(root, "exclude: ['!']").check()
    assert (caught.value.file, caught.value.item) == (str(root / "sekisho.yaml"), "exclude")


def test_questions_keep_the_order_of_the_file(root: Path) -> None:
    folder = asked(root, "- {id: b, question: 'B?'}\n- {id: a, question: 'A?'}\n")
    assert folder.questions == (Question(id="b", question="B?"), Question(id="a", question="A?"))


@pytest.mark.parametrize("text", ["", "# none yet\n", "[]"])
def test_an_empty_list_of_questions_is_none(root: Path, text: str) -> None:
    assert asked(root, text).check().questions == ()


@pytest.mark.parametrize("text", ["{a: 1}", "just text", "7", "{}", "false", "0", "''"])
def test_questions_that_are_no_list_are_refused(root: Path, text: str) -> None:
    with pytest.raises(InputError, match="a list of"):
        asked(root, text).check()


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("- {id: a, question: 'A?'}\n- {id: a, question: 'B?'}", "a"),
        ("- {id: a, question: 'A?'}\n- {id: b}", "question 2.question"),
        ("- {question: 'A?'}", "question 1.id"),
        ("- {id: 1, question: 'A?'}", "question 1.id"),
        ("- {id: no, question: 'A?'}", "question 1.id"),
        ("- {id: '', question: 'A?'}", "question 1.id"),
        ("- {id: a, question: ''}", "question 1.question"),
        ("- {id: a, question: [x]}", "question 1.question"),
        ("- {id: a, question: 'A?', answer: x}", "question 1.answer"),
        ("- just text", "question 1"),
        ("- null", "question 1"),
    ],
)
def test_a_bad_question_names_the_file_and_the_item(root: Path, text: str, item: str) -> None:
    with pytest.raises(InputError) as caught:
        asked(root, text).check()
    assert (caught.value.file, caught.value.item) == (str(root / "questions.yaml"), item)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- Which glaze is blue?", 'question 1: is a bare text: write "- id: …" and "  question: …"'),
        ("- {id: 1, question: 'A?'}", "question 1.id: is 1, not text: put it in quotes"),
        ("- {id: a, question: 'A?', questions: x}", "nobody reads 'questions' (the nearest is 'question')"),
        ("- id: a\n  question: Which: the blue one?", "(put the text in quotes where it holds a colon)"),
    ],
)
def test_a_bad_question_says_how_it_is_written(root: Path, text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        asked(root, text).check()
    assert told in str(caught.value)


@pytest.mark.parametrize("text", ["- {id: ' ', question: 'A?'}", "- {id: a, question: ' \u200b '}"])
def test_a_question_without_visible_text_is_refused(root: Path, text: str) -> None:
    with pytest.raises(InputError, match="question 1"):
        asked(root, text).check()


def test_a_missing_schema_is_refused_where_there_are_notes(root: Path) -> None:
    (root / "notes" / "a.md").write_text("text", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        DataFolder(root).check()
    assert caught.value.file == str(root / "notes.schema.yaml")


def test_a_missing_schema_is_no_matter_where_there_is_no_notes_folder(root: Path) -> None:
    (root / "notes").rmdir()
    assert DataFolder(root).check().notes_schema.fields == {}


def test_a_missing_schema_is_no_matter_where_the_notes_folder_holds_dotfiles_alone(root: Path) -> None:
    (root / "notes" / ".gitkeep").write_text("", encoding="utf-8")
    assert DataFolder(root).check().notes_schema.fields == {}


def test_a_schema_that_is_there_is_read(root: Path) -> None:
    (root / "notes.schema.yaml").write_text("fields: {name: {type: str}}", encoding="utf-8")
    assert list(DataFolder(root).check().notes_schema.fields) == ["name"]
