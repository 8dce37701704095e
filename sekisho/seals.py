"""Seals: the digest that a published item carries of everything else in it, and the one of a whole generation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from sekisho.hashing import sha256_json
from sekisho.records import Answer, Fact, KnowledgeBase, Manifest, SourceText

S = TypeVar("S", Fact, Answer, Manifest)


def seal_of(item: Fact | Answer | Manifest) -> str:
    """The digest of all that an item holds but its seal. No secret is in it: it shows changes, not who made them."""
    return sha256_json(item.model_dump(mode="json", exclude={"receipt"}))


def sealed(item: S) -> S:
    """The item with its seal."""
    return item.model_copy(update={"receipt": seal_of(item)})


def digest_of(item: Fact | Answer | SourceText) -> str:
    """What a manifest says of an item: its seal, or the digest of a source, its path included."""
    return sha256_json(item.model_dump(mode="json")) if isinstance(item, SourceText) else item.receipt


def manifests_of(base: KnowledgeBase) -> list[Manifest]:
    """The sealed lists of the facts and of the sources of a knowledge base."""
    facts, sources = ({item.source: digest_of(item) for item in items} for items in (base.facts, base.sources))
    return [sealed(Manifest(part="facts", items=facts)), sealed(Manifest(part="sources", items=sources))]


def manifest_of_answers(answers: Iterable[Answer]) -> Manifest:
    """The sealed list of the published answers."""
    return sealed(Manifest(part="answers", items={answer.id: digest_of(answer) for answer in answers}))


def generation_of(facts: Iterable[Fact]) -> str:
    """16 hex digits of the digest of the facts and of the texts they rest on, in their order."""
    return sha256_json([[fact.source, fact.fields, fact.evidence, fact.note_sha256] for fact in facts])[:16]
