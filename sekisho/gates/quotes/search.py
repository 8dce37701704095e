"""Where a quote stands in a source: its folded words, with or without marks, hyphens at line ends, spaces beside Han."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from sekisho.gates.quotes.prepared import LOOSE, Prepared, letters
from sekisho.text.folding import fold, fold_needle, is_cjk
from sekisho.text.markup import plain

# A quote that stands in more places is judged by the first of them: each costs time, and none is lost in good faith.
_PLACES = 200
_LINE_END_HYPHEN = re.compile(r"[-\u2010][^\S\n]*\n[^\S\n]*")
_PAIRS = {'"': '"', "'": "'", "「": "」", "『": "』", "《": "》", "〈": "〉", "‹": "›", "`": "`"}
_MARKED = re.compile(r"[*_`\[\]<>&|~\\]|(?m:^\s*(?:[-+•・#>]|\(?\d+[.)]))")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote stands: `start` and `end` in the original, `first` and `last` in the source's words."""

    start: int
    end: int
    first: int
    last: int


class Needle:
    """A quote made ready to be looked for in any number of sources."""

    def __init__(self, quote: str) -> None:
        self.quote = quote
        self.text = fold_needle(quote)

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """The folded quote, then without a final stop, without a pair of quotation marks around it, without both."""
        found = {self.text: None}
        text = self.text
        for _ in range(3):
            for read in (_without_stop, _without_pair):
                text = read(text)
                found[text] = None
        return tuple(reading for reading in found if reading)

    @cached_property
    def core(self) -> str:
        """The quote without all that may be added around it."""
        return self.readings[-1] if self.readings else ""

    @cached_property
    def bare(self) -> str:
        """The core without marks of its own, where it has any."""
        if not _MARKED.search(self.quote):
            return self.core
        return Needle(plain(self.quote).text).core

    @cached_property
    def hyphens(self) -> bool:
        """Whether the quote itself has words that are hyphenated at a line's end."""
        return _LINE_END_HYPHEN.search(self.quote) is not None


def places(source: Prepared, needle: Needle) -> Iterator[Place]:
    """Every place where the quote stands in the source, the likeliest first; the same place may come twice."""
    for reading in needle.readings:
        yield from _plain_places(source, reading)
    for reading in dict.fromkeys((needle.core, needle.bare)):
        yield from _loose_places(source, reading, needle.hyphens)
    if needle.bare != needle.core:
        yield from _plain_places(source, needle.bare)
    yield from _raw_places(source, needle)


def _plain_places(source: Prepared, reading: str) -> Iterator[Place]:
    """Where a reading stands in the words of the source."""
    at = source.text.find(reading)
    for _ in range(_PLACES):
        if at < 0:
            return
        last = at + len(reading)
        yield Place(source.words.starts[at], source.words.ends[last - 1], at, last)
        at = source.text.find(reading, at + 1)


def _raw_places(source: Prepared, needle: Needle) -> Iterator[Place]:
    """Where a reading stands in the folded original, marks and all."""
    for reading in needle.readings:
        at = source.raw.text.find(reading)
        for _ in range(_PLACES):
            if at < 0:
                break
            start, end = source.raw.span(at, len(reading))
            yield Place(start, end, *source.words_at(start, end))
            at = source.raw.text.find(reading, at + 1)


def _loose_places(source: Prepared, reading: str, hyphens: bool) -> Iterator[Place]:
    """Where the letters of a reading stand and what is between them differs in marks, line ends and such spaces alone."""
    wanted = letters(reading)
    at = source.letters.find(wanted) if wanted else -1
    for _ in range(_PLACES):
        if at < 0:
            return
        first, last = source.places[at], source.places[at + len(wanted) - 1] + 1
        if _same(source, first, last, reading, hyphens):
            yield Place(source.words.starts[first], source.words.ends[last - 1], first, last)
        at = source.letters.find(wanted, at + 1)


def _same(source: Prepared, first: int, last: int, reading: str, hyphens: bool) -> bool:
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
        if begun and source.text[at:end] != gap and not _same_gap(source, at, end, gap, hyphens):
            return False
        at, gap, begun = end + 1, "", True
    return at == last


def _same_gap(source: Prepared, at: int, end: int, gap: str, hyphens: bool) -> bool:
    """Whether what the quote has between two letters may stand for what the source has there."""
    words, text = source.words, source.text
    original = source.original[words.ends[at - 1] : words.starts[end]]
    said, wanted = text[at:end].replace(" ", ""), gap.replace(" ", "")
    if text[at - 1].isalpha() and text[end].isalpha() and _LINE_END_HYPHEN.fullmatch(original):
        return wanted in ("", "-") and (not gap.endswith(" ") or wanted == "-")
    if hyphens and gap == "- ":
        return said in ("", "-") and " " not in text[at:end]
    if not (_within(said, wanted) and _within(wanted, fold(original).text)):
        return False
    spaced = " " in text[at:end]
    return spaced == (" " in gap) or is_cjk(text[at - 1]) or is_cjk(text[end])


def _within(few: str, many: str) -> bool:
    """Whether the characters of one text stand in another in the same order."""
    rest = iter(many)
    return all(char in rest for char in few)


def _without_stop(text: str) -> str:
    if text.endswith((".", "。")) and not text.endswith(("..", "。。")):
        return text[:-1].rstrip()
    return text


def _without_pair(text: str) -> str:
    if len(text) > 1 and _PAIRS.get(text[0]) == text[-1]:
        return text[1:-1].strip()
    return text
