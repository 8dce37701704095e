"""Which sources a question names, and what it asks for besides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sekisho.agents.local.document import Document
from sekisho.agents.local.spans import SUBJECT_TITLES
from sekisho.agents.local.words import folded, stems

_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?")
_TITLE = re.compile(r"\s*title:\s*(?P<title>.+)", re.IGNORECASE)
# What tells Kiln 3 from Kiln 2, or Pump A from Pump B.
_NUMBER = re.compile(r"\d+")
_LETTER = re.compile(r"(?<=[^\W\d] )[A-Z](?![\w'’])")


def marks(text: str) -> frozenset[str]:
    """What a name is known by: its stems, its numbers and the letter at its end."""
    letters = (match[0].casefold() for match in _LETTER.finditer(text))
    return frozenset([*stems(text), *_NUMBER.findall(folded(text)), *letters])


@dataclass(frozen=True)
class Name:
    """A name of a source: `Kiln 3`, 窯3."""

    title: str

    @cached_property
    def marks(self) -> frozenset[str]:
        return marks(self.title)

    @cached_property
    def _spelled(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![a-z0-9]){re.escape(folded(self.title))}(?![a-z0-9])")

    def __bool__(self) -> bool:
        return bool(stems(self.title)) or (len(self.title) > 1 and not self.title.isascii())

    def is_in(self, text: str) -> bool:
        """Whether a text has the name, as it is spelled or word by word."""
        return self._spelled.search(folded(text)) is not None or (bool(stems(self.title)) and self.marks <= marks(text))

    def is_part_of(self, other: Name) -> bool:
        """Whether another name is this one and more: `Kiln` and `Kiln 3`."""
        return self.marks < other.marks or (
            self.title != other.title and self._spelled.search(folded(other.title)) is not None
        )

    def out_of(self, question: str) -> str:
        """The question without the name; the whole of it where nothing else is asked."""
        left = re.sub(re.escape(self.title), " ", question, flags=re.IGNORECASE)
        left = _WORD.sub(lambda word: " " if (own := marks(word[0])) and own <= self.marks else word[0], left)
        return " ".join(left.split()) if stems(left) else question


def names(source: str, documents: Sequence[Document], fact: Mapping[str, Any]) -> list[Name]:
    """What a source is called: its file's name, its title, its first heading, the name that its fact holds."""
    titles = [re.sub(r"[_./-]+", " ", re.sub(r"\A[\d_./-]+", "", source.rsplit("/", 1)[-1])).strip()]
    for document in documents[:1]:
        titles += [match["title"].strip() for one in document.sentences[:4] if (match := _TITLE.match(one.text))]
        titles += [one.text.strip("# \n") for one in document.sentences if one.kind == "heading"][:1]
    titles += [value for field, value in fact.items() if isinstance(value, str) and folded(field) in SUBJECT_TITLES]
    return [name for title in dict.fromkeys(titles) if (name := Name(title))]


def named(
    question: str, documents: Mapping[str, Sequence[Document]], facts: Mapping[str, Mapping[str, Any]]
) -> dict[str, Name]:
    """The sources that the question names, each with the longest of its names that stands there."""
    found: dict[str, Name] = {}
    for source in documents:
        called = [name for name in names(source, documents[source], facts.get(source, {})) if name.is_in(question)]
        if called:
            found[source] = max(called, key=lambda name: len(name.title))
    return {source: name for source, name in found.items() if not _is_covered(name, found.values())}


def _is_covered(name: Name, others: Iterable[Name]) -> bool:
    return any(name.is_part_of(other) for other in others)
