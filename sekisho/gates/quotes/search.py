"""Where a quote stands in a source, with or without marks, hyphens at line ends and spaces beside Han."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sekisho.gates.quotes.needle import LINE_END_HYPHEN, WIDE_BREAK, Needle, Numbers
from sekisho.gates.quotes.prepared import LOOSE, Prepared, letters
from sekisho.text.folding import fold, is_cjk
from sekisho.text.line_marks import number_of

# A quote that stands in more places is judged by the first of them: each costs time, and none is lost in good faith.
_PLACES = 100
_NUMBER = re.compile(r"(?:(?<=\s)|\A)(?:\(?\d{1,3}[.)]|\(?[a-z]\))\s+")
# A unit right behind a number, with or without a space between them: 25 °C, 25°C.
_UNIT = re.compile(
    r"(?:[%‰]|°[CFK]?|[kcmµμnMG]?(?:m|g|l|L|s|W|V|A|Hz|Pa|B|Wh)|min|h|kg|km/h|dB|rpm|ppm|"
    r"bar|EUR|USD|GBP|JPY|ft|in|lb|oz)(?![\w'-])"
)
_NUMBER_END = re.compile(r"[\da-z][.)]\s")  # without it there is none, and it is found at a glance
# Two hyphens for a dash, between spaces or letters; ` --force` is none.
_DASH = re.compile("(?<= )-{2,3}(?= )|\\A-{2,3}\\Z")
# Full-width marks, which fold to ASCII: a line of Japanese goes on behind them without a space.
_WIDE = re.compile("[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff60]")
# A dash between words, which some houses set with spaces and others without.
_LONG_DASH = re.compile("\\s*[\u2014\u2015]\\s*|\\s+\u2013\\s+")
# Signs that set words off with or without a space, so that one at a line's end may be taken out with the break.
_SETS_OFF = ";:,!?)]"
_BULLETS = str.maketrans("*+•・◦‣▪●○", "-" * 9)
_Seen = set[tuple[int, int]]


class Place(NamedTuple):
    """Where a quote stands: `start` and `end` in the original, `first` and `last` in the source's words."""

    start: int
    end: int
    first: int
    last: int


def places(source: Prepared, needle: Needle) -> Iterator[Place]:
    """Every place where the quote stands in the source, each once, the likeliest first."""
    seen: _Seen = set()
    yield from _plain_places(source, needle.text, seen)
    loose = [(reading, wanted) for reading, wanted in needle.letters.items() if wanted in source.letters]
    if loose:
        for reading in needle.readings[1:]:
            yield from _plain_places(source, reading, seen)
    if needle.is_marked:
        yield from _raw_places(source, needle, seen)
    for reading, wanted in loose:
        if wanted:
            numbers = needle.numbers if reading != needle.core else ()
            yield from _loose_places(source, needle, reading, wanted, seen, numbers)
    if needle.is_marked:
        yield from _numbered_places(source, needle, seen)


def may_stand(source: Prepared, needle: Needle) -> bool:
    """Whether `places` may find any: where not even the letters stand, only what has marks of its own can."""
    return needle.is_marked or any(wanted in source.letters for wanted in needle.letters.values())


def _plain_places(source: Prepared, reading: str, seen: _Seen) -> Iterator[Place]:
    """Where a reading stands in the words of the source."""
    at = source.text.find(reading)
    for _ in range(_PLACES):
        if at < 0:
            return
        last = at + len(reading)
        if (at, last) not in seen:
            seen.add((at, last))
            yield Place(source.words.starts[at], source.words.ends[last - 1], at, last)
        at = source.text.find(reading, at + 1)


def _raw_places(source: Prepared, needle: Needle, seen: _Seen) -> Iterator[Place]:
    """Where a reading stands in the folded original, marks and all."""
    for reading in needle.readings if needle.may_stand_in(source.raw.text) else ():
        at = source.raw.text.find(reading)
        for _ in range(_PLACES):
            if at < 0:
                break
            start, end = source.raw.span(at, len(reading))
            first, last = source.words_at(start, end)
            # A place without words is a comment or a link's target, which no reader sees.
            cut = cuts_a_word(source.raw.text, at) or cuts_a_word(source.raw.text, at + len(reading))
            shown = first < last and not cut
            if shown and (first, last) not in seen:
                seen.add((first, last))
                yield Place(start, end, first, last)
            at = source.raw.text.find(reading, at + 1)


