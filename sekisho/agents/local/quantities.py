"""Numbers with their units, and dates, as they stand in a text."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from sekisho.agents.local.units import money_before, readings
from sekisho.agents.local.words import plain

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_KANJI = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_SPACE = "[ \u00a0\u2009\u202f\u200b-\u200d\u2060\ufeff]"  # between the groups of one long number, or inside it
_NUMBER = re.compile(
    rf"(?<![A-Za-z0-9.,:/#>-])(?<![0-9][*×])(?<![0-9]{_SPACE})(?P<figure>[-−]?(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:[.,]\d+)?))"
    rf"(?![0-9:/]|[.,]\d|-\d|{_SPACE}\d{{3}}(?!\d)|[\u200b-\u200d\u2060\ufeff]\d)"
    rf"|\b(?P<word>{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b"
    r"|(?P<kanji>(?<![一二三四五六七八九十百千])(?:十[一二]?|[一二三四五六七八九])(?![一二三四五六七八九十百千])(?=[枚台人本個名匹頭キ日週回]))",
    re.IGNORECASE,
)
_LONGEST = 15
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
_COINS = re.compile(r"\s*(?:pounds?|cents?|pence|p)\b", re.IGNORECASE)
# A point in time, no length of it: `3 days ago`, `3日前`, `5月3日`, `2019年`, `9時30分`; nor is `10分の1`.
_POINT_AFTER = re.compile(
    r"\s?(?:日|年|週間?|[かヶカヵケ箇]月|時間|分|秒)(?:前|後|目|の\d)|\s(?:days?|weeks?|months?|years?|hours?|minutes?)\s(?:ago|later|earlier)\b",
    re.IGNORECASE,
)
_POINT_BEFORE = re.compile(r"\d\s?[月時]\Z")
_LABEL_BEFORE = re.compile(
    r"\b(?:number|no\.|nr\.?|item|page|chapter|version|room|class|type|model)\s*\Z", re.IGNORECASE
)
_MONTHS = tuple(name.lower() for name in calendar.month_name[1:])
_MONTH = rf"(?P<month>{'|'.join(f'{name[:3]}(?:{name[3:]}|t)?' if name != 'may' else 'may' for name in _MONTHS)})\.?"
_DATES = [
    re.compile(r"(?<!\d)(?P<year>\d{4})[-/](?P<number>\d{2})[-/](?P<day>\d{2})(?!\d)"),
    re.compile(r"(?<!\d)(?P<year>\d{4})\s?年\s?(?P<number>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?日"),
    re.compile(
        rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+(?P<year>\d{{4}})(?!\d)", re.IGNORECASE
    ),
    re.compile(rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})(?!\d)", re.IGNORECASE),
]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number at `text[start:end]`; `units` are the readings of what follows it, empty where that is no known unit."""

    start: int
    end: int
    value: Decimal
    units: tuple[str, ...]
    after: str


@dataclass(frozen=True, slots=True)
class Day:
    """A whole calendar date at `text[start:end]`."""

    start: int
    end: int
    date: datetime.date


def dates(text: str) -> list[Day]:
    """Every date with day, month and year, in order; one with figures alone must begin with the year."""
    text = plain(text)
    found: dict[int, Day] = {}
    for pattern in _DATES:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            month = int(parts["number"]) if parts.get("number") else _month(parts["month"])
            try:
                date = datetime.date(int(parts["year"]), month, int(parts["day"]))
            except ValueError:
                continue
            found.setdefault(match.start(), Day(match.start(), match.end(), date))
    return [found[at] for at in sorted(found)]


def quantities(text: str) -> list[Quantity]:
    """Every number that counts or measures something; parts of dates, times, ordinals and labels do not.

    A decimal comma is read only where it cannot be a separator of thousands; a range is two numbers, so it is none.
    """
    text = plain(text)
    taken = [(day.start, day.end) for day in dates(text)]
    return [found for found in _numbers(text) if not any(a <= found.start < b for a, b in taken)]


def _numbers(text: str) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(text):
        if match.end() - match.start() > _LONGEST:
            continue  # no measure: an identifier, or nonsense that a float would round
        rest = text[match.end() : match.end() + 40]
        before = text[max(0, match.start() - 12) : match.start()]
        if _ORDINAL.match(rest) or _COINS.match(rest) or _LABEL_BEFORE.search(before) or _is_range(before, rest):
            continue
        if _POINT_AFTER.match(rest) or _POINT_BEFORE.search(before) or (rest.startswith("年") and len(match[0]) == 4):
            continue
        value = _value(match)
        if value is None:
            continue
        units = money_before(before) or readings(before, rest)
        yield Quantity(match.start(), match.end(), value, units, rest)


def _is_range(before: str, rest: str) -> bool:
    return bool(
        re.match(r"\s*(?:-|–|to|or|〜|~|から)\s*\d", rest) or re.search(r"\d\s*(?:-|–|to|or|〜|~|から)\s*\Z", before)
    )


def _value(match: re.Match[str]) -> Decimal | None:
    if match["word"]:
        return Decimal(_WORDS.index(match["word"].lower()) + 1)
    if match["kanji"]:
        return Decimal(_KANJI.index(match["kanji"]) + 1)
    figure = match["figure"].replace("−", "-")
    whole, comma, tail = figure.partition(",")
    if comma and "." not in figure and len(tail) != 3 and "," not in tail:
        return Decimal(f"{whole}.{tail}")
    return Decimal(figure.replace(",", ""))


def _month(name: str) -> int:
    return next(number for number, month in enumerate(_MONTHS, start=1) if month.startswith(name.lower()[:3]))
