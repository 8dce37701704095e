"""The sensor on the data folder: what is new, changed or removed is noticed once, and only when it lies still."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from dagster_project.definitions import defs
from dagster_project.sensors.documents import documents_changed
from sekisho.settings import load_settings
from sekisho.sources import inventory
from sekisho.sources.folder import DataFolder
from sekisho.sources.inventory import Changes, read_ingested, take_inventory
from sekisho.sources.watch import Cursor, tags_of
from sekisho.warehouse import Warehouse
from tests.conftest import ROOT, House
from tests.graph import materialise
from tests.instances import add_run


class Sensor:
    """The sensor as the daemon ticks it: the cursor goes from tick to tick, a run key is used once."""

    def __init__(self, instance: dg.DagsterInstance) -> None:
        self._instance = instance
        self._cursor: str | None = None
        self._keys: set[str] = set()
        self.told = ""

    def tick(self) -> dg.RunRequest | None:
        context = dg.build_sensor_context(self._instance, cursor=self._cursor, definitions=defs)
        found = documents_changed.evaluate_tick(context)
        self._cursor, self.told = found.cursor, found.skip_message or ""
        fresh = [request for request in found.run_requests or [] if request.run_key not in self._keys]
        self._keys |= {str(request.run_key) for request in fresh}
        return fresh[0] if fresh else None

    @property
    def cursor(self) -> str:
        return self._cursor or ""


@pytest.fixture
def sensor() -> Iterator[Sensor]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield Sensor(instance)


@pytest.fixture(autouse=True)
def _with_drafts(house: House) -> None:
    house.add_drafts()


def ingest() -> None:
    assert materialise("notes").success


# The documents of the sample and its three files of configuration.
FILES = 3 + sum(path.is_file() for name in inventory.DOCUMENTS for path in (ROOT / "data" / name).rglob("*"))


def test_d05_the_sensor_is_off_until_someone_switches_it_on() -> None:
    assert documents_changed.default_status is dg.DefaultSensorStatus.STOPPED
    assert documents_changed.job_name == "pipeline"


def test_d05_an_unchanged_and_ingested_folder_launches_nothing(house: House, sensor: Sensor) -> None:
    ingest()
    for _ in range(3):
        assert sensor.tick() is None
        assert sensor.told.startswith("nothing has changed since the last")


def test_d05_a_folder_that_was_never_ingested_is_launched_at_the_second_tick(house: House, sensor: Sensor) -> None:
    assert sensor.tick() is None
    assert sensor.told == f"waiting until nothing moves: {FILES} new, 0 changed, 0 removed"
    request = sensor.tick()
    assert request is not None
    assert request.tags["sekisho/documents_new"].startswith(f"{FILES}: catalogue/README.md, ")
    assert sensor.tick() is None, "once"


def test_d05_new_changed_and_removed_documents_are_told_in_the_runs_tags(house: House, sensor: Sensor) -> None:
    ingest()
    sensor.tick()
    house.note("06-fern.md", "Ferns like shade.")
    house.note("01-pothos.md", "Pothos, rewritten.")
    (house.data / "notes" / "02-spider-plant.md").unlink()
    (house.data / "questions.yaml").write_text("- {id: q, question: 'Why?'}\n", encoding="utf-8")
    assert sensor.tick() is None
    request = sensor.tick()
    assert request is not None
    ours = {name: told for name, told in request.tags.items() if name.startswith("sekisho/")}
    assert ours == {
        "sekisho/documents_new": "1: notes/06-fern.md",
        "sekisho/documents_changed": "2: notes/01-pothos.md, questions.yaml",
        "sekisho/documents_removed": "1: notes/02-spider-plant.md",
    }
    ingest()
    assert sensor.tick() is None and sensor.tick() is None


def test_d05_a_file_that_is_still_being_copied_waits_until_it_is_whole(house: House, sensor: Sensor) -> None:
    ingest()
    sensor.tick()
    path = house.note("06-fern.md", "Ferns")
    for part in (" like", " shade", " and", " rain."):
        assert sensor.tick() is None
        assert sensor.told == "waiting until nothing moves: 1 new, 0 changed, 0 removed"
        with path.open("a", encoding="utf-8") as file:
            file.write(part)
    assert sensor.tick() is None
    assert sensor.tick() is not None


def test_d05_a_touch_without_a_change_launches_nothing_and_is_hashed_once(
    house: House, sensor: Sensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest()
    sensor.tick()
    hashed: list[Path] = []
    digest = inventory._sha256
    monkeypatch.setattr(inventory, "_sha256", lambda path: hashed.append(path) or digest(path))
    for path in (house.data / "notes").iterdir():
        os.utime(path, ns=(1, 1))
    for _ in range(3):
        assert sensor.tick() is None
    assert len(hashed) == 5


def test_d05_more_touched_bytes_than_a_tick_can_read_count_as_changed(
    house: House, sensor: Sensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest()
    sensor.tick()
    monkeypatch.setattr(inventory, "_MOST_READ", 100)
    for path in (house.data / "notes").iterdir():
        os.utime(path, ns=(1, 1))
    assert sensor.tick() is None
    request = sensor.tick()
    assert request is not None and request.tags["sekisho/documents_changed"].startswith("5: ")


def test_d05_the_same_change_made_back_and_again_is_launched_each_time(house: House, sensor: Sensor) -> None:
    first = (house.data / "notes" / "01-pothos.md").read_text(encoding="utf-8")
    ingest()
    sensor.tick()
    for text in ("another text", first, "another text", first):
        os.utime(house.note("01-pothos.md", text), ns=(7, 7))
        sensor.tick()
        assert sensor.tick() is not None, "the run key is not one that was used"
        ingest()
        assert sensor.tick() is None


def test_d05_a_run_that_never_got_to_ingest_is_not_launched_again_and_again(house: House, sensor: Sensor) -> None:
    ingest()
    house.note("06-fern.md", "Ferns like shade.")
    sensor.tick()
    assert sensor.tick() is not None
    assert [sensor.tick() for _ in range(3)] == [None] * 3


def test_d05_nothing_is_launched_behind_a_run_of_the_pipeline_and_nothing_is_forgotten(house: House) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        sensor = Sensor(instance)
        run = add_run(instance, dg.DagsterRunStatus.QUEUED)
        sensor.tick()
        assert sensor.tick() is None
        assert sensor.told == (
            f"{FILES} new, 0 changed, 0 removed; a run of pipeline is queued ({run.run_id}): looked at again after it"
        )
        instance.report_run_canceled(run)
        assert sensor.tick() is not None


def test_d05_excluded_and_hidden_files_are_none(house: House, sensor: Sensor) -> None:
    (house.data / "sekisho.yaml").write_text("exclude: ['drafts/', '*.tmp.md']\n", encoding="utf-8")
    ingest()
    sensor.tick()
    for name in (".hidden.md", ".git/config.md", "drafts/a.md", "b.tmp.md"):
        house.note(name, "x")
    (house.data / "gap.md").write_text("no document", encoding="utf-8")
    assert sensor.tick() is None and sensor.tick() is None


def test_d05_entries_that_cannot_be_read_are_listed_and_never_raise(house: House, sensor: Sensor) -> None:
    ingest()
    sensor.tick()
    notes = house.data / "notes"
    os.mkfifo(notes / "pipe.md")
    (notes / "dangling.md").symlink_to("nowhere.md")
    (notes / "loop.md").symlink_to("loop.md")
    (notes / "outside.md").symlink_to("/etc/passwd")
    (notes / "folder").symlink_to(house.data)
    (notes / os.fsdecode(b"\xff.md")).write_text("x", encoding="utf-8")
    sensor.tick()
    request = sensor.tick()
    assert request is not None and request.tags["sekisho/documents_new"].startswith("6: ")
    ingest_refused = materialise("notes")
    assert ingest_refused.failed_checks == {"every_file_was_read"}
    assert sensor.tick() is None and sensor.tick() is None, "what was refused is not refused again and again"


@pytest.mark.parametrize("broken", ["a: [1\nb", "exclude: 3"])
def test_d05_a_broken_configuration_is_told_and_waited_for(house: House, sensor: Sensor, broken: str) -> None:
    ingest()
    sensor.tick()
    path = house.data / "sekisho.yaml"
    good = path.read_text(encoding="utf-8")
    path.write_text(broken, encoding="utf-8")
    assert sensor.tick() is None and sensor.tick() is None
    assert sensor.told.startswith(f"the data folder cannot be looked at: {path}")
    path.write_text(good + "# mended\n", encoding="utf-8")
    sensor.tick()
    assert sensor.tick() is not None


def test_d05_a_folder_that_is_gone_or_bare_is_not_taken_for_the_removal_of_everything(
    house: House, sensor: Sensor
) -> None:
    ingest()
    sensor.tick()
    shutil.move(house.data / "notes", house.data / "elsewhere")
    for _ in range(3):
        assert sensor.tick() is None
    assert sensor.told.startswith("every document of notes is gone")
    shutil.move(house.data, house.data.with_name("unmounted"))
    assert sensor.tick() is None
    assert "no such folder" in sensor.told


@pytest.mark.parametrize("cursor", [None, "", "x", "[]", '{"listing": 3}', '{"unknown": 1}'])
def test_a_cursor_that_cannot_be_read_is_a_new_one(cursor: str | None) -> None:
    assert Cursor.read(cursor) == Cursor()


def test_the_cursor_stays_small_however_many_files_there_are(house: House, sensor: Sensor) -> None:
    for number in range(500):
        house.note(f"{number:03}.md", "x")
    sensor.tick()
    request = sensor.tick()
    assert request is not None
    assert len(sensor.cursor) < 200
    assert all(len(value) < 300 for value in request.tags.values())


def test_tags_show_no_control_characters() -> None:
    assert tags_of(Changes(new=("a\x1b.md",))) == {"sekisho/documents_new": "1: a\\x1b.md"}


def test_what_changes_while_it_is_read_counts_as_changed(house: House) -> None:
    folder = DataFolder(house.data)
    before = take_inventory(folder)
    house.note("01-pothos.md", "written during the ingest")
    before.write(house.settings.inventory_path)
    changes = take_inventory(folder).changes_since(read_ingested(house.settings.inventory_path))
    assert changes.changed == ("notes/01-pothos.md",)


def test_the_inventory_is_written_by_every_ingest_and_holds_no_text(house: House) -> None:
    ingest()
    found = read_ingested(load_settings().inventory_path)
    assert list(found) == sorted(found)
    assert {"notes/01-pothos.md", "questions.yaml", "sekisho.yaml", "notes.schema.yaml"} < set(found)
    assert len(Warehouse(house.settings.warehouse_path).notes()) == 5


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"files": {"a": 1}}',
        '{"files": {"a": ["x", 1, ""]}}',
        '{"files": {"a": [1e999, 1, ""]}}',
        '{"files": {"a": [NaN, 1, ""]}}',
        '{"files": {"a": ["1", 1, ""]}}',
        '{"files": {"a": [true, 1, ""]}}',
        '{"files": {"a": [1.0, 1, ""]}}',
        '{"files": {"a": [1, 1, 2]}}',
        '{"files": {"a": [1, 1, "", 1]}}',
        '{"files": {"a": [' + "9" * 5000 + ', 1, ""]}}',
        "[" * 100_000,
        '{"files": {"a": ' + "[" * 100_000,
    ],
    ids=lambda text: text[:32],
)
def test_an_inventory_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "documents.json"
    path.write_text(text, encoding="utf-8")
    assert read_ingested(path) == {}


@pytest.mark.parametrize("text", ['{"files": {"notes/a.md": [1e999, 1, ""]}}', "[" * 100_000], ids=["infinite", "deep"])
def test_a_corrupt_inventory_stops_no_ingest_and_is_written_anew(house: House, text: str) -> None:
    house.state.mkdir(exist_ok=True)
    house.settings.inventory_path.write_text(text, encoding="utf-8")
    ingest()
    assert "notes/01-pothos.md" in read_ingested(house.settings.inventory_path)
