"""Reports for people: gap.md, every item that a gate turned back and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from sekisho.publish import write_atomically
from sekisho.records import Gap
from sekisho.text import printable

_MARKDOWN = re.compile(r"([\\`*\[\]<>|&~@]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=www)\.)", re.IGNORECASE)
TITLES = {
    "notes": "Files that could not be read",
    "facts": "Documents without a fact",
    "knowledge_base": "Held against the knowledge base",
    "answers": "Answers withheld",
}


def escape_markdown(text: str) -> str:
    """Text on one line in which nothing is markup, HTML, a control character or an address that becomes a link."""
    return _MARKDOWN.sub(r"\\\1", printable(text))


def publish_gaps(gaps: Sequence[Gap], path: Path, limit: int | None = None) -> str:
    """Write gap.md and return its text; `limit` is how many rounds the loop makes at most."""
    text = render_gaps(gaps, limit)
    write_atomically(path, text)
    return text


def render_gaps(gaps: Iterable[Gap], limit: int | None = None) -> str:
    """gap.md: by stage and item, the gate and its reason, and in a loop the round and whether another one follows."""
    lines = ["# Gaps", ""]
    ordered = list(gaps)
    if not ordered:
        return "# Gaps\n\nNothing was turned back.\n"
    blocked = any(gap.stage != "answers" for gap in ordered)
    for stage in TITLES:
        found = [gap for gap in ordered if gap.stage == stage]
        rounds = None if stage == "answers" and blocked else limit  # no question was asked: these are of an earlier run
        if found:
            lines += [f"## {TITLES[stage]}", ""]
        for item, grouped in groupby(found, key=lambda gap: gap.item):
            reasons = list(grouped)
            lines.append(f"- **{escape_markdown(item)}**{_round_of(reasons, rounds)}")
            lines += [f"  - {escape_markdown(gap.reason)} ({escape_markdown(gap.gate)})" for gap in reasons]
        lines += [""] if found else []
    return "\n".join(lines)


def _round_of(gaps: Sequence[Gap], limit: int | None) -> str:
    """In which round an item was turned back, and whether that is the end of it; nothing for a run without a loop."""
    number = max(gap.round for gap in gaps)
    if limit is None:
        return f": turned back in round {number}" if number > 1 else ""
    if not any(gap.again for gap in gaps):
        return ": asking again cannot repair this" if any(gap.about for gap in gaps) else ""
    told = f": turned back in round {number} of {limit}"
    return f"{told}; the limit was reached, so it is not asked again" if number >= limit else told
