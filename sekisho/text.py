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
# Default_Ignorable_Code_Point of Unicode: soft hyphen, zero-width and bidi marks, variation selectors, fillers, BOM.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_PIECE = re.compile(r"[!-~]+|\s+|.", re.DOTALL)
_LINE_END_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010][^\S\n]*\n[^\S\n]*(?=[^\W\d_])")
_MARKS = 30
_CJK = re.compile(
    "[\u3001-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_HANGUL_JAMO_TAIL = re.compile("[\u1160-\u11ff]")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; character i of `text` comes from `original[starts[i]:ends[i]]`."""

    text: str
    starts: array[int]
    ends: array[int]
    others: tuple[Folded, ...] = ()

    def span(self, at: int, length: int) -> tuple[int, int]:
        """Offsets in the original of `length` folded characters from `at`."""
        return self.starts[at], self.ends[at + length - 1]


def fold(text: str) -> Folded:
    """Fold a text by NFKC, the tables above and single spaces; its ends are kept.

    A hyphen at a line's end may belong to the word or to the line: where there is one, the two other readings
    (`hyper-\\nplasia` as `hyperplasia` and as `hyper-plasia`) come along in `others`. Time and memory are linear.
    """
    plain = _fold(text, "- ")
    if _LINE_END_HYPHEN.search(text) is None:
        return plain
    return Folded(plain.text, plain.starts, plain.ends, (_fold(text, ""), _fold(text, "-")))


def _fold(text: str, line_end_hyphen: str) -> Folded:
    folding = _Folding(text, line_end_hyphen)
    position = 0
    while position < len(text):
        match = _PIECE.match(text, position)
        assert match is not None  # the last alternative takes any character
        if match[0][0].isspace():
            position = folding.space(position, match.end())
        elif match[0][0].isascii():
            position = folding.plain(position, match.end())
        else:
            position = folding.cluster(position)
    return Folded("".join(folding.out), folding.starts, folding.ends)


class _Folding:
    """The output of one fold as it grows; each step takes a start and returns where the next one begins."""

    def __init__(self, text: str, line_end_hyphen: str) -> None:
        self._source = text
        self._line_end_hyphen = line_end_hyphen
        self.out: list[str] = []
        self.starts, self.ends = array("q"), array("q")

    def plain(self, start: int, end: int) -> int:
        """An ASCII run as it is; its last character may belong to a cluster with what follows."""
        if end < len(self._source) and _continues(self._source[end]):
            end -= 1
        self.out.extend(self._source[start:end])
        self.starts.extend(range(start, end))
        self.ends.extend(range(start + 1, end + 1))
        return end if end > start else self.cluster(start)

    def space(self, start: int, end: int) -> int:
        """White space as one space; after a hyphen at a line's end, as this reading has it."""
        if self._line_end_hyphen != "- " and self.out and self.out[-1] == "-":
            at = start - 1
            if self.starts[-1] == at and _LINE_END_HYPHEN.match(self._source, at):
                if not self._line_end_hyphen:
                    for column in (self.out, self.starts, self.ends):
                        column.pop()
                return end
        if self.out and end < len(self._source) and _CJK.match(self.out[-1]) and _CJK.match(self._source[end]):
            return end  # scripts without spaces: a line break between two of their characters is no more than that
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

    def _put(self, chars: str, start: int, end: int) -> None:
        for char in chars:
            if char.isspace():
                if self.out and self.out[-1] == " ":
                    self.ends[-1] = end
                    continue
                char = " "
            self.out.append(char)
            self.starts.append(start)
            self.ends.append(end)


def fold_needle(text: str) -> str:
    """A quote as it is looked for: folded, without white space at its ends."""
    return fold(text).text.strip()


def find_quote(source: Folded, quote: str) -> tuple[int, int] | None:
    """Offsets in the original where a quote first stands, whole words from end to end, or None.

    A quote that is too short to say anything stands nowhere: under four letters and digits, of which one of
    Chinese, Japanese or Korean counts twice, or under two where one of them is a digit.
    """
    folded = fold(quote)
    for needle in dict.fromkeys(reading.text.strip() for reading in (folded, *folded.others)):
        if not says_something(needle):
            continue
        for reading in (source, *source.others):
            at = reading.text.find(needle)
            while at >= 0:
                if not _cuts_a_word(reading.text, at, at + len(needle)):
                    return reading.span(at, len(needle))
                at = reading.text.find(needle, at + 1)
    return None


def says_something(needle: str) -> bool:
    """Whether a folded quote is long enough to mean anything."""
    weight = sum(2 if _CJK.match(char) else 1 for char in needle if char.isalnum())
    return weight >= (2 if any(char.isdigit() for char in needle) else 4)


def _cuts_a_word(text: str, start: int, end: int) -> bool:
    """Whether a slice begins or ends inside a word or number; scripts without spaces have no such places."""
    return any(
        0 < at < len(text) and all(char.isalnum() and not _CJK.match(char) for char in (text[at - 1], text[at]))
        for at in (start, end)
    )


def is_blank(text: str) -> bool:
    """Whether nothing of a text would print."""
    return not fold_needle(text)


def printable(text: str) -> str:
    """The text on one line, with control, bidi, private and unassigned characters and line separators as escapes."""
    return "".join(
        char
        if unicodedata.category(char)[0] != "C" and unicodedata.category(char) not in ("Zl", "Zp")
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def shortened(text: str, size: int = 200) -> str:
    """The text as `printable` has it, cut after `size` characters with a sign that it was."""
    shown = printable(text[: size + 1])
    return shown if len(text) <= size else f"{shown[:size]}… ({len(text)} characters)"


@lru_cache(maxsize=4096)
def _continues(char: str) -> bool:
    """Whether a character may compose with the one before it, so that both must be normalised together."""
    if char.isascii():
        return False
    if _INVISIBLE.match(char):
        return True
    head = unicodedata.normalize("NFKC", char)[0]
    return unicodedata.category(head)[0] == "M" or bool(_HANGUL_JAMO_TAIL.match(head))


@lru_cache(maxsize=65536)
def _fold_cluster(cluster: str) -> str:
    # Twice by the table: NFKC takes ´ and ″ apart before it could see them, and makes others that it folds.
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", cluster.translate(_FOLDS)).translate(_FOLDS))
