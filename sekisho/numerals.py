"""The numbers that a text holds, in every reading that it may honestly be given.

Where a text can be read in two ways (`1,250`), it holds both numbers; `$1 million` is never 1.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from sekisho.dates import dates
from sekisho.numberwords import FIGURE, figures, in_figures
from sekisho.text import fold_needle
from sekisho.units import currency_before, is_unit_like, units_after

_POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_FRACTIONS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_LONGEST = 40
# Number words are looked for in pieces: the time that takes grows faster than their length.
_PIECE = re.compile(r".{1,2000}\Z|.{1,1999}[\s、。]|.{1,2000}", re.DOTALL)
_NUMBER = re.compile(
    r"(?P<sign>(?<![^\s(\[=:])-|\b(?:minus|negative)\s|マイナス|氷点下|零下|[▲△])?(?P<money>[$€£¥₹]\s?)?"
    rf"(?<![A-Za-z_\d.,])(?P<figure>{FIGURE})(?P<part>\s\d{{1,2}}/\d{{1,2}}(?!\d)|[{_FRACTIONS}]|/\d{{1,4}}(?![\d/]))?"
    rf"(?:\s?[x×*]\s?10(?:\^(?P<tens>-?\d{{1,2}})|(?P<raised>⁻?[{_POWERS}]{{1,2}}))"
    rf"|\^(?P<exponent>\d{{1,2}})|(?P<power>[{_POWERS}]{{1,2}})|e(?P<e>[-+]?\d{{1,2}})(?!\w))?"
    rf"|(?P<fraction>[{_FRACTIONS}])",
    re.IGNORECASE,
)
_TIME = re.compile(r"(?<![\d:.,])(\d{1,2}):(\d{2})(?::\d{2})?(?![\d:])")
_BELOW = re.compile(r".{0,16}\bbelow (?:zero|freezing|0)\b", re.IGNORECASE)
# Between the ends of a range or the readings of one number: the unit behind the last is that of all.
_JOINED = re.compile(r"\s?(?:-|~|\||to|or|and|through|から|または|又は|か)\s?", re.IGNORECASE)
_PERIOD = re.compile(
    r"\b(?P<second>every (?:other|2nd|second)|other) (?P<name2>day|week|month|year)\b|"
    r"\b(?P<fortnight>fortnight(?:ly)?)\b|(?P<alternate>隔)(?P<name3>[日週月年])|"
    r"\b(?:every|each|an?|per) (?P<name>day|night|week|month|year|hour|minute)\b|"
    r"\b(?P<often>daily|nightly|hourly|weekly|monthly|yearly|annual(?:ly)?)\b|[毎各](?P<ja>日|週|月|年|時間)",
    re.IGNORECASE,
)
_PERIODS = {
    **{"day": "day", "night": "day", "daily": "day", "nightly": "day", "日": "day", "hour": "h", "hourly": "h"},
    **{
        "week": "week",
        "weekly": "week",
        "週": "week",
        "month": "month",
        "monthly": "month",
        "月": "month",
        "時間": "h",
    },
    **{"year": "year", "yearly": "year", "annual": "year", "annually": "year", "年": "year", "minute": "min"},
}


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number of a text: its possible `values`, and the known units that it may be told in, none where none is.

    `odd`: what follows is written like a unit, and is none that is known.
    """

    values: frozenset[Decimal]
    units: tuple[str, ...] = ()
    odd: bool = False


def numerals(text: str) -> list[Numeral]:
    """The numbers of a text. A range is its two ends, in the unit behind the last; `every week` is one week."""
    found: list[Numeral] = []
    for piece in _PIECE.findall(fold_needle(text)):
        piece = in_figures(_without_dates(piece))
        found += [*_written(piece), *map(_period, _PERIOD.finditer(piece))]
    return found


def _without_dates(text: str) -> str:
    """The text with no more of its dates than the year, and no time of the day but the full hours."""
    for day in reversed(dates(text)):
        text = f"{text[: day.start]} {day.date.year} {text[day.end :]}"
    return _TIME.sub(lambda match: f" {match[1]} " if match[2] == "00" else " ", text)


def _written(text: str) -> Iterator[Numeral]:
    units: tuple[str, ...] = ()
    start = len(text)
    for match in reversed([match for match in _NUMBER.finditer(text) if len(match[0]) <= _LONGEST]):
        after = text[match.end() : match.end() + 40]
        follows = _JOINED.fullmatch(text, match.end(), start) is not None
        before = text[max(0, match.start("figure") - 8) : match.start("figure")] if match["figure"] else ""
        units = currency_before(before) or units_after(after) or (units if follows else ())
        start = match.start()
        odd = not units and is_unit_like(after)
        values = _values(match)
        yield Numeral(values | {-value for value in values} if _BELOW.match(after) else values, units, odd)


def _values(match: re.Match[str]) -> frozenset[Decimal]:
    if match["fraction"]:
        return frozenset({_fraction(match["fraction"])})
    values = figures(match["figure"])
    part = (match["part"] or "").strip()
    if part.startswith("/"):  # a fraction, or two numbers: 4/5 stars
        under = Decimal(part[1:])
        parts = {value / under for value in values if under}
        values |= {under, *parts, *(round(value, places) for value in parts for places in (2, 3))}
    elif part:
        values = frozenset(value + _fraction(part) for value in values)
    raised = match["tens"] or match["e"] or _plain(match["raised"])
    if raised:
        values = frozenset(value * Decimal(10) ** int(raised) for value in values)
    power = match["exponent"] or _plain(match["power"])
    if power:  # behind anything but a ten it may as well be the number of a note
        kept = frozenset() if match["exponent"] else values - {Decimal(10)}
        values = frozenset(value ** int(power) for value in values if value) | kept
    return frozenset(-value for value in values) if match["sign"] else values


def _fraction(text: str) -> Decimal:
    over, _, under = text.partition("/")
    if under:
        return Decimal(over) / Decimal(under) if int(under) else Decimal(0)
    return round(Decimal(unicodedata.numeric(text)), 9)


def _plain(raised: str | None) -> str:
    return unicodedata.normalize("NFKC", raised or "").replace("−", "-")


def _period(match: re.Match[str]) -> Numeral:
    if match["fortnight"]:
        return Numeral(frozenset({Decimal(2)}), ("week",))
    name = next(match[group] for group in ("name", "name2", "name3", "often", "ja") if match[group])
    count = 2 if match["second"] or match["alternate"] else 1
    return Numeral(frozenset({Decimal(count)}), (_PERIODS[name.lower()],))
