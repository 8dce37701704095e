"""Dates as people write them, to ISO 8601; what may be read in two ways is not guessed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            *(("jan", "january"), ("feb", "february"), ("mar", "march"), ("apr", "april"), ("may",), ("jun", "june")),
            *(("jul", "july"), ("aug", "august"), ("sep", "sept", "september"), ("oct", "october")),
            *(("nov", "november"), ("dec", "december")),
        ),
        start=1,
    )
    for name in names
}
_NAME = "(" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_YEAR_FIRST = re.compile(r"(?<!\d)((?:19|20)\d\d)\s?([-/.年])\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?!\d)")
_MONTH_DAY = re.compile(rf"\b{_NAME}\s+{_DAY}\s*,?\s+((?:19|20)\d\d)\b", re.IGNORECASE)
_DAY_MONTH = re.compile(rf"\b{_DAY}(?:\s+of)?[\s-]+{_NAME}\s*,?[\s-]+((?:19|20)\d\d)\b", re.IGNORECASE)
_YEAR_NAME = re.compile(rf"\b((?:19|20)\d\d)[\s-]+{_NAME}[\s-]+{_DAY}\b", re.IGNORECASE)
_YEAR_LAST = re.compile(r"(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2((?:19|20)\d\d)(?!\d)")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)(\d\d)(\d\d)(?!\d)")


def find_date(text: str, day_first: bool | None = None) -> str:
    """The first date in a text as `YYYY-MM-DD`, or nothing.

    In `2022-21-11` day and month are taken as swapped, for nothing else fits. `05/02/2018` is read as `day_first` says;
    where that is None it is no date.
    """
    text = unicodedata.normalize("NFKC", text)
    if m := _YEAR_FIRST.search(text):
        return _iso(m[1], m[3], m[4]) or _iso(m[1], m[4], m[3])
    if m := _MONTH_DAY.search(text):
        return _iso(m[3], _MONTHS[m[1].casefold()], m[2])
    if m := _DAY_MONTH.search(text):
        return _iso(m[3], _MONTHS[m[2].casefold()], m[1])
    if m := _YEAR_NAME.search(text):
        return _iso(m[1], _MONTHS[m[2].casefold()], m[3])
    if m := _YEAR_LAST.search(text):
        first, second, year = int(m[1]), int(m[3]), m[4]
        if first > 12 or m[2] == ".":
            day_first = True
        elif second > 12:
            day_first = False
        elif first == second:
            return _iso(year, first, second)
        return "" if day_first is None else _iso(year, *((second, first) if day_first else (first, second)))
    if m := _COMPACT.search(text):
        return _iso(m[1], m[2], m[3])
    return ""


def is_day_first(texts: Iterable[str]) -> bool | None:
    """Whether a log writes `31/12/2020` or `12/31/2020`, by its dates that can be only one; else None."""
    votes = set()
    for text in texts:
        m = _YEAR_LAST.search(unicodedata.normalize("NFKC", text))
        if m and m[2] != ".":
            votes |= {True} if int(m[1]) > 12 else {False} if int(m[3]) > 12 else set()
    return votes.pop() if len(votes) == 1 else None


def _iso(year: str | int, month: str | int, day: str | int) -> str:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return ""
