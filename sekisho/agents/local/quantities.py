"""Numbers with their units as the local agent reads them: those that count or measure something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from sekisho.agents.local.units import readings
from sekisho.dates import dates
from sekisho.units import currency_before, plain

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


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number at `text[start:end]`; `units` are the readings of what follows it, empty where that is no known unit."""

    start: int
    end: int
    value: Decimal
    units: tuple[str, ...]
    after: str


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
        units = currency_before(before) or readings(before, rest)
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
