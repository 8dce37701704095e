"""The words of a name, so that spelling, plural, numerals and Latin forms do not part what is one name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from sekisho.mapping.lexicon import (
    BEFORE,
    BEFORE_ARTICLE,
    GREEK,
    GREEK_NAMES,
    JOINED,
    KANJI_NUMBERS,
    NUMBERS,
    PREFIXES,
    SIDES,
    STOP,
)
from sekisho.text import fold_needle
from sekisho.text.scripts import CJK

_CJK = re.compile(f"[{CJK}]+")
# A side in a run of a script without spaces is a word of its own, unless both are named.
_SCRIPTS = re.compile(f"((?<!左)右側?|左側?(?!右)|(?:(?!(?<!左)右|左(?!右))[{CJK}])+)")
_PIECE = re.compile(r"[^\W_]+")
_ROMAN = re.compile(r"(?P<tens>x{0,3})(?P<ones>ix|iv|v?i{0,3})(?P<letter>[a-h]?)")
_ROMAN_ONES = {"": 0, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9}
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
# One designator, however its parts are joined: C 2 and C-2, 3-b, VI a, 5-HT1A.
_JOINED = re.compile(
    r"\b(?:[A-Z]{1,3}|[b-z]|a(?=-))[ -](?=\d{1,2}\b)|\b(?:\d+|[IVX]+)[ -](?=[a-h]\b)|\b\d-(?=[A-Za-z]+\d)"
)
# A side as a code: Hippocampus_L, Hippocampus (R), ctx-lh-insula.
_CODED_SIDE = re.compile(
    r"(?:(?<=_)|(?<=, )|(?<=[(\[（]))(?P<one>[LlRr])(?=[)\]）]?$)|(?:^|(?<=[-_]))(?P<two>[lr]h)(?=[-_])"
)
_KANJI_NUMBER = re.compile(f"第([{''.join(KANJI_NUMBERS)}十]+)")
_POSSESSIVE = re.compile(r"(?<=\w)'s\b|(?<=s)'(?!\w)")
# A combining form before a hyphen is written together as often: parieto-occipital, peri-aqueductal.
_COMBINING = re.compile(rf"\b([^\W\d_]+o|{'|'.join(JOINED)})-(?=[^\W\d_]{{4}})", re.IGNORECASE)
_COMPOUND = re.compile(r"[a-z]{3,}?[^aeiou\W]o([a-z]{5,})")
_DIGIT = re.compile(r"\d")

# Endings of Latin and English adjectives and cases, longest first, as one more common form.
_LIGHT = (
    ("alis", "al"), ("ale", "al"), ("ales", "al"), ("alia", "al"), ("aris", "ar"), ("ares", "ar"), ("icus", "ic"),
    ("icum", "ic"),
    ("arius", "ary"), ("aria", "ary"), ("arium", "ary"), ("orius", "ory"), ("oria", "ory"), ("orium", "ory"),
    ("nuclei", "nucleus"), ("ices", "ex"), ("yri", "yrus"), ("ulci", "ulcus"), ("ami", "amus"), ("uli", "ulus"),
    ("ampi", "ampus"), ("ilia", "ilium"), ("nglia", "nglion"), ("ae", "a"), ("ies", "y"), ("sses", "ss"),
    ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("isation", "ization"), ("ise", "ize"), ("our", "or"),
)  # fmt: skip
_DEEP = (
    "oideus", "oideum", "oidea", "ioning", "ation", "ative", "iform", "orum", "arum", "oides", "aceous",
    "ical", "eous", "ious", "atus", "atum", "ata", "ate", "oid", "eal", "ial", "ian", "ine", "ary", "ory",
    "ous", "ive", "ion", "al", "ar", "an", "ic", "us", "um", "is", "os", "on", "ix", "ex", "es", "en", "ea",
    "ia", "ei", "ii", "ae", "a", "e", "i", "o", "y", "s",
)  # fmt: skip


class Name(NamedTuple):
    """A name taken apart: `words` in order without connectives, `designators` (numerals, letters, Greek), `sides`."""

    words: tuple[str, ...]
    designators: frozenset[str]
    sides: frozenset[str]

    @property
    def text(self) -> str:
        """The words as one text."""
        return " ".join(self.words)


def parse(text: str, stop: frozenset[str] = frozenset(), sides: frozenset[str] = frozenset()) -> Name:
    """Take a name apart; `stop` and `sides` are further words of those kinds. Never empty for a text with letters."""
    words: list[str] = []
    found_sides: set[str] = set()
    letters: set[int] = set()
    pieces = _pieces(text)
    for at, piece in enumerate(pieces):
        lower = piece.lower()
        if lower in SIDES or lower in sides:
            found_sides.add(SIDES.get(lower, lower))
        if lower == "a" and _is_letter(pieces, at):
            letters.add(len(words))
        words += _word(piece)
    kept = [word for at, word in enumerate(words) if (word not in STOP or at in letters) and word not in stop] or words
    if not kept and (signs := fold_needle(text).casefold().replace(" ", "")):
        kept = [signs]
    # What stands twice in a row is counted: 1,1-dichloroethane is not 1,2-dichloroethane.
    before = ["", *kept]
    series = (f"{word}'" if word == last else word for last, word in zip(before, kept, strict=False))
    return Name(tuple(kept), frozenset(filter(is_designator, series)), frozenset(found_sides))


def _is_letter(pieces: Sequence[str], at: int) -> bool:
    """Whether an `a` is a letter of a series, as in `hepatitis A`, and no article."""
    if at == len(pieces) - 1 or is_cjk(pieces[at + 1]) or pieces[at + 1].isdigit():
        return True
    if at == 0:
        return pieces[0] == "A" and len(pieces) == 2
    return pieces[at - 1].lower() not in BEFORE_ARTICLE


@lru_cache(maxsize=65536)
def inner(word: str) -> str:
    """The second part of a compound of two, empty where there is none: aqueductal of periaqueductal."""
    for before in BEFORE:
        if word.startswith(before) and len(word) >= len(before) + 4:
            return word[len(before) :]
    match = _COMPOUND.fullmatch(word)
    return match[1] if match else ""


def is_designator(word: str) -> bool:
    """Whether a word tells one of a series: it holds a digit, is one Latin letter, or names a Greek one."""
    return word in GREEK_NAMES or _DIGIT.search(word) is not None or (len(word.rstrip("'")) == 1 and word.isascii())


def is_bare(text: str) -> bool:
    """Whether a text is a numeral or letter of a series and nothing else, as in `iron (III)`."""
    words = parse(text).words
    return bool(words) and all(word.isdigit() or word in GREEK_NAMES or len(word) == 1 for word in words)


def is_cjk(word: str) -> bool:
    """Whether a word is a run or piece of a script without spaces."""
    return _CJK.match(word) is not None


@lru_cache(maxsize=65536)
def deep(word: str) -> str:
    """What is left of a word without its endings, so that noun, adjective and Latin cases meet; short words stay."""
    if len(word) <= 4 or is_cjk(word) or is_designator(word):
        return {"pons": "pont"}.get(word, word)
    if word.endswith("cle"):
        word = f"{word[:-3]}cul"
    elif word.endswith(("ex", "ix")):
        word = f"{word[:-2]}ic"
    elif word.endswith("ns"):
        word = f"{word[:-1]}t"
    for _ in range(2):
        ending = next((end for end in _DEEP if word.endswith(end) and len(word) - len(end) >= 4), "")
        if not ending:
            break
        word = word.removesuffix(ending)
    return word.rstrip("aeiou") if len(word) > 4 else word


def _pieces(text: str) -> list[str]:
    """The pieces between white space and punctuation, scripts without spaces cut from the others."""
    folded = _CODED_SIDE.sub(lambda match: "left" if match[0][0] in "Ll" else "right", fold_needle(text))
    if not folded.isascii():
        folded = "".join(f" {GREEK[low]} " if (low := char.lower()) in GREEK else char for char in folded)
        folded = _KANJI_NUMBER.sub(lambda match: f"第{_kanji(match[1])}", folded)
        decomposed = unicodedata.normalize("NFD", folded)  # accents of Latin letters only: が keeps its mark
        folded = unicodedata.normalize("NFC", re.sub("(?<=[A-Za-z])[\u0300-\u036f]+", "", decomposed))
    folded = _COMBINING.sub(r"\1", _JOINED.sub(_without_gap, _POSSESSIVE.sub("", folded)))
    found: list[str] = []
    for match in _PIECE.finditer(folded):
        found += [match[0]] if match[0].isascii() else [part for part in _SCRIPTS.split(match[0]) if part]
    return found


@lru_cache(maxsize=65536)
def _word(piece: str) -> tuple[str, ...]:
    """One piece as words in their most common form: a run of a script without spaces as its characters' pairs."""
    if is_cjk(piece):
        return tuple(piece[at : at + 2] for at in range(max(1, len(piece) - 1)))
    lower = piece.lower()
    if lower in NUMBERS:
        return (NUMBERS[lower],)
    if ordinal := _ORDINAL.fullmatch(lower):
        return (ordinal[1],)
    if number := arabic(piece):
        return (number,)
    if _DIGIT.search(lower):
        return (lower.lstrip("0") or "0",)
    for prefix, direction in PREFIXES.items():
        if lower.startswith(prefix) and len(lower) > len(prefix) + 3:
            return (direction, *_word(lower[len(prefix) :]))
    return (light(lower),)


