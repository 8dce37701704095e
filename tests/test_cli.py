"""The command line as a process: output, exit codes, and what is left alone."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dagster_project.cli.console import print_json
from tests.conftest import ROOT, House

PROGRAM = Path(sys.executable).with_name("sekisho")


def sekisho(*arguments: str, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, *arguments], capture_output=True, text=True, env={**os.environ, **variables}, cwd=cwd, timeout=120
    )


def report(*arguments: str, **variables: str) -> tuple[int, dict[str, Any]]:
    done = sekisho("run", "--json", *arguments, **variables)
    return done.returncode, json.loads(done.stdout)


def test_p13_a_run_that_passes_ends_0_and_one_that_a_gate_stopped_ends_1(house: House, tmp_path: Path) -> None:
    code, first = report()
    assert (code, first["passed"], len(first["answers"])) == (0, True, 3)
    before = house.settings.compiled_path.read_bytes()
    code, ghost = report("--fixtures", str(ROOT / "data/demonstrations/ghost.yaml"))
    assert (code, ghost["passed"], len(ghost["answers"])) == (1, False, 2)
    assert "hallucinated citation: 99-ghost-orchid" in [gap["reason"] for gap in ghost["gaps"]]
    code, broken = report("--fixtures", str(ROOT / "data/demonstrations/broken-fact.yaml"))
    assert code == 1
    verdicts = {gate["gate"]: gate["passed"] for gate in broken["gates"]}
    assert verdicts["fact_count_matches"] is False and verdicts["citations_exist"] is None
    assert house.settings.compiled_path.read_bytes() == before
    assert broken["generation"] == first["generation"]
    assert {gap["stage"] for gap in broken["gaps"]} == {"facts", "knowledge_base"}
    (house.data / "notes" / "late.md").write_bytes(b"\xff\xfe\x00")
    code, unread = report()
    assert code == 1 and {gap["stage"] for gap in unread["gaps"]} == {"notes"}, "no gap of an earlier run"


def test_the_text_report_shows_progress_answers_gates_and_where_the_state_lies(house: House, tmp_path: Path) -> None:
    done = sekisho("run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for line in ("files read: 5 of 5", "facts extracted: 5 of 5", "answers verified: 3 of 3"):
        assert line in done.stderr
    for text in ("cites 04-calathea", "answers_are_verified", f"state: {house.state}", "passed"):
        assert text in done.stdout
    assert "99-" not in done.stdout
    facts = house.warehouse.knowledge().facts
    values = [value for fact in facts for value in fact.fields.values()]
    stated = f"{sum(value is not None for value in values)} of {len(values)}"
    assert f"\nfacts: {len(facts)}, values: {stated} (sekisho report shows them)\n" in done.stdout.split(" gate ")[0]


def test_a_stopped_run_says_that_the_last_published_state_stands(house: House) -> None:
    code, first = report()
    assert code == 0
    done = sekisho("run", "--fixtures", str(ROOT / "data/demonstrations/broken-fact.yaml"))
    assert done.returncode == 1
    assert f"What was published before stands: generation {first['generation']}, answers: 3." in done.stdout


def test_ask_goes_the_same_way_and_needs_a_published_base(house: House) -> None:
    assert sekisho("ask", "Which plant?").returncode == 2
    report()
    good = sekisho("ask", "--json", "  Which plant is safe for pets and tolerates low  light? ")
    assert good.returncode == 0
    assert json.loads(good.stdout)["answer"]["citations"] == ["04-calathea"]
    unknown = sekisho("ask", "--json", "Why?")
    assert unknown.returncode == 1
    told = json.loads(unknown.stdout)
    assert told["answer"] is None
    assert f"no fixture for query:{told['id']}" in told["reasons"][0]
    assert told["id"].startswith("ask-") and len(told["id"]) == len("ask-") + 8
    ghost = sekisho(
        "ask",
        "Which plant is safe for pets and tolerates low light?",
        "--fixtures",
        str(ROOT / "data/demonstrations/ghost.yaml"),
    )
    assert ghost.returncode == 1
    assert "hallucinated citation: 99-ghost-orchid" in ghost.stdout


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({"SEKISHO_DATA": "/nowhere"}, "/nowhere: no such folder"),
        ({"IECQ_AGENT": "oracle"}, "IECQ_AGENT: no agent is called 'oracle'"),
        ({"SEKISHO_WORKERS": "many"}, "SEKISHO_WORKERS"),
        ({"SEKISHO_FIXTURES": "/nowhere.yaml"}, "/nowhere.yaml: no such file"),
        ({"SEKISHO_PROMPTS": "/nowhere"}, "/nowhere"),
        ({"SEKISHO_EMBEDDING_MODEL": "./nowhere"}, "SEKISHO_EMBEDDING_MODEL: no model is there: './nowhere'"),
        ({"IECQ_AGENT": "local", "SEKISHO_FIXTURES": str(ROOT / "data/demonstrations")}, "fixtures answer for IECQ"),
        (
            {"IECQ_AGENT": "openai/gpt-4o-mini", "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "127.0.0.1:1/v1"},
            "OPENAI_BASE_URL: no URL: '127.0.0.1:1/v1'",
        ),
    ],
)
def test_bad_settings_end_2_before_anything_is_written(variables: dict[str, str], told: str, house: House) -> None:
    done = sekisho("run", **variables)
    assert done.returncode == 2
    assert told in done.stderr and "Traceback" not in done.stderr
    assert not house.settings.warehouse_path.exists()


@pytest.mark.parametrize("name", ["notes.schema.yaml", "questions.yaml", "sekisho.yaml", "fixtures/plants.yaml"])
def test_a_broken_file_of_the_data_folder_ends_2_and_is_named(name: str, house: House) -> None:
    (house.data / name).write_text("a: [1\nb", encoding="utf-8")
    done = sekisho("run")
    assert done.returncode == 2
    assert f"{house.data / name}: not valid YAML at line" in done.stderr


def test_hostile_words_do_not_reach_the_terminal(house: House) -> None:
    hostile = "\x1b]0;owned\x07\u202e[red]boo"
    reply = {"status": "answered", "answer": hostile, "citations": [hostile], "quotes": []}
    house.overlay({"query:frost": reply})
    done = sekisho("run")
    assert done.returncode == 1
    assert "\\x1b]0;owned\\x07\\u202e[red]boo" in done.stdout
    assert "\x1b]0" not in done.stdout + done.stderr and "\u202e" not in done.stdout + done.stderr


def test_p02_the_backend_is_switched_by_one_variable(house: House, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(
        f"#!{sys.executable}\n"
        "import json, sys, yaml, pathlib, re\n"
        "prompt = sys.stdin.read()\n"
        f"log = pathlib.Path({str(tmp_path / 'calls')!r}); log.open('a').write('x\\n')\n"
        f"replies = yaml.safe_load(open({str(house.data / 'fixtures' / 'plants.yaml')!r}, encoding='utf-8'))\n"
        "source = re.search(r'Document \\(\"(.*)\"\\)', prompt)\n"
        "question = re.search(r'Question:\\n\"(.*)\"', prompt)\n"
        "ids = {'Which plant is': 'pet-safe-low-light', 'Which plant can': 'longest-between-waterings'}\n"
        "key = 'extract:' + source[1] if source else 'query:' + next("
        "(v for k, v in ids.items() if question[1].startswith(k)), 'frost')\n"
        "print(json.dumps({'type': 'result', 'is_error': False, 'result': json.dumps(replies[key])}))\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    variables = {"IECQ_AGENT": "claude", "PATH": f"{program.parent}:{os.environ['PATH']}"}
    code, first = report(**variables)
    assert (code, first["passed"]) == (0, True), first
    assert (tmp_path / "calls").read_text() == "x\n" * 8
    code, second = report(**variables)
    assert code == 0 and second["generation"] == first["generation"]
    assert (tmp_path / "calls").read_text() == "x\n" * 8, "what was answered is not asked again"


def test_p12_a_run_that_breaks_off_is_resumed_and_nothing_is_asked_twice(house: House, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(
        f"#!{sys.executable}\n"
        "import json, os, sys, yaml, pathlib, re, time\n"
        "caller = os.getppid()\n"
        "source = re.search(r'Document \\(\"(.*)\"\\)', sys.stdin.read())[1]\n"
        f"while source > '03' and not pathlib.Path({str(tmp_path / 'go')!r}).exists():\n"
        "    time.sleep(0.1)\n"
        "    if os.getppid() != caller: sys.exit(1)\n"
        f"pathlib.Path({str(tmp_path / 'calls')!r}).open('a').write(source + '\\n')\n"
        f"replies = yaml.safe_load(open({str(house.data / 'fixtures' / 'plants.yaml')!r}, encoding='utf-8'))\n"
        "print(json.dumps(replies['extract:' + source]))\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    (house.data / "questions.yaml").unlink()
    variables = {**os.environ, "IECQ_AGENT": "claude", "PATH": f"{program.parent}:{os.environ['PATH']}"}
    running = subprocess.Popen([PROGRAM, "run", "--json"], env=variables, stdout=subprocess.PIPE)
    stored = house.state / "llm_calls"
    for _ in range(600):
        if len(list(stored.rglob("*.json"))) == 2:
            break
        import time

        time.sleep(0.1)
    running.kill()
    running.communicate()
    assert sorted((tmp_path / "calls").read_text().split()) == ["01-pothos", "02-spider-plant"]
    (tmp_path / "go").touch()
    done = subprocess.run([PROGRAM, "run", "--json"], env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    calls = (tmp_path / "calls").read_text().split()
    assert sorted(calls) == ["01-pothos", "02-spider-plant", "03-snake-plant", "04-calathea", "05-zz-plant"]


def test_a_key_over_two_lines_is_refused_before_it_can_reach_any_file(house: House) -> None:
    done = sekisho("run", IECQ_AGENT="openai/gpt-4o-mini", OPENAI_API_KEY="sk-part1\nsk-part2")
    assert done.returncode == 2
    assert "OPENAI_API_KEY" in done.stderr and "sk-part" not in done.stderr + done.stdout
    assert not house.settings.warehouse_path.exists()


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii", "cp932"])
def test_json_is_json_whatever_the_terminal_can_show(encoding: str, house: House) -> None:
    house.note("06-é海🌱.md", "")
    (house.settings.data / "sekisho.yaml").write_text("timezone: é海🌱\n", encoding="utf-8")
    done = subprocess.run(
        [PROGRAM, "run", "--json"], capture_output=True, env={**os.environ, "PYTHONIOENCODING": encoding}
    )
    assert "é海🌱" in json.loads(done.stdout.decode(encoding))["error"]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii", "cp932"])
def test_half_a_character_is_json_too(encoding: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace")
    print_json({"text": "é海🌱\udcff"}, file=stream)
    stream.flush()
    assert json.loads(raw.getvalue().decode(encoding)) == {"text": "é海🌱\udcff"}
