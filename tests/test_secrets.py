"""No key and no password is written or shown: every provider's variable holds a canary, and the server echoes all."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

import duckdb
import pytest
import yaml
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from sekisho.agents.backends import make_agent
from sekisho.agents.base import Reply
from sekisho.agents.providers import PROVIDERS, Provider, shown_url
from sekisho.agents.secrets import HOLDS_A_SECRET, Discreet, holds_a_secret, scrub
from sekisho.errors import AgentError, InvalidReply, SettingsError
from sekisho.settings import load_settings
from tests.conftest import House
from tests.model_calls import GOOD, Bench, bench, http, plant_call
from tests.terminal import bare_environment
from tests.test_cli import PROGRAM
from tests.test_instructor_pipeline import Model
from tests.wire import ModelServer, completion, content, error, tool_call

__all__ = ["bench", "http"]
KEYS = sorted({name for provider in PROVIDERS.values() for name in provider.keys})
CANARIES = {name: f"sk-canary-{number:02}-8d1f/+=%c7" for number, name in enumerate(KEYS)}
PASSWORD = "pw-canary-5b 2e&7"
ALERT = ("hook-canary-user", "hook-canary-pass", "hook-canary-path", "hook-canary-header")
ALL = (*CANARIES.values(), PASSWORD, *ALERT)
SENT = (*CANARIES.values(), PASSWORD)
ECHO = " ".join([*SENT, *(b64encode(one.encode()).decode() for one in SENT), *(quote(one, safe="") for one in SENT)])
_ANSWER = {"status": "answered", "citations": ["04-calathea"]}


def spellings(secret: str) -> set[str]:
    spelt = {secret, quote(secret), quote(secret, safe=""), json.dumps(secret)[1:-1]}
    return spelt | {b64encode(secret.encode()).decode().rstrip("=")}


def leaks(text: str) -> set[str]:
    """The canaries in a text, however they are spelt; half of one is one."""
    return {one for one in ALL if any(spelt in text for spelt in spellings(one))} | {
        one for one in ("-canary-",) if one in text
    }


def told_back(status: int, **headers: str) -> Response:
    """An error that says all that the server knows, in its body and in its headers."""
    answer = error(status, f"not with {ECHO}", **headers)
    answer.headers["X-Echo"] = ECHO
    return answer


FAULTS = {
    "extract:01-pothos": [told_back(400)],
    "extract:02-spider-plant": [told_back(429, retry_after="0.01")] * 9,
    "extract:03-snake-plant": [told_back(500, retry_after="0.01")] * 9,
    "extract:04-calathea": [Response(f"<h1>{ECHO}</h1>", content_type="text/html")] * 9,
    "extract:05-zz-plant": [content("", refusal=f"never, {ECHO}")],
}
QUESTIONS = {
    "redirect": Response(ECHO, status=302, headers={"Location": f"http://user:{quote(PASSWORD)}@127.0.0.1:9/"}),
    "no-shape": Response(json.dumps({"error": ECHO}), content_type="application/json"),
    "cut": completion({"content": ECHO}, "length", "gpt-4o-mini"),
    "wrong-type": tool_call({"status": ECHO, "answer": ECHO, "citations": [], "quotes": []}),
    "half-shown": tool_call({"status": "x" * 60 + ECHO, "answer": None}),
    "no-json": tool_call(ECHO),
    "in-the-answer": tool_call({**_ANSWER, "answer": f"It is {ECHO}.", "quotes": []}),
    "in-a-citation": tool_call({**_ANSWER, "answer": "Yes.", "citations": [CANARIES["OPENAI_API_KEY"]], "quotes": []}),
    "in-the-model": tool_call({**_ANSWER, "answer": "Yes.", "quotes": []}, model=f"gpt {'x' * 80}{ECHO}"),
    "unreachable": told_back(404),
}


class Talkative(Model):
    """Answers the sample, but for the questions whose id stands in `QUESTIONS`."""

    def _key(self, prompt: str) -> str:
        found = [name for name in QUESTIONS if f"which one is {name}?" in prompt]
        return f"query:{found[0]}" if found else super()._key(prompt)


@dataclass
class Told:
    """The folder, what was printed, what the server was sent, and what came of each command."""

    root: Path
    printed: dict[str, str] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    sent: str = ""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    found = Told(tmp_path_factory.mktemp("secrets"))
    house = House(found.root)
    for folder in ("decisions", "portal_views", "catalogue"):
        for path in (house.data / folder).rglob("*.*"):
            path.unlink()
    asked = yaml.safe_load((house.data / "questions.yaml").read_text(encoding="utf-8"))
    asked += [{"id": name, "question": f"Of all plants, which one is {name}?"} for name in QUESTIONS]
    (house.data / "questions.yaml").write_text(yaml.safe_dump(asked), encoding="utf-8")
    with HTTPServer(threaded=True) as http:
        http.expect_request(f"/{ALERT[2]}").respond_with_handler(_refuse_hook)
        http.expect_request("/v1/models").respond_with_response(told_back(500))
        bench = Bench(ModelServer(http), house.state)
        place = f"127.0.0.1:{http.port}"
        environment = {
            **bare_environment(),
            **CANARIES,
            "SEKISHO_DATA": str(house.data),
            "SEKISHO_STATE": str(house.state),
            "IECQ_AGENT": "openai/gpt-4o-mini",
            "OPENAI_BASE_URL": f"http://{place}/v1",
            "DEEPSEEK_BASE_URL": f"http://user:{quote(PASSWORD, safe='')}@{place}/v1",
            "SEKISHO_ALERT_URLS": f"json://{ALERT[0]}:{ALERT[1]}@{place}/{ALERT[2]}?+X-Token={ALERT[3]}",
        }

        def run(name: str, *line: str, **changed: str) -> None:
            done = subprocess.run(
                [PROGRAM, *line], capture_output=True, text=True, env={**environment, **changed}, timeout=300
            )
            found.codes[name], found.printed[name] = done.returncode, done.stdout
            found.printed[f"{name}: errors"] = done.stderr

        faults = {**FAULTS, **{f"query:{name}": [answer] * 9 for name, answer in QUESTIONS.items()}}
        Talkative(house, bench, faults)
        run("first run", "run", "--json")
        Talkative(house, bench, {key: answers for key, answers in faults.items() if key.startswith("query:")})
        run("second run", "run", OPENAI_BASE_URL=f"http://user:{quote(PASSWORD, safe='')}@{place}/v1")
        bench.server.script(told_back(401))
        run("ask", "ask", "Which plant is never sold?")
        run("status", "status", "--json")
        run("doctor", "doctor", "--online", OPENAI_BASE_URL=f"http://user:{quote(PASSWORD, safe='')}@{place}/v1")
        run(
            "no url",
            "run",
            OPENAI_BASE_URL=f"user:{quote(PASSWORD, safe='')}@{place}/v1?api_key={CANARIES['XAI_API_KEY']}",
        )
        found.sent = str(bench.server.headers)
    yield found


def _refuse_hook(request: Request) -> Response:
    return Response(f"{ECHO} {ALERT} {dict(request.headers)} {request.url}", status=500)


def test_the_server_has_seen_key_and_password(told: Told) -> None:
    assert CANARIES["OPENAI_API_KEY"] in told.sent
    assert b64encode(f"user:{PASSWORD}".encode()).decode() in told.sent


def test_the_runs_failed_in_every_way(told: Told) -> None:
    assert told.codes["first run"] == 1 and told.codes["second run"] == 1 and told.codes["ask"] == 1
    assert told.codes["no url"] == 2
    reasons = " ".join(gap["reason"] for gap in json.loads(told.printed["first run"])["gaps"])
    for words in ("HTTP 400", "the provider's rate limit", "HTTP 500", "no model reply", "refused"):
        assert words in reasons, (words, reasons)
    for words in ("HTTP 302", "HTTP 404", "cut at the token limit", HOLDS_A_SECRET):
        assert words in told.printed["second run"], (words, told.printed["second run"])
    assert "access denied (HTTP 401)" in told.printed["ask"]


def test_nothing_that_was_printed_holds_one(told: Told) -> None:
    for name, text in told.printed.items():
        assert not leaks(text), (name, leaks(text))


def test_no_file_that_was_written_holds_one(told: Told) -> None:
    files = [path for path in told.root.rglob("*") if path.is_file() and not path.is_relative_to(told.root / "data")]
    names = {path.name for path in files}
    assert {"log.jsonl", "gap.md", "llm_spend.jsonl", "warehouse.duckdb"} <= names and len(files) > 20
    assert any("outbox" in str(path) for path in files), "the alerts wait"
    for path in files:
        assert not leaks(path.read_bytes().decode("utf-8", "replace")), path


def test_no_row_of_the_warehouse_holds_one(told: Told) -> None:
    with duckdb.connect(str(told.root / "state" / "warehouse.duckdb"), read_only=True) as connection:
        tables = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        for name in tables:
            assert not leaks(str(connection.execute(f'SELECT * FROM "{name}"').fetchall())), name


CLAUDE = """#!{python}
import json, os, sys
sys.stdin.read()
said = " ".join(value for value in os.environ.values() if "-canary-" in value)
way = os.environ["WAY"]
if way == "fails":
    sys.exit(said)
