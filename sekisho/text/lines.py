"""Lines that are statements of their own although no full stop ends them: keys with values, checklists, changelogs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

_LINE = re.compile(r"[^\r\n]+")
_MARKS = " \t>*_`"
_KEY = re.compile(r"[^\W_][^:：\r\n.!?。]{0,40}[:：](?=\s|[^\x00-\x7f]|\Z)")
# A word that is a whole value: `Dogs allowed: no`.
_KEY_NO = re.compile(r"[:：]\s*no\Z", re.IGNORECASE)
_ENDS = re.compile(r"[.!?。．！？:：;；][\"')）」』\]]*\Z")
# What a line does not end with, unless a line break cut it.
_GOES_ON = re.compile(
    r"(?:[,、，:：(（「『\[/&+=-]|\b(?:the|an?|of|and|or|nor|but|not|never|no|to|in|on|at|by|for|from|with|without|as|than|that|"
    r"which|who|if|unless|when|is|are|was|were|be|been|being|has|have|had|do|does|did|can|cannot|could|will|would|shall|"
    r"should|may|might|must|only|except|until|about|into|over|under|between|very|more|most|less|his|her|its|their|our|"
    r"your|my|this|these|those|any|all|each|every|some|[a-z]+n't|Mrs?|Dr|St|Prof|"
    r"circumstances?|conditions?|means|account)|"
    r"[はがをにでともへやのしてりきいくず])\Z",
    re.IGNORECASE,
)
# What a line begins with where it goes on, also with a capital.
_LEANS = re.compile(
    r"(?:only|unless|except(?:ing)?|excluding|if|when|whenever|until|till|without|but|and|or|nor|provided|providing|subject|"
    r"save|though|although|as|because|while|not)\b|ただし|但し|こと|もの|ない|なら|など|は|が|を|に|で(?!き)|と(?!き)|の|も",
    re.IGNORECASE,
)
_NARROW, _WIDE = 40, 100


def own_lines(text: str, start: int, end: int) -> list[int]:
    """Where in `text[start:end]`, one paragraph, lines begin that do not go on with the line before them.

    A break in running text falls where the next word no longer fits; so a line counts as whole where that word would
    have fitted, and where no line of the paragraph shows a sentence that runs on.
    """
    lines = [(match.start(), match[0].strip(_MARKS)) for match in _LINE.finditer(text, start, end)]
    lines = [(at, line) for at, line in lines if line]
    widest = max((_width(line) for _, line in lines), default=0)
    whole = len(lines) > 2 and widest < _WIDE and all(_opens(line) for _, line in lines) and not any(_runs(lines))
    return [at for (_, before), (at, line) in pairwise(lines) if _divides(before, line, widest, whole)]


def _divides(before: str, line: str, widest: int, whole: bool) -> bool:
    are_keyed = _KEY.match(before) is not None and _KEY.match(line) is not None
    if are_keyed and _KEY_NO.search(before):
        return True
    if _GOES_ON.search(before):
        return False
    if are_keyed:
        return True
    if _LEANS.match(line) or not (_opens(line) or (line[0].isdigit() and before[0].isdigit())):
        return False
    with_next = _width(before) + 1 + _width(line.split()[0][:8])
    return whole or with_next <= max(_NARROW, widest * 3 // 4)


def _runs(lines: list[tuple[int, str]]) -> Iterator[bool]:
    return (bool(_GOES_ON.search(line) or _ENDS.search(line)) for _, line in lines)


def _opens(line: str) -> bool:
    """Whether a line may begin a statement: a capital or a letter of a script without capitals."""
    return line[0].isupper() or unicodedata.category(line[0]) == "Lo"


def _width(line: str) -> int:
    """The columns of a line: two for a letter of Chinese, Japanese or Korean."""
    return len(line) if line.isascii() else sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in line)
