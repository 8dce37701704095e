"""The warehouse: rows come back as they went in, a write is all or nothing, and trouble is named."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sekisho.errors import WarehouseBusy, WarehouseError
from sekisho.records import (
    Answer,
    Draft,
    Fact,
    Gap,
    KnowledgeBase,
    Note,
    Provenance,
    PublishedQuote,
    Quote,
    SourceText,
)
from sekisho.warehouse import Warehouse, attached
from sekisho.warehouse.connection import reading, writing

MADE_BY = Provenance(agent="mock", model="m", prompt_sha256="p", reply_sha256="r")
TEXT = "“海馬” 'it''s'; DROP TABLE notes; --\r\n\t\\ 😀 \u200b"
NOTES = [
    Note(path="b.md", source="b", status="read", title=TEXT, text=TEXT, sha256="1", normalised="n"),
    Note(path="a.md", source="a", status="empty"),
    Note(path="c.pdf", source="c", status="unreadable", problem="no reader"),
]
VALUES = {"n": 3, "f": 0.1, "big": 10**25, "none": None, "b": False, "l": ["x", TEXT], "水": {"deep": [1, None]}}
FACTS = [
    Fact(path=f"{name}.md", source=name, fields=VALUES, evidence={"n": TEXT}, note_sha256="1", provenance=MADE_BY)
    for name in ("b", "a")
]
GAPS = [Gap(stage="notes", item=TEXT, gate="g", reason="r"), Gap(stage="notes", item="x", gate="g", reason=TEXT)]
BASE = KnowledgeBase(
    generation="gen1",
    facts=tuple(FACTS),
    sources=tuple(SourceText(source=name, path=f"{name}.md", text=TEXT, sha256="1") for name in ("b", "a")),
)
DRAFTS = [
    Draft(
        id="q2",
        question="Q?",
        status="answered",
        answer=TEXT,
        citations=["b", 1, None],
        quotes=(Quote(source="b", text=TEXT),),
        shown=("a", "b"),
        generation="gen1",
        provenance=MADE_BY,
    ),
    Draft(id="q1", question="Q?", status="failed", generation="gen1", problem=TEXT),
]
QUOTE = PublishedQuote(source="b", text=TEXT, start=0, end=5, source_sha256="1")
ANSWERS = [
    Answer(
        id=name,
        question="Q?",
        status="answered",
        answer=TEXT,
        citations=("b", "a"),
        quotes=(QUOTE,),
        generation="gen1",
        kept=name == "q1",
        provenance=MADE_BY,
    )
    for name in ("q2", "q1")
]


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse(tmp_path / "state" / "warehouse.duckdb", wait=1)


def test_a_new_warehouse_is_empty_and_readable(warehouse: Warehouse) -> None:
    assert warehouse.notes() == warehouse.facts() == warehouse.gaps() == warehouse.drafts() == warehouse.answers() == []
    assert warehouse.knowledge() == KnowledgeBase(generation="", facts=(), sources=())


def test_every_kind_of_record_comes_back_as_it_went_in_and_in_its_order(warehouse: Warehouse) -> None:
    warehouse.replace_notes(NOTES, GAPS)
    warehouse.replace_facts(FACTS, [], [])
    warehouse.publish_knowledge(BASE, [])
    warehouse.replace_drafts(DRAFTS)
    warehouse.publish_answers(ANSWERS, [])
    again = Warehouse(warehouse.path)
    assert again.notes() == NOTES
    assert again.gaps() == GAPS
    assert again.facts() == FACTS
    assert again.knowledge() == BASE
    assert again.drafts() == DRAFTS
    assert again.answers() == ANSWERS


@pytest.mark.parametrize("citations", [None, [], "b", {"a": 1}, 5, True, 0.5, "null", [["b"]]])
def test_citations_are_kept_as_they_came_whatever_they_are(warehouse: Warehouse, citations: Any) -> None:
    draft = DRAFTS[0].model_copy(update={"citations": citations})
    warehouse.replace_drafts([draft, DRAFTS[1]])
    assert warehouse.drafts()[0].citations == citations


def test_replacing_leaves_only_the_new_rows_in_their_new_order(warehouse: Warehouse) -> None:
    warehouse.replace_notes(NOTES, GAPS)
    warehouse.replace_notes([NOTES[2], NOTES[0]], [])
    assert (warehouse.notes(), warehouse.gaps()) == ([NOTES[2], NOTES[0]], [])
    warehouse.replace_notes([], [])
    assert warehouse.notes() == []


def test_gaps_of_one_stage_are_replaced_and_the_others_stay(warehouse: Warehouse) -> None:
    answers = Gap(stage="answers", item="q1", gate="g", reason="r")
    warehouse.replace_notes(NOTES, GAPS)
    warehouse.publish_answers([], [answers])
    warehouse.replace_gaps("notes", GAPS[1:])
    assert sorted(warehouse.gaps(), key=lambda gap: gap.stage) == [answers, GAPS[1]]


def test_p12_a_write_that_fails_halfway_leaves_the_old_rows(warehouse: Warehouse) -> None:
    warehouse.replace_notes(NOTES, GAPS)
    with pytest.raises(WarehouseError) as caught:
        warehouse.replace_notes([NOTES[0], NOTES[0]], [])
    assert caught.value.file == str(warehouse.path)
    assert (warehouse.notes(), warehouse.gaps()) == (NOTES, GAPS)
    doubled = BASE.model_copy(update={"generation": "gen2", "sources": (BASE.sources[0],) * 2})
    warehouse.publish_knowledge(BASE, [])
    with pytest.raises(WarehouseError):
        warehouse.publish_knowledge(doubled, [])
    assert warehouse.knowledge() == BASE


@pytest.mark.parametrize("error", [ValueError("stop"), KeyboardInterrupt()])
def test_an_exception_inside_a_transaction_rolls_it_back_and_comes_out_as_it_is(
    warehouse: Warehouse, error: BaseException
) -> None:
    warehouse.replace_notes(NOTES, [])
    with pytest.raises(type(error)), writing(warehouse.path, 1) as connection:
        connection.execute("DELETE FROM notes")
        raise error
    assert warehouse.notes() == NOTES


def test_a_reader_never_sees_uncommitted_rows_and_gets_the_old_or_the_new_ones(warehouse: Warehouse) -> None:
    warehouse.replace_notes(NOTES, [])
    inside, go = threading.Event(), threading.Event()
    seen: list[int] = []

    def write() -> None:
        with writing(warehouse.path, 1) as connection:
            connection.execute("DELETE FROM notes WHERE path <> 'b.md'")
            inside.set()
            assert go.wait(20)

    writer = threading.Thread(target=write)
    writer.start()
    assert inside.wait(20)
    try:
        seen.append(len(Warehouse(warehouse.path, wait=0.1).notes()))
    except WarehouseBusy:
        seen.append(len(NOTES))  # told to wait: the old rows are still the rows
    reader = threading.Thread(target=lambda: seen.append(len(Warehouse(warehouse.path, wait=20).notes())))
    reader.start()
    go.set()
    writer.join()
    reader.join()
    assert seen == [3, 1]


HOLD = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"


@pytest.mark.parametrize("use", [Warehouse.notes, lambda warehouse: warehouse.replace_notes(NOTES, [])])
def test_a_file_held_by_another_process_is_busy_after_the_wait_and_named(
    warehouse: Warehouse, use: Callable[[Warehouse], Any]
) -> None:
    """Case E1."""
    warehouse.replace_notes(NOTES, [])
    command = [sys.executable, "-c", HOLD, str(warehouse.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        began = time.monotonic()
        with pytest.raises(WarehouseBusy, match="SEKISHO_LOCK_WAIT") as caught:
            use(Warehouse(warehouse.path, wait=0.4))
        assert 0.4 <= time.monotonic() - began < 5
        assert (caught.value.file, caught.value.retryable) == (str(warehouse.path), True)
        holder.communicate("")
    assert warehouse.notes() == NOTES


def test_a_file_that_is_let_go_within_the_wait_is_used(warehouse: Warehouse) -> None:
    warehouse.replace_notes(NOTES, [])
    command = [sys.executable, "-c", HOLD, str(warehouse.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        release = threading.Timer(0.3, holder.communicate, [""])
        release.start()
        assert Warehouse(warehouse.path, wait=20).notes() == NOTES
        release.join()


def writes(path: Path) -> str:
    """What another process is told that would write there at once; nothing where it may."""
    code = "import duckdb, sys; duckdb.connect(sys.argv[1])"
    return subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True).stderr


def test_another_process_is_kept_out_until_the_last_of_this_ones_readers_is_done(warehouse: Warehouse) -> None:
    """A second handle to the file would take the first one's lock away once it is closed."""
    warehouse.replace_notes(NOTES, [])
    with reading(warehouse.path, 1) as connection:
        assert warehouse.notes() == NOTES
        assert "lock on file" in writes(warehouse.path)
        assert connection.execute("SELECT count(*) FROM notes").fetchall() == [(3,)]
    assert writes(warehouse.path) == ""


