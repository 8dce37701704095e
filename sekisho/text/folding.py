"""Text as the gates compare it: folded for harmless differences, with a way back to the original offsets."""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass
from functools import lru_cache

# What NFKC leaves apart although people and programs interchange it (Unicode 17, ch. 6.2; met in the field),
# and squared units, whose exponent NFKC makes a plain digit.
_FOLDS = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\u02b9", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63", "-"),
        "\u301c": "~",
        "\u2044": "/",
        **dict(zip("㎟㎠㎡㎢㎣㎤㎥㎦", ("mm²", "cm²", "m²", "km²", "mm³", "cm³", "m³", "km³"), strict=True)),
    }
)
# What NFKC makes falsely equal to plain digits: 10⁶ and 106, 2½ and 21/2, ①2 and 12. Each stays what it is.
KEPT = "\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209c\u2150-\u215f\u2189\u2460-\u2473\u24ea\u3251-\u325f\u32b1-\u32bf"
_KEPT = re.compile(f"([{KEPT}])")
# Default_Ignorable_Code_Point of Unicode: soft hyphen, zero-width and bidi marks, variation selectors, fillers, BOM.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
# Runs that fold to themselves come first: ASCII, then kana, Han and their punctuation.
_PLAIN = "\u3041-\u3096\u30a1-\u30fc\u3400-\u4dbf\u4e00-\u9fff\u3001\u3002\u3005"
_PIECE = re.compile(rf"[!-~]+(?: [!-~]+)*|[{_PLAIN}]+|\s+|.", re.DOTALL)
_OTHER = re.compile(rf"[^!-~\s{_PLAIN}]")
_OTHERS = re.compile(rf".?{_OTHER.pattern}+", re.DOTALL)
_MARKS = 30
_CJK = re.compile(
    "[\u3001-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_CJK_SPACE = re.compile(f"(?<={_CJK.pattern}) (?={_CJK.pattern})")
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
    """Fold a text by NFKC, the tables above and single spaces; its ends are kept. Time and memory are linear."""
    folding = _Folding(text)
    position = 0
    while position < len(text):
        match = _PIECE.match(text, position)
        assert match is not None  # the last alternative takes any character
        first = match[0][0]
        if first.isspace():
            position = folding.space(position, match.end())
        elif first.isascii() or match.end() - position > 1:
            position = folding.plain(position, match.end())
        else:
            position = folding.cluster(position)
    return Folded("".join(folding.out), folding.starts, folding.ends)


def fold_needle(text: str) -> str:
    """A quote as it is looked for: the text of its fold, without white space at its ends."""
    if not text.isascii() and _OTHER.search(text):
        text = _OTHERS.sub(lambda match: (_short_run if len(match[0]) < 64 else _fold_run)(match[0]), text)
    text = " ".join(text.split())
    return _CJK_SPACE.sub("", text) if " " in text and not text.isascii() else text


def is_blank(text: str) -> bool:
    """Whether nothing of a text would print."""
    return not fold_needle(text)


@lru_cache(maxsize=65536)
def is_cjk(char: str) -> bool:
    """Whether a folded character belongs to a script that is written without spaces or with full-width letters."""
    return _CJK.match(char) is not None


class _Folding:
    """The output of one fold as it grows; each step takes a start and returns where the next one begins."""

    def __init__(self, text: str) -> None:
        self._source = text
        self.out: list[str] = []
        self._last = self._before = ""  # the last character put out, and what stood before it where it is a space
        self.starts, self.ends = array("q"), array("q")

    def plain(self, start: int, end: int) -> int:
        """A run that folds to itself; its last character may belong to a cluster with what follows."""
        if end < len(self._source) and _continues(self._source[end]):
            end -= 1
        if end == start:
            return self.cluster(start)
        self._join(self._source[start])
        self.out.append(self._source[start:end])
        self._last = self._source[end - 1]
        self.starts.extend(range(start, end))
        self.ends.extend(range(start + 1, end + 1))
        return end

    def space(self, start: int, end: int) -> int:
        """White space as one space."""
        self._put(" ", start, end)
        return end

    def cluster(self, start: int) -> int:
        """A character with all that may compose with it, normalised together."""
        text = self._source
        end = start + 1
        # Longer runs of marks are cut as Unicode's stream-safe format does: ordering them takes quadratic time.
        while end < len(text) and end - start <= _MARKS and _continues(text[end]):
            end += 1
        visible = _INVISIBLE.sub("", text[start:end])
        shown_end = end
        while shown_end > start + 1 and _INVISIBLE.match(text[shown_end - 1]):
            shown_end -= 1
        self._put(_fold_cluster(visible), start, shown_end)
        return end

    def _join(self, char: str) -> None:
        """Take back a space between two characters of scripts without spaces, where it is no more than a line break."""
        if self._last == " " and self._before and is_cjk(self._before) and is_cjk(char):
            for column in (self.out, self.starts, self.ends):
                column.pop()

    def _put(self, chars: str, start: int, end: int) -> None:
        for char in chars:
            if char.isspace():
                if self._last == " ":
                    self.ends[-1] = end
                    continue
                self._before, char = self._last, " "
            else:
                self._join(char)
            self.out.append(char)
            self._last = char
            self.starts.append(start)
            self.ends.append(end)


@lru_cache(maxsize=4096)
def _continues(char: str) -> bool:
    """Whether a character may compose with the one before it, so that both must be normalised together."""
    if char.isascii():
        return False
    if _INVISIBLE.match(char):
        return True
    head = unicodedata.normalize("NFKC", char)[0]
    return unicodedata.category(head)[0] == "M" or bool(_HANGUL_JAMO_TAIL.match(head))


def _fold_run(run: str) -> str:
    return fold(run).text


_short_run = lru_cache(maxsize=65536)(_fold_run)


@lru_cache(maxsize=65536)
def _fold_cluster(cluster: str) -> str:
    # Twice by the table: NFKC takes ´ and ″ apart before it could see them, and makes others that it folds.
    pieces = _KEPT.split(cluster.translate(_FOLDS))
    folded = "".join(piece if _KEPT.match(piece) else unicodedata.normalize("NFKC", piece) for piece in pieces)
    return _INVISIBLE.sub("", folded.translate(_FOLDS))
