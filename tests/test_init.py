"""`sekisho init`: a data folder of one's own that runs as it is, from whatever documents there are."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from dagster_project.cli.report import RunReport, show_report
from sekisho.agents.local.agent import NO_SENTENCE
from sekisho.errors import InputError
from sekisho.records import Gap
from sekisho.scorecards.recall import load_golden
from sekisho.sources.decisions import load_drafts
from sekisho.sources.folder import DataFolder
from sekisho.sources.notes import load_notes
from sekisho.starter import Wishes, plan_starter, write_starter
from sekisho.warehouse import Warehouse
from tests.conftest import ROOT
from tests.terminal import bare_environment, on_a_terminal, plain

PROGRAM = Path(sys.executable).with_name("sekisho")
PAGE = ROOT / "docs" / "own-data.md"
DOCUMENTS: dict[str, bytes] = {
    "meeting.md": b"---\ntitle: Team meeting\n---\n# Team meeting\n\nOn 3 March 2024 the team met.\n\n"
    b"We agreed to move the archive to the new server before summer.\n",
    "定例会議.md": "# 定例会議の記録\n\n2024年3月3日に開催した。移行は夏までに終える。担当は田中さん。\n".encode(),
    "readme.md": b"# Widget\n\n`widget run` makes *widgets*.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "sub/code.md": b"```python\nprint(1)\n```\n<script>alert(1)</script>\n",
    "sub/todo.txt": b"buy milk\ncall the plumber\n",
    "empty.md": b"",
    "latin.txt": b"caf\xe9",
    "picture.png": b"\x89PNG",
    "meeting.txt": b"the same id as meeting.md",
    ".hidden.md": b"not a document",
}
TERMS = "id\tname\tacronym\tsynonyms\tparent_id\nT1\tarchive\t\tstore|stack\t\n"


def put(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def made(**wishes: Any) -> Any:
    starter = plan_starter(Wishes(**wishes))
    write_starter(starter)
    return starter


@dataclass(frozen=True)
class Own:
    """Somebody's documents, the folder that was made of them, and a run on a terminal."""

    documents: Path
    folder: Path
    told: dict[str, Any]
    code: int
    shown: str


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Own:
    root = tmp_path_factory.mktemp("own")
    documents = put(root / "documents", DOCUMENTS)
    (root / "terms.tsv").write_text(TERMS, encoding="utf-8")
    folder = root / "my 'own' 植物"
    options = ["--notes", documents, "--decisions", ROOT / "data" / "decisions", "--catalogue", root / "terms.tsv"]
    done = subprocess.run(
        [PROGRAM, "init", folder, *options, "--json"], capture_output=True, text=True, env=bare_environment()
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    run = next(line for line in told["next"] if line.endswith("sekisho run"))
    script = "\n".join(told["next"][: told["next"].index(run)]) + f"\nexec {PROGRAM} run"
    return Own(documents, folder, told, *on_a_terminal(["bash", "-c", script], environment=bare_environment()))


def test_own_documents_run_at_once_with_the_two_commands_that_init_names(own: Own) -> None:
    assert own.code == 0, own.shown
    assert plain(own.shown).rstrip().endswith("passed")
    base = Warehouse(own.folder / "state" / "warehouse.duckdb").knowledge()
    assert base.known == {"meeting", "定例会議", "readme", "sub/code", "sub/todo"}
    facts = {fact.source: fact.fields for fact in base.facts}
    assert facts["meeting"]["date"] == facts["定例会議"]["date"] == "2024-03-03"
    assert facts["meeting"]["subject"] == "Team meeting" and facts["readme"]["subject"] is None


def test_documents_are_copied_and_what_cannot_be_used_is_left_out_and_said(own: Own) -> None:
    assert tree(own.documents) == DOCUMENTS
    left = {one["path"]: one["reason"] for one in own.told["left_out"]}
    assert left["notes/latin.txt"] == "not utf-8 (byte 3): name its encoding with --encoding"
    assert left["notes/picture.png"] == "no reader for .png"
    assert left["notes/meeting.txt"] == "has the source id of meeting.md: rename one of them"
    assert left["decisions/template.md"].startswith("not read as a decision")
    copied = tree(own.folder / "notes")
    taken = DOCUMENTS.keys() - {"latin.txt", "picture.png", "meeting.txt", ".hidden.md"}
    assert copied == {name: DOCUMENTS[name] for name in taken}
    assert (own.folder / "catalogue" / "terms.tsv").read_text(encoding="utf-8") == TERMS
    assert len(list((own.folder / "decisions").rglob("*.*"))) == 31
    assert {"sekisho.yaml", "notes.schema.yaml", "questions.yaml", "env.sh"} <= set(own.told["written"])


def test_a_run_on_a_terminal_shows_what_is_being_worked_on_and_then_the_lines_of_each_stage(own: Own) -> None:
    assert "\x1b[" in own.shown and "0/5" in own.shown
    during, after = plain(own.shown).split("✓ facts extracted: 5 of 5")
    assert "meeting" in during and "sub/code" in during
    assert "✓ knowledge base compiled: 1 of 1" in after


def test_next_names_what_is_to_be_edited_and_a_program_that_a_shell_finds(own: Own) -> None:
    enter, schema, run, questions, draft, recall = own.told["next"]
    assert enter.startswith(". ") and schema.startswith("# edit ") and questions.startswith("# edit ")
    assert "notes.schema.yaml" in schema and "questions.yaml" in questions and "your-draft.md" in draft
    found = [shlex.split(line)[0] for line in (run, recall)]
    assert [Path(name).name for name in found] == ["sekisho", "sekisho"]
    assert all(shutil.which(name) or shutil.which(name, path=bare_environment().get("PATH", "")) for name in found)
    assert Path(shlex.split(recall)[2]) == own.folder / "drafts" / "your-draft.md"


def test_a_first_run_without_questions_says_what_was_extracted_and_where_questions_go(own: Own) -> None:
    shown = plain(own.shown).replace("\r", "")
    assert re.search(r"facts: 5, values: \d+ of 15 \(sekisho report shows them\)", shown), shown
    assert f"no question is asked yet: write some into {own.folder / 'questions.yaml'}, or sekisho ask" in shown


@pytest.mark.parametrize("reason", [f'local: {NO_SENTENCE} "price" (no candidate)', "evidence is not verbatim"])
def test_a_required_field_that_local_does_not_find_has_its_remedy_beside_it(
    reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gap = Gap(stage="facts", item="a", gate="fact_count_matches", reason=reason)
    show_report(RunReport("run", True, [], [], [gap], [], "", tmp_path))
    assert ("→ required: false in notes.schema.yaml" in capsys.readouterr().out) == reason.startswith("local")


@dataclass(frozen=True)
class Documented:
    """The commands of docs/own-data.md, run in one shell: what each is shown to print, and what it printed."""

    root: Path
    steps: list[tuple[str, list[str], list[str]]]


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Documented:
    root = tmp_path_factory.mktemp("documented")
    steps: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                steps.append((line[2:], []))
            else:
                steps[-1][1].append(line)
    script = "\n".join(f"{command}\necho '=== end of a step'" for command, _ in steps)
    environment = bare_environment() | {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-euc", script], cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    printed = [part.strip("\n").splitlines() for part in done.stdout.split("=== end of a step")]
    return Documented(root, [(*step, lines) for step, lines in zip(steps, printed, strict=False)])


def test_every_command_of_the_page_on_own_data_prints_what_is_shown(documented: Documented) -> None:
    assert len(documented.steps) == 6
    for command, shown, printed in documented.steps:
        found = [line.rstrip() for line in printed]
        missing = [line for line in shown if line != "..." and line.rstrip() not in found]
        assert missing == [], f"{command} printed {printed}"


def test_the_example_answers_what_it_asks(documented: Documented) -> None:
    warehouse = Warehouse(documented.root / "garden" / "state" / "warehouse.duckdb")
    answers = {answer.id: (answer.status, answer.citations) for answer in warehouse.answers()}
    assert answers == {
        "beans": ("answered", ("garden-group",)),
        "shelves": ("answered", ("book-exchange",)),
        "frost": ("unanswerable", ()),
    }
    subjects = {fact.source: fact.fields["subject"] for fact in warehouse.knowledge().facts}
    assert subjects == {"garden-group": "Garden group", "book-exchange": "Book exchange", "水やり当番": "水やり当番"}


def test_what_exists_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    folder = put(tmp_path / "new", {"questions.yaml": b"mine", "notes/mine.md": b"# Mine\n\nMy own note.\n"})
    before = tree(folder)
    done = subprocess.run([PROGRAM, "init", folder, "--yes"], capture_output=True, text=True)
    assert done.returncode == 2 and "never written over: questions.yaml" in done.stderr
    with pytest.raises(InputError, match="notes/"):
        plan_starter(Wishes(folder, notes=put(tmp_path / "other", {"other.md": b"# Other\n\nAnother.\n"})))
    assert tree(folder) == before


def test_notes_that_lie_in_the_folder_stay_there_and_bad_ones_are_excluded_by_name(tmp_path: Path) -> None:
    files = {"notes/a.md": b"# A\n\nSome text.\n", "notes/b [1] #x.txt": b"caf\xe9", "notes/deep/pic!.png": b"x"}
    folder = put(tmp_path / "mine", files)
    starter = made(folder=folder)
    assert (starter.in_place, starter.notes, starter.example) == (True, 1, False)
    data = DataFolder(folder).check()
    notes = load_notes(folder / "notes", encodings=data.config.encodings, excluded=data.excluded)
    assert [(note.path, note.status) for note in notes] == [("a.md", "read")]
    assert tree(folder).items() >= files.items()


@pytest.mark.parametrize("wish", ["decisions", "catalogue"])
def test_where_something_else_is_given_no_example_is_written(wish: str, tmp_path: Path) -> None:
    (tmp_path / "terms.tsv").write_text(TERMS, encoding="utf-8")
    given = {"decisions": ROOT / "data" / "decisions", "catalogue": tmp_path / "terms.tsv"}
    starter = made(folder=tmp_path / "new", **{wish: given[wish]})
    assert (starter.notes, starter.example) == (0, False)
    data = DataFolder(tmp_path / "new").check()
    assert not (data.root / "notes").exists() and data.questions == ()
    assert (data.root / "drafts" / "your-draft.md").exists() == (wish == "decisions")
    golden = data.root / "golden" / "recall.yaml"
    assert golden.exists() == (wish == "decisions") and load_golden(golden) == [], "an example that is commented out"
    (draft, *_), told = load_drafts(data.root / "drafts") if wish == "decisions" else ([None], [])
    assert told == [] and (draft is None or not draft.title)


def test_a_folder_that_is_there_says_how_to_add_to_it_and_a_file_is_no_folder(tmp_path: Path) -> None:
    folder = put(tmp_path / "mine", {"questions.yaml": b""})
    with pytest.raises(InputError, match=r"copy decisions into .*mine/decisions, terms into .*mine/catalogue/terms"):
        plan_starter(Wishes(folder))
    with pytest.raises(InputError, match=r"questions\.yaml: .*is a file, not a folder \(name its folder\)"):
        plan_starter(Wishes(tmp_path / "new", notes=folder / "questions.yaml"))


def test_a_folder_inside_the_documents_does_not_take_itself(tmp_path: Path) -> None:
    documents = put(tmp_path / "docs", {"a.md": b"# A\n\nText.\n"})
    made(folder=documents / "sekisho", notes=documents)
    assert [*tree(documents / "sekisho" / "notes")] == ["a.md"]
    with pytest.raises(InputError, match="never written over"):
        plan_starter(Wishes(documents / "sekisho", notes=documents))


def test_an_encoding_that_is_named_is_used_and_written_down(tmp_path: Path) -> None:
    documents = put(tmp_path / "docs", {"会議.txt": "会議を開いた。".encode("cp932")})
    with pytest.raises(InputError, match="no note can be read here"):
        plan_starter(Wishes(tmp_path / "new", notes=documents))
    made(folder=tmp_path / "new", notes=documents, encodings=("cp932",))
    data = DataFolder(tmp_path / "new").check()
    (note,) = load_notes(tmp_path / "new" / "notes", encodings=data.config.encodings)
    assert note.text == "会議を開いた。"


def test_a_schema_and_questions_of_ones_own_are_copied_byte_for_byte(tmp_path: Path) -> None:
    schema, questions = ROOT / "data" / "notes.schema.yaml", ROOT / "data" / "questions.yaml"
    made(folder=tmp_path / "new", notes=ROOT / "data" / "notes", schema=schema, questions=questions)
    for path in (schema, questions):
        assert (tmp_path / "new" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("wish", "content", "told"),
    [
        ("notes", None, "no such folder"),
        ("decisions", None, "no such folder"),
        ("schema", None, "no such file"),
        ("schema", "title: x", "a mapping with `title` and `fields` is expected"),
        ("questions", "- {id: a}", "question 1.question: is missing"),
        ("catalogue", None, "no such file"),
        ("catalogue", "name\tacronym\n", "its first line has no columns id and name"),
        ("encodings", ("klingon",), "no encoding: klingon"),
    ],
)
def test_what_cannot_be_used_is_said_before_anything_is_written(
    wish: str, content: Any, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "given.tsv"
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    value = content if wish == "encodings" else path
    with pytest.raises(InputError, match=told) as caught:
        plan_starter(Wishes(**{"folder": tmp_path / "new", wish: value}))
    assert caught.value.remedy and not (tmp_path / "new").exists()


def test_where_the_disk_refuses_nothing_half_made_is_kept(tmp_path: Path) -> None:
    starter = plan_starter(Wishes(tmp_path / "new"))
    put(tmp_path / "new", {"state": b"a file where a folder must be"})
    before = tree(tmp_path / "new")
    with pytest.raises(InputError, match="cannot be written"):
        write_starter(starter)
    assert tree(tmp_path / "new") == before


def test_on_a_terminal_it_asks_and_the_question_becomes_the_first_one(tmp_path: Path) -> None:
    documents = put(tmp_path / "docs", {"a.md": b"# A\n\nText.\n"})
    answers = ["", "", str(documents), 'Who says "no: never"?']
    command = [str(PROGRAM), "init", str(tmp_path / "new")]
    code, shown = on_a_terminal(command, environment=os.environ, answers=answers)
    assert code == 0, shown
    assert "sekisho run" in shown and "A folder with your notes (empty: an example is written)" in shown
    questions = yaml.safe_load((tmp_path / "new" / "questions.yaml").read_text(encoding="utf-8"))
    assert questions == [{"id": "q1", "question": 'Who says "no: never"?'}]
