"""Numbers with their units as the local agent reads them: those that count or measure something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from sekisho.dates import dates
from sekisho.units import plain, units_after

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_KANJI = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_SPACE = "[ \u00a0\u2009\u202f\u200b-\u200d\u2060\ufeff]"  # between the groups of one long number, or inside it
_NUMBER = re.compile(
    rf"(?<![A-Za-z0-9.,:/#-])(?<![0-9]{_SPACE})(?P<figure>[-−]?(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:[.,]\d+)?))"
    rf"(?![0-9:/]|[.,]\d|-\d|{_SPACE}\d{{3}}(?!\d)|[\u200b-\u200d\u2060\ufeff]\d)"
    rf"|\b(?P<word>{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b"
    r"|(?P<kanji>(?<![一二三四五六七八九十百千])(?:十[一二]?|[一二三四五六七八九])(?![一二三四五六七八九十百千])(?=[枚台人本個名匹頭キ日週回]))",
    re.IGNORECASE,
)
_LONGEST = 15
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
_MONEY_BEFORE = re.compile(r"[$€£¥]\s*\Z")
_MONEY_AFTER = re.compile(r"\s*(?:[$€£¥]|euros?\b|dollars?\b|pounds?\b|cents?\b|yen\b|円)", re.IGNORECASE)
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
    """Every number that counts or measures something; parts of dates, times, sums of money, ordinals and labels do not.

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
        if _ORDINAL.match(rest) or _MONEY_BEFORE.search(before) or _MONEY_AFTER.match(rest):
            continue
        if _LABEL_BEFORE.search(before) or _is_range(before, rest):
            continue
        value = _value(match)
        if value is None:
            continue
        yield Quantity(match.start(), match.end(), value, units_after(rest), rest)


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
