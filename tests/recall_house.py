"""A small data folder for recall: some decisions of the sample and one draft, ingested and embedded once a module."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dagster_project.cli.main import app
from sekisho.recall.records import Recall
from sekisho.settings import load_settings
from sekisho.warehouse import Warehouse
from tests.conftest import ROOT
from tests.graph import Outcome, materialise

DRAFT = """---
title: Let visitors extend their hold once
---
# Let visitors extend their hold once

## Context

Visitors need longer than ten minutes. Support asks for a button “five more minutes”.

## Options

- Holds as keys in Redis whose time to live is set anew
"""
NAMES = ("0004-counter-per-slot.md", "0006-holds-in-redis.md", "0012-capacity-ledger.md", "0013-holds-in-postgresql.md")
NAMES += ("0026-waiting-room.md", "0017-refunds-are-entries.md")
# One true reason for each of them, out of its own summary.
REASONS = {
    "ADR-0004": "We will keep one row per slot with capacity and sold",
    "ADR-0006": "We will keep holds in Redis as keys with a time to live of ten minutes",
    "ADR-0012": "Entries are never updated or deleted.",
    "ADR-0013": "A hold is a pair of ledger entries in one transaction",
    "ADR-0017": "The ticket's serial number becomes void.",
    "ADR-0026": "signed passes that are valid for twenty minutes",
}


def cite(adr_id: str, reason: str | None = None, relevance: Any = "high") -> dict[str, Any]:
    """A citation with a true reason, where none is given."""
    return {"adr_id": adr_id, "relevance": relevance, "relevance_reason": reason or REASONS[adr_id]}


class RecallHouse:
    """The folder, its state, and the ways in which recall is asked."""

    def __init__(self, root: Path) -> None:
        self.data, self.state = root / "data", root / "state"

    @property
    def warehouse(self) -> Warehouse:
        return Warehouse(load_settings().warehouse_path, wait=1)

    @property
    def draft(self) -> Path:
        return self.data / "drafts" / "hold.md"

    def cli(self, *arguments: str, text: str | None = None) -> Result:
        """`sekisho recall` of the draft, in this process."""
        result = CliRunner().invoke(app, ["recall", *(arguments or (str(self.draft),))], input=text)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    def asset(self, *more: str) -> Outcome:
        """Materialise `recall_citations` with its checks."""
        return materialise("recall_citations", *more)

    def only(self) -> Recall:
        (recall,) = self.warehouse.recalls()
        return recall

    def events(self, *names: str) -> list[dict[str, Any]]:
        """Recall's events so far, in order; of some names alone, where any are given."""
        path = self.state / "log.jsonl"
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
        ours = [line for line in lines if line["event"] == "prompt_loaded" or line["event"].startswith("recall_")]
        return [line for line in ours if not names or line["event"] in names]


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder after one run of what recall rests on."""
    root = tmp_path_factory.mktemp("recall")
    (root / "data" / "decisions").mkdir(parents=True)
    (root / "data" / "drafts").mkdir()
    (root / "data" / "fixtures").mkdir()
    for name in NAMES:
        shutil.copy(ROOT / "data" / "decisions" / name, root / "data" / "decisions" / name)
    (root / "data" / "drafts" / "hold.md").write_text(DRAFT, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEKISHO_DATA", str(root / "data"))
        patch.setenv("SEKISHO_STATE", str(root / "state"))
        outcome = materialise("decisions", "embeddings", "vector_index")
        assert outcome.success and not outcome.failed_checks, outcome.failures
    yield root


@pytest.fixture
def recall_house(ingested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RecallHouse:
    """A copy of it that a test may spoil."""
    shutil.copytree(ingested, tmp_path, dirs_exist_ok=True)
    (tmp_path / "state" / "log.jsonl").unlink()
    monkeypatch.setenv("SEKISHO_DATA", str(tmp_path / "data"))
    return RecallHouse(tmp_path)
