"""Numbers and dates: candidates by pattern, chosen by what the words around them are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sekisho.agents.local.document import Clause, Document
from sekisho.agents.local.events import asks_of_plans, is_of_another_event, is_replaced
from sekisho.agents.local.fields import Wanted
from sekisho.agents.local.found import Found, best
from sekisho.agents.local.quantities import Quantity, quantities
from sekisho.agents.local.relevance import Relevance
from sekisho.agents.local.units import counted_by, family
from sekisho.agents.local.words import BOUND, DENIAL, LOOSE, NEGATOR, NEGATOR_JA, is_japanese, stems
from sekisho.dates import dates
from sekisho.retrieval.encoder import Encoder
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
_UNIT_MAY_FIT = 0.3
_ALONE = 0.8
_RIVAL = 0.78
_ALIKE = 0.45
_REACH = 5
_SAID = 0.15
_ELSEWHERE = 0.35
_LOOSE = 0.12
_NEGATED = 0.15
_LATER = 0.1


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What a number or date at `text[start:end]` would give the field; no value where it is only of the same kind.

    `is_clear`: its unit can be no other than the field's.
    """

    value: int | float | str | None
    start: int
    end: int
    fit: float
    is_clear: bool = True


def find_number(
    document: Document, wanted: Wanted, about: Relevance, encoder: Encoder, *, is_shared: bool = False
) -> Found | None:
    """The number of the wanted unit, or of the wanted things, whose clause is most about the field.

    `is_shared`: another field is measured alike, so that a unit alone does not say whose number it is.
    """
    unit = canonical(wanted.unit) if wanted.unit else None
    candidates = []
    for quantity, value, fit in _measured(document, unit) if unit else _counted(document, wanted, encoder):
        number: int | float | None = None if value is None else float(value)
        if wanted.type == "int" and value is not None:
            number = int(value) if value == value.to_integral_value() else None
        said = fit + _said(document.text, wanted, quantity)
        candidates.append(_Candidate(number, quantity.start, quantity.end, said, fit >= _UNIT_FITS))
    return _choose(document, _rate(document, wanted, about, candidates, is_shared))


def find_dates(
    document: Document, wanted: Sequence[Wanted], abouts: Mapping[str, Relevance]
) -> dict[str, Found | None]:
    """For each field the whole date whose clause is most about it; a date serves only the field surest of it."""
    days = [_Candidate(day.date.isoformat(), day.start, day.end, _UNIT_FITS) for day in dates(document.text)]
    rated = {one.name: _rate(document, one, abouts[one.name], days, len(wanted) > 1) for one in wanted}
    surest = sorted(
        ((-round(one.score, 4), place, name) for name, found in rated.items() for one, _, place in found),
    )
    owner: dict[int, str] = {}
    for _, place, name in surest:
        if name not in owner.values():
            owner.setdefault(place, name)
    return {
        name: _choose(document, [one for one in found if owner.get(one[2], name) == name])
        for name, found in rated.items()
    }


def _rate(
    document: Document, wanted: Wanted, about: Relevance, candidates: list[_Candidate], is_shared: bool
) -> list[tuple[Found, int, int]]:
    """Each candidate that may be the field's, with its sentence's number and its place.

    Words of another language than the schema's say nothing to the model: there a candidate must be the only one.
    """
    said = [(number, one) for one in candidates if (number := _said_in(document, wanted, about, one)) is not None]
    values = {one.value for number, one in said if not _clause_at(document, number, one.start).is_elsewhere(one.start)}
    found: list[tuple[Found, int, int]] = []
    for number, one in said:
        sentence = document.sentences[number]
        if one.value is None:
            continue
        score = one.fit + _context(document, about, number, one.start)
        if is_japanese(sentence.text) != wanted.is_japanese:
            score = _ALONE if values == {one.value} and not is_shared and one.is_clear else 0.0
        found.append((Found(one.value, sentence.original, score), number, one.start))
    return found


def _choose(document: Document, found: list[tuple[Found, int, int]]) -> Found | None:
    """The candidate in the words that are most about the field, unsure where two sentences say different things."""
    chosen = best(one for one, _, _ in found)
    return chosen.contradicted() if chosen and _is_contradicted(document, chosen, found) else chosen


def _is_contradicted(document: Document, chosen: Found, found: list[tuple[Found, int, int]]) -> bool:
    """Whether a sentence that is about as sure, and about the same, says something else."""
    row = next(number for one, number, _ in found if one is chosen)
    return any(
        one.value != chosen.value
        and number != row
        and one.score >= _RIVAL * chosen.score
        and float(document.vectors[number] @ document.vectors[row]) >= _ALIKE
        for one, number, _ in found
    )


