"""A warehouse of an earlier version is brought up to date by whoever opens it first, and no row is lost."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from dagster_project.cli.status import read_status
from sekisho.errors import WarehouseDamaged, WarehouseError
from sekisho.forecast import forecast_run
from sekisho.records import Draft, Gap
from sekisho.retrieval.store import EmbeddingStore
from sekisho.warehouse import Warehouse
from sekisho.warehouse.mend import mend_warehouse
from sekisho.warehouse.migrations import SCHEMA_VERSION
from tests.conftest import House

SCHEMAS = Path(__file__).with_name("schemas")  # the tables of each earlier version, letter for letter
# The tables as version 1 made them, letter for letter.
VERSION_1 = """
CREATE TABLE warehouse_schema (version INTEGER NOT NULL);
CREATE TABLE notes (seq INTEGER, path VARCHAR PRIMARY KEY, source VARCHAR NOT NULL, status VARCHAR NOT NULL,
    title VARCHAR, text VARCHAR, sha256 VARCHAR, normalised VARCHAR, problem VARCHAR, reader VARCHAR);
CREATE TABLE facts (seq INTEGER, path VARCHAR PRIMARY KEY, source VARCHAR NOT NULL, fields JSON NOT NULL,
    evidence JSON NOT NULL, note_sha256 VARCHAR NOT NULL, provenance JSON NOT NULL);
CREATE TABLE gaps (seq INTEGER, stage VARCHAR NOT NULL, item VARCHAR NOT NULL, gate VARCHAR NOT NULL,
    reason VARCHAR NOT NULL);
CREATE TABLE knowledge_generation (generation VARCHAR NOT NULL);
CREATE TABLE knowledge_facts (seq INTEGER, path VARCHAR NOT NULL, source VARCHAR PRIMARY KEY, fields JSON NOT NULL,
    evidence JSON NOT NULL, note_sha256 VARCHAR NOT NULL, provenance JSON NOT NULL);
CREATE TABLE knowledge_sources (seq INTEGER, source VARCHAR PRIMARY KEY, path VARCHAR NOT NULL, text VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL, reader VARCHAR);
CREATE TABLE chunks (seq INTEGER, id VARCHAR NOT NULL, kind VARCHAR NOT NULL, source VARCHAR NOT NULL,
    start BIGINT NOT NULL, "end" BIGINT NOT NULL, text_sha256 VARCHAR NOT NULL, document_sha256 VARCHAR NOT NULL,
    fingerprint VARCHAR NOT NULL, PRIMARY KEY (kind, id));
CREATE TABLE draft_answers (seq INTEGER, id VARCHAR PRIMARY KEY, question VARCHAR NOT NULL, status VARCHAR NOT NULL,
    answer VARCHAR, citations JSON, quotes JSON, shown JSON, generation VARCHAR, problem VARCHAR, provenance JSON);
CREATE TABLE answers (seq INTEGER, id VARCHAR PRIMARY KEY, question VARCHAR NOT NULL, status VARCHAR NOT NULL,
    answer VARCHAR, citations JSON, quotes JSON, generation VARCHAR, kept BOOLEAN, provenance JSON);
