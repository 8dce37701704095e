"""The first stage of mapping: for a text the records of a catalogue that it may mean, scored, without any model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from rapidfuzz import fuzz, process

from sekisho.catalogue import Catalogue
from sekisho.text import fold_needle

Embedder = Callable[[Sequence[str]], Any]  # texts -> float32 array (texts, dimensions), rows of length 1


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that a query may mean; `score` is in [0, 1], `signals` say what it comes from."""

    id: str
    name: str
    score: float
    signals: dict[str, float | str]


@dataclass(frozen=True, slots=True)
class Matches:
    """The candidates for one query, best first and ties by id.

    `cleaned` is what was looked for, `removed` what was taken out of the query before, with the reason. `ambiguous`
    is empty, or why no candidate can be told from the others. `hints` are the curated short forms that concern a
    candidate, one sentence each.
    """

    query: str
    cleaned: str
    removed: tuple[tuple[str, str], ...]
    candidates: tuple[Candidate, ...]
    ambiguous: str = ""
    hints: tuple[str, ...] = ()


class Matcher:
    """Finds candidates in one catalogue."""

    def __init__(self, catalogue: Catalogue, embedder: Embedder | None = None) -> None:
        self.catalogue = catalogue
        labels = sorted({(label, at) for at, term in enumerate(catalogue.terms) for label in _labels(term)})
        self._texts = [label for label, _ in labels]
        self._owners = [at for _, at in labels]

    @classmethod
    def build(cls, catalogue: Catalogue, embedder: Embedder | None = None) -> Self:
        """A matcher over a catalogue; without an embedder there is no signal of meaning."""
        return cls(catalogue, embedder)

    def match(self, query: str, *, top_k: int = 10) -> Matches:
        """The `top_k` best candidates; fewer only where the catalogue has fewer records."""
        return self.match_all([query], top_k=top_k)[0]

    def match_all(self, queries: Sequence[str], *, top_k: int = 10) -> list[Matches]:
        """`match` for many queries at once, in their order."""
        return [self._match(query, top_k) for query in queries]

    def _match(self, query: str, top_k: int) -> Matches:
        cleaned = fold_needle(query)
        scores = process.cdist([cleaned.casefold()], self._texts, scorer=fuzz.token_sort_ratio)[0]
        best: dict[int, float] = {}
        for at, score in zip(self._owners, scores, strict=True):
            best[at] = max(best.get(at, 0.0), float(score) / 100)
        order = sorted(best, key=lambda at: (-best[at], at))[:top_k]
        terms = self.catalogue.terms
        found = [Candidate(terms[at].id, terms[at].name, round(best[at], 4), {"fuzzy": best[at]}) for at in order]
        return Matches(query, cleaned, (), tuple(found))


def open_matcher(catalogue: Catalogue, cache_folder: Path) -> Matcher:
    """The matcher of a catalogue; its index is built once for each catalogue and kept in `cache_folder`."""
    return Matcher.build(catalogue)


def _labels(term: Any) -> list[str]:
    return [fold_needle(text).casefold() for text in (term.name, term.acronym, *term.synonyms) if text]