def test_two_warehouses_of_one_process_do_not_see_each_others_tables(warehouse: Warehouse, tmp_path: Path) -> None:
    other = Warehouse(tmp_path / "other" / "it's; warehouse.duckdb", wait=1)
    other.replace_notes(NOTES[1:], [])
    with writing(other.path, 1) as connection:
        connection.execute("CREATE TABLE theirs (a INTEGER)")
        warehouse.replace_notes(NOTES[:1], [])  # as another thread might, meanwhile
    tables = {"notes": "notes", "theirs": "theirs"}
    with reading(other.path, 1):
        assert warehouse.counts(tables) == {"notes": 1}
    assert other.counts(tables) == {"notes": 2, "theirs": 0}
    assert other.notes() == NOTES[1:]


def test_after_an_instance_that_does_nothing_more_the_next_opening_has_a_new_one(warehouse: Warehouse) -> None:
    warehouse.replace_notes(NOTES, [])
    with reading(warehouse.path, 1):
        assert attached._instance is not None
        attached._instance.close()  # as after an error that DuckDB calls fatal
    assert writes(warehouse.path) == ""
    warehouse.replace_gaps("notes", GAPS)
    assert (warehouse.notes(), warehouse.gaps()) == (NOTES, GAPS)


FORK = """
import os, sys
from pathlib import Path
from sekisho.warehouse import Warehouse
from sekisho.warehouse.connection import writing
mine, other = (Warehouse(Path(path), wait=0.1) for path in sys.argv[1:])
for warehouse in (mine, other):
    warehouse.replace_gaps("notes", [])
def files():
    return {path.name: path.read_bytes() for path in mine.path.parent.iterdir()}
def insert(item):
    connection.execute("INSERT INTO gaps (stage, item, gate, reason) VALUES ('notes', ?, 'g', 'r')", [item])
with writing(mine.path, 1) as connection:
    insert("in the log")
    connection.commit()
    connection.begin()
    before = files()
    if (child := os.fork()) == 0:
        assert other.gaps() == []
        sys.exit()  # through all that is open
    assert os.waitpid(child, 0)[1] == 0
    assert files() == before and len(before) == 3
    insert("afterwards")
"""