def _said_in(document: Document, wanted: Wanted, about: Relevance, one: _Candidate) -> int | None:
    """The number of the sentence that says it of the field.

    None where it is denied, no longer so, planned, of another event, or an order to the reader.
    """
    number = document.sentence_at(one.start)
    if number is None or about.barred[number]:
        return None
    sentence, clause = document.sentences[number], _clause_at(document, number, one.start)
    if about.barred_clauses[sentence.first_clause + sentence.clauses.index(clause)]:
        return None
    if clause.is_planned(one.start) and not asks_of_plans(wanted.query):
        return None
    if wanted.type == "date" and is_of_another_event(wanted.query, clause.text, one.start - clause.span.start):
        return None
    if wanted.type != "date" and is_replaced(
        sentence.text, one.start - sentence.span.start, one.end - sentence.span.start
    ):
        return None
    return None if clause.is_former(one.start) or _is_denied(document.text, clause, one) else number


def _is_denied(text: str, clause: Clause, one: _Candidate) -> bool:
    before = re.split(r"[,、]\s", text[clause.span.start : one.start])[-1]
    denials = list(DENIAL.finditer(before))
    if denials:
        between = before[denials[-1].end() :]
        is_imperative = denials[-1].start() == 0 or before[: denials[-1].start()].strip().lower() in ("do", "please do")
        if BOUND.search(between) is None and (is_imperative or len(between.split()) <= _REACH):
            return True
    after = re.split(r"[、。,]", text[one.end : clause.span.end])[0]
    return NEGATOR_JA.search(after) is not None and BOUND.search(after) is None


def _measured(document: Document, unit: str) -> Iterator[tuple[Quantity, Decimal | None, float]]:
    """Numbers that carry the unit or convert into it exactly, and those that measure the same without a value."""
    for quantity in quantities(document.text):
        families = {family(here) for here in quantity.units}
        if family(unit) in families:
            values = [
                convert(quantity.value, here, unit) for here in sorted(quantity.units, key=lambda one: one != unit)
            ]
            value = next((one for one in values if one is not None), None)
            yield quantity, value, _UNIT_FITS if len(families) == 1 else _UNIT_MAY_FIT


def _counted(document: Document, wanted: Wanted, encoder: Encoder) -> Iterator[tuple[Quantity, Decimal | None, float]]:
    """Numbers of things like those that the field counts; measures and years are left out."""
    plain = [one for one in quantities(document.text) if not one.units and not _is_year(one)]
    nouns = [_nouns(one) for one in plain]
    things = wanted.unit or wanted.title
    if not plain:
        return
    vectors = encoder.encode([things, *(noun or "it" for noun in nouns)])
    for quantity, noun, vector in zip(plain, nouns, vectors[1:], strict=True):
        likeness = float(vectors[0] @ vector) if noun else 0.0
        counted = counted_by(quantity.after) & frozenset(stems(wanted.unit or wanted.title))
        named = bool(frozenset(stems(noun)) & wanted.stems or counted or _begins(quantity.after, wanted.unit))
        is_pronoun = document.text[quantity.start : quantity.end].lower() == "one" and not named
        if not is_pronoun:
            yield quantity, quantity.value, _UNIT_FITS * max(float(named), min(1.0, 1.5 * likeness))


def _context(document: Document, about: Relevance, number: int, at: int) -> float:
    """How much the words around a place are about the field, less what speaks against them."""
    sentence = document.sentences[number]
    score = 0.7 * float(about.sentences[number])
    for offset, clause in enumerate(sentence.clauses):
        if clause.span.start <= at < clause.span.end:
            score = max(score, float(about.clauses[sentence.first_clause + offset]))
            score = 0.6 * score + 0.4 * float(about.sentences[number]) - _doubt(document.text, clause, at)
    return score - _LATER * number / len(document.sentences)


def _clause_at(document: Document, number: int, at: int) -> Clause:
    """The clause of a sentence that holds a place, or the last one that begins before it."""
    clauses = document.sentences[number].clauses
    return max((one for one in clauses if one.span.start <= at), default=clauses[0], key=lambda one: one.span.start)


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


def _nouns(quantity: Quantity) -> str:
    match = _NOUNS.match(quantity.after)
    return match["nouns"] if match else ""


def _begins(after: str, unit: str) -> bool:
    """Whether the unit itself stands after the number, as a Japanese counter does."""
    return bool(unit) and not unit.isascii() and after.lstrip().startswith(unit)


def _is_year(quantity: Quantity) -> bool:
    return 1900 <= quantity.value <= 2100
