"""Marks within a block: emphasis, code, links, images, HTML tags and entities, escapes, reStructuredText roles."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from html import unescape

from sekisho.text.blocks import Cut
from sekisho.text.folding import is_cjk

# Tags that only form or divide text, or cross it out; <sup> and <sub> say something and stay.
_TAGS = (
    "a|abbr|address|article|aside|b|bdi|bdo|big|blockquote|br|button|caption|center|cite|code|del|details|dd|dfn|div|"
    "dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|img|ins|kbd|label|li|main|mark|nav|nobr|ol|p|pre|q|s|"
    "samp|section|small|span|strike|strong|summary|table|tbody|td|tfoot|th|thead|time|tr|tt|u|ul|var|wbr"
)
_MARK = re.compile(
    r"(?P<escape>\\(?:[!-/:-@\[-`{-~]|(?=[\r\n])))|(?P<role>(?<![\w:]):[a-z][\w:+.-]{0,60}:(?=`))|(?P<code>`+)|"
    r"(?P<auto><(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]{1,64}@[^\s<>@]{1,255})>)|"
    rf"(?P<tag></?(?i:{_TAGS})(?:\s[^<>]{{0,500}})?/?>)|"
    r"(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});)|"
    r"(?P<struck>~~)|(?P<emphasis>\*+|_+)|(?P<open>!?\[)|(?P<close>\])"
)
# What a mark begins with: `re` finds it at a glance.
_SIGN = re.compile(r"[\\:`<&~*_!\[\]]")
_BREAKS = re.compile(r"</?(?:br|p|div|li|tr|td|th|hr|h[1-6])\b", re.IGNORECASE)
_DELETES = re.compile(r"</?(?:del|s|strike)\b", re.IGNORECASE)
_TARGET = re.compile(
    r"\(\s{0,9}(?:<[^<>\r\n]{0,2000}>|[^\s()]{0,2000}(?:\([^\s()]{0,500}\)[^\s()]{0,500}){0,9})"
    r"(?:\s{1,9}(?:\"[^\"]{0,300}\"|'[^']{0,300}'|\([^()]{0,300}\)))?\s{0,9}\)"
)
_REFERENCE = re.compile(r"\[([^\[\]]{0,200})\]")
_FOOTNOTE = re.compile(r"\^[\w-]{1,30}")
_RST_TARGET = re.compile(r"(?<!\s)\s*<[^<>`]{1,2000}>\Z")
_RST_NAME = re.compile(r"(?<![\w`])[^\W\d_][^\s_`]*__?\Z")
_NAME = 60
_PUNCTUATION = re.compile(r"[^\w\s]|_")


def cut_inline(
    text: str, start: int, end: int, labels: frozenset[str], cuts: list[Cut], struck: list[tuple[int, int]]
) -> None:
    """Add the marks in `text[start:end]` to `cuts`, and what is crossed out to `struck`.

    `labels` are the names that the text defines for its links, in lower case.
    """
    if _next_mark(text, start, end):
        _Inline(text, start, end, labels, cuts, struck).read()


def _next_mark(text: str, start: int, end: int) -> re.Match[str] | None:
    while sign := _SIGN.search(text, start, end):
        if mark := _MARK.match(text, sign.start(), end):
            return mark
        start = sign.end()
    return None


class _Inline:
    """One block as it is scanned from left to right; brackets and emphasis wait on stacks for what closes them."""

    def __init__(
        self, text: str, start: int, end: int, labels: frozenset[str], cuts: list[Cut], struck: list[tuple[int, int]]
    ) -> None:
        self._text, self._start, self._end, self._labels = text, start, end, labels
        self._cuts, self._struck_out = cuts, struck
        self._ticks: defaultdict[int, list[int]] = defaultdict(list)
        for run in re.compile("`+").finditer(text, start, end):
            self._ticks[len(run[0])].append(run.start())
        self._brackets: list[re.Match[str]] = []
        self._runs: dict[str, list[list[int]]] = {"*": [], "_": []}
        self._crossed = -1

    def read(self) -> None:
        """Scan the block."""
        at = self._start
        while mark := _next_mark(self._text, at, self._end):
            at = max(getattr(self, f"_{mark.lastgroup}")(mark), mark.start() + 1)

    def _cut(self, start: int, end: int, shown: str = "") -> None:
        self._cuts.append((start, end, shown))

    def _escape(self, mark: re.Match[str]) -> int:
        self._cut(mark.start(), mark.start() + 1)
        return mark.end()

    def _role(self, mark: re.Match[str]) -> int:
        self._cut(mark.start(), mark.end())
        return mark.end()

    def _code(self, mark: re.Match[str]) -> int:
        """A code span: its ticks are marks, its inside is not looked at."""
        size = len(mark[0])
        places = self._ticks[size]
        found = bisect_right(places, mark.start())
        if not size % 2 and self._stands_apart(mark):
            self._cut(mark.start(), mark.end())  # a code span with nothing in it, or the end of one with spaces
            return mark.end()
        if found == len(places):
            return mark.end()
        close = places[found]
        self._cut(mark.start(), mark.end())
        self._cut(close, close + size)
        return self._rst_end(mark.end(), close, close + size)

    def _rst_end(self, start: int, close: int, end: int) -> int:
        """The tail of a reStructuredText link: `text <url>`__."""
        tail = re.compile("__?(?!\\w)").match(self._text, end, self._end)
        if tail is None:
            return end
        self._cut(end, tail.end())
        if target := _RST_TARGET.search(self._text, start, close):
            self._cut(target.start(), target.end())
        return tail.end()

    def _auto(self, mark: re.Match[str]) -> int:
        self._cut(mark.start(), mark.start() + 1)
        self._cut(mark.end() - 1, mark.end())
        return mark.end()

    def _tag(self, mark: re.Match[str]) -> int:
        breaks = _BREAKS.match(mark[0])
        self._cut(mark.start(), mark.end(), " " if breaks else "~~" if _DELETES.match(mark[0]) else "")
        return mark.end()

    def _entity(self, mark: re.Match[str]) -> int:
        shown = unescape(mark[0])
        if shown != mark[0]:
            self._cut(mark.start(), mark.end(), shown)
        return mark.end()

    def _struck(self, mark: re.Match[str]) -> int:
        """What is crossed out keeps its marks: without them it would be said."""
        if self._crossed >= 0:
            self._struck_out.append((self._crossed, mark.start()))
        self._crossed = mark.end() if self._crossed < 0 else -1
        return mark.end()

    def _open(self, mark: re.Match[str]) -> int:
        self._brackets.append(mark)
        return mark.end()

    def _close(self, mark: re.Match[str]) -> int:
        """The end of a link's text: with a target, a defined label or a footnote's, the brackets are marks."""
        if not self._brackets:
            return mark.end()
        opened = self._brackets.pop()
        inside = self._text[opened.end() : mark.start()] if mark.start() - opened.end() <= 200 else ""
        if _FOOTNOTE.fullmatch(inside):
            self._cut(opened.start(), mark.end())
            return mark.end()
        target = _TARGET.match(self._text, mark.end(), self._end)
        reference = None if target else _REFERENCE.match(self._text, mark.end(), self._end)
        before = self._text[opened.start() - 1] if opened.start() > self._start else " "
        indexed = before.isalnum() and not is_cjk(before)
        if reference and ((reference[1] or inside).casefold() in self._labels or not indexed):
            target = reference  # even where its label is not defined: texts are cut, and `a[i][j]` alone is no link
        end = target.end() if target else mark.end()
        if target or (inside.casefold() in self._labels and opened[0] == "["):
            self._cut(opened.start(), opened.end())
            self._cut(mark.start(), end)
        return end

    def _emphasis(self, mark: re.Match[str]) -> int:
        """A run of `*` or `_`: it closes the last run that may open, as far as the shorter of both goes."""
        opens, closes = self._flanks(mark)
        char, left = mark[0][0], len(mark[0])
        runs = self._runs[char]
        while closes and left and runs:
            start, size = runs[-1]
            used = min(left, size)
            self._cut(start + size - used, start + size)
            self._cut(mark.end() - left, mark.end() - left + used)
            left -= used
            runs[-1][1] -= used
            if not runs[-1][1]:
                runs.pop()
            other = self._runs["_" if char == "*" else "*"]
            while other and other[-1][0] > start:
                other.pop()
        if opens and left:
            runs.append([mark.end() - left, left])
        elif closes and left == len(mark[0]) and char == "_" and self._ends_rst_name(mark):
            self._cut(mark.start(), mark.end())
        return mark.end()

    def _stands_apart(self, mark: re.Match[str]) -> bool:
        """Whether nothing that could be code touches a run: white space, Japanese, or a bracket around it."""
        before = self._text[max(self._start, mark.start() - 1) : mark.start()]
        after = self._text[mark.end() : min(mark.end() + 1, self._end)]
        return all(
            not char or char.isspace() or is_cjk(char) or not (char.isascii() or char.isalnum()) or char in brackets
            for char, brackets in ((before, "(["), (after, "]" if before == "[" else ""))
        )

    def _ends_rst_name(self, mark: re.Match[str]) -> bool:
        """Whether a run ends a reStructuredText reference of one word: SipHash_."""
        return _RST_NAME.search(self._text[max(self._start, mark.start() - _NAME) : mark.end()]) is not None

    def _flanks(self, mark: re.Match[str]) -> tuple[bool, bool]:
        """Whether a run may open and may close emphasis, by what stands on both sides of it."""
        before = self._text[mark.start() - 1] if mark.start() > self._start else " "
        after = self._text[mark.end()] if mark.end() < self._end else " "
        if before.isdigit() and after.isdigit():
            return False, False
        loose_before = before.isspace() or bool(_PUNCTUATION.match(before))
        loose_after = after.isspace() or bool(_PUNCTUATION.match(after))
        if mark[0][0] == "_":
            return not after.isspace() and loose_before, not before.isspace() and loose_after
        wide = is_cjk(before) or is_cjk(after)
        opens = not after.isspace() and (wide or loose_before or not loose_after)
        return opens, not before.isspace() and (wide or loose_after or not loose_before)
