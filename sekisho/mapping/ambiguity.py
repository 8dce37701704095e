"""Queries of generic words alone, which many records share: `nucleus`, `cortical layer`."""

from __future__ import annotations

from functools import cached_property

from sekisho.catalogue import Catalogue
from sekisho.mapping.index import KINDS, Index
from sekisho.mapping.words import deep, parse

_FEW = 5  # so many records with a word in their names make it generic, where they are
_SHARE = 0.01  # more than this part of all


class Generic:
    """Knows which words of a catalogue are generic: those at the head of many of its names."""

    def __init__(self, catalogue: Catalogue, index: Index) -> None:
        self._index = index
        self._least = max(_FEW, _SHARE * len(catalogue.terms))

    @cached_property
    def _heads(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for word, count in zip(self._index.words, self._index.heads.tolist(), strict=True):
            found[deep(word)] = found.get(deep(word), 0) + int(count)
        return found

    def reason(self, text: str) -> str:
        """Why a text cannot be told apart, empty where it can: a text that one record alone is called is told."""
        known = {
            int(self._index.owner[label])
            for label in self._index.exact.get(text.casefold(), ())
            if self._index.texts[label] == text or self._index.kind[label] != KINDS.index("acronym")
        }
        if len(known) > 1:
            return f"{len(known)} records are called {text!r}"
        if known or len(text.split()) > 3:
            return ""
        words = parse(text).words
        count = self._heads.get(deep(words[0]), 0) if len(words) == 1 else 0
        return f"{text!r} is a generic word: {count} names end in it" if count >= self._least else ""