"""
MADE_BY = '{"agent": "mock", "model": "", "prompt_sha256": "p", "reply_sha256": "r"}'
ROWS = f"""
INSERT INTO warehouse_schema VALUES (1);
INSERT INTO notes VALUES (0, 'a.md', 'a', 'read', 'A', 'text', 's', '', '', '');
INSERT INTO facts VALUES (0, 'a.md', 'a', '{{"n": 3}}', '{{"n": "text"}}', 's', '{MADE_BY}');
INSERT INTO gaps VALUES (0, 'answers', 'q1', 'citations_exist', 'hallucinated citation: x');
INSERT INTO draft_answers VALUES (0, 'q1', 'Q?', 'answered', 'A', '["x"]', '[]', '["a"]', 'gen1', '', '{MADE_BY}');
INSERT INTO draft_answers VALUES (1, 'q2', 'Q?', 'failed', '', 'null', '[]', '[]', 'gen1', 'late', 'null');
INSERT INTO answers VALUES (0, 'q3', 'Q?', 'unanswerable', '', '[]', '[]', 'gen1', false, '{MADE_BY}');
"""
OPENERS: dict[str, Callable[[Warehouse], Any]] = {
    "a reader": Warehouse.gaps,
    "a writer": lambda warehouse: warehouse.replace_gaps("knowledge_base", []),
    "the vectors": lambda warehouse: EmbeddingStore(warehouse.path).chunks(),
}
WRITERS = ("a writer",)


@pytest.fixture
def old(tmp_path: Path) -> Warehouse:
    path = tmp_path / "warehouse.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(VERSION_1 + ROWS)
    return Warehouse(path, wait=1)


def columns(path: Path) -> list[tuple[Any, ...]]:
    query = (
        "SELECT table_name, column_name, data_type, column_default, is_nullable FROM duckdb_columns()"
        " WHERE NOT internal ORDER BY ALL"
    )
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(query).fetchall()


def version(path: Path) -> int:
    with duckdb.connect(str(path), read_only=True) as connection:
        rows = connection.execute("SELECT version FROM warehouse_schema").fetchall()
    return int(rows[0][0])


@pytest.mark.parametrize("opener", OPENERS)
def test_whoever_opens_a_version_1_file_finds_it_brought_up_to_date(old: Warehouse, opener: str) -> None:
    OPENERS[opener](old)
    assert old.gaps() == [
        Gap(stage="answers", item="q1", gate="citations_exist", reason="hallucinated citation: x", round=1)
    ]
    assert [note.path for note in old.notes()] == ["a.md"]
    assert [(fact.fields, fact.provenance.round) for fact in old.facts()] == [({"n": 3}, 1)]
    drafts = old.drafts()
    assert [(draft.id, draft.again, draft.feedback) for draft in drafts] == [("q1", True, ()), ("q2", True, ())]
    assert [answer.id for answer in old.answers()] == ["q3"]
    assert version(old.path) == (SCHEMA_VERSION if opener in WRITERS else 1)
    changed = [drafts[0], Draft(id="q9", question="Q?", status="failed", generation="", again=False, feedback=("f",))]
    old.replace_drafts(changed)
    assert Warehouse(old.path).drafts() == changed and version(old.path) == SCHEMA_VERSION


def test_who_only_reads_changes_no_byte_of_an_older_file(old: Warehouse) -> None:
    before = old.path.read_bytes()
    assert old.gaps() and old.notes() and old.facts() and old.drafts() and old.answers()
    assert old.path.read_bytes() == before and list(old.path.parent.iterdir()) == [old.path]


def test_who_only_reads_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "state" / "warehouse.duckdb"
    assert Warehouse(path).gaps() == [] and not path.parent.exists()


def test_status_and_a_dry_run_leave_an_older_warehouse_as_it_is(old: Warehouse, house: House) -> None:
    house.state.mkdir(exist_ok=True)
    path = house.settings.warehouse_path
    path.write_bytes(old.path.read_bytes())
    assert len(read_status(house.settings).withheld) == 1 and forecast_run(house.settings).calls > 0
    assert path.read_bytes() == old.path.read_bytes() and list(house.state.iterdir()) == [path]


def test_a_file_brought_up_to_date_has_the_tables_of_a_new_one(old: Warehouse, tmp_path: Path) -> None:
    new = Warehouse(tmp_path / "new.duckdb")
    for warehouse in (old, new):
        warehouse.replace_drafts([])
    assert columns(old.path) == columns(new.path)


def test_a_migration_that_fails_leaves_the_file_as_it_was(old: Warehouse) -> None:
    with duckdb.connect(str(old.path)) as connection:
        connection.execute("ALTER TABLE draft_answers ADD COLUMN feedback VARCHAR")
    before = columns(old.path)
    with pytest.raises(WarehouseError, match="feedback") as caught:
        old.gaps()
    assert caught.value.file == str(old.path) and caught.value.remedy
    assert (version(old.path), columns(old.path)) == (1, before)


@pytest.mark.parametrize("number", [0, -1, SCHEMA_VERSION + 1, 99])
def test_a_file_of_a_version_that_never_was_or_is_newer_is_left_alone(old: Warehouse, number: int) -> None:
    with duckdb.connect(str(old.path)) as connection:
        connection.execute("UPDATE warehouse_schema SET version = ?", [number])
    for opener in OPENERS.values():
        with pytest.raises(WarehouseError, match=f"version {number}, this program's is {SCHEMA_VERSION}"):
            opener(old)
    assert version(old.path) == number


def made_at(number: int, path: Path) -> Warehouse:
    """A file with the tables of an earlier version, letter for letter, and a row in those of version 1."""
    tables = (SCHEMAS / f"{number}.sql").read_text(encoding="utf-8")
    with duckdb.connect(str(path)) as connection:
        connection.execute(tables)
        for statement in ROWS.replace("INSERT INTO warehouse_schema VALUES (1)", "").split(";\n"):
            connection.execute(named(statement))
        connection.execute("INSERT INTO warehouse_schema VALUES (?)", [number])
    return Warehouse(path, wait=1)


def named(statement: str) -> str:
    """An INSERT that names the columns of version 1, since later versions have more."""
    table = statement.partition("INTO ")[2].partition(" ")[0]
    listed = re.search(rf"CREATE TABLE {table} \((.*?)\);", VERSION_1, re.DOTALL)
    if listed is None:
        return statement
    columns = ", ".join(re.findall(r"(\w+) (?:INTEGER|VARCHAR|JSON|BOOLEAN|BIGINT)", listed[1]))
    return statement.replace(f"INTO {table} VALUES", f"INTO {table} ({columns}) VALUES")


def test_every_earlier_version_has_its_tables_on_record_as_they_were() -> None:
    assert {int(path.stem) for path in SCHEMAS.glob("*.sql")} == set(range(1, SCHEMA_VERSION))


@pytest.mark.parametrize("number", range(1, SCHEMA_VERSION))
def test_a_file_of_every_earlier_version_is_brought_up_to_date_and_no_row_is_lost(number: int, tmp_path: Path) -> None:
    old = made_at(number, tmp_path / "old.duckdb")
    before = old.path.read_bytes()
    assert [note.path for note in old.notes()] == ["a.md"] and len(old.drafts()) == 2
    assert old.published().unreadable == () and old.path.read_bytes() == before
    new = Warehouse(tmp_path / "new.duckdb")
    for warehouse in (old, new):
        warehouse.replace_mappings([], [])
    assert columns(old.path) == columns(new.path) and version(old.path) == SCHEMA_VERSION
    assert [note.path for note in old.notes()] == ["a.md"]
    assert [(gap.item, gap.round, gap.again) for gap in old.gaps()] == [("q1", 1, True)]
    assert [(fact.fields, fact.places, fact.receipt) for fact in old.facts()] == [({"n": 3}, {}, "")]
    assert [draft.id for draft in old.drafts()] == ["q1", "q2"] and [one.id for one in old.answers()] == ["q3"]


def test_a_migration_that_is_killed_halfway_is_made_by_whoever_comes_next(tmp_path: Path) -> None:
    old = made_at(1, tmp_path / "old.duckdb")
    code = (
        "import os, sys, pathlib\nfrom sekisho.warehouse import Warehouse, connection\n"
        "real = connection.migrate\n"
        "def migrate(*given):\n    real(*given)\n    os.kill(os.getpid(), 9)\n"
        "connection.migrate = migrate\n"
        "Warehouse(pathlib.Path(sys.argv[1])).replace_gaps('knowledge_base', [])\n"
    )
    assert subprocess.run([sys.executable, "-c", code, str(old.path)]).returncode == -9
    assert version(old.path) == 1
    old.replace_gaps("knowledge_base", [])
    assert version(old.path) == SCHEMA_VERSION and [note.path for note in old.notes()] == ["a.md"]


def checksum(data: bytes) -> int:
    """DuckDB's checksum of a header or block."""
    found = 5381
    for (word,) in struct.iter_unpack("<Q", data):
        found ^= word * 0xBF58476D1CE4E5B9 % 2**64
    return found


def test_a_file_of_a_newer_duckdb_is_an_error_that_names_it_and_no_damage(tmp_path: Path) -> None:
    new = Warehouse(tmp_path / "new.duckdb", wait=1)
    new.replace_gaps("notes", [])
    data = bytearray(new.path.read_bytes())
    assert data[8:12] == b"DUCK" and struct.unpack("<Q", data[:8]) == (checksum(data[8:4096]),)
    data[12:20] = struct.pack("<Q", 9999)
    data[:8] = struct.pack("<Q", checksum(data[8:4096]))
    new.path.write_bytes(data)
    with pytest.raises(WarehouseError, match="version number 9999") as caught:
        new.gaps()
    assert caught.value.file == str(new.path) and caught.value.remedy
    assert not isinstance(caught.value, WarehouseDamaged)
    assert mend_refuses(new.path) == str(new.path) and new.path.read_bytes() == bytes(data)


def mend_refuses(path: Path) -> str | None:
    """The file that repairing names and leaves alone."""
    with pytest.raises(WarehouseError) as caught:
        mend_warehouse(path, path.with_name("damaged"), 1)
    return caught.value.file
