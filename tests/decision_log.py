"""A log of decision records that a test writes file by file and reads as a whole."""

from __future__ import annotations

from pathlib import Path

from sekisho.decision import Decision, DecisionFile
from sekisho.sources.decisions import load_decisions

TEXT = "# A title\n\nThe quay was chosen.\n"


def log_folder(root: Path) -> Path:
    """An empty folder of decisions."""
    path = root / "data" / "decisions"
    path.mkdir(parents=True)
    return path


def put(folder: Path, name: str, content: str | bytes) -> Path:
    """Write one file below a folder."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def loaded(folder: Path) -> tuple[dict[str, Decision], list[DecisionFile]]:
    """The decisions by path, and what was told of the files."""
    decisions, told = load_decisions(folder)
    return {decision.path: decision for decision in decisions}, told


def one(folder: Path, name: str, text: str) -> Decision:
    """Write one more record, and read it with the others."""
    put(folder, name, text)
    return loaded(folder)[0][name]


def links(decision: Decision) -> set[tuple[str, str, bool]]:
    """Its links as kind, target and whether of a part."""
    return {(link.kind, link.target, link.partial) for link in decision.links}