if way == "fails-late":
    print("x" * 250 + said, file=sys.stderr); sys.exit(3)
if way == "unhappy":
    print(json.dumps({{"type": "result", "is_error": True, "result": "x" * 280 + said}}))
if way == "answers":
    print(json.dumps({{"type": "result", "result": json.dumps({{"name": said, "days": 3}})}}))
if way == "rambles":
    print(said)
if way == "nests":
    print("[" * 200000)
"""


@pytest.mark.parametrize("way", ["fails", "fails-late", "unhappy", "answers", "rambles", "nests"])
def test_what_the_claude_program_says_of_its_environment_stays_unsaid(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(CLAUDE.format(python=sys.executable), encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    for name, value in {**CANARIES, "WAY": way, "IECQ_AGENT": "claude"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    with pytest.raises(AgentError) as caught:
        make_agent(load_settings()).propose(plant_call())
    assert not leaks(str(caught.value) + repr(vars(caught.value)))
    assert isinstance(caught.value, InvalidReply) == (way in ("answers", "rambles", "nests"))
    for path in (tmp_path / "state").rglob("*"):
        assert not path.is_file() or not leaks(path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("name", [*KEYS, "AWS_SECRET_ACCESS_KEY", "GATEWAY_TOKEN"])
def test_every_providers_key_is_taken_out_in_every_spelling(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    canary = CANARIES.get(name, CANARIES["OPENAI_API_KEY"])
    monkeypatch.setenv(name, canary)
    for spelt in spellings(canary):
        assert not leaks(scrub(f"a {spelt} b")) and holds_a_secret({"deep": [{"words": f"a {spelt} b"}]})
    assert not holds_a_secret({"deep": ["a word"]})


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://user:secret@host:1/v1?api_key=secret#secret", "http://host:1/v1"),
        ("user:secret@host/v1", "host/v1"),
        ("secret-alone", "[not shown]"),
        ("https://host.example/v1", "https://host.example/v1"),
    ],
)
def test_a_url_is_shown_without_its_secrets(url: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown_url(url) == shown
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    if not url.startswith("http"):
        with pytest.raises(SettingsError) as caught:
            Provider("openai", keys=("OPENAI_API_KEY",), url_variable="OPENAI_BASE_URL").check()
        assert "secret" not in str(caught.value)


def test_a_version_in_an_address_is_no_secret_and_a_short_placeholder_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://host.example/v1?api-version=2024-10-21")
    monkeypatch.setenv("OPENAI_API_KEY", "ollama")
    assert scrub("ollama since 2024-10-21") == "ollama since 2024-10-21"
    assert not holds_a_secret(["ollama since 2024-10-21"])


def _echo(request: Request) -> Response:
    return tool_call({**GOOD, "note": request.headers["Authorization"]})


def test_a_key_that_was_changed_is_sent_and_looked_for_by_an_agent_that_lives_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = Discreet(bench.agent())
    for key in ("sk-canary-the-first", "sk-canary-the-second"):
        monkeypatch.setenv("OPENAI_API_KEY", key)
        bench.server.script(_echo)
        with pytest.raises(InvalidReply) as caught:
            agent.propose(plant_call(retries=1))
        assert caught.value.reasons == (HOLDS_A_SECRET,) and not leaks(str(caught.value))
        assert bench.server.headers[-1]["Authorization"] == f"Bearer {key}"
    assert len(bench.server.requests) == 2, "what holds a key is not repeated to the model"


def test_a_reply_is_looked_through_once_as_it_came_and_once_as_it_is_kept(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[object] = []

    def counted(value: object) -> bool:
        looked.append(value)
        return holds_a_secret(value)

    for module in ("secrets", "received"):
        monkeypatch.setattr(f"sekisho.agents.{module}.holds_a_secret", counted)
    bench.server.script(tool_call({**GOOD, "days": "three"}), tool_call(GOOD))
    kept: list[Reply] = []
    reply = Discreet(bench.agent()).propose(replace(plant_call(), keep=kept.append))
    assert kept == [reply] and len(looked) == 3, "two attempts and one reply"
