"""The signals of pairs of an asked text and a label, computed for many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from rapidfuzz import fuzz, process

from sekisho.mapping.coverage import Coverage, Coverages
from sekisho.mapping.designators import Designators
from sekisho.mapping.grams import Floats, Ints, as_matrix, grams_and_stems
from sekisho.mapping.index import KINDS, NAMED, Index, poles_of
from sekisho.mapping.initials import is_short_form, letters_of
from sekisho.mapping.lexicon import PARTITIVE
from sekisho.mapping.meaning import Meaning
from sekisho.mapping.shortforms import Spelt, spelt_by
from sekisho.mapping.weights import FEATURES
from sekisho.mapping.words import Name

_KEPT = 40  # labels that get a second look, of each text
_PLACE = {name: at for at, name in enumerate(FEATURES)}
_LIKENESS = [_PLACE[name] for name in ("bm25", "fuzzy", "ratio", "covered", "with_above", "covers")]
_SYNONYM = KINDS.index("synonym")


@dataclass(frozen=True)
class Asked:
    """One text to look for: as it is written, its words, and the sides that the query names, as bits.

    `variant`: 0 for the whole query, 1 for what stands outside its brackets, 2 inside, 3 for one with a short form
    written out. `series` are the numerals and letters of the whole query for what stands outside or inside brackets;
    `bare` where nothing else stands in one of them.
    """

    text: str
    name: Name
    side: int = 0
    variant: int = 0
    whole: int = 0  # how many places before it the whole query stands
    series: frozenset[str] = frozenset()
    bare: bool = False

    @cached_property
    def is_initials(self) -> bool:
        """Whether it is a short form that cannot be the beginning of a word, or a misspelt one."""
        return self.is_short and (len(self.text) <= 3 or not (self.text.islower() or self.text.istitle()))

    @cached_property
    def is_short(self) -> bool:
        """Whether it may be a short form."""
        return is_short_form(self.text)


@dataclass(frozen=True)
class Pairs:
    """Pairs of an asked text and a label, by their places, with one row of `FEATURES` each; ordered by text."""

    asked: Ints
    label: Ints
    features: Floats
    short: Any  # whether the text may be a short form


class Comparer:
    """Finds for asked texts the labels that are worth a look, and how they compare."""

    def __init__(self, index: Index, meaning: Meaning | None = None) -> None:
        self.index = index
        self._meaning = meaning
        self._coverages = Coverages(index)
        self._designators = Designators(index)

    def compare(self, asked: Sequence[Asked], top_k: int = 10) -> Pairs:
        """The pairs, in order of text and label."""
        index = self.index
        if not asked or not index.texts:
            none = np.zeros(0, dtype=np.int32)
            return Pairs(none, none, np.zeros((0, len(FEATURES)), dtype=np.float32), none.astype(bool))
        coverages = [self._coverages.of(one.name) for one in asked]
        bm25 = self._bm25(asked)
        half = np.float32(0.5)
        likely: list[Floats] = [
            own + half * (its.covered + its.covers) for own, its in zip(bm25, coverages, strict=True)
        ]
        meant = self._meaning.cosines([one.text for one in asked]) if self._meaning else None
        if meant is not None:
            likely = [own + its for own, its in zip(likely, meant, strict=True)]
        chosen = [self._pruned(one, likely[at], top_k) for at, one in enumerate(asked)]
        spelt = self._spelt(asked, chosen)
        for at, its in spelt.items():
            chosen[at] = np.union1d(chosen[at], its.labels)
            if len(np.unique(index.owner[chosen[at]])) < top_k:  # letters that spell too little: what they look like
                chosen[at] = np.union1d(chosen[at], self._alike(asked[at], likely[at], top_k))
        rows = np.repeat(np.arange(len(asked), dtype=np.int32), [len(labels) for labels in chosen])
        labels = np.concatenate(chosen)
        features = np.zeros((len(rows), len(FEATURES)), dtype=np.float32)
        if meant is not None:
            features[:, _PLACE["meaning"]] = meant[rows, labels]
        self._letters(features, asked, rows, labels)
        self._kinds(features, asked, rows, labels)
        begin = 0
        for at, one in enumerate(asked):
            own = features[begin : begin + len(chosen[at])]
            self._covers(own, chosen[at], bm25[at], coverages[at], coverages[at - one.whole])
            self._own(own, one, chosen[at])
            if at in spelt:
                self._initials(own, one, chosen[at], spelt[at])
            begin += len(own)
        return Pairs(rows, labels, features, np.array([one.is_short for one in asked], dtype=bool)[rows])

    def _covers(self, features: Floats, labels: Ints, bm25: Floats, own: Coverage, whole: Coverage) -> None:
        owners = self.index.owner[labels]
        context = own.with_context(labels, owners)
        if whole is not own:
            context = np.float32(0.5) * (context + whole.with_context(labels, owners))
        for name, values in (("bm25", bm25), ("covered", own.covered), ("covers", own.covers)):
            features[:, _PLACE[name]] = values[labels]
        features[:, _PLACE["with_above"]] = context

    def _bm25(self, asked: Sequence[Asked]) -> Floats:
        """The BM25 of texts and labels, as a part of what a label with all that the text has could get at most."""
        index = self.index
        has = as_matrix([dict.fromkeys(grams_and_stems(one.name.words), 1.0) for one in asked], index.gram_places)
        most = np.maximum(has @ index.gram_idf, np.float32(1e-6))
        return np.asarray((has @ index.by_gram).toarray() / most[:, None], dtype=np.float32)

    def _pruned(self, one: Asked, likely: Floats, top_k: int) -> Ints:
        """The labels worth a look; of a short form not the names that it looks like, for that says nothing of them."""
        index = self.index
        chosen = self._alike(one, likely, top_k)
        if one.is_initials:
            chosen = chosen[index.kind[chosen] >= NAMED]
        found = set(chosen.tolist())
        found.update(index.exact.get(one.text.casefold(), ()), index.same_words.get(_sorted(one.name), ()))
        own = np.array(sorted(found), dtype=np.int32)
        return own[self._allowed(one)[own]] if one.side or one.series else own

    def _alike(self, one: Asked, likely: Floats, top_k: int) -> Ints:
        """The likeliest labels, without those whose numbers, letters or sides are others."""
        index = self.index
        allowed = self._allowed(one)
        values = np.where(allowed, likely, -1)
        kept = max(_KEPT, 4 * top_k)
        chosen = _best(values, kept)
        if len(np.unique(index.owner[chosen])) <= top_k:  # a few records with many names
            chosen = _best(values, 12 * kept)
        return np.asarray(chosen[allowed[chosen]], dtype=np.int32)

    def _allowed(self, one: Asked) -> Any:
        """Whether each label may be meant, by numbers, letters of a series and sides."""
        fits, _, _ = self._designators.compare(one.name.designators, short=one.is_short)
        if one.series and one.bare:
            fits = fits & self._designators.compare(one.series, short=False)[0]
        elif one.series:
            fits = fits & self._designators.labels(one.series)
        return fits & self._sided[one.side] if one.side else fits

    @cached_property
    def _sided(self) -> list[Any]:
        """For each set of sides, as bits, the labels that may be meant; one that tells none has that of its record."""
        index = self.index
        named = np.zeros(int(index.owner.max(initial=-1)) + 1, dtype=np.int32)
        named[index.owner[index.kind == 0]] = index.side[index.kind == 0]
        told = np.where(index.side == 0, named[index.owner], index.side)
        return [(told == 0) | (told & asked != 0) for asked in range(4)]

    def _spelt(self, asked: Sequence[Asked], chosen: Sequence[Ints]) -> dict[int, Spelt]:
        """The labels that the short forms among the texts spell, by the place of the text."""
        short = [at for at, one in enumerate(asked) if one.is_short]
        allowed = [self._allowed(asked[at]) for at in short]
        forms = [letters_of(asked[at].text) for at in short]
        return dict(zip(short, spelt_by(self.index, forms, allowed, [chosen[at] for at in short]), strict=True))

    def _initials(self, features: Floats, one: Asked, labels: Ints, spelt: Spelt) -> None:
        at = np.searchsorted(labels, spelt.labels)
        features[at, _PLACE["initials"]] = spelt.fit
        features[at, _PLACE["initials_covers"]] = spelt.covers
        if one.is_initials:
            features[at[:, None], _LIKENESS] = 0

    def _letters(self, features: Floats, asked: Sequence[Asked], rows: Ints, labels: Ints) -> None:
        ours = [asked[row].name.text for row in rows.tolist()]
        theirs = [self.index.joined[label] for label in labels.tolist()]
        for name, scorer in (("fuzzy", fuzz.token_sort_ratio), ("ratio", fuzz.ratio)):
            features[:, _PLACE[name]] = process.cpdist(ours, theirs, scorer=scorer) / 100

    def _kinds(self, features: Floats, asked: Sequence[Asked], rows: Ints, labels: Ints) -> None:
        index = self.index
        ours = np.array([poles_of(one.name.words) for one in asked], dtype=np.int32)[rows]
        theirs = index.poles[labels]
        features[:, _PLACE["opposite"]] = np.bitwise_count(_other_pole(ours & ~theirs) & theirs & ~ours)
        features[:, _PLACE["lost"]] = np.minimum(np.bitwise_count(ours & ~theirs), 2)
        features[:, _PLACE["added"]] = np.minimum(np.bitwise_count(theirs & ~ours), 2)
        parts = np.array([sum(word in PARTITIVE for word in one.name.words) for one in asked])
        features[:, _PLACE["part"]] = np.clip(index.parts[labels] - parts[rows], 0, 2)
        features[:, _PLACE["synonym"]] = index.kind[labels] == _SYNONYM
        variant = np.array([one.variant for one in asked])[rows]
        for at, name in enumerate(("outside", "inside", "expanded"), start=1):
            features[:, _PLACE[name]] = variant == at

    def _own(self, features: Floats, one: Asked, labels: Ints) -> None:
        """What is not computed for all texts at once: numbers, sides, exact forms, initials."""
        index = self.index
        _, more, fewer = self._designators.compare(one.name.designators, short=one.is_short)
        features[:, _PLACE["fewer_numbers"]] = more[labels]
        features[:, _PLACE["more_numbers"]] = fewer[labels]
        side = index.side[labels]
        features[:, _PLACE["same_side"]] = side & one.side != 0
        features[:, _PLACE["more_side"]] = (side != 0) & (one.side == 0)
        kind = index.kind[labels]
        same = index.exact.get(one.text.casefold(), ())
        # Small letters that are no acronym say nothing of its case: what else its record is called counts too.
        caseless = bool(same) and one.text.islower() and not any(index.texts[label] == one.text for label in same)
        for label, at in _places(labels, same):
            if kind[at] >= NAMED:
                features[at, _PLACE["acronym"]] = 1
                features[at, _PLACE["acronym_case"]] = index.texts[label] == one.text
                if caseless:
                    features[index.owner[labels] == index.owner[label], _PLACE["acronym"]] = 1
            else:
                features[at, _PLACE["exact"]] = 1
        for _, at in _places(labels, index.same_words.get(_sorted(one.name), ())):
            if kind[at] < NAMED:
                features[at, _PLACE["same_words"]] = 1


def _places(labels: Ints, some: Sequence[int]) -> list[tuple[int, int]]:
    """Those of some labels that are among others in order, each with its place."""
    places = zip(some, np.searchsorted(labels, some).tolist() if some else (), strict=True)
    return [(label, at) for label, at in places if at < len(labels) and labels[at] == label]


def _best(values: Floats, count: int) -> Ints:
    count = min(count, len(values))
    return np.asarray(np.argpartition(-values, count - 1)[:count], dtype=np.int32)


def _sorted(name: Name) -> str:
    return " ".join(sorted(name.words))


def _other_pole(poles: Any) -> Any:
    """The other pole of each: of two neighbouring bits the other one."""
    return ((poles & 0x55555555) << 1) | ((poles & 0x2AAAAAAA) >> 1)
