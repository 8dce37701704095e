"""A document as the local agent reads it: units of meaning with their places, words and vectors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from sekisho.agents.local.events import is_planned
from sekisho.agents.local.lines import cut_lines
from sekisho.agents.local.visible import visible
from sekisho.agents.local.words import ELSEWHERE, FORMER, NEIGHBOUR, NOW, stems
from sekisho.retrieval.encoder import Encoder, Vectors
from sekisho.sentences import Kind, Span, kinded_sentences

# Where a clause ends within a sentence: what is said before says nothing certain about what is said after.
_CUT = re.compile(
    r"[;()（）—]|:(?!\s*(?:yes|no|true|false)\W*$)|\s(?:[-–]|--)\s|,\s+(?="
    r"(?:and|but|while|whereas|although|though|unlike|against|so|because|instead|rather|yet|"
    r"however|of which|when|where|since|if|until|now|nowadays|today|these days)\b)|"
    r"\s(?=(?:whereas|unlike|although|because|(?<!anything )(?<!all )but|and (?:now|today|these days)|"
    r"and (?:it |they )?(?:will|(?:is|are) (?:due|to|planned|scheduled)))\s)|"
    r"(?<=[ばがてで])、|、(?=一方|ただし|今は|今では|現在)"
)
# Between two numbers of one sentence `and` begins a new statement: `for 3 days and weighs 2 kg`.
_NUMBERS_CUT = re.compile(r"\s(?=and\s+(?:[^\W\d]+\s+){1,3}\d)")
_DIGIT = re.compile(r"\d")
_RELATIVE = re.compile(r"(?:where|which|whose|who|that|whom)\b", re.IGNORECASE)
_SHORT_ANSWER = 8
# Where a clause has named its subject; in Japanese by は or が.
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|did|can|may|must|shall|should|will|would|stands?|measures?|\w{2,}ed)\b|"
    r"(?<=[^\u3041-\u309f])[はが]",
    re.IGNORECASE,
)
# A neighbour who reports, and a place that only opens the clause, are not what is spoken of.
_REPORTS = re.compile(
    r"\b(?:says|said|tells|told|reports|reported|writes|wrote|knows|knew|showed|remembers)\b", re.IGNORECASE
)
_PLACE = re.compile(r"\W*(?:and|but)?\s*(?:in|on|at|by|from|near|to|along|past|over|behind|for|after)\b", re.IGNORECASE)
_TAKEN_UP = re.compile(r",\s+(?:it|they|this|these|we|the)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence; from the place `elsewhere` on it speaks of another thing or time than the subject today."""

    span: Span
    text: str
    stems: frozenset[str]
    elsewhere: int

    def is_elsewhere(self, at: int | None = None) -> bool:
        """Whether the clause, or this place of the text, is about something else."""
        return self.elsewhere <= (self.span.start if at is None else at)

    def is_former(self, at: int | None = None) -> bool:
        """Whether the clause, or this place of the text, is about what is no longer so."""
        cue = FORMER.search(self.text)
        now = NOW.search(self.text, cue.end()) if cue else None
        return cue is not None and (now is None or (at is not None and at < self.span.start + now.start()))

    def is_planned(self, at: int | None = None) -> bool:
        """Whether the clause, or this place of the text, is about what is only planned."""
        return is_planned(self.text, None if at is None else at - self.span.start)

    def is_of_a_neighbour(self, *, at_place: bool = True) -> bool:
        """Whether the subject of the clause is another thing near by: a cue stands before the predicate.

        `at_place`: it may also be the place that opens the clause.
        """
        predicate = _PREDICATE.search(self.text)
        if _REPORTS.search(self.text) or (not at_place and _PLACE.match(self.text)):
            return False
        cue = NEIGHBOUR.search(self.text, 0, predicate.start() if predicate else len(self.text))
        return predicate is not None and cue is not None and not _TAKEN_UP.search(self.text, 0, predicate.start())


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or a question with its short answer, and its clauses.

    `span` is its place in the visible text, `original` in the text as given: that is what is quoted.
    """

    span: Span
    original: Span
    kind: Kind
    text: str
    stems: frozenset[str]
    clauses: tuple[Clause, ...]
    first_clause: int


@dataclass(frozen=True, slots=True)
class Document:
    """A text cut into sentences; row i of `vectors` is sentence i, of `clause_vectors` clause i of the whole text.

    `original` is the text as given, `text` what a reader sees of it.
    """

    source: str
    original: str
    text: str
    sentences: tuple[Sentence, ...]
    vectors: Vectors = field(repr=False)
    clause_vectors: Vectors = field(repr=False)

    def sentence_at(self, at: int) -> int | None:
        """The number of the sentence that holds this place of the text."""
        for number, sentence in enumerate(self.sentences):
            if sentence.span.start <= at < sentence.span.end:
                return number
        return None


def read_document(source: str, text: str, encoder: Encoder) -> Document:
    """Cut the text and encode every sentence and clause of it, in one batch."""
    found: list[Sentence] = []
    clauses = 0
    seen = visible(text)
    for original, kind in _answered(text, list(cut_lines(text, kinded_sentences(text)))):
        span = seen.place(original)
        if any(char.isalnum() for char in span.of(seen.text)):  # no comment or mere target of a link
            found.append(_sentence(seen.text, span, original, kind, clauses))
            clauses += len(found[-1].clauses)
    wholes = [flat(sentence.text) for sentence in found]
    parts = [flat(clause.text) for sentence in found for clause in sentence.clauses]
    row = {words: number for number, words in enumerate(dict.fromkeys([*wholes, *parts]))}
    vectors = encoder.encode(list(row))
    rows = [np.array([row[words] for words in group], np.intp) for group in (wholes, parts)]
    return Document(source, text, seen.text, tuple(found), vectors[rows[0]], vectors[rows[1]])


def flat(text: str) -> str:
    """The text on one line without marks of emphasis and quotation, as it is encoded."""
    return " ".join(re.sub(r"[*_`]|^\s*>", "", text, flags=re.MULTILINE).split())


def _sentence(text: str, span: Span, original: Span, kind: Kind, first: int) -> Sentence:
    words = span.of(text)
    parts: list[Clause] = []
    for part in _clauses(text, span):
        cue = ELSEWHERE.search(text, part.start, part.end)
        hangs_on = text[part.start - 1] in "(（" or _RELATIVE.match(text, part.start)
        inherits = parts and parts[-1].elsewhere < parts[-1].span.end and hangs_on
        elsewhere = part.start if inherits else cue.start() if cue else part.end
        parts.append(Clause(part, part.of(text), frozenset(stems(part.of(text))), elsewhere))
    return Sentence(span, original, kind, words, frozenset(stems(words)), tuple(parts), first)


def _clauses(text: str, span: Span) -> Iterator[Span]:
    at = span.start
    cuts = [(m.start(), m.end()) for m in _CUT.finditer(text, span.start, span.end)]
    number = _DIGIT.search(text, span.start, span.end)
    if number:
        cuts += [(m.start(), m.end()) for m in _NUMBERS_CUT.finditer(text, number.end(), span.end)]
    for end, after in [*sorted(cuts), (span.end, span.end)]:
        words = text[at:end]
        if any(char.isalnum() for char in words):
            left = at + len(words) - len(words.lstrip())
            yield Span(left, left + len(words.strip()))
        at = after


def _answered(text: str, spans: Sequence[tuple[Span, Kind]]) -> list[tuple[Span, Kind]]:
    """A question is read together with a short answer after it: `Dogs? Sure.`"""
    joined: list[tuple[Span, Kind]] = []
    for span, kind in spans:
        before = joined[-1][0] if joined else None
        if before and before.of(text).endswith(("?", "？")) and _answers(text[before.end : span.end]):
            joined[-1] = Span(before.start, span.end), kind
        else:
            joined.append((span, kind))
    return joined


def _answers(rest: str) -> bool:
    return "\n\n" not in rest and len(rest.split()) <= _SHORT_ANSWER
