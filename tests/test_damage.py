"""A byte that changed on the disk, or a file that was cut: seen, named, set aside, and made again by one command."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from dagster_project.cli.home import open_instance, prepare_home
from dagster_project.cli.main import app
from dagster_project.cli.verify import verify
from sekisho.agents.store import StoredAgent, unreadable_replies
from sekisho.alerts import AlertBook
from sekisho.doctor.diagnosis import examine
from sekisho.doctor.state import state_checks
from sekisho.errors import InputError, SekishoError, WarehouseDamaged
from sekisho.events import EventLog
from sekisho.repair import Repaired, repair_state
from sekisho.retrieval.encoder import encoder_of
from sekisho.retrieval.index import IndexBehind, IndexUnusable, open_index
from sekisho.retrieval.store import EmbeddingStore
from sekisho.settings import Settings, load_settings
from sekisho.warehouse import Warehouse
from sekisho.warehouse.mend import mend_warehouse, read_through
from tests.conftest import House
from tests.crash.readers import base_of
from tests.graph import materialise
from tests.test_alerts import verdict
from tests.test_store import CALL, Paid

KINDS = ("head", "middle", "tail", "half", "empty")


def spoil(path: Path, kind: str, seed: int = 0) -> None:
    """Flip one bit in the head, middle or tail of a file, cut it in half, or empty it."""
    data = bytearray(path.read_bytes())
    part = {"head": (0, 0.1), "middle": (0.4, 0.6), "tail": (0.9, 1)}.get(kind)
    if part:
        place = random.Random(f"{seed} {kind}").randrange(int(part[0] * len(data)), max(1, int(part[1] * len(data))))
        data[place] ^= 1 << (place % 7)
    path.write_bytes(data if part else data[: len(data) // 2] if kind == "half" else b"")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The state of one run of the sample."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEKISHO_STATE", str(folder / "state"))
        patch.setenv("SEKISHO_DATA", str(folder / "data"))
        house = House(folder)
        for name in ("catalogue", "decisions", "portal_views"):
            shutil.rmtree(house.data / name)
        assert materialise().success
        yield folder


@pytest.fixture
def house(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings of a copy of that state."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("SEKISHO_DATA", str(tmp_path / "data"))
    return load_settings()


@pytest.fixture
def thousand(tmp_path: Path) -> Warehouse:
    warehouse = Warehouse(tmp_path / "state" / "warehouse.duckdb", wait=1)
    warehouse.publish_knowledge(base_of(7), [])
    return warehouse


def repaired(settings: Settings) -> list[str]:
    result = CliRunner().invoke(app, ["repair", "--json"])
    assert result.exit_code == 0, result.output
    done: list[str] = json.loads(result.stdout)["repaired"]
    return done


def test_whatever_byte_of_the_warehouse_changed_a_reader_gets_all_thousand_rows_or_an_error(
    thousand: Warehouse,
) -> None:
    whole, base = thousand.path.read_bytes(), thousand.knowledge()
    seen = {"error": 0, "all rows": 0}
    for number in range(40):
        data = bytearray(whole)
        data[random.Random(number).randrange(len(data))] ^= 1 << (number % 8)
        thousand.path.write_bytes(data)
        try:
            assert thousand.knowledge() == base  # an unused block, or an index
            seen["all rows"] += 1
        except WarehouseDamaged as error:
            assert error.file == str(thousand.path) and "sekisho repair" in str(error)
            seen["error"] += 1
    assert seen["error"] >= 10, seen


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_warehouse_is_named_set_aside_and_can_be_written_again(thousand: Warehouse, kind: str) -> None:
    base, aside = thousand.knowledge(), thousand.path.with_name("damaged")
    for seed in range(3):
        spoil(thousand.path, kind, seed)
        spoilt = thousand.path.read_bytes()
        done = mend_warehouse(thousand.path, aside, wait=1)
        if not done:  # the byte is in a block that nothing is in
            assert thousand.knowledge() == base and kind == "tail"
        else:
            assert "warehouse.duckdb" in done[0] and "set aside" in done[0]
            assert spoilt in [path.read_bytes() for path in aside.iterdir()]
            assert thousand.knowledge() == base if "all rows were kept" in done[0] else not thousand.path.exists()
        thousand.publish_knowledge(base, [])
        assert thousand.knowledge() == base


def test_a_damaged_index_of_a_table_costs_no_row(thousand: Warehouse) -> None:
    """Found by writing every block in turn: reading alone does not see it."""
    base, whole = thousand.knowledge(), thousand.path.read_bytes()
    seen = set()
    for block in range((len(whole) - 12_288) // 262_144):
        data = bytearray(whole)
        data[12_288 + block * 262_144 + 4_000] ^= 1
        thousand.path.write_bytes(data)
        try:
            read_through(thousand.path, 1)
        except WarehouseDamaged:
            continue
        done = mend_warehouse(thousand.path, thousand.path.with_name("damaged"), wait=1)
        assert thousand.knowledge() == base
        thousand.publish_knowledge(base, [])
        seen.add(bool(done))
    assert True in seen


LEAVE_A_LOG = """
import os, sys
from pathlib import Path
from sekisho.warehouse import Warehouse, attached
from tests.crash.readers import base_of
real = attached.duckdb.connect
class Ends:
    def __init__(self, opened): self.opened = opened
    def __getattr__(self, name): return getattr(self.opened, name)
    def cursor(self): return Ends(self.opened.cursor())
    def commit(self): self.opened.commit(); os._exit(0)
