"""A clean environment for every test: no setting leaks in, and state and Dagster's home are temporary."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
import yaml

from sekisho.agents.providers import PROVIDERS
from sekisho.retrieval import encoder
from sekisho.retrieval.encoder import SentenceEncoder, Vectors
from sekisho.settings import Settings, load_settings
from sekisho.warehouse import Warehouse

ROOT = Path(__file__).resolve().parent.parent
_OURS = ("SEKISHO_", "IECQ_", "DAGSTER_", "RECALL_", "CHROMA_", "MAP_")


def is_ours(variable: str) -> bool:
    """Whether an environment variable could tell the project something."""
    paid = {name for provider in PROVIDERS.values() for name in (*provider.keys, provider.url_variable)}
    return variable.startswith(_OURS) or variable in paid


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if is_ours(name):  # without a key nothing paid is ever asked
            monkeypatch.delenv(name)
    monkeypatch.setenv("SEKISHO_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("SEKISHO_CACHE", str(tmp_path / "cache"))


_DRAFTS = ("drafts", "golden")


def _without_drafts(folder: str, _names: list[str]) -> list[str]:
    return list(_DRAFTS) if folder == str(ROOT / "data") else []


class House:
    """A copy of the sample data that a test may spoil, with the state beside it.

    The drafts of decisions come where they are asked for: each is a model call of its own.
    """

    def __init__(self, root: Path) -> None:
        self.data = root / "data"
        self.state = root / "state"
        shutil.copytree(ROOT / "data", self.data, ignore=_without_drafts)

    @property
    def settings(self) -> Settings:
        return load_settings()

    @property
    def warehouse(self) -> Warehouse:
        return Warehouse(self.settings.warehouse_path, wait=1)

    def add_drafts(self) -> None:
        """Bring in the sample's drafts of decisions, and what should be found for them."""
        for name in _DRAFTS:
            shutil.copytree(ROOT / "data" / name, self.data / name)

    def overlay(self, replies: dict[str, Any]) -> None:
        """Replace replies of the model."""
        path = self.data / "fixtures" / "plants.yaml"
        fixtures = yaml.safe_load(path.read_text(encoding="utf-8")) | replies
        path.write_text(yaml.safe_dump(fixtures, allow_unicode=True), encoding="utf-8")

    def fixture(self, key: str) -> Any:
        """One of the sample's replies."""
        return yaml.safe_load((self.data / "fixtures" / "plants.yaml").read_text(encoding="utf-8"))[key]

    def note(self, name: str, content: str | bytes) -> Path:
        """Write a file under the notes."""
        path = self.data / "notes" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path


class RememberingEncoder(SentenceEncoder):
    """The real model; what it said of a passage is kept for the whole session, since every run has the same sample."""

    said: ClassVar[dict[tuple[str, str], Vectors]] = {}

    def encode(self, texts: Sequence[str]) -> Vectors:
        keys = [(self.fingerprint, text) for text in texts]
        new = [text for key, text in zip(keys, texts, strict=True) if key not in self.said]
        for text, vector in zip(new, super().encode(new), strict=True):
            self.said[self.fingerprint, text] = vector
        return np.array([self.said[key] for key in keys], dtype=np.float32) if keys else super().encode([])


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(encoder, "SentenceEncoder", RememberingEncoder)
    monkeypatch.setenv("SEKISHO_DATA", str(tmp_path / "data"))
    return House(tmp_path)
