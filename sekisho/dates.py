"""Calendar dates as they stand in a text, in English and Japanese."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from sekisho.numberwords import kanji_in_figures
from sekisho.units import plain

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
_TO = r"\s?(?:-|–|/|to|and|or|through)\s?"
# In figures alone, where year, month and day may stand in another order or with other signs between them.
_YEAR_FIRST = re.compile(r"(?<!\d)(?P<year>\d{4})\s?[-/.]\s?(?P<month>\d{1,2})\s?[-/.]\s?(?P<day>\d{1,2})(?!\d)")
_YEAR_LAST = re.compile(r"(?<!\d)(\d{1,2})\s?[-/.]\s?(\d{1,2})\s?[-/.]\s?(?P<year>\d{4})(?!\d)")
_COMPACT = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d{2})(?P<month>\d{2})(?P<day>\d{2})(?!\d)")
_SPELT = [
    re.compile(rf"(?<!\d)(?P<day>\d{{1,2}})[-/. ]{_MONTH}[-/. ](?P<year>\d{{4}})(?!\d)", re.IGNORECASE),
    re.compile(
        rf"(?<!\d)(?P<day>\d{{1,2}}){_TO}(?P<last>\d{{1,2}})\s+{_MONTH},?\s+(?P<year>\d{{4}})(?!\d)", re.IGNORECASE
    ),
    re.compile(rf"\b{_MONTH}\s+(?P<day>\d{{1,2}}){_TO}(?P<last>\d{{1,2}}),?\s+(?P<year>\d{{4}})(?!\d)", re.IGNORECASE),
]
_ONES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
_TEENS = [
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
_TENS = [*(f"twenty-{one}" for one in _ONES), "thirtieth", "thirty-first"]
_ORDINALS = [
    (re.compile(rf"(?<![-\w]){word.replace('-', '[- ]')}\b", re.IGNORECASE), str(number))
    for number, word in reversed([*enumerate([*_ONES, *_TEENS, "twentieth", *_TENS], start=1)])
]
_ERA = re.compile(
    r"(?P<era>令和|平成|昭和|大正|明治)\s?(?P<year>元|\d{1,2})\s?年\s?(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?日"
)
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}


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


def possible_dates(text: str) -> frozenset[datetime.date]:
    """Every date that a text may be read to state whole; `3/1/2024` is the third of January and the first of March."""
    text = kanji_in_figures(plain(text))
    for word, number in _ORDINALS:
        text = word.sub(number, text)
    found = {day.date for day in dates(text)}
    for pattern in _SPELT:
        for match in pattern.finditer(text):
            days = (match["day"], match.groupdict().get("last") or match["day"])
            found |= _valid((match["year"], str(_month(match["month"])), day) for day in days)
    for pattern in (_YEAR_FIRST, _COMPACT):
        found |= _valid((match["year"], match["month"], match["day"]) for match in pattern.finditer(text))
    for match in _YEAR_LAST.finditer(text):
        found |= _valid([(match["year"], match[1], match[2]), (match["year"], match[2], match[1])])
    for match in _ERA.finditer(text):
        year = _ERAS[match["era"]] + (1 if match["year"] == "元" else int(match["year"]))
        found |= _valid([(year, match["month"], match["day"])])
    return frozenset(found)


def _valid(parts: Iterable[tuple[int | str, str, str]]) -> set[datetime.date]:
    found = set()
    for year, month, day in parts:
        with suppress(ValueError):
            found.add(datetime.date(int(year), int(month), int(day)))
    return found


def _month(name: str) -> int:
    return next(number for number, month in enumerate(_MONTHS, start=1) if month.startswith(name.lower()[:3]))
