"""The gate of numbers: where a typed field holds a number or a date, its evidence must hold that value too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from sekisho.dates import possible_dates
from sekisho.gates.finding import Finding
from sekisho.numberwords import scale_of
from sekisho.numerals import Numeral, numerals
from sekisho.records import Fact
from sekisho.schema import FieldSpec, NotesSchema
from sekisho.text import fold_needle, shortened
from sekisho.text.markup import words_of
from sekisho.units import bounds, canonical, named_in

_NOTHING = re.compile(
    r"\b(?:no|not|none|nil|never|neither|nor|without|zero|free|cannot)\b|n't\b|\w+less\b|"
    r"ない|なし|無|ゼロ|ません|不要|零",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;:,.!?、。；]+(?!\d)|\b(?:but|and|though|although|while)\b")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}|[\u4e00-\u9fff]{2}")
_BRIEF = re.compile(
    r"(?:no|none|nil|never|without|zero|free|not)\b(?:\s\S+){0,3}\Z|.*\b(?:free of charge|for free)\b", re.IGNORECASE
)
_ONE = re.compile(r"\b(?:an?|the only|sole|only)\b|唯一", re.IGNORECASE)
_NEAR = Decimal("0.05")


def evidence_holds_the_value(facts: Iterable[Fact], schema: NotesSchema) -> list[Finding]:
    """A finding for each number or date of a fact that the evidence of its field does not hold.

    Fields without evidence of their own are not looked at; whether they may be without it, the schema's gate says.
    """
    return [
        Finding(
            "evidence_holds_the_value", fact.path, f"the evidence does not say {_told(value, spec)}: {name}: {words}"
        )
        for fact in facts
        for name, spec in schema.fields.items()
        if name in fact.evidence
        for value in _items(fact.fields.get(name))
        if not holds_value(name, spec, value, fact.evidence[name])
        for words in [shortened(fact.evidence[name])]
    ]


def holds_value(name: str, spec: FieldSpec, value: Any, evidence: str) -> bool:
    """Whether the evidence of a field, as it stands or without its marks (`_10_`), holds a value of it.

    What is neither a number nor a date is not judged.
    """
    return _holds(name, spec, value, evidence) or _holds(name, spec, value, words_of(evidence))


def _holds(name: str, spec: FieldSpec, value: Any, evidence: str) -> bool:
    kind = spec.items if spec.type == "list" else spec.type
    if kind == "date" and isinstance(value, str):
        return value in {day.isoformat() for day in possible_dates(fold_needle(evidence))}
    if kind not in ("int", "float") or isinstance(value, bool) or not isinstance(value, int | float):
        return True
    return _holds_number(name, spec, Decimal(repr(value)), evidence)


def _holds_number(name: str, spec: FieldSpec, value: Decimal, evidence: str) -> bool:
    found = numerals(evidence)
    unit = canonical(spec.unit) if spec.unit else None
    # Without a known unit, one that the field's name or description names may still be what its numbers were told in.
    wanted = frozenset({unit}) if unit else named_in(f"{name.replace('_', ' ')} {spec.unit} {spec.description}")
    scaled = value * scale_of(spec.unit)
    if any(_says(one, scaled, wanted, strict=unit is not None) for one in found):
        return True
    if value == 0 and _says_nothing(evidence, f"{name.replace('_', ' ')} {spec.unit} {spec.description}"):
        return True
    return value == 1 and not any(one.values for one in found) and _ONE.search(evidence) is not None


def _says_nothing(evidence: str, about: str) -> bool:
    """Whether a clause without numbers denies the field's own thing, or stands as a denial for all of the evidence."""
    own = {word[:4].lower() for word in _LONG_WORD.findall(about)}
    # Without the denials themselves: `none` is a number in other languages.
    others = any(one.values for one in numerals(_NOTHING.sub(" ", evidence)))
    for clause in _CLAUSE.split(evidence):
        if _NOTHING.search(clause) and not any(one.values for one in numerals(_NOTHING.sub(" ", clause))):
            if own & {word[:4].lower() for word in _LONG_WORD.findall(clause)}:
                return True
            # Nothing else is said, and no word tells of what: in another script, or just `none` and `no steps`.
            brief = _BRIEF.match(clause.strip()) or not clause.isascii()
            if brief and not others:
                return True
    return False


def _says(number: Numeral, value: Decimal, wanted: frozenset[str], *, strict: bool) -> bool:
    """Whether a number is the value, by itself or in one of the wanted units.

    `strict`: told in another unit it is not the value by itself, 10 weeks are not 10 days.
    """
    if "%" in number.units and "%" not in wanted and any(_same(found / 100, value) for found in number.values):
        return True
    if not (strict and (number.units or number.odd)) and value in number.values:
        return True
    return any(
        found == value if here == there else _between(value, *limits)
        for found in number.values
        for here in number.units
        for there in wanted
        if (limits := bounds(found, here, there)) is not None
    )


def _between(value: Decimal, low: Decimal, high: Decimal) -> bool:
    """Whether a value is what a converted measure comes to, as far as the value is told."""
    if low == high:
        return _same(low, value)
    return low <= value <= high or _same(low, value) or _same(high, value)


def _same(found: Decimal, value: Decimal) -> bool:
    """Whether two are equal, or one is the other rounded and by no more than a twentieth."""
    exponent = value.as_tuple().exponent
    place = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0) / 2
    return found == value or (abs(found - value) <= place and abs(found - value) <= _NEAR * abs(found))


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _told(value: Any, spec: FieldSpec) -> str:
    shown = str(value) if isinstance(value, str | int | float) else repr(value)
    return shortened(f"{shown} {spec.unit}".strip())
