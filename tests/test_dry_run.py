"""The dry run: as many calls as the run then makes, an upper bound that holds, and nothing asked or written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from werkzeug import Request, Response

from dagster_project.cli.dry_run import show_forecast
from sekisho.agents.estimate import likely_tokens, request_size
from sekisho.errors import AgentError, InputError
from sekisho.forecast import Forecast, PromptForecast, forecast_run
from sekisho.plan import plan_run
from tests.conftest import ROOT, House
from tests.graph import materialise
from tests.model_calls import Bench, bench, http, plant_call
from tests.test_budget_pipeline import DearModel, spent
from tests.test_cli import sekisho
from tests.test_instructor_pipeline import Model, openai_house, spend
from tests.wire import billed, content, tool_call

__all__ = ["bench", "http", "openai_house"]


def forecast(house: House) -> Forecast:
    """The forecast of the next run, which leaves no trace."""
    before = trace(house.state)
    made = forecast_run(house.settings)
    assert trace(house.state) == before
    return made


def trace(folder: Path) -> dict[str, Any]:
    paths = [folder, *folder.rglob("*")] if folder.exists() else []
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else sorted(path.iterdir()))
        for path in paths
    }


def rows(made: Forecast) -> dict[str, PromptForecast]:
    return {row.prompt: row for row in made.prompts}


def counts(made: Forecast) -> dict[str, tuple[int, int]]:
    """Calls needed and stored, by prompt."""
    return {row.prompt: (row.calls, row.stored) for row in made.prompts}


class StubbornModel(DearModel):
    """Each first reply is wrong, and each reply costs all that its request allows."""

    def _answer(self, request: Request) -> Response:
        longest = json.loads(request.get_data())["max_tokens"]
        read = len(request.get_data()) + 1_000
        if b"validation" not in request.get_data().lower():
            self.first.append(request.get_data())
            return billed(tool_call({"wrong": "x" * 20_000}), read, longest)
        return billed(Model._answer(self, request), read, longest)

    def __init__(self, house: House, bench: Bench) -> None:
        self.first: list[bytes] = []
        super().__init__(house, bench)


def test_p13_the_run_makes_as_many_calls_and_costs_no_more_than_was_said(openai_house: House, bench: Bench) -> None:
    said = forecast(openai_house)
    assert counts(said) == {"extract": (5, 0), "query": (3, 0)} and bench.server.requests == []
    assert rows(said)["extract"].estimated == "" and rows(said)["query"].estimated == "facts not known yet: 5"
    model = StubbornModel(openai_house, bench)
    assert materialise().success
    assert len(model.first) == said.calls == 8 and len(bench.server.requests) == 16
    assert said.at_most_usd is not None and spent(openai_house) <= said.at_most_usd
    assert 0 < (said.likely_usd or 0) < said.at_most_usd
    again = forecast(openai_house)
    assert counts(again) == {"extract": (0, 5), "query": (0, 3)}
    assert (again.likely_usd, again.at_most_usd) == (0, 0)


def test_a_budget_of_the_upper_bound_is_never_reached(
    openai_house: House, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = forecast(openai_house)
    StubbornModel(openai_house, bench)
    monkeypatch.setenv("SEKISHO_BUDGET_USD", str(said.at_most_usd))
    assert materialise().success
    assert "over_budget" not in {line["outcome"] for line in spend(openai_house)}


def test_only_what_is_missing_is_counted_and_facts_that_are_not_known_make_questions_estimates(
    openai_house: House, bench: Bench
) -> None:
    model = Model(openai_house, bench)
    assert materialise().success
    note = openai_house.data / "notes" / "03-snake-plant.md"
    note.write_text(note.read_text(encoding="utf-8") + "\nIt is also called Sansevieria.\n", encoding="utf-8")
    said = forecast(openai_house)
    assert counts(said) == {"extract": (1, 4), "query": (3, 0)}
    assert rows(said)["query"].estimated == "facts not known yet: 1"
    assert rows(said)["extract"].output_tokens == 10, "the mean of what replies came to so far"
    before, paid = sum(model.asked.values()), spent(openai_house)
    assert materialise().success
    assert sum(model.asked.values()) - before == said.calls == 4
    assert spent(openai_house) - paid <= (said.at_most_usd or 0)


def test_with_all_facts_stored_the_questions_are_exact(openai_house: House, bench: Bench) -> None:
    model = Model(openai_house, bench)
    assert materialise("notes", "facts").success
    said = forecast(openai_house)
    assert counts(said) == {"extract": (0, 5), "query": (3, 0)} and rows(said)["query"].estimated == ""
    assert materialise().success and sum(model.asked.values()) == 8
    questions = openai_house.data / "questions.yaml"
    questions.write_text(questions.read_text() + "- id: new\n  question: Which one is the tallest?\n")
    assert counts(forecast(openai_house)) == {"extract": (0, 5), "query": (1, 3)}


def test_sources_chosen_by_relevance_are_those_of_the_run_once_all_texts_are_indexed(
    openai_house: House, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEKISHO_PROMPT_BUDGET", "1000")
    Model(openai_house, bench)
    assert materialise("notes", "facts").success
    assert "when all texts are indexed" in rows(forecast(openai_house))["query"].estimated
    materialise()
    said = forecast(openai_house)
    assert counts(said) == {"extract": (0, 5), "query": (0, 3)} and rows(said)["query"].estimated == ""


def test_documents_that_are_not_tidied_yet_leave_open_what_is_extracted_from_them(
    openai_house: House, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert materialise("notes").success
    Model(openai_house, bench)
    assert materialise("notes", "facts").success
    monkeypatch.setenv("SEKISHO_NORMALISE", "1")
    said = forecast(openai_house)
    assert counts(said) == {"ingest": (5, 0), "extract": (5, 0), "query": (3, 0)}
    assert rows(said)["extract"].estimated == "documents not tidied yet: 5"


def test_mock_costs_nothing_and_a_gate_that_would_say_no_leaves_no_questions(house: House) -> None:
    said = forecast(house)
    assert counts(said) == {"extract": (5, 0), "query": (3, 0)}
    assert (said.likely_usd, said.at_most_usd) == (0, 0) and "mock costs nothing" in said.remarks
    house.overlay({"extract:03-snake-plant": {"fields": {}, "evidence": {}}})
    said = forecast(house)
    assert counts(said) == {"extract": (5, 0)}
    assert any(remark.startswith("no question would be asked: ") for remark in said.remarks)


def test_very_many_documents_that_cannot_be_answered_are_a_few_and_a_count(house: House) -> None:
    for number in range(200):
        house.note(f"1{number:03}-fern.md", b"Ferns like shade.")
    (remark,) = [one for one in forecast(house).remarks if one.startswith("no question would be asked: ")]
    assert remark.endswith("; and 181 more") and len(remark) < 10_000


def test_local_costs_nothing(house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("IECQ_AGENT", "local")
    said = forecast(house)
    assert (said.calls, said.at_most_usd) == (8, 0) and "local costs nothing" in said.remarks
    show_forecast(said)
    assert capsys.readouterr().out == "local costs nothing\ndry run: nothing was asked, nothing was written\n"


def test_a_file_that_cannot_be_read_stops_the_run_before_any_call(house: House) -> None:
    house.note("06-fern.md", b"Ferns like \x8a\x43\x94\x6e.")
    said = forecast(house)
    assert said.calls == 0 and said.remarks[0].startswith("every_file_was_read would stop the run: ")


@pytest.mark.parametrize(
    ("agent", "likely", "remark"),
    [
        ("claude", True, "claude takes no limit on a reply"),
        ("ollama/llama3.2", False, "the price of ollama/llama3.2 (extract) is not known"),
        ("groq/llama-3.3-70b-versatile", True, "no limit on a reply's length is sent to groq"),
    ],
)
def test_a_cost_that_cannot_be_known_is_said_to_be_unknown(
    agent: str, likely: bool, remark: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IECQ_AGENT", agent)
    said = forecast(house)
    assert said.calls == 8 and said.at_most_usd is None and (said.likely_usd is not None) == likely
    assert any(remark in told for told in said.remarks)


def test_no_key_is_needed_and_live_asks_each_prompts_own_model(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IECQ_AGENT", "live")
    said = forecast(house)
    assert {row.model for row in said.prompts} == {"anthropic/claude-sonnet-4-5"} and (said.at_most_usd or 0) > 0


@pytest.mark.parametrize("agent", ["nobody", "nobody/model", "openai/"])
def test_what_the_run_would_refuse_is_refused(agent: str, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IECQ_AGENT", agent)
    with pytest.raises(InputError):
        forecast(house)


@pytest.mark.parametrize(
    "model",
    ["openai/gpt-4o-mini", "openai/gpt-5-nano", "deepseek/deepseek-chat", "ollama/x", "anthropic/claude-sonnet-4-5"],
)
def test_no_request_is_larger_than_was_reckoned(
    model: str, house: House, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IECQ_AGENT", "local")
    house.note("06-海.md", '海馬 "quoted" \\ \t\x01 ' * 50)
    sizes: list[int] = []
    bench.server.script(lambda request: (sizes.append(len(request.get_data())), content("no"))[1])
    for call in [*(call for call, _ in plan_run(house.settings).calls), plant_call()]:
        sizes.clear()
        with pytest.raises(AgentError):
            bench.agent(model).propose(call)
        assert sizes[0] <= request_size(call) <= 2 * sizes[0] + 3_000


def test_tokens_are_four_ascii_characters_or_one_other() -> None:
    assert [likely_tokens(text) for text in ("", "abcd", "abcde", "海馬", "ab海")] == [0, 1, 2, 2, 2]


def test_the_command_ends_with_0_prints_either_way_and_makes_no_state(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IECQ_AGENT", "openai/gpt-4o-mini")
    monkeypatch.setenv("SEKISHO_BUDGET_USD", "0.05")
    done = sekisho("run", "--dry-run", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 0 and told["calls"] == 8 and told["budget_usd"] == 0.05
    assert [row["prompt"] for row in told["prompts"]] == ["extract", "query"] and not house.state.exists()
    show_forecast(forecast_run(house.settings))
    out = capsys.readouterr().out
    for text in (
        "query is estimated, facts not known yet: 5",
        "calls: 8, likely cost: 0.00",
        "budget: 0.05 USD may not",
    ):
        assert text in out
    (house.data / "questions.yaml").write_text("- id: [")
    assert sekisho("run", "--dry-run").returncode == 2 and not house.state.exists()


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({"IECQ_AGENT": "openai/house-model-1", "SEKISHO_BUDGET_USD": "1"}, "the price of openai/house-model-1"),
        ({"IECQ_AGENT": "local", "SEKISHO_FIXTURES": str(ROOT / "data/demonstrations")}, "fixtures answer for IECQ"),
        ({"SEKISHO_ALERT_URLS": "nonsense"}, "SEKISHO_ALERT_URLS"),
        ({"SEKISHO_EMBEDDING_MODEL": "/nowhere"}, "no model is there"),
        ({"SEKISHO_DAGSTER_YAML": "/nowhere.yaml"}, "SEKISHO_DAGSTER_YAML"),
        ({"SEKISHO_CRON_TIDY": "x"}, "SEKISHO_CRON_TIDY"),
        ({"IECQ_AGENT": "nobody"}, "no agent is called 'nobody'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_dry_run_ends_with_2_where_the_run_would(variables: dict[str, str], told: str, house: House) -> None:
    for arguments in (["run"], ["run", "--dry-run"]):
        done = sekisho(*arguments, OPENAI_API_KEY="sk-something", **variables)
        assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr


def test_a_negative_limit_of_tokens_ends_run_and_dry_run_with_2(house: House, tmp_path: Path) -> None:
    prompts = tmp_path / "my-prompts"
    shutil.copytree(ROOT / "prompts", prompts)
    (prompts / "production/query/params.yaml").write_text("model: openai/gpt-4o-mini\nmax_tokens: -5\n")
    for arguments in (["run"], ["run", "--dry-run"]):
        done = sekisho(*arguments, SEKISHO_PROMPTS=str(prompts), IECQ_AGENT="openai/gpt-4o-mini", OPENAI_API_KEY="sk-x")
        assert done.returncode == 2 and "query/params.yaml: max_tokens: not usable: -5" in done.stderr