def _numbered_places(source: Prepared, needle: Needle, seen: _Seen) -> Iterator[Place]:
    """Where the bare quote stands without the numbers of a list's items that it kept."""
    reading, numbers, at = "", [], 0
    for match in _NUMBER.finditer(needle.bare) if _NUMBER_END.search(needle.bare) else ():
        reading += needle.bare[at : match.start()]
        at = match.end()
        shift = len(letters(needle.bare[: match.start()])) - len(letters(reading))
        numbers += [(place - shift, found) for place, found in needle.numbers if place - shift <= len(letters(reading))]
        numbers.append((len(letters(reading)), number_of(match[0])))
    if at:
        reading += needle.bare[at:]
        yield from _loose_places(source, needle, reading, letters(reading), seen, tuple(dict.fromkeys(numbers)))


def _loose_places(
    source: Prepared, needle: Needle, reading: str, wanted: str, seen: _Seen, numbers: Numbers = ()
) -> Iterator[Place]:
    """Where the letters of a reading stand with no more between them than marks, line ends and such spaces.

    Each of the numbers must be that of the item which begins where the number stands in the quote.
    """
    at = source.letters.find(wanted)
    for _ in range(_PLACES):
        if at < 0:
            return
        first, last = source.places[at], source.places[at + len(wanted) - 1] + 1
        numbered = all(source.has_number(source.places[at + before], number) for before, number in numbers)
        if numbered and (first, last) not in seen and _same(source, needle, first, last, reading):
            seen.add((first, last))
            yield Place(source.words.starts[first], source.words.ends[last - 1], first, last)
        at = source.letters.find(wanted, at + 1)


def _same(source: Prepared, needle: Needle, first: int, last: int, reading: str) -> bool:
    """Whether a stretch of the source and a reading with the same letters also agree in what is between the letters."""
    at = first
    gap = ""
    begun = False
    for char in reading:
        if char in LOOSE:
            gap += char if begun else ""
            continue
        end = at
        while begun and source.text[end] in LOOSE:
            end += 1
        if begun and source.text[at:end] != gap and not _same_gap(source, needle, at, end, gap):
            return False
        at, gap, begun = end + 1, "", True
    return at == last


def _same_gap(source: Prepared, needle: Needle, at: int, end: int, gap: str) -> bool:
    """Whether what the quote has between two letters may stand for what the source has there."""
    words, text = source.words, source.text
    original = source.original[words.ends[at - 1] : words.starts[end]]
    said, wanted = _plain_marks(text[at:end], original), _plain_marks(gap, original)
    if "__" in said and "__" not in wanted and "__" in needle.quote:
        said = said.replace("__", "")  # taken for a mark of the quote's own: the name `__init__` beside other marks
    if text[at - 1].isalpha() and text[end].isalpha() and LINE_END_HYPHEN.fullmatch(original):
        return wanted in ("", "-") and (not gap.endswith(" ") or wanted == "-")
    if gap == "- " and needle.hyphens:
        return said in ("", "-") and " " not in text[at:end]
    if not said and gap.translate(_BULLETS) == " - " and source.is_numbered(end):
        return True  # an item's number, shown as a bullet
    same = said == wanted or text[at:end].replace(" ", "") == gap.replace(" ", "")
    if not same and not (_within(said, wanted) and _within(wanted, _plain_marks(fold(original).text, original))):
        return False
    spaced = " " in text[at:end]
    if spaced == (" " in gap) or is_cjk(text[at - 1]) or is_cjk(text[end]):
        return True
    if not said and text[at - 1].isdigit() and _UNIT.match(text, end):
        return True
    if "\n" in original and (text[at - 1] in _SETS_OFF or text[end] in "([") and not text[end].isdigit():
        return True
    if said == wanted and text[at - 1].isalpha() and text[end].isalpha() and _LONG_DASH.fullmatch(original):
        return True
    around = source.original[words.starts[at - 1] : words.ends[end]]
    return WIDE_BREAK.search(around) is not None or bool(_WIDE.match(around[0]) or _WIDE.match(around[-1]))


def _plain_marks(gap: str, original: str) -> str:
    """What stands between two letters without spaces: a dash as one hyphen, and over a line's end bullets alike."""
    gap = _DASH.sub("-", gap).replace(" ", "")
    return gap.translate(_BULLETS) if "\n" in original else gap


def cuts_a_word(text: str, at: int) -> bool:
    """Whether a place lies inside a word."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    return before.isalnum() and after.isalnum() and not is_cjk(before) and not is_cjk(after)


def _within(few: Iterable[str], many: Iterable[str]) -> bool:
    """Whether the items of one sequence stand in another in the same order."""
    rest = iter(many)
    return all(item in rest for item in few)
