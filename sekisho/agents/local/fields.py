"""A field of the user's schema as the local agent looks for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sekisho.agents.local.words import is_japanese, stems
from sekisho.retrieval.encoder import Encoder, Vectors

# What a description says the field is not: `without detours`, `not of a repair`, `and not that of another device`.
_EXCLUSION = re.compile(
    r",?\s*\b(?:(?:and|but)\s+)?(?:without|not\s+(?:the\s+(?!note\b)|a\s+|an\s+|that\s+of|of\b|in\b)|"
    r"excluding|except|other than|rather than)\b[^.;]*",
    re.IGNORECASE,
)
_FALSE_IF = re.compile(r"[,;.]?\s*(?:and\s+)?\bfalse\s+(?:if|when|where)\s+(?P<when>[^.;]+)", re.IGNORECASE)
_OPENING = re.compile(
    r"^(?:whether(?:\s+or\s+not)?|true\s+(?:if|when|where)|is|are|the)\s+|^(?:the\s+)?note\s+(?:says|tells|states)\s+(?:that\s+)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Wanted:
    """What the schema says of one field, and that taken apart."""

    name: str
    type: str
    description: str
    values: Mapping[str, str]
    items: str
    unit: str
    required: bool
    evidence: bool

    @cached_property
    def title(self) -> str:
        """The field's name as words."""
        return " ".join(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", self.name).replace("_", " ").replace("-", " ").split())

    @cached_property
    def meaning(self) -> str:
        """The description without what it excludes and without its grammar."""
        text = _EXCLUSION.sub("", _FALSE_IF.sub("", self.description))
        before = None
        while before != text:
            before, text = text, _OPENING.sub("", text.strip())
        return text.strip(" .")

    @cached_property
    def opposite(self) -> str:
        """When the field is false, where the description says so."""
        found = _FALSE_IF.search(self.description)
        return found["when"].strip() if found else ""

    @cached_property
    def query(self) -> str:
        """The text whose vector is compared with sentences."""
        return ": ".join(part for part in (self.title, self.meaning) if part)

    @cached_property
    def is_japanese(self) -> bool:
        """Whether the schema says in Japanese what the field is."""
        return is_japanese(self.query)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The content words of name, unit and meaning."""
        return frozenset(stems(f"{self.title} {self.unit} {self.meaning}"))

    @cached_property
    def title_stems(self) -> frozenset[str]:
        """The content words of the name alone: the description's chosen summary."""
        return frozenset(stems(self.title))

    @cached_property
    def excluded(self) -> frozenset[str]:
        """The content words of what the description says the field is not."""
        words = " ".join(match[0] for match in _EXCLUSION.finditer(self.description))
        return frozenset(stems(re.sub(r"\b(?:an)?other\s+\w+", "", words))) - self.stems


def read_fields(fields: Mapping[str, Mapping[str, Any]]) -> list[Wanted]:
    """The fields of an `extract:` call, defaults filled in."""
    return [
        Wanted(
            name=name,
            type=str(spec.get("type", "str")),
            description=str(spec.get("description", "")),
            values=dict(spec.get("values", {})),
            items=str(spec.get("items", "str")),
            unit=str(spec.get("unit", "")),
            required=bool(spec.get("required", True)),
            evidence=bool(spec.get("evidence", True)),
        )
        for name, spec in fields.items()
    ]


def encode_fields(fields: Sequence[Wanted], encoder: Encoder) -> dict[str, Vectors]:
    """The vector of each field's query, by the field's name; one batch."""
    vectors = encoder.encode([wanted.query for wanted in fields])
    return {wanted.name: vectors[number] for number, wanted in enumerate(fields)}
