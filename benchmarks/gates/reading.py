"""The sources of the labelled set and their side files: which sentences are annotated, and where they stand."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import yaml

SOURCES = Path(__file__).parent / "sources"
# What a reader does not see, dropped on both sides before a sentence is looked for: link targets, footnote marks,
# list markers and quote signs at a line's start, markup, hyphens (a line's end may have added one), zero widths.
_UNSEEN = re.compile(
    r"\]\((?:[^()]|\([^()]*\))*\)|\]\[\w*\]|\[\^\w+\]|</?(?:kbd|em)>"
    r"|^[ \t]*(?:[-*+>]|\d+\.)[ \t]+|[\s*_`|#\[\]\\\u00ad\u200b-\u200d\u2060\ufeff-]",
    re.MULTILINE,
)
_CHARACTER = re.compile(r"&\w+;|.", re.DOTALL)
_OPENS, _CLOSES = re.compile(r"[*_`\[]*$"), re.compile(r"(?:[*_`]|\]\((?:[^()]|\([^()]*\))*\))*")


@dataclass(frozen=True)
class Sentence:
    """One annotated sentence; `start` and `end` are its offsets in the source, markup at its ends included."""

    source: str
    lang: str
    number: int
    text: str
    raw: str
    start: int
    end: int
    gap: str
    notes: dict[str, Any] = field(compare=False)

    def at(self, part: str) -> tuple[int, int]:
        """Offsets in the source of a part of the sentence."""
        shown, places = visible(self.raw)
        found = shown.find(visible(part)[0])
        if found < 0:
            raise ValueError(f"{self.source}: {part!r} does not stand in {self.text!r}")
        last = found + len(visible(part)[0]) - 1
        return self.start + places[found], self.start + places[last] + 1


def visible(text: str) -> tuple[str, list[int]]:
    """A text without white space and markup, and for each character left the offset that it comes from."""
    hidden = {at for match in _UNSEEN.finditer(text) for at in range(match.start(), match.end())}
    kept = [
        (folded, match.start())
        for match in _CHARACTER.finditer(text)
        if match.start() not in hidden
        for folded in unicodedata.normalize("NFKC", unescape(match[0]))
        if not folded.isspace()
    ]
    return "".join(char for char, _ in kept), [at for _, at in kept]


@cache
def texts() -> dict[str, str]:
    """Every source text by its id, in order of ids."""
    paths = sorted(path for path in SOURCES.iterdir() if path.suffix in (".md", ".txt"))
    return {path.stem: path.read_text(encoding="utf-8") for path in paths}


@cache
def sentences() -> dict[str, list[Sentence]]:
    """The annotated sentences of every source, in the order in which they stand."""
    return {source: list(_aligned(source, text)) for source, text in texts().items()}


def _aligned(source: str, text: str) -> Iterator[Sentence]:
    side = yaml.safe_load((SOURCES / f"{source}.yaml").read_text(encoding="utf-8"))
    shown, places = visible(text)
    position, before = 0, 0
    for number, notes in enumerate(side["sentences"]):
        wanted = visible(notes["s"])[0]
        at = shown.find(wanted, position)
        if at < 0:
            raise ValueError(f"{source}.yaml: sentence {number} does not stand in the source here: {notes['s']!r}")
        position = at + len(wanted)
        start, end = places[at], places[position - 1] + 1
        opening = _OPENS.search(text, before, start)
        start = opening.start() if opening else start
        closing = _CLOSES.match(text, end)
        end = closing.end() if closing else end
        plain = notes["s"].strip("| ") if notes["s"].startswith("|") else notes["s"]
        yield Sentence(source, side["lang"], number, plain, text[start:end], start, end, text[before:start], notes)
        before = end
