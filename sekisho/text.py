"""Text as the gates compare it: folded for harmless differences, with a way back to the original offsets."""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass
from functools import lru_cache

# What NFKC leaves apart although people and programs interchange it (Unicode 17, ch. 6.2; met in the field).
_FOLDS = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\u02b9", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63", "-"),
        "\u301c": "~",
    }
)
# Soft hyphen, zero-width space / non-joiner / joiner, word joiner, BOM: they print nothing.
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_PIECE = re.compile(r"[!-~]+|\s+|.", re.DOTALL)
_HANGUL_JAMO_TAIL = re.compile("[\u1160-\u11ff]")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; character i of `text` comes from `original[starts[i]:ends[i]]`."""

    text: str
    starts: array[int]
    ends: array[int]

    def span(self, at: int, length: int) -> tuple[int, int]:
        """Offsets in the original of `length` folded characters from `at`."""
        return self.starts[at], self.ends[at + length - 1]


def fold(text: str) -> Folded:
    """Fold a text by NFKC, the table above and single spaces; nothing at its ends is removed.

    Time and memory are linear in the length of the text.
    """
    out: list[str] = []
    starts, ends = array("q"), array("q")

    def put(chars: str, start: int, end: int) -> None:
        for char in chars:
            if char.isspace():
                if out and out[-1] == " ":
                    ends[-1] = end
                    continue
                char = " "
            elif char in _INVISIBLE:
                continue
            out.append(char)
            starts.append(start)
            ends.append(end)

    position, size = 0, len(text)
    while position < size:
        match = _PIECE.match(text, position)
        assert match is not None  # the last alternative takes any character
        piece, end = match[0], match.end()
        if piece[0].isascii() and not piece[0].isspace():
            last = end if end == size or not _continues(text[end]) else end - 1
            out.extend(text[position:last])
            starts.extend(range(position, last))
            ends.extend(range(position + 1, last + 1))
            position = last
            if last == end:
                continue
        elif piece[0].isspace():
            put(" ", position, end)
            position = end
            continue
        end = position + 1
        while end < size and _continues(text[end]):
            end += 1
        put(_fold_cluster(text[position:end]), position, end)
        position = end
    return Folded("".join(out), starts, ends)


def fold_needle(text: str) -> str:
    """A quote as it is looked for: folded, without white space at its ends."""
    return fold(text).text.strip()


def find_quote(source: Folded, quote: str) -> tuple[int, int] | None:
    """Offsets in the original where a quote first stands, or None; an empty quote stands nowhere."""
    needle = fold_needle(quote)
    if not needle:
        return None
    at = source.text.find(needle)
    return None if at < 0 else source.span(at, len(needle))


def is_blank(text: str) -> bool:
    """Whether nothing of a text would print."""
    return not fold_needle(text)


def printable(text: str) -> str:
    """The text on one line, with control, bidi, private and unassigned characters written as escapes."""
    return "".join(
        char
        if char == " " or unicodedata.category(char)[0] not in "CZ"
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


@lru_cache(maxsize=4096)
def _continues(char: str) -> bool:
    """Whether a character may compose with the one before it, so that both must be normalised together."""
    if char.isascii():
        return False
    head = unicodedata.normalize("NFKC", char)[0]
    return unicodedata.category(head)[0] == "M" or bool(_HANGUL_JAMO_TAIL.match(head))


@lru_cache(maxsize=65536)
def _fold_cluster(cluster: str) -> str:
    return unicodedata.normalize("NFKC", cluster).translate(_FOLDS)
