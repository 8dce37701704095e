"""The labelled notes of `benchmarks/local_notes` and the sample data, read for the benchmark of the local agent."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from sekisho.agents.local.fields import Wanted, read_fields

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Domain:
    """Notes, what their schema asks, and what is known of them."""

    name: str
    fields: list[Wanted]
    texts: dict[str, str]
    labels: dict[str, dict[str, Any]]
    questions: list[dict[str, str]]
    gold: dict[str, dict[str, Any]]


def benchmark(name: str) -> Domain:
    root = ROOT / "benchmarks" / "local_notes" / name
    return _domain(name, root, _yaml(root / "labels.yaml"), _yaml(root / "gold.yaml"))


def sample() -> Domain:
    """The sample data, whose fixtures say what is right."""
    fixtures = _yaml(ROOT / "data" / "fixtures" / "plants.yaml")
    labels = {key.removeprefix("extract:"): reply for key, reply in fixtures.items() if key.startswith("extract:")}
    gold = {key.removeprefix("query:"): reply for key, reply in fixtures.items() if key.startswith("query:")}
    return _domain("plants", ROOT / "data", labels, gold)


def _domain(name: str, root: Path, labels: Any, gold: Any) -> Domain:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((root / "notes").glob("*.md"))}
    schema = _yaml(root / "notes.schema.yaml")
    return Domain(name, read_fields(schema["fields"]), texts, labels, _yaml(root / "questions.yaml"), gold)


def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def half_of(domain: str, source: str) -> str:
    return "all" if domain == "plants" else ("even", "odd")[int(source[:2]) % 2]
