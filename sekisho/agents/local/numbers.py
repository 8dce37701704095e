"""Numbers and dates: candidates by pattern, chosen by what the words around them are about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from sekisho.agents.local.document import Clause, Document
from sekisho.agents.local.fields import Relevance, Wanted
from sekisho.agents.local.found import Found, best
from sekisho.agents.local.quantities import Quantity, quantities
from sekisho.agents.local.words import LOOSE, NEGATOR, stems
from sekisho.dates import dates
from sekisho.retrieval.encoder import Encoder
from sekisho.sentences import Span
from sekisho.units import canonical, convert

_NOUNS = re.compile(r"\s*(?P<nouns>[A-Za-z]+(?:\s+[A-Za-z]+)?)")
# What the number of such a field is often said with: `every 7 days`, `down to 5 °C`.
_SAID_WITH = [
    (
        re.compile(
            r"\b(?:interval|every|frequency|how often|from one .+ to the next|period)\b|間隔|頻度", re.IGNORECASE
        ),
        re.compile(r"\b(?:every|each|per|once an?)\b|ごと|おき|毎", re.IGNORECASE),
    ),
    (
        re.compile(r"\b(?:min|minimum|minimal|lowest|least|smallest|shortest|coldest)\b|最低|最小|最短", re.IGNORECASE),
        re.compile(
            r"\b(?:min\w*|lowest|least|down to|below|under|less|colder|no lower)\b|最低|最小|以上", re.IGNORECASE
        ),
    ),
    (
        re.compile(r"\b(?:max|maximum|maximal|highest|most|largest|longest|capacity)\b|最高|最大|最長", re.IGNORECASE),
        re.compile(r"\b(?:max\w*|highest|up to|at most|above|over|no more)\b|最高|最大|以下|まで", re.IGNORECASE),
    ),
]
_UNIT_FITS = 0.35
_SAID = 0.15
_ELSEWHERE = 0.35
_LOOSE = 0.12
_NEGATED = 0.15
_LATER = 0.1


def find_number(document: Document, wanted: Wanted, about: Relevance, encoder: Encoder) -> Found | None:
    """The number of the wanted unit, or of the wanted things, whose clause is most about the field."""
    unit = canonical(wanted.unit) if wanted.unit else None
    candidates = list(_measured(document, unit) if unit else _counted(document, wanted, encoder))
    found = []
    for quantity, value, fit in candidates:
        number = int(value) if value == value.to_integral_value() else None
        if wanted.type == "int" and number is None:
            continue
        score = fit + _context(document, about, quantity.start) + _said(document.text, wanted, quantity)
        span = _evidence(document, quantity.start)
        if span is not None:
            found.append(Found(number if wanted.type == "int" else float(value), span, score))
    return best(found)


def find_date(document: Document, about: Relevance) -> Found | None:
    """The whole date whose clause is most about the field."""
    found = []
    for day in dates(document.text):
        span = _evidence(document, day.start)
        if span is not None:
            score = _UNIT_FITS + _context(document, about, day.start)
            found.append(Found(day.date.isoformat(), span, score))
    return best(found)


def _measured(document: Document, unit: str) -> Iterator[tuple[Quantity, Decimal, float]]:
    """Numbers that carry the unit or convert into it exactly; a bare number counts little."""
    for quantity in quantities(document.text):
        values = [convert(quantity.value, here, unit) for here in sorted(quantity.units, key=lambda one: one != unit)]
        value = next((one for one in values if one is not None), None)
        if value is not None:
            yield quantity, value, _UNIT_FITS


def _counted(document: Document, wanted: Wanted, encoder: Encoder) -> Iterator[tuple[Quantity, Decimal, float]]:
    """Numbers of things like those that the field counts; measures and years are left out."""
    plain = [one for one in quantities(document.text) if not one.units and not _is_year(one)]
    nouns = [_nouns(one) for one in plain]
    things = wanted.unit or wanted.title
    if not plain:
        return
    vectors = encoder.encode([things, *(noun or "it" for noun in nouns)])
    for quantity, noun, vector in zip(plain, nouns, vectors[1:], strict=True):
        likeness = float(vectors[0] @ vector) if noun else 0.0
        named = bool(frozenset(stems(noun)) & wanted.stems)
        is_pronoun = document.text[quantity.start : quantity.end].lower() == "one" and not named
        if not is_pronoun:
            yield quantity, quantity.value, _UNIT_FITS * max(float(named), min(1.0, 1.5 * likeness))


def _context(document: Document, about: Relevance, at: int) -> float:
    """How much the words around a place are about the field, less what speaks against them."""
    number = document.sentence_at(at)
    if number is None:
        return 0.0
    sentence = document.sentences[number]
    score = 0.7 * float(about.sentences[number])
    for offset, clause in enumerate(sentence.clauses):
        if clause.span.start <= at < clause.span.end:
            score = max(score, float(about.clauses[sentence.first_clause + offset]))
            score = 0.6 * score + 0.4 * float(about.sentences[number]) - _doubt(document.text, clause, at)
    return score - _LATER * number / len(document.sentences)


def _said(text: str, wanted: Wanted, quantity: Quantity) -> float:
    around = text[max(0, quantity.start - 25) : quantity.end + 8]
    about = f"{wanted.title} {wanted.meaning}"
    return _SAID * any(
        field.search(about) is not None and words.search(around) is not None for field, words in _SAID_WITH
    )


def _doubt(text: str, clause: Clause, at: int) -> float:
    before = text[max(clause.span.start, at - 30) : at]
    doubt = _ELSEWHERE if clause.is_elsewhere(at) else 0.0
    doubt += _LOOSE if LOOSE.search(before) else 0.0
    return doubt + (_NEGATED if NEGATOR.search(before) else 0.0)


def _evidence(document: Document, at: int) -> Span | None:
    number = document.sentence_at(at)
    return None if number is None else document.sentences[number].span


def _nouns(quantity: Quantity) -> str:
    match = _NOUNS.match(quantity.after)
    return match["nouns"] if match else ""


def _is_year(quantity: Quantity) -> bool:
    return 1900 <= quantity.value <= 2100
