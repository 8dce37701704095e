"""Reports for people: gap.md, every item that a gate turned back and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from sekisho.publish import write_atomically
from sekisho.records import Gap
from sekisho.text import printable

_MARKDOWN = re.compile(r"([\\`*\[\]<>|&~]|\b_|_\b)")
_TITLES = {
    "notes": "Files that could not be read",
    "facts": "Documents without a fact",
    "knowledge_base": "Held against the knowledge base",
    "answers": "Answers withheld",
}


def escape_markdown(text: str) -> str:
    """Text on one line in which nothing is markup, HTML or a control character."""
    return _MARKDOWN.sub(r"\\\1", printable(text))


def publish_gaps(gaps: Sequence[Gap], path: Path) -> str:
    """Write gap.md and return its text."""
    text = render_gaps(gaps)
    write_atomically(path, text)
    return text


def render_gaps(gaps: Iterable[Gap]) -> str:
    """gap.md: by stage and item, the gate and its reason."""
    lines = ["# Gaps", ""]
    ordered = list(gaps)
    if not ordered:
        return "# Gaps\n\nNothing was turned back.\n"
    for stage in _TITLES:
        found = [gap for gap in ordered if gap.stage == stage]
        if found:
            lines += [f"## {_TITLES[stage]}", ""]
        for item, reasons in groupby(found, key=lambda gap: gap.item):
            lines.append(f"- **{escape_markdown(item)}**")
            lines += [f"  - {escape_markdown(gap.reason)} ({escape_markdown(gap.gate)})" for gap in reasons]
        lines += [""] if found else []
    return "\n".join(lines)