def test_a_forked_child_opens_files_of_its_own_ends_and_writes_to_none_of_its_parents(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", FORK, str(warehouse.path), str(tmp_path / "other.duckdb")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert [gap.item for gap in warehouse.gaps()] == ["in the log", "afterwards"]


def spoil_version(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE warehouse_schema SET version = 99")


def spoil_foreign(path: Path) -> None:
    path.unlink()
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE theirs (a INTEGER)")


def spoil_columns(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("ALTER TABLE notes DROP COLUMN problem")


def spoil_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize("use", [Warehouse.notes, lambda warehouse: warehouse.replace_notes(NOTES, [])])
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (spoil_version, "version 99"),
        (spoil_foreign, "version unknown"),
        (spoil_columns, "problem"),
        (spoil_half, "read enough bytes"),
        (lambda path: path.write_bytes(b""), "not a valid DuckDB"),
        (lambda path: path.write_bytes(b"no database " * 1000), "not a valid DuckDB"),
    ],
    ids=["version", "foreign", "columns", "half", "empty", "garbage"],
)
def test_a_file_that_is_not_ours_or_is_broken_is_an_error_that_names_it(
    warehouse: Warehouse, spoil: Callable[[Path], None], words: str, use: Callable[[Warehouse], Any]
) -> None:
    warehouse.replace_notes([NOTES[0].model_copy(update={"path": str(n), "text": TEXT * 99}) for n in range(500)], [])
    spoil(warehouse.path)
    with pytest.raises(WarehouseError, match=words) as caught:
        use(warehouse)
    assert caught.value.file == str(warehouse.path)
    assert caught.value.remedy


def test_a_folder_that_cannot_be_made_is_named_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file", encoding="utf-8")
    with pytest.raises(WarehouseError, match="SEKISHO_STATE") as caught:
        Warehouse(tmp_path / "state" / "warehouse.duckdb").replace_gaps("knowledge_base", [])
    assert caught.value.file == str(tmp_path / "state")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_named_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o500)
    for path in (tmp_path / "state" / "warehouse.duckdb", tmp_path / "state" / "deep" / "warehouse.duckdb"):
        with pytest.raises(WarehouseError, match=r"rights|may write") as caught:
            Warehouse(path).notes()
        assert str(tmp_path / "state") in str(caught.value)


def test_a_file_system_without_hard_links_has_its_warehouse_too(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    with writing(warehouse.path, wait=1) as connection:
        assert connection.execute("SELECT count(*) FROM warehouse_schema").fetchall() == [(1,)]
    assert sorted(path.name for path in warehouse.path.parent.iterdir()) == ["warehouse.duckdb", "warehouse.lock"]