@lru_cache(maxsize=65536)
def light(word: str) -> str:
    """A lower-case word in American spelling, singular, with the common ending of its Latin forms."""
    if len(word) <= 3:
        return word
    if word == "grey":
        return "gray"
    for ending, common in _LIGHT:
        if word.endswith(ending):
            word = word.removesuffix(ending) + common
            break
    else:
        if word.endswith("s") and not word.endswith(("ss", "us", "is", "os", "ns", "as")):
            word = word[:-1]
    if word.endswith("tre") and len(word) > 4:
        word = f"{word[:-3]}ter"
    return word.replace("ae", "e").replace("oe", "e")


def arabic(piece: str) -> str:
    """A Roman numeral in figures, with the small letter behind it; empty where the piece is none."""
    lower = piece.lower()
    match = _ROMAN.fullmatch(lower)
    if match is None or not (match["tens"] or match["ones"]):
        return ""
    letter = match["letter"]
    if letter and not piece[: -len(letter)].isupper():
        return ""  # `via`, `vie`
    return f"{10 * len(match['tens']) + _ROMAN_ONES[match['ones']]}{letter}"


def _without_gap(match: re.Match[str]) -> str:
    return match[0][:-1]


def _kanji(number: str) -> str:
    tens, ten, ones = number.rpartition("十")
    value = (int(KANJI_NUMBERS.get(tens, "1")) * 10 if ten else 0) + int(KANJI_NUMBERS.get(ones[-1:], "0"))
    return str(value)
