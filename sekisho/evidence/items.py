"""Answers and facts as the page shows them: each quote with its place, and how the item was made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sekisho.evidence.marked import Places
from sekisho.records import Answer, Fact, Provenance, SourceText

Made = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class QuoteView:
    """A quote and the number of its place on the page, 0 for none; `said` is the model's wording if it is another."""

    text: str
    place: int
    start: int
    end: int
    reason: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class CitationView:
    """A cited source with the quotes from it."""

    source: str
    path: str
    reader: str
    quotes: tuple[QuoteView, ...]


@dataclass(frozen=True, slots=True)
class AnswerView:
    """A published answer; `made` says by which agent, model, prompt and reply, name by name."""

    number: int
    answer: Answer
    citations: tuple[CitationView, ...]
    made: Made


@dataclass(frozen=True, slots=True)
class FieldView:
    """One field of a fact, its value as text, and its evidence if it has any."""

    name: str
    value: str
    evidence: QuoteView | None


@dataclass(frozen=True, slots=True)
class FactView:
    """A published fact, field by field; `not_stated` names the fields that the note leaves out."""

    number: int
    fact: Fact
    fields: tuple[FieldView, ...]
    not_stated: tuple[str, ...]
    made: Made


def answer_view(answer: Answer, number: int, sources: Mapping[str, SourceText], places: Places) -> AnswerView:
    """An answer with the quotes under the citation that each belongs to."""
    quotes: dict[str, list[QuoteView]] = {name: [] for name in answer.citations}
    for quote, said in zip(answer.quotes, answer.said, strict=True):
        place = places.add(quote.source, quote.start, quote.end)
        other = said if said != quote.text else ""
        view = QuoteView(quote.text, place, quote.start, quote.end, quote.reason, other)
        quotes.setdefault(quote.source, []).append(view)
    citations = []
    for name, found in quotes.items():
        source = sources.get(name)
        path, reader = (source.path, source.reader) if source else ("", "")
        citations.append(CitationView(name, path, reader, tuple(found)))
    made = _made(answer.provenance, answer.receipt, generation=answer.generation)
    return AnswerView(number, answer, tuple(citations), made)


def fact_view(fact: Fact, number: int, places: Places, units: Mapping[str, str]) -> FactView:
    """A fact with the unit and evidence of each field, by its name."""
    names = dict.fromkeys([*fact.fields, *fact.evidence])
    fields = []
    for name in names:
        value = _with_unit(fact.fields.get(name), units.get(name, ""))
        fields.append(FieldView(name, value, _evidence(fact, name, places)))
    stated = tuple(field for field in fields if field.value or field.evidence)
    absent = tuple(field.name for field in fields if field not in stated)
    return FactView(number, fact, stated, absent, _made(fact.provenance, fact.receipt, note=fact.note_sha256))


def _evidence(fact: Fact, name: str, places: Places) -> QuoteView | None:
    text, place = fact.evidence.get(name), fact.places.get(name)
    if text is None:
        return None
    if place is None:
        return QuoteView(text, 0, 0, 0, "")
    return QuoteView(text, places.add(fact.source, place.start, place.end), place.start, place.end, place.reason)


def _with_unit(value: Any, unit: str) -> str:
    text = _value(value)
    return f"{text} {unit}" if text and unit else text


def _value(value: Any) -> str:
    """A field's value for a reader."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_value, value))
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


def _made(by: Provenance, receipt: str, **more: str) -> Made:
    """By whom and from what an item was made; what is not known is left out."""
    told = {
        "agent": by.agent,
        "model": by.model,
        "round": str(by.round),
        **more,
        "prompt": by.prompt_sha256,
        "reply": by.reply_sha256,
        "receipt": receipt,
    }
    return tuple((name, value) for name, value in told.items() if value)