attached.duckdb.connect = lambda *a, **k: Ends(real(*a, **k))
Warehouse(Path(sys.argv[1])).publish_knowledge(base_of(8), [])
"""


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_log_of_the_warehouse_loses_the_last_commit_whole_and_nothing_else(
    thousand: Warehouse, kind: str
) -> None:
    subprocess.run([sys.executable, "-c", LEAVE_A_LOG, str(thousand.path)], check=True)
    log = thousand.path.with_name("warehouse.duckdb.wal")
    whole = log.read_bytes()
    for seed in range(4):
        log.write_bytes(whole)
        spoil(log, kind, seed)
        copy = Warehouse(thousand.path.with_name(f"copy{seed}") / "warehouse.duckdb", wait=1)
        copy.path.parent.mkdir()
        for path in (thousand.path, log):
            shutil.copy(path, copy.path.parent)
        try:
            read = copy.knowledge()
        except WarehouseDamaged as error:
            assert "sekisho repair" in str(error)
            (done,) = mend_warehouse(copy.path, copy.path.parent / "damaged", wait=1)
            assert "warehouse.duckdb.wal was damaged and set aside" in done
            read = copy.knowledge()
        assert read in (base_of(7), base_of(8)), "one of the two commits, whole"
        copy.publish_knowledge(base_of(9), [])
        assert copy.knowledge() == base_of(9)


def test_a_log_without_its_warehouse_is_told_and_set_aside_and_the_next_warehouse_can_be_opened(
    thousand: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEKISHO_STATE", str(thousand.path.parent))
    settings = load_settings()
    subprocess.run([sys.executable, "-c", LEAVE_A_LOG, str(thousand.path)], check=True)
    thousand.path.unlink()
    log = thousand.path.with_name("warehouse.duckdb.wal")
    lost = log.read_bytes()
    told = {found.name: found for found in examine("state", state_checks(settings))}[log.name]
    assert told.level == "error" and "without its warehouse" in told.told and "sekisho repair" in told.remedy
    (done,) = repaired(settings)
    assert "warehouse.duckdb.wal was there without its warehouse and was set aside" in done and not log.exists()
    (log.parent / "damaged" / log.name).replace(log)
    thousand.publish_knowledge(base_of(9), [])  # nobody repaired it
    assert thousand.knowledge() == base_of(9)
    assert (log.parent / "damaged" / log.name).read_bytes() == lost


def test_what_is_of_the_wrong_kind_is_told_and_set_aside_and_the_rest_mended_all_the_same(house: Settings) -> None:
    before = {path: house.state / path for path in ("compiled.json", "documents.json", "log.jsonl")}
    compiled = house.compiled_path.read_bytes()
    folders = [*before.values(), house.report_path, house.state / "alerts.json"]
    files = [house.state / name for name in ("llm_calls", "outbox", "index", "damaged", "catalogue")]
    for path in [*folders, *files]:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        path.mkdir() if path in folders else path.write_text("no folder", encoding="utf-8")
    told = [found.told for found in examine("state", state_checks(house)) if found.level == "error"]
    for path in [*folders, *files]:
        assert f"{path} is no {'file' if path in folders else 'folder'}" in told
    done = repaired(house)
    for path in folders:
        assert any(line.startswith(f"{path.name} was no file and was set aside") for line in done)
    for path in files:
        assert any(line.startswith(f"{path.name} was no folder and was set aside") for line in done)
    assert (house.state / "damaged").is_dir() and (house.state / "damaged-2").is_file()
    assert house.compiled_path.read_bytes() == compiled
    assert repaired(house) == []
    house.warehouse_path.unlink()
    house.warehouse_path.mkdir()
    assert "warehouse.duckdb was no file and was set aside" in repaired(house)[0]


def test_dagsters_damaged_databases_are_named_set_aside_and_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEKISHO_STATE", str(tmp_path))
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    settings = load_settings()
    monkeypatch.setenv("DAGSTER_HOME", str(prepare_home(settings)))
    with open_instance(settings) as instance:
        assert instance.get_runs(limit=1) == [] and instance.all_asset_keys() == []
    bases = sorted((tmp_path / "dagster").rglob("*.db"))
    assert {path.name for path in bases} == {"index.db", "runs.db", "schedules.db"}
    whole = {path: path.read_bytes() for path in (tmp_path / "dagster").rglob("*") if path.is_file()}
    assert "databases" not in {found.name for found in examine("state", state_checks(settings))}
    assert repaired(settings) == []
    assert {path: path.read_bytes() for path in (tmp_path / "dagster").rglob("*") if path.is_file()} == whole
    for path in bases:
        path.write_bytes(random.Random(path.name).randbytes(3000) + path.read_bytes()[3000:])
        with pytest.raises(SekishoError, match=r"Dagster's database is damaged.*sekisho repair") as caught:
            open_instance(settings).__enter__()
        assert caught.value.file == str(path) and not isinstance(caught.value, InputError)
        told = {found.name: found for found in examine("state", state_checks(settings))}[path.name]
        assert told.level == "error" and str(path) in told.told and "sekisho repair" in told.remedy
        (done,) = repaired(settings)
        assert done.startswith(f"Dagster's {path.name} was damaged") and not path.exists()
        with open_instance(settings) as instance:
            assert instance.get_runs(limit=1) == [] and instance.all_asset_keys() == []


def test_what_cannot_be_set_aside_is_told_ends_with_1_and_costs_no_other_step(house: Settings) -> None:
    house.calls_path.mkdir(exist_ok=True)
    (house.calls_path / "ab").mkdir(exist_ok=True)
    (house.calls_path / "ab" / "abc.json").write_text("{", encoding="utf-8")
    (house.calls_path / "damaged").symlink_to("/proc/nothing")
    spoil(house.compiled_path, "half")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sekisho.repair.misplaced", lambda settings: {})
        result = CliRunner().invoke(app, ["repair", "--json"])
    told = json.loads(result.stdout)
    assert result.exit_code == 1
    assert [str(house.calls_path / "damaged") in line and "cannot be made" in line for line in told["failed"]] == [True]
    assert "compiled.json was not what was published" in told["repaired"][0]
    assert len(repaired(house)) == 2, "the link, and the reply"


@pytest.mark.parametrize("name", ["manifest.json", "vectors.hnsw", "current"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_index_is_not_believed_set_aside_and_made_again(house: Settings, name: str, kind: str) -> None:
    fingerprint = encoder_of(house).fingerprint
    hashes = EmbeddingStore(house.warehouse_path).hashes(fingerprint)
    generation = (house.index_path / "current").read_text(encoding="ascii").strip()
    spoil(house.index_path / ("" if name == "current" else generation) / name, kind)
    with pytest.raises(IndexUnusable) as caught:
        open_index(house.index_path, fingerprint, hashes)
    done = repaired(house)
    if isinstance(caught.value, IndexBehind):  # a manifest that names another model is one of another model
        assert materialise("vector_index").success
    else:
        assert len(done) == 1 and "the index was damaged" in done[0]
        assert (house.state / "damaged" / "index").is_dir()
    assert open_index(house.index_path, fingerprint, hashes).manifest.generation == generation


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_compiled_json_is_told_and_rendered_again(house: Settings, kind: str) -> None:
    before = house.compiled_path.read_bytes()
    spoil(house.compiled_path, kind)
    assert not verify(house).holds
    assert "compiled.json was not what was published and set aside" in repaired(house)[0]
    assert house.compiled_path.read_bytes() == before and verify(house).holds and repaired(house) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_stored_reply_is_set_aside_and_asked_again_alone(tmp_path: Path, kind: str) -> None:
    inner, calls = Paid(), [replace(CALL, prompt=replace(CALL.prompt, text=f"{n}")) for n in range(3)]
    for call in calls:
        StoredAgent(inner, tmp_path).propose(call)
    bad = sorted(tmp_path.glob("??/*.json"))[0]
    for seed in range(20):
        spoil(bad, kind, seed)
        spoilt = bad.read_bytes()
        assert unreadable_replies(tmp_path) == (3, [bad])
        asked = len(inner.asked)
        replies = [StoredAgent(inner, tmp_path).propose(call).content["n"] for call in calls]
        assert len(inner.asked) == asked + 1 and asked + 1 in replies
        assert spoilt in [path.read_bytes() for path in (tmp_path / "damaged").iterdir()]


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_letter_or_book_of_the_outbox_is_set_aside_and_named(house: Settings, kind: str) -> None:
    for name in ("alerts.json", "letter"):
        shutil.rmtree(house.state / "outbox", ignore_errors=True)
        (house.state / "alerts.json").unlink(missing_ok=True)
        book = AlertBook(house.state, wait=1)
        book.record([verdict(1, "a")], EventLog(house.log_path, run="r"))
        (letter,) = book.outbox.folder.glob("*.json")
        bad = letter if name == "letter" else book.path
        spoil(bad, kind)
        assert list(book.unreadable()) == [bad]
        (done,) = repaired(house)
        assert done.startswith(f"{bad.name} was damaged and set aside")
        assert book.unreadable() == {} and [path.name for path in book.outbox.aside()] == [bad.name]


@pytest.mark.parametrize("column", ["reply", "receipt", "fields", "text"])
def test_a_row_that_changed_in_the_warehouse_breaks_its_receipt(house: Settings, column: str) -> None:
    table = "knowledge_sources" if column == "text" else "knowledge_facts"
    with duckdb.connect(str(house.warehouse_path)) as connection:
        old = connection.execute(f"SELECT {column} FROM {table} ORDER BY seq").fetchall()[0][0]
        new = old.replace("a", "b", 1)
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE seq = 0", [new])
    found = verify(house).items
    assert {item.status for item in found} == {"holds", "receipt broken"}
    assert "01-pothos" in {item.id for item in found if item.status == "receipt broken"}
    if column == "receipt":
        assert materialise("knowledge_base", "answers").success
        assert verify(house).holds, "the next run publishes what holds"


def test_a_damaged_warehouse_is_made_again_from_documents_and_replies(house: Settings) -> None:
    before = house.compiled_path.read_bytes(), Warehouse(house.warehouse_path).answers()
    spoil(house.warehouse_path, "half")
    with pytest.raises(SekishoError, match=r"it is damaged.*sekisho repair"):
        verify(house)
    told = {found.name: found for found in examine("state", state_checks(house))}
    assert told["blocks"].level == "error" and "sekisho repair" in told["blocks"].remedy
    assert "sekisho run" in repaired(house)[0]
    assert materialise().success
    assert (house.compiled_path.read_bytes(), Warehouse(house.warehouse_path).answers()) == before
    names = [found.told for found in examine("state", state_checks(house)) if found.level != "ok"]
    assert "warehouse.duckdb was damaged, and was set aside" in names


def test_a_whole_state_needs_no_repair(house: Settings) -> None:
    before = {path: path.read_bytes() for path in house.state.rglob("*") if path.is_file()}
    assert repair_state(house) == Repaired([], [])
    after = {path: path.read_bytes() for path in house.state.rglob("*") if path.is_file()}
    assert after.keys() - before.keys() <= {house.state / name for name in ("run.lock", "alerts.lock")}
    assert {path: data for path, data in after.items() if path in before} == before
