"""The texts to look for that one query stands for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sekisho.catalogue import Abbreviation
from sekisho.mapping.features import Asked
from sekisho.mapping.initials import is_short_form
from sekisho.mapping.words import is_bare, parse

_BRACKETS = re.compile(r"\s*[(\[（［【]([^()\[\]（）［］【】]*)[)\]）］】]")
_LONGEST = 300
_MOST = 6


class Variants:
    """Makes the texts to look for, with the catalogue's stop words and written-out short forms."""

    def __init__(
        self,
        stop: frozenset[str],
        expansions: Mapping[str, Sequence[Abbreviation]],
        acronyms: Mapping[str, Sequence[str]],
    ) -> None:
        self._stop = stop
        self._expansions = expansions
        self._acronyms = acronyms

    def of(self, text: str, side: int) -> list[Asked]:
        """The text itself, then what is outside and inside its brackets, then with short forms written out."""
        texts = [(text, 0)]
        series: frozenset[str] = frozenset()
        bare = False
        if brackets := _BRACKETS.findall(text):
            series = parse(text[:_LONGEST], self._stop).designators
            bare = any(is_bare(inside) for inside in brackets)
            outside = " ".join(_BRACKETS.sub(" ", text).split())
            texts += [(outside, 1)] if outside else []
            texts += [(inside.strip(), 2) for inside in brackets if len(inside.strip()) > 3 or is_short_form(inside)]
        texts += [(expanded, 3) for expanded in self._expanded(text)]
        found: dict[str, Asked] = {}
        for one, variant in texts[:_MOST]:
            name = parse(one[:_LONGEST], self._stop)
            if name.words:
                its = (series, bare) if variant in (1, 2) else (frozenset[str](), False)
                found.setdefault(one[:_LONGEST], Asked(one[:_LONGEST], name, side, variant, len(found), *its))
        return list(found.values())

    def _expanded(self, text: str) -> list[str]:
        found = []
        for word in dict.fromkeys(re.findall(r"[^\s,;()\[\]]+", text)):
            meant = [short.expansion for short in self._expansions.get(word, ())]
            if word != text:  # a record's acronym beside other words
                meant += self._acronyms.get(word, ())
            if meant and (at := re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)):
                found += [f"{text[: at.start()]}{one}{text[at.end() :]}" for one in meant]
        return found
