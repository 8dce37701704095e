"""The first stage of mapping: for a text the records of a catalogue that it may mean, scored, without any model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from sekisho.catalogue import Abbreviation, Catalogue
from sekisho.mapping.ambiguity import Generic
from sekisho.mapping.building import build_index
from sekisho.mapping.cleaning import Cleaned, Cleaner
from sekisho.mapping.features import Asked, Comparer, Pairs
from sekisho.mapping.index import KINDS, Index, sides_of
from sekisho.mapping.initials import is_short_form
from sekisho.mapping.meaning import Meaning
from sekisho.mapping.scoring import Scored, logits, scored
from sekisho.mapping.store import load_index, save_index
from sekisho.mapping.variants import Variants
from sekisho.mapping.weights import FEATURES
from sekisho.mapping.words import deep, parse
from sekisho.retrieval.encoder import Encoder
from sekisho.text import fold_needle

_TOLD = 0.01  # a lower score says that nothing fits, which needs no second word
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_DOTTED = re.compile(r"\b(?:[A-Za-z]\.){2,}(?:[A-Za-z]\b)?")  # P.A.G.
_ABOUT = 0.8
_CELLS = 6_000_000  # of the arrays that are held at a time
LEAST = 0.00005  # a score below it is written as 0.0000: nothing fits


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that a query may mean; `score` is in [0, 1], `signals` say what it comes from.

    `label` among the signals is the text of the record that fitted best, `kind` whether that is its name, a synonym,
    its acronym or curated.
    """

    id: str
    name: str
    score: float
    signals: dict[str, float | str]

    @property
    def told(self) -> str:
        """The score for a reader; never 0 for what is more."""
        return "<0.001" if LEAST <= self.score < 0.0005 else f"{self.score:.3f}"


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
    """Finds candidates in one catalogue; the same query gets the same ones, alone or among others."""

    def __init__(self, catalogue: Catalogue, index: Index, embedder: Encoder | None = None) -> None:
        self.catalogue = catalogue
        self.index = index
        self._comparer = Comparer(index, Meaning(index, embedder) if embedder else None)
        self._cleaner = Cleaner(catalogue.curated, lambda word: deep(word) in index.stems)
        self._generic = Generic(catalogue, index)
        curated = catalogue.curated
        stop = frozenset(fold_needle(token.text).lower() for token in curated.tokens if token.kind == "stop")
        self._expansions: dict[str, list[Abbreviation]] = {}
        self._short_forms: dict[str, list[Abbreviation]] = {}
        for short in curated.abbreviations:
            if short.expansion:
                self._expansions.setdefault(short.text, []).append(short)
            if short.id:
                self._short_forms.setdefault(short.id, []).append(short)
        acronyms: dict[str, list[str]] = {}
        for term in catalogue.terms:
            if is_short_form(term.acronym):
                acronyms.setdefault(fold_needle(term.acronym), []).append(term.name)
        self._variants = Variants(stop, self._expansions, acronyms)

    @classmethod
    def build(cls, catalogue: Catalogue, embedder: Encoder | None = None) -> Self:
        """A matcher over a catalogue; without an embedder there is no signal of meaning."""
        return cls(catalogue, build_index(catalogue), embedder)

    def match(self, query: str, *, top_k: int = 10) -> Matches:
        """The `top_k` best candidates; fewer only where fewer records can be meant, none for a blank query."""
        return self.match_all([query], top_k=top_k)[0]

    def match_all(self, queries: Sequence[str], *, top_k: int = 10) -> list[Matches]:
        """`match` for many queries at once, in their order."""
        found: list[Matches] = []
        top_k = max(0, top_k)
        for some in self._batches(queries):
            asked = [self._asked(query, cleaned) for query, cleaned in some]
            pairs = self.pairs([one for its in asked for one in its], top_k)
            values = logits(pairs)
            begin = 0
            for (query, cleaned), its in zip(some, asked, strict=True):
                first, last = np.searchsorted(pairs.asked, [begin, begin + len(its)]).tolist()
                best = scored(self.index, cleaned.text, pairs, values, slice(first, last), top_k)
                begin += len(its)
                found.append(self._matches(query, cleaned, best, pairs))
        return found

    def pairs(self, asked: Sequence[Asked], top_k: int = 10) -> Pairs:
        """The labels worth a look for each text, with their features; what weights are fitted on."""
        return self._comparer.compare(asked, top_k)

    def asked(self, query: str) -> list[Asked]:
        """The texts that are looked for, for one query."""
        return self._asked(query, self._cleaned(query))

    def _batches(self, queries: Sequence[str]) -> Iterator[list[tuple[str, Cleaned]]]:
        size = max(1, _CELLS // max(1, 6 * len(self.index.texts)))
        for begin in range(0, len(queries), size):
            yield [(query, self._cleaned(query)) for query in queries[begin : begin + size]]

    def _cleaned(self, query: str) -> Cleaned:
        """The query without what is no name; a text by which a record is known stays as it is."""
        for text in (fold_needle(query), fold_needle(_CONTROL.sub(" ", query))):
            if text.casefold() in self.index.exact:
                return Cleaned(text, ())
        text = _DOTTED.sub(lambda match: match[0].replace(".", ""), text)
        return self._cleaner.clean(text) if re.search(r"\w", text) else Cleaned("", ())

    def _asked(self, query: str, cleaned: Cleaned) -> list[Asked]:
        said = [words if len(words) > 1 else f"({words})" for words, why in cleaned.removed if why == "side"]
        side = 0
        for words in (cleaned.text, *said):
            side |= sides_of(parse(words))
        return self._variants.of(cleaned.text, side)

    def _matches(self, query: str, cleaned: Cleaned, best: list[Scored], pairs: Pairs) -> Matches:
        terms = self.catalogue.terms
        rows = pairs.features[[one.pair for one in best]].round(4).tolist()
        candidates = tuple(
            Candidate(
                terms[one.owner].id, terms[one.owner].name, one.score, self._signals(int(pairs.label[one.pair]), row)
            )
            for one, row in zip(best, rows, strict=True)
        )
        return Matches(
            query,
            cleaned.text,
            cleaned.removed,
            candidates,
            self._generic.reason(cleaned.text) or _alike(candidates),
            tuple(self._hints(cleaned.text, candidates)),
        )

    def _signals(self, label: int, row: list[float]) -> dict[str, float | str]:
        signals: dict[str, float | str] = {"label": self.index.texts[label], "kind": KINDS[int(self.index.kind[label])]}
        signals.update((name, value) for name, value in zip(FEATURES, row, strict=True) if value)
        return signals

    def _hints(self, text: str, candidates: Sequence[Candidate]) -> Iterator[str]:
        for candidate in candidates:
            for short in self._short_forms.get(candidate.id, ()):
                yield _hint(short, f"{candidate.id} {candidate.name}")
        for word in sorted(set(text.split())) if self._expansions else ():
            for short in self._expansions.get(word, ()):
                if not short.id:
                    yield _hint(short, short.expansion)


def open_matcher(catalogue: Catalogue, cache_folder: Path, embedder: Encoder | None = None) -> Matcher:
    """The matcher of a catalogue; its index is built once for each catalogue and kept in `cache_folder`.

    A cache that is missing, damaged or of another version is built again; one that cannot be written is done without.
    """
    index = load_index(cache_folder, catalogue)
    if index is None:
        index = build_index(catalogue)
        save_index(cache_folder, catalogue, index)
    return Matcher(catalogue, index, embedder)


def _alike(candidates: Sequence[Candidate]) -> str:
    """Why the first candidates cannot be told apart, where their scores are the same."""
    first = candidates[0] if candidates else None
    if first is None or first.score < _TOLD:
        return ""
    alike = [one for one in candidates if one.score == first.score or _of_a_series(first, one)]
    if len(alike) < 2:
        return ""
    return f"{len(alike)} records fit it alike: {', '.join(one.id for one in alike[:5])}"


def _of_a_series(first: Candidate, other: Candidate) -> bool:
    """Whether two have a numeral or letter that the query lacks, and are about as likely: `hepatitis` for A and B."""
    both = all(one.signals.get("more_numbers") for one in (first, other))
    return both and other.score >= _ABOUT * first.score


def _hint(short: Abbreviation, meaning: str) -> str:
    return f"{short.text} = {meaning}" + (f" ({short.note})" if short.note else "")
