"""Yes or no, and one or several of given values: what the document's sentences support best."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from sekisho.agents.local.document import Clause, Document
from sekisho.agents.local.fields import Wanted
from sekisho.agents.local.found import Found, best
from sekisho.agents.local.labels import answers
from sekisho.agents.local.polarity import STATE, own_words, polarity, uses
from sekisho.agents.local.relevance import Relevance
from sekisho.agents.local.words import folded, stems
from sekisho.retrieval.encoder import Encoder, Vectors

_LABELLED = 1.0
_ELSEWHERE = 0.25
_AFTER_QUESTION = 0.8
_CONFLICT = 0.4
_STRONG = 0.5
_EQUAL = 0.75
_ALIKE = 0.7
_ASIDE = 0.25
_MENTIONED = 0.3
_OUTRIGHT = 0.6
_ANY_TEXT = 0.28
_SHARPNESS = 0.1
_NEITHER = re.compile(r"\bneither\b.*\bnor\b.*?(?=\bbut\b|\Z)", re.IGNORECASE | re.DOTALL)
_NEITHER_BUT = re.compile(r"\bneither\b.*\bnor\b.*?\bbut\s+(?P<left>(?:\w+\s*){1,3})", re.IGNORECASE | re.DOTALL)


def find_bool(document: Document, wanted: Wanted, about: Relevance) -> Found | None:
    """The polarity of the clause that is most about the field, less what an opposite clause says.

    Behind a label that names the field the answer alone decides, and no other label's answer counts then.
    """
    shared = frozenset(stems(wanted.meaning)) & frozenset(stems(wanted.opposite))
    no = frozenset(stems(wanted.opposite)) - wanted.title_stems - shared
    yes = own_words(wanted.title)
    states = frozenset(root for root, weight in yes.items() if weight >= STATE)
    answered = answers(document, wanted)
    weighed = [
        (Found(side > 0, document.sentences[number].original, _LABELLED), number, True)
        for number, side in answered.items()
        if side
    ]
    for number, clause, near in _clauses(document, about):
        if number in answered:
            continue
        side = polarity(clause.text, yes, no, f"{wanted.title}. {wanted.meaning}")
        if side and near > 0:
            found = Found(side > 0, document.sentences[number].original, near * min(1.0, abs(side)))
            weighed.append((found, number, uses(clause.text, states)))
    # The clause that uses the field's own word decides its sentence: the others explain, or tell of another time.
    decided = {number for _, number, is_own in weighed if is_own}
    return _weigh(document, [(one, row) for one, row, is_own in weighed if is_own or row not in decided])


def _weigh(document: Document, said: Sequence[tuple[Found, int]]) -> Found | None:
    """The surest, less what speaks against it; nothing is sure where that is strong, and as sure or about the same."""
    chosen, row = min(said, key=lambda one: (-round(one[0].score, 4), one[1]), default=(None, 0))
    if chosen is None:
        return None
    doubt = 0.0
    for one, other in said:
        if one.value != chosen.value:
            doubt = max(doubt, one.score)
            is_like = float(document.vectors[row] @ document.vectors[other]) >= _ALIKE
            if one.score >= _STRONG and (is_like or one.score >= _EQUAL * chosen.score):
                return chosen.contradicted()
    return Found(chosen.value, chosen.evidence, chosen.score - _CONFLICT * doubt)


def find_value(document: Document, wanted: Wanted, about: Relevance, encoder: Encoder) -> Found | None:
    """The value that a clause about the field affirms outright by its word, else the one whose description is nearest.

    Nothing is sure where two values are affirmed outright.
    """
    if not (~about.barred).any():
        return None
    mentions = {name: _mention(document, wanted, about, name) for name in wanted.values}
    said = sorted((one for one in mentions.values() if one and one.score >= _OUTRIGHT), key=lambda one: -one.score)
    if not said:
        found = _nearest(document, wanted, about, mentions, encoder)
        return found if _is_founded(wanted, found.value, mentions) else replace(found, score=0.0)
    is_clear = len(said) == 1 or said[1].score < _EQUAL * said[0].score
    return said[0] if is_clear else said[0].contradicted()


def _is_founded(wanted: Wanted, value: str, mentions: Mapping[str, Found | None]) -> bool:
    """Whether a value is described, or its word stands in the text more surely than another's.

    `The light is red.` describes nothing: it only repeats the field's words and the value's.
    """
    if frozenset(stems(wanted.values[value])) - wanted.stems - frozenset(stems(value)):
        return True
    scores = {name: one.score if one else 0.0 for name, one in mentions.items()}
    own = scores.pop(value)
    return own > 0 and all(other < _EQUAL * own for other in scores.values())


def _nearest(
    document: Document, wanted: Wanted, about: Relevance, mentions: Mapping[str, Found | None], encoder: Encoder
) -> Found:
    """The value whose description two neighbouring sentences come nearest to; `score` is the lead over the next.

    Nor is it more than the lead over what a text about something else comes to, for one value always leads.
    A value's own word counts where a clause about the field affirms it, and against it where it is denied.
    """
    names = list(wanted.values)
    directions = _value_vectors(wanted, encoder)
    single = document.vectors[~about.barred]
    near = _pairs(single) @ directions.T
    support = near.max(axis=0) + _MENTIONED * np.array([one.score if one else 0.0 for one in mentions.values()])
    order = np.argsort(-support, kind="stable")
    chosen = int(order[0])
    lead = float(support[chosen]) - _ANY_TEXT
    if len(names) > 1:
        views = (single, np.vstack([_pairs(single), single, document.clause_vectors[~about.barred_clauses]]))
        lead = min(lead, float(support[chosen] - support[order[1]])) * _agreement(views, directions, chosen)
    mention = mentions[names[chosen]]
    if mention is not None and mention.score > _MENTIONED:
        return Found(names[chosen], mention.evidence, lead)
    first = int(near[:, chosen].argmax())
    own = single[first : first + 2] @ directions.T
    row = int(np.flatnonzero(~about.barred)[first + int((2 * own[:, chosen] - own.mean(axis=1)).argmax())])
    return Found(names[chosen], document.sentences[row].original, lead)


def _agreement(views: tuple[Vectors, Vectors], directions: Vectors, chosen: int) -> float:
    """1, a half or 0 by how many of two other views prefer the chosen value too.

    One asks which sentence stands out for a value, the other weighs every sentence and clause by how much it says.
    """
    single, every = (view @ directions.T for view in views)
    weight = np.exp(every.max(axis=1, keepdims=True) / _SHARPNESS)
    prefer = [
        (single - single.mean(axis=1, keepdims=True)).max(axis=0),
        (weight * (every - every.mean(axis=1, keepdims=True))).sum(axis=0),
    ]
    return sum(int(view.argmax()) == chosen for view in prefer) / len(prefer)


def find_values(document: Document, wanted: Wanted, about: Relevance, threshold: float) -> Found | None:
    """Every value that a clause about the field affirms by its word; the evidence is the sentence with most of them."""
    mentions = {name: _mention(document, wanted, about, name) for name in wanted.values}
    said = {name: one for name, one in mentions.items() if one is not None and one.score >= threshold}
    if not said:
        return best(one for one in mentions.values() if one is not None)
    spans = [one.evidence for one in said.values()]
    evidence = max(spans, key=lambda span: (spans.count(span), -span.start))
    return Found(list(said), evidence, max(one.score for one in said.values()))


def _mention(document: Document, wanted: Wanted, about: Relevance, value: str) -> Found | None:
    """The clause that says most about a value by its own word; the score is below 0 where it denies it."""
    words = frozenset(stems(value)) or frozenset({folded(value)})
    own = dict.fromkeys(words, 1.0)
    found = []
    for number, clause, near in _clauses(document, about):
        left = _NEITHER_BUT.search(document.sentences[number].text)
        if left and words <= frozenset(stems(left["left"])) and _NEITHER.search(clause.text):
            found.append(Found(value, document.sentences[number].original, near))
        if words <= clause.stems or folded(value) in folded(clause.text).split():
            side = max(-1.0, min(1.0, polarity(clause.text, own, field=value, is_strict=False)))
            side = -1.0 if _is_neither(clause.text, words) else side
            found.append(Found(value, document.sentences[number].original, near * side))
    return max(found, key=lambda one: (abs(one.score), -one.evidence.start), default=None)


def _is_neither(text: str, words: frozenset[str]) -> bool:
    """Whether a value is one of those of `neither red nor green`."""
    denied = _NEITHER.search(text)
    return denied is not None and words <= frozenset(stems(denied[0]))


def _clauses(document: Document, about: Relevance) -> Iterator[tuple[int, Clause, float]]:
    """Each clause with its sentence's number and how much both are about the field; little where it is elsewhere."""
    for number, sentence in enumerate(document.sentences):
        whole = _with_question(document, about, number)
        own = about.clauses[sentence.first_clause :][: len(sentence.clauses)]
        for offset, clause in enumerate(sentence.clauses):
            near = 0.5 * max(float(own[offset]), 0.0) + 0.5 * whole
            is_aside = own.max() >= _STRONG and own[offset] < _ASIDE * own.max()
            if not is_aside and not about.barred_clauses[sentence.first_clause + offset]:
                yield number, clause, near * (_ELSEWHERE if clause.is_elsewhere() else 1.0)


def _pairs(vectors: Vectors) -> Vectors:
    """The mean direction of each two neighbouring sentences; of the only one where there is one."""
    if len(vectors) < 2:
        return vectors
    sums = vectors[:-1] + vectors[1:]
    return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True), np.float32)


def _value_vectors(wanted: Wanted, encoder: Encoder) -> Vectors:
    """A direction for each value: its description with and without its name, or its name and the field's."""
    plain = [description or f"{wanted.title} {name}" for name, description in wanted.values.items()]
    named = [f"{name}: {description}" if description else name for name, description in wanted.values.items()]
    rows = encoder.encode([*plain, *named])
    return np.asarray((rows[: len(plain)] + rows[len(plain) :]) / 2, np.float32)


def _with_question(document: Document, about: Relevance, number: int) -> float:
    """A sentence's relevance, or most of that of a question right before it."""
    own = float(about.sentences[number])
    if number and document.sentences[number - 1].text.endswith(("?", "？")):
        return max(own, _AFTER_QUESTION * float(about.sentences[number - 1]))
    return max(own, 0.0)
