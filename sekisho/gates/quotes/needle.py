"""A quote made ready to be looked for: its readings with and without marks, stops and quotation marks."""

from __future__ import annotations

import re

from sekisho.gates.quotes.prepared import letters
from sekisho.text.folding import fold_needle
from sekisho.text.markup import plain, words_of

LINE_END_HYPHEN = re.compile(r"[-\u2010\u00ad][^\S\n]*\n[^\S\n]*")
# A line of full-width letters may be broken inside a word, as a line of Japanese is.
WIDE_BREAK = re.compile("(?<=[\uff01-\uff5e])[^\\S\n]*\n\\s*(?=[\uff01-\uff5e])")
# A line that begins with a list's number.
_LISTED = re.compile(
    r"^[^\S\n]*(?:[(（]?[\da-z一二三四五六七八九十]{1,3}[.)．）]|[①-⑳]|[一二三四五六七八九十]{1,3}[ \u3000])",
    re.MULTILINE,
)
_PAIRS = {'"': '"', "'": "'", "「": "」", "『": "』", "《": "》", "〈": "〉", "‹": "›", "`": "`"}
_CLOSING = frozenset([*_PAIRS.values(), ".", "。"])
_STOPS = frozenset(".。")
_OR_SPACE = frozenset([*_CLOSING, " ", ""])
# What may be a mark, looked for behind a space: a sign, a bullet, or what follows a list's number or letter. It begins
# with all characters that may, for so `re` passes over the rest at a glance.
_MARKED = re.compile(
    r"[*_`\[\]<>&|~\\#•・+.)．）-](?:(?<=[*_`\[\]<>&|~\\#•・])|(?<=\W[-+])(?=\s)|"
    r"(?<=[.)．）])(?:(?<=\W[\da-z一二三四五六七八九十].)|(?<=\W\d\d.)|(?<=\W\d\d\d.)))"
)
# The numbers of a list's items, each with how many letters of the quote stand before it.
Numbers = tuple[tuple[int, str], ...]


class Needle:
    """A quote made ready to be looked for in any number of sources.

    `readings` are the folded quote, then the same without a final stop, without a pair of quotation marks around it and
    without both; `core` is the last of them. `is_marked` says whether anything in the quote may be a mark of the
    source; `bare` is the core without marks of its own.
    """

    def __init__(self, quote: str) -> None:
        self.quote = quote
        self.text = fold_needle(quote)
        self.readings = _readings(self.text)
        self.core = self.readings[-1]
        self._cores = [self.core]
        if "\n" in quote and WIDE_BREAK.search(quote):
            self.readings += _readings(fold_needle(WIDE_BREAK.sub("", quote)))
            self.core = self.readings[-1]
            self._cores.append(self.core)
        self.is_marked = _MARKED.search(f" {quote}") is not None or (
            not quote.isascii() and _MARKED.search(f" {self.text}") is not None  # （ｂ） is a mark too
        )
        self._bare: str | None = None
        self._numbers: Numbers = ()
        self._letters: dict[str, str] | None = None

    @property  # cached by hand: before Python 3.12 `cached_property` takes a lock, which costs as much as a search
    def bare(self) -> str:
        """The core without marks of its own, where it has any."""
        if self._bare is None:
            self._bare = self._read() if self.is_marked else self.core
        return self._bare

    @property
    def numbers(self) -> Numbers:
        """The numbers of a list's items among the marks that `bare` is without, each with the letters before it."""
        return self._numbers if self.bare else ()

    def _read(self) -> str:
        bare = _readings(fold_needle(words_of(self.quote)))[-1]
        if _LISTED.search(self.quote):
            shown = plain(self.quote)
            shift = max(0, letters(fold_needle(shown.text)).find(letters(bare)))
            places = ((shown.blocks[block], found[0]) for block, found in shown.numbers.items())
            self._numbers = tuple((len(letters(fold_needle(shown.text[:at]))) - shift, found) for at, found in places)
        return bare

    @property
    def letters(self) -> dict[str, str]:
        """The core and the bare core with the letters of each."""
        if self._letters is None:
            self._letters = {reading: letters(reading) for reading in dict.fromkeys((self.core, self.bare))}
        return self._letters

    def may_stand_in(self, text: str) -> bool:
        """Whether any of the readings may stand in a text: each holds a core."""
        return any(core in text for core in self._cores)

    @property
    def hyphens(self) -> bool:
        """Whether the quote itself has words that are hyphenated at a line's end."""
        return LINE_END_HYPHEN.search(self.quote) is not None


def _readings(text: str) -> list[str]:
    if text[-1:] in _STOPS and text[-2:-1] not in _OR_SPACE and text[0] not in _PAIRS:
        return [text, text[:-1]]  # a sentence with its stop, as the most are
    found = [text]
    for _ in range(3):
        if text[-1:] not in _CLOSING:
            break
        for read in (_without_stop, _without_pair):
            text = read(text)
            if text != found[-1]:
                found.append(text)
    return found


def _without_stop(text: str) -> str:
    if text.endswith((".", "。")) and not text.endswith(("..", "。。")):
        return text[:-1].rstrip()
    return text


def _without_pair(text: str) -> str:
    if len(text) > 1 and _PAIRS.get(text[0]) == text[-1]:
        return text[1:-1].strip()
    return text
