"""Seals: the digest that a published item carries of everything else in it, and the one of a whole generation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from sekisho.hashing import sha256_json
from sekisho.records import Answer, Fact

S = TypeVar("S", Fact, Answer)


def seal_of(item: Fact | Answer) -> str:
    """The digest of all that an item holds but its seal. No secret is in it: it shows changes, not who made them."""
    return sha256_json(item.model_dump(mode="json", exclude={"receipt"}))


def sealed(item: S) -> S:
    """The item with its seal."""
    return item.model_copy(update={"receipt": seal_of(item)})


def generation_of(facts: Iterable[Fact]) -> str:
    """16 hex digits of the digest of the facts and of the texts they rest on, in their order."""
    return sha256_json([[fact.source, fact.fields, fact.evidence, fact.note_sha256] for fact in facts])[:16]
