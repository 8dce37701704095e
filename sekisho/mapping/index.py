"""What is computed of a catalogue once: its labels, their words and character grams, and what stands above them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from scipy.sparse import csr_matrix

from sekisho.catalogue import Catalogue
from sekisho.mapping.grams import Floats, Ints
from sekisho.mapping.initials import Spelt
from sekisho.mapping.lexicon import OPPOSITES
from sekisho.mapping.words import Name, deep
from sekisho.text import fold_needle

KINDS = ("name", "synonym", "alias", "acronym", "abbreviation")
NAMED = 3  # kinds below it are made of words
_POLES = {word: (pair, pole) for pair, poles in enumerate(OPPOSITES) for pole in (0, 1) for word in poles[pole].split()}


class Label(NamedTuple):
    """One text by which a record is known; `owner` is the record's place, `kind` that of `KINDS`."""

    text: str
    owner: int
    kind: int


@dataclass(frozen=True)
class Index:
    """The arrays of one catalogue; labels, words and grams are each numbered by their place in order."""

    texts: tuple[str, ...]
    joined: tuple[str, ...]
    words: tuple[str, ...]
    grams: tuple[str, ...]
    owner: Ints
    kind: Ints
    poles: Ints
    side: Ints
    series: Ints  # the place in `signatures` of each label's designators
    parts: Ints  # how many words of each label name a part of something
    signatures: tuple[str, ...]
    word_idf: Floats
    gram_idf: Floats
    heads: Floats
    mass: Floats  # what the words of each label weigh together
    by_word: csr_matrix  # words x labels, 1 where the label has the word
    by_gram: csr_matrix  # grams and stems x labels, what each adds to BM25
    by_start: csr_matrix  # starts of words x labels
    spelt: Spelt  # labels x words x letters, and with them what stands above
    weights: Floats  # the share of those words in the name, 0 for those above
    exchanged: Ints  # pairs of words that synonyms exchange, and how often
    above: csr_matrix  # words x records, fading with each step up to an ancestor that has the word
    starts: tuple[str, ...]

    @cached_property
    def word_places(self) -> dict[str, int]:
        """The place of each word."""
        return {word: at for at, word in enumerate(self.words)}

    @cached_property
    def gram_places(self) -> dict[str, int]:
        """The place of each gram."""
        return {gram: at for at, gram in enumerate(self.grams)}

    @cached_property
    def start_places(self) -> dict[str, int]:
        """The place of each start of words."""
        return {start: at for at, start in enumerate(self.starts)}

    @cached_property
    def rarity(self) -> dict[str, float]:
        """The weight of each word."""
        return dict(zip(self.words, self.word_idf.tolist(), strict=True))

    @cached_property
    def stems(self) -> dict[str, list[int]]:
        """The places of the words that share a stem."""
        found: dict[str, list[int]] = {}
        for at, word in enumerate(self.words):
            found.setdefault(deep(word), []).append(at)
        return found

    @cached_property
    def exact(self) -> dict[str, list[int]]:
        """The labels by their folded text, without regard to case."""
        found: dict[str, list[int]] = {}
        for at, text in enumerate(self.texts):
            found.setdefault(text.casefold(), []).append(at)
        return found

    @cached_property
    def same_words(self) -> dict[str, list[int]]:
        """The labels by their words in order of the alphabet."""
        found: dict[str, list[int]] = {}
        for at, joined in enumerate(self.joined):
            found.setdefault(" ".join(sorted(joined.split())), []).append(at)
        return found


def labels_of(catalogue: Catalogue) -> list[Label]:
    """Every text by which a record is known, in order of text and record."""
    places = {term.id: at for at, term in enumerate(catalogue.terms)}
    found: dict[tuple[str, int], int] = {}

    def add(text: str, owner: int, kind: str) -> None:
        folded = fold_needle(text)
        if folded:
            found.setdefault((folded, owner), KINDS.index(kind))

    for at, term in enumerate(catalogue.terms):
        add(term.name, at, "name")
        for synonym in term.synonyms:
            add(synonym, at, "synonym")
        add(term.acronym, at, "acronym")
    for alias in catalogue.curated.aliases:
        add(alias.text, places[alias.id], "alias")
    for short in catalogue.curated.abbreviations:
        if short.id:
            add(short.text, places[short.id], "abbreviation")
    return [Label(text, owner, kind) for (text, owner), kind in sorted(found.items())]


def sides_of(name: Name) -> int:
    """The sides that a name tells, as bits."""
    return ("left" in name.sides) + 2 * ("right" in name.sides)


def poles_of(words: Sequence[str]) -> int:
    """The poles of the pairs of opposites that words name, as bits: two for each pair."""
    bits = 0
    for word in words:
        if word in _POLES:
            pair, pole = _POLES[word]
            bits |= 1 << (2 * pair + pole)
    return bits
