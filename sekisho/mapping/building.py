"""Building the index of a catalogue: the same for the same records, however they were ordered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import csr_matrix

from sekisho.catalogue import Catalogue, Term
from sekisho.mapping.grams import Floats, Ints, as_matrix, bm25, bm25_idf, grams_and_stems, idf, unit_rows, vocabulary
from sekisho.mapping.index import NAMED, Index, Label, labels_of, poles_of, sides_of
from sekisho.mapping.initials import OWN, WORDS, Spelt, spell
from sekisho.mapping.lexicon import PARTITIVE
from sekisho.mapping.words import Name, inner, is_designator, parse
from sekisho.text import fold_needle

_COMPARED = 12  # labels of one record that are compared with each other
_DEPTH = 6
_FADING = 0.85


def build_index(catalogue: Catalogue) -> Index:
    """The index of a catalogue; the same for the same records, however they were ordered."""
    labels = labels_of(catalogue)
    stop = frozenset(fold_needle(token.text).lower() for token in catalogue.curated.tokens if token.kind == "stop")
    names = [parse(label.text, stop) for label in labels]
    words = vocabulary(name.words for name in names)
    word_places = {word: at for at, word in enumerate(words)}
    has = as_matrix([dict.fromkeys(name.words, 1.0) for name in names], word_places)
    bags = [grams_and_stems(name.words) for name in names]
    grams = vocabulary(bags)
    counts = as_matrix(bags, {gram: at for at, gram in enumerate(grams)})
    begun = [_starts(name) for name in names]
    starts = vocabulary(begun)
    start_counts = as_matrix([dict.fromkeys(one, 1.0) for one in begun], {start: at for at, start in enumerate(starts)})
    owner = np.array([label.owner for label in labels], dtype=np.int32)
    signed = [" ".join(sorted(name.designators)) for name in names]
    signatures = sorted(set(signed))
    heads = Counter(name.words[-1] for label, name in zip(labels, names, strict=True) if name.words and label.kind < 2)
    word_idf = idf(has)
    rarity = dict(zip(words, word_idf.tolist(), strict=True))
    spelt, weights = _spelling(catalogue.terms, labels, names, rarity)
    return Index(
        texts=tuple(label.text for label in labels),
        joined=tuple(name.text for name in names),
        words=tuple(words),
        grams=tuple(grams),
        owner=owner,
        kind=np.array([label.kind for label in labels], dtype=np.int32),
        poles=np.array([poles_of(name.words) for name in names], dtype=np.int32),
        side=np.array([sides_of(name) for name in names], dtype=np.int32),
        series=np.searchsorted(np.array(signatures), np.array(signed)).astype(np.int32),
        parts=np.array([sum(word in PARTITIVE for word in name.words) for name in names], dtype=np.int32),
        signatures=tuple(signatures),
        word_idf=word_idf,
        gram_idf=bm25_idf(counts),
        heads=np.array([heads[word] for word in words], dtype=np.float32),
        mass=np.asarray(word_idf @ has.T, dtype=np.float32),
        by_word=has.T.tocsr(),
        by_gram=bm25(counts).T.tocsr(),
        by_start=unit_rows(start_counts, idf(start_counts)).T.tocsr(),
        spelt=spelt,
        weights=weights,
        exchanged=_exchanged(labels, names, word_places),
        above=_above(catalogue.terms, owner, has).T.tocsr(),
        starts=tuple(starts),
    )


def _starts(name: Name) -> set[str]:
    """The first letter of each word of a name, and its first two."""
    return {word[:size] for word in name.words for size in (1, 2)}


def _spelling(
    terms: Sequence[Term], labels: Sequence[Label], names: Sequence[Name], rarity: Mapping[str, float]
) -> tuple[Spelt, Floats]:
    """The beginnings of each label's words, compounds' second parts and words above; the share of each in the name."""
    own_words = {term.id: parse(term.name).words for term in terms}
    spelt = np.zeros((len(labels), *spell(()).shape), dtype=np.uint8)
    weights = np.zeros((len(labels), WORDS), dtype=np.float32)
    for at, (label, name) in enumerate(zip(labels, names, strict=True)):
        parts = [
            (part, rarity[word] if part == word else 0.0) for word in name.words for part in (word, inner(word)) if part
        ]
        spelt[at] = spell([part for part, _ in parts], own_words.get(terms[label.owner].parent_id, ()))
        own = [weight for _, weight in parts]
        weights[at, : min(len(own), OWN)] = own[:OWN]
        weights[at] /= sum(own)
    return spelt, weights


def _exchanged(labels: Sequence[Label], names: Sequence[Name], places: Mapping[str, int]) -> Ints:
    """Pairs of words that synonyms exchange for each other, and how often: pairs x (word, word, count).

    Two labels of one record that differ in one word each say that these two mean the same here.
    """
    of: dict[int, list[frozenset[str]]] = {}
    for label, name in zip(labels, names, strict=True):
        if label.kind < NAMED:
            of.setdefault(label.owner, []).append(frozenset(name.words))
    counts: Counter[tuple[int, int]] = Counter()
    for bags in of.values():
        seen: set[tuple[int, int]] = set()
        for at, one in enumerate(bags[:_COMPARED]):
            for other in bags[at + 1 : _COMPARED]:
                left, right = one - other, other - one
                if len(left) == len(right) == 1:
                    word, instead = next(iter(left)), next(iter(right))
                    if not is_designator(word) and not is_designator(instead):
                        first, second = sorted((places[word], places[instead]))
                        # Single words are synonyms themselves; within names it takes more than one to say so.
                        seen.add((first, second))
                        if len(one) == 1:
                            counts[first, second] += 1
        counts.update(seen)
    rows = [(first, second, count) for (first, second), count in sorted(counts.items()) if count > 1]
    return np.array(rows, dtype=np.int32).reshape(-1, 3)


def _above(terms: Sequence[Term], owner: Ints, has: csr_matrix) -> csr_matrix:
    """The words of each record's ancestors, fading with distance, as records x words."""
    places = {term.id: at for at, term in enumerate(terms)}
    own: list[set[int]] = [set() for _ in terms]
    for label, at in enumerate(owner):
        own[at].update(has.indices[has.indptr[label] : has.indptr[label + 1]].tolist())
    bags: list[dict[str, float]] = []
    for term in terms:
        bag: dict[str, float] = {}
        at, weight = places.get(term.parent_id, -1), _FADING
        for _ in range(_DEPTH):
            if at < 0:
                break
            for word in own[at]:
                bag.setdefault(str(word), weight)
            at, weight = places.get(terms[at].parent_id, -1), weight * _FADING
        bags.append(bag)
    return as_matrix(bags, {str(word): word for word in range(has.shape[1])})
