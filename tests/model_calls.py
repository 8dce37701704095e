"""A small reply type and its call, a model server, and an agent at it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field
from pytest_httpserver import HTTPServer

from sekisho.agents.base import Call
from sekisho.agents.budget import Budget
from sekisho.agents.instructor import InstructorAgent
from sekisho.agents.prompts import RenderedPrompt
from sekisho.agents.spend import SpendLedger
from sekisho.agents.transport import TRANSPORT_RETRIES
from tests.wire import ModelServer

CANARY = "sk-canary-7f3a9c1e5b"
GOOD = {"name": "Pothos", "days": 10}
FENCED = "```json\n" + json.dumps(GOOD) + "\n```"


class Plant(BaseModel):
    """A plant and its watering."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    days: int = Field(description="days between waterings")
    note: str | None = None


def plant_call(key: str = "extract:01-pothos", text: str = "Which plant?", **params: Any) -> Call:
    """A call for one `Plant`."""
    return Call(key, RenderedPrompt("extract", text, params, "0" * 64), Plant, Plant.model_json_schema())


class Bench:
    """A model server, a ledger, and agents that talk to the one and book in the other."""

    def __init__(self, server: ModelServer, state: Path) -> None:
        self.server = server
        self.ledger_path = state / "llm_spend.jsonl"

    def agent(
        self,
        model: str = "openai/gpt-4o-mini",
        timeout: float = 10.0,
        back_offs: int = TRANSPORT_RETRIES,
        budget: float | None = None,
        run: str = "run-1",
        root: str | None = None,
        concurrency: int = 5,
    ) -> InstructorAgent:
        ledger = SpendLedger(self.ledger_path, run, root)
        purse = Budget(budget, ledger) if budget is not None else None
        limits = {"back_offs": back_offs, "concurrency": concurrency}
        return InstructorAgent(model, ledger=ledger, budget=purse, timeout=timeout, **limits)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.ledger_path.read_text(encoding="utf-8").splitlines()]

    @property
    def outcomes(self) -> list[str]:
        return [line["outcome"] for line in self.lines]


@pytest.fixture(scope="session")
def http() -> Iterator[HTTPServer]:
    with HTTPServer(threaded=True) as server:  # stopping one takes half a second: one for all tests
        yield server


@pytest.fixture
def bench(http: HTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    http.clear()
    server = ModelServer(http)
    for provider in ("OPENAI", "DEEPSEEK", "OLLAMA", "OPENROUTER"):
        monkeypatch.setenv(f"{provider}_BASE_URL", server.url)
        monkeypatch.setenv(f"{provider}_API_KEY", CANARY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", http.url_for("").rstrip("/"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)
    return Bench(server, tmp_path / "state")
