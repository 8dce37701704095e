"""`sekisho doctor`: each thing that keeps a run from its work is found, and has a remedy."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from dagster_project.cli.doctor import diagnoses
from sekisho.doctor import Diagnosis, examine, exit_code
from sekisho.doctor.diagnosis import Area
from sekisho.errors import AgentFailed
from sekisho.warehouse import Warehouse, run_lock
from tests.conftest import House
from tests.test_cli import sekisho


def found(*only: Area, online: bool = False) -> dict[str, Diagnosis]:
    """The findings by name, of all areas or some."""
    return {one.name: one for one in diagnoses(online=online, only=only)}


def bad(*only: Area) -> dict[str, Diagnosis]:
    """What is not in order; every such finding has a remedy."""
    told = {name: one for name, one in found(*only).items() if one.level != "ok"}
    assert all(one.remedy for one in told.values())
    return told


def test_a_fresh_house_is_in_order_and_nothing_is_written(house: House) -> None:
    told = found()
    assert [one for one in told.values() if one.level != "ok"] == []
    assert {"python", "packages", "hnswlib", "embedding model", "notes", "prompts", "space", "mock"} <= told.keys()
    assert "dimension 384" in told["embedding model"].told and "dagster 1." in told["packages"].told
    assert not house.state.exists() and exit_code(told.values()) == 0


def test_the_command_prints_each_remedy_and_ends_2_for_settings(house: House) -> None:
    done = sekisho("doctor", "--json", SEKISHO_WORKERS="many", SEKISHO_LOCK_WAIT="-1", SEKISHO_DTA="x")
    assert done.returncode == 2, done.stderr
    told = {one["name"]: one for one in json.loads(done.stdout)["findings"]}
    assert [told[name]["level"] for name in ("SEKISHO_WORKERS", "SEKISHO_LOCK_WAIT")] == ["error", "error"]
    assert told["SEKISHO_DTA"]["told"].endswith("the nearest is SEKISHO_DATA")
    assert told["notes"]["level"] == "ok", "the rest is looked at all the same"


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("SEKISHO_EMBEDING_MODEL", "SEKISHO_EMBEDDING_MODEL"),
        ("IECQ_AGNET", "IECQ_AGENT"),
        ("CHROMA_STRIP_DECIGK", "CHROMA_STRIP_DECIKG"),
        ("SEKISHOO_DATA", "SEKISHO_DATA"),
    ],
)
def test_a_name_that_nobody_reads_is_told_with_the_nearest_one(
    name: str, nearest: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "1")
    assert f"the nearest is {nearest}" in bad("settings")[name].told


def test_variables_of_other_programs_and_of_dagsters_own_settings_are_left_alone(
    house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = tmp_path / "dagster.yaml"
    own.write_text("storage:\n  postgres:\n    postgres_url:\n      env: SEKISHO_POSTGRES_URL\n", encoding="utf-8")
    monkeypatch.setenv("SEKISHO_DAGSTER_YAML", str(own))
    for name in ("CHROMA_HOST", "CHROMA_SERVER_HTTP_PORT", "SEKISHO_POSTGRES_URL"):
        monkeypatch.setenv(name, "x")
    assert bad("settings") == {}


@pytest.mark.parametrize(
    ("variable", "value", "area", "name", "code"),
    [
        ("SEKISHO_CRON_NIGHTLY", "every night", "settings", "SEKISHO_CRON_NIGHTLY", 2),
        ("SEKISHO_ALERT_URLS", "slack://s3cr3t", "alerts", "channels", 2),
        ("SEKISHO_DATA", "/nowhere", "data", "folder", 2),
        ("SEKISHO_PROMPTS", "/nowhere", "data", "prompts", 2),
        ("SEKISHO_STATE", "/dev/null/state", "state", "folder", 1),
        ("SEKISHO_STATE", "~nobody-here/state", "settings", "SEKISHO_STATE", 2),
        ("SEKISHO_EMBEDDING_MODEL", "./nowhere", "installation", "embedding model", 1),
        ("IECQ_AGENT", "oracle", "model", "agent", 1),
        ("IECQ_AGENT", "openai/gpt-4o-mini", "model", "openai/gpt-4o-mini", 1),
    ],
)
def test_a_setting_that_cannot_work_is_an_error_of_its_part(
    variable: str, value: str, area: Area, name: str, code: int, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    told = list(diagnoses(only=[area, "settings"]))
    wrong = [one for one in told if one.level == "error"]
    assert [one.name for one in wrong] == [name] and wrong[0].remedy
    assert exit_code(told) == code
    assert "s3cr3t" not in str(told)


DATA: dict[str, tuple[str, Callable[[House], object]]] = {
    "notes/07.png": ("no reader for .png", lambda house: house.note("07.png", b"x")),
    "notes/01-pothos": (
        "duplicate source: 01-pothos.md, 01-pothos.txt",
        lambda house: house.note("01-pothos.txt", "x y"),
    ),
    "notes.schema.yaml": ("not valid YAML", lambda house: (house.data / "notes.schema.yaml").write_text("a: [1\nb")),
    "questions.yaml": ("question 1", lambda house: (house.data / "questions.yaml").write_text("- {id: a}")),
    "sekisho.yaml": ("no time zone", lambda house: (house.data / "sekisho.yaml").write_text("timezone: Mars")),
    "fixtures": ("not valid YAML", lambda house: (house.data / "fixtures" / "plants.yaml").write_text("a: [1\nb")),
}


@pytest.mark.parametrize("name", DATA)
def test_a_file_of_the_data_folder_that_does_not_load_is_named(name: str, house: House) -> None:
    reason, spoil = DATA[name]
    spoil(house)
    told = {key: one for key, one in found("data").items() if one.level == "error"}
    assert reason in told[name].told and told[name].remedy
    assert exit_code(told.values()) == 2


def test_a_unit_that_nobody_knows_is_told(house: House) -> None:
    path = house.data / "notes.schema.yaml"
    path.write_text(path.read_text("utf-8").replace("unit: days", "unit: dais"), encoding="utf-8")
    told = found("data")["notes.schema.yaml"].told
    assert told.endswith("no units that are known, so taken for things counted: watering_interval in 'dais'")


def test_mock_without_fixtures_is_told_before_it_is_a_run_of_gaps(house: House) -> None:
    (house.data / "fixtures" / "plants.yaml").unlink()
    for path in (house.data / "fixtures").iterdir():
        path.unlink()
    (house.data / "fixtures").rmdir()
    assert "set IECQ_AGENT=local" in bad("data")["fixtures"].remedy


def test_a_state_that_cannot_be_read_is_an_error_and_a_held_lock_is_told(house: House) -> None:
    house.state.mkdir()
    house.settings.warehouse_path.write_bytes(b"no database " * 99)
    reply = house.settings.calls_path / "ab" / "abc.json"
    reply.parent.mkdir(parents=True)
    reply.write_text("{", encoding="utf-8")
    (house.state / "outbox").mkdir()
    (house.state / "outbox" / "half.json").write_text("{", encoding="utf-8")
    with run_lock(house.state, wait=1):
        told = bad("state")
    assert told["warehouse"].level == "error" and "sekisho repair" in told["warehouse"].remedy
    assert "stored replies that cannot be read: 1 of 1 (abc.json)" in told["replies"].told
    assert f"process {os.getpid()}" in told["lock"].told
    assert "half.json" in told
    assert exit_code(told.values()) == 1


def test_a_warehouse_that_is_held_is_a_warning_for_it_passes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    import duckdb

    monkeypatch.setenv("SEKISHO_LOCK_WAIT", "0")
    Warehouse(house.settings.warehouse_path).replace_drafts([])
    with duckdb.connect(str(house.settings.warehouse_path)):
        assert bad("state")["warehouse"].level == "warn"


@pytest.mark.parametrize(
    ("script", "level", "told"),
    [
        ("print('9.9 (Claude Code)')", "ok", "the program answers: 9.9 (Claude Code)"),
        ("import sys; sys.exit('not logged in')", "error", "ended with 1: not logged in"),
        (None, "error", "the program claude is not on the PATH"),
    ],
)
def test_the_claude_program_is_asked_for_its_version_alone(
    script: str | None, level: str, told: str, house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    if script is not None:
        check = "import sys; assert sys.argv[1:] == ['--version']\n"
        (folder / "claude").write_text(f"#!{sys.executable}\n{check}{script}\n", encoding="utf-8")
        (folder / "claude").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("IECQ_AGENT", "claude")
    (one,) = found("model").values()
    assert one.level == level and told in one.told


@pytest.mark.parametrize(
    ("agent", "status", "body", "level", "told"),
    [
        ("openai/m1", 200, {"data": [{"id": "m1"}]}, "ok", "openai answers, and takes the key"),
        ("openai/m2", 200, {"data": [{"id": "m1"}]}, "warn", "openai lists no model 'm2'"),
        ("openai/m1", 401, {"error": "sk-s3cr3t-key"}, "error", "openai refuses the key (HTTP 401)"),
        ("openai/m1", 404, "", "warn", "answers with HTTP 404"),
        ("anthropic/m1", 200, {"data": [{"id": "m1"}]}, "ok", "anthropic answers"),
    ],
)
def test_online_a_provider_is_asked_for_its_list_of_models_and_for_nothing_that_costs(
    agent: str,
    status: int,
    body: object,
    level: str,
    told: str,
    house: House,
    httpserver: HTTPServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Request] = []

    def answer(request: Request) -> Response:
        asked.append(request)
        return Response(json.dumps(body), status=status, content_type="application/json")

    httpserver.expect_request("/v1/models").respond_with_handler(answer)
    name = agent.partition("/")[0].upper()
    monkeypatch.setenv("IECQ_AGENT", agent)
    monkeypatch.setenv(f"{name}_API_KEY", "sk-s3cr3t-key")
    monkeypatch.setenv(f"{name}_BASE_URL", httpserver.url_for("/v1" if name == "OPENAI" else "").rstrip("/"))
    (offline,) = found("model").values()
    assert offline.level == "ok" and "not asked" in offline.told and not asked
    (one,) = found("model", online=True).values()
    assert (one.level, told in one.told) == (level, True)
    assert "s3cr3t" not in one.told + one.remedy
    (request,) = asked
    assert request.method == "GET" and "sk-s3cr3t-key" in str(request.headers)


def test_online_a_provider_that_does_not_answer_is_an_error(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IECQ_AGENT", "ollama/tiny")
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9/v1")
    told = found("model", online=True)["ollama/tiny"]
    assert told.level == "error"
    assert "http://127.0.0.1:9/v1/models does not answer" in told.told and "OLLAMA_BASE_URL" in told.remedy


def test_a_check_that_breaks_is_a_finding_and_hides_no_other() -> None:
    def breaks() -> list[Diagnosis]:
        raise ZeroDivisionError("by \x1b nothing")

    def refuses() -> list[Diagnosis]:
        raise AgentFailed("said no", item="key")

    fine = Diagnosis("state", "last", "ok", "fine")
    told = list(examine("state", [("first", breaks), ("second", refuses), ("last", lambda: [fine])]))
    assert [(one.name, one.level) for one in told] == [("first", "error"), ("second", "error"), ("last", "ok")]
    assert told[0].told == "ZeroDivisionError: by \\x1b nothing" and told[0].remedy and told[1].told == "key: said no"
    assert exit_code(told) == 1


def test_the_catalogue_is_counted_and_each_record_at_fault_is_named_with_its_reason(house: House) -> None:
    assert found("data")["catalogue"].told == "terms: 481, queries: 72"
    terms = house.data / "catalogue" / "terms.tsv"
    terms.write_text(terms.read_text(encoding="utf-8") + "BR:9999\tNowhere\t\t\tBR:0000\n", encoding="utf-8")
    queries = house.data / "catalogue" / "queries.tsv"
    queries.write_text("query\texpected_id\nPAG\tBR:4711\n", encoding="utf-8")
    told = bad("data")
    assert "no record has the id 'BR:0000'" in told["catalogue/terms.tsv: BR:9999"].told
    assert "expected_id 'BR:4711' is no record" in told["catalogue/queries.tsv: PAG"].told
    assert told["catalogue"].told == "terms: 482, queries: 1, faults: 2"
    assert exit_code(told.values()) == 0, "a run gets along with it"
    terms.write_text("name\nPAG\n", encoding="utf-8")
    assert "catalogue" not in bad("data") and "catalogue/terms.tsv" in str(bad("data").keys())


def test_a_golden_set_with_mistakes_is_told_before_a_run_warns_of_it(house: House) -> None:
    house.add_drafts()
    assert found("data")["golden"].told == "answers: 3, recall: 6"
    (house.data / "golden" / "answers.yaml").write_text("- {question: why, citations: [01-pothos]}\n", encoding="utf-8")
    told = bad("data")["golden/answers.yaml"]
    assert told.told == "why: no such question" and "questions.yaml" in told.remedy
