"""The quote gate: does a quote stand in the source that it names, and say there what it says here?"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from sekisho.errors import InputError
from sekisho.gates.quotes.absent import is_elided, is_stitched, stands
from sekisho.gates.quotes.cuts import left_out
from sekisho.gates.quotes.ids import Names
from sekisho.gates.quotes.needle import Needle
from sekisho.gates.quotes.prepared import Prepared
from sekisho.gates.quotes.seams import is_apart
from sekisho.gates.quotes.search import may_stand, places
from sekisho.gates.quotes.verdict import Verdict
from sekisho.gates.quotes.weight import are_lines, is_empty, is_too_short

_LATIN = "[A-Za-z]{4,}"
_WORD = re.compile(f"{_LATIN}|[\u30a1-\u30fa\u30fc]{{2,}}|[\u4e00-\u9fff]{{2,}}")
_LATIN_WORD = re.compile(_LATIN)
_LONGEST = 6


class Sources:
    """Original texts by source id, each made ready when it is first needed; memory is linear in what was looked at."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        if odd := next((name for name, text in texts.items() if not isinstance(text, str)), None):
            raise InputError(
                f"its text is of the type {type(texts[odd]).__name__}", item=str(odd), remedy="give its text"
            )
        self._texts = texts
        self._ids = list(texts)
        self._prepared: dict[str, Prepared] = {}

    def __contains__(self, source: object) -> bool:
        """Whether there is a source of this id."""
        return source in self._texts

    @cached_property
    def _names(self) -> Names:
        return Names(self._ids)

    @cached_property
    def _holders(self) -> dict[str, list[int]]:
        """Which sources have a word, by number: a source need not be prepared to be ruled out."""
        holders: defaultdict[str, list[int]] = defaultdict(list)
        for number, source in enumerate(self._ids):
            for word in set(_WORD.findall(self._texts[source])):
                holders[word].append(number)
        return dict(holders)

    def check(self, source: str, quote: str) -> Verdict:
        """The verdict on a quote, of the first of these reasons that holds.

        `unknown_source`, `empty`, `too_short`; then `exact` or `typographic` where a place of the source says what the
        quote says, `truncated` where it stands in places but none does; then `misattributed`, `elided`, `stitched`,
        `not_found`. `InputError` where either is no text.
        """
        if not (isinstance(source, str) and isinstance(quote, str)):
            kind = type(quote if isinstance(source, str) else source).__name__
            raise InputError(f"a claim is made of two texts, not of {kind}", remedy="give a source's id and the quote")
        if source not in self._texts:
            return Verdict("unknown_source", source, hint=self._names.nearest(source))
        needle = Needle(quote)
        if is_empty(needle.text):
            return Verdict("empty", source)
        if is_too_short(needle.core) and not are_lines(quote):
            return Verdict("too_short", source)
        found = self._found(source, needle)
        return found or self._absent(source, needle)

    def _found(self, source: str, needle: Needle) -> Verdict | None:
        """The best verdict over all places where the quote stands in a source, or none where it stands nowhere."""
        prepared = self._prepare(source)
        found = _judged(prepared, source, needle)
        if not (found and found.accepted) and prepared.amended is not None:
            amended = _judged(prepared.amended, source, needle)
            found = amended if found is None or (amended and amended.accepted) else found
        return found

    def _absent(self, source: str, needle: Needle) -> Verdict:
        prepared = self._prepare(source)
        for other in self._others(source, needle.bare):
            found = self._found(other, needle) if may_stand(self._prepare(other), needle) else None
            if found is not None and found.accepted:
                return Verdict("misattributed", other, found.start, found.end)
        if is_elided(prepared, needle):
            return Verdict("elided", source)
        if is_stitched(prepared, needle, lambda piece: self._stands_elsewhere(source, piece)):
            return Verdict("stitched", source)
        return Verdict("not_found", source)

    def _stands_elsewhere(self, source: str, piece: str) -> bool:
        return any(stands(piece, self._prepare(other).text) for other in self._others(source, piece))

    def _others(self, source: str, wanted: str) -> list[str]:
        """The other sources, in their order, that have at least half of the longest words of what is wanted."""
        if len(self._ids) < 2:
            return []
        inner = (_LATIN_WORD if wanted.isascii() else _WORD).findall(wanted)[1:-1]
        longest = sorted(inner, key=len, reverse=True)[:_LONGEST]
        if not longest:
            return [other for other in self._texts if other != source]
        shared: dict[int, int] = {}
        for word in longest:
            for number in self._holders.get(word, ()):
                shared[number] = shared.get(number, 0) + 1
        likely = sorted(number for number, count in shared.items() if 2 * count >= len(longest))
        return [other for number in likely if (other := self._ids[number]) != source]

    def _prepare(self, source: str) -> Prepared:
        if source not in self._prepared:
            self._prepared[source] = Prepared(self._texts[source])
        return self._prepared[source]


def _judged(prepared: Prepared, source: str, needle: Needle) -> Verdict | None:
    quote = needle.quote.strip()
    like: Verdict | None = None
    cut: Verdict | None = None
    apart: Verdict | None = None
    for place in places(prepared, needle):
        block = prepared.block(place.first)
        if place.last > block[2] and is_apart(prepared, block, place.first, place.last):
            apart = Verdict("stitched", source)
        elif hint := left_out(prepared, block, place.first, place.last):
            cut = cut or Verdict("truncated", source, place.start, place.end, hint)
        elif prepared.original[place.start : place.end] == quote:
            return Verdict("exact", source, place.start, place.end)
        else:
            like = like or Verdict("typographic", source, place.start, place.end)
            if quote not in prepared.original:
                break
    return like or cut or apart
