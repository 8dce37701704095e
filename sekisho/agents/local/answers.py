"""Answers to questions: the sentences of one source that come nearest to the question, word for word."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sekisho.agents.local.asked import fits, tells_event
from sekisho.agents.local.document import Document
from sekisho.agents.local.named import Name, named
from sekisho.agents.local.narrowed import keeps_to
from sekisho.agents.local.polarity import polarity
from sekisho.agents.local.proof import stands
from sekisho.agents.local.stated import contradicts, field_asked, stated
from sekisho.agents.local.statements import is_order, is_statement
from sekisho.agents.local.words import folded, is_japanese, stems
from sekisho.retrieval.encoder import Encoder, Vectors

_LEXICAL = 0.5
_CONTRARY = 0.5
_UNCOMPARED = 0.5
# To rank the sources is to compare them, which a sentence does only where it uses the word itself.
_SUPERLATIVE = re.compile(
    r"\b(?:most|least|best|worst|(?!forest|harvest|interest|request|honest|modest|protest|suggest|arrest|invest|digest)"
    r"[a-z]{3,}est)\b|最も|一番"
)
_PART = re.compile(r"\s+(?:and|but)\s+|、(?=かつ|しかも)")
# What only asks: it says nothing about the part of the question it opens.
_ASKING = re.compile(r"^(?:which|what|who|where|when|how)\b(?:\s+of\s+these)?(?:\s+\w+)?\s+(?=\w+\s)", re.IGNORECASE)


# A question about the past, which what is no longer so may answer.
_PAST = re.compile(
    r"\b(?:was|were|did|had|used to|before|formerly|previously)\b|以前|かつて|昔|去年|昨年", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a source that says something: as it is quoted, and as it is read."""

    source: str
    quote: str
    text: str
    stems: frozenset[str]
    is_former: bool


def answer_question(
    question: str,
    documents: Mapping[str, Sequence[Document]],
    facts: Mapping[str, Mapping[str, Any]],
    encoder: Encoder,
    threshold: float,
) -> dict[str, Any]:
    """A reply in the shape of `AnswerReply`; unanswerable where no source has a sentence for each part of the question.

    `documents` holds the passages of each source, `facts` the fields of its fact. A question that names one source and
    one field is answered by the sentence that shows its value. One that names sources is answered from them, or from
    sentences that name them too. Ties go to the source id, then to the place in the text.
    """
    called = named(question, documents, facts)
    source, name = next(iter(called.items())) if len(called) == 1 else ("", Name(""))
    wanted = field_asked(question, name, facts.get(source, {}))
    quotes: list[dict[str, str]] = []
    if wanted is not None:
        found = stated(question, name, wanted, facts[source][wanted.name], documents[source], encoder)
        quotes = [{"source": source, "text": found}] if found else []
    if not quotes and (wanted is None or wanted.type == "bool"):
        quotes = _nearest(question, documents, called, encoder, threshold)
        if wanted and any(contradicts(wanted, facts[source][wanted.name], quote["text"]) for quote in quotes):
            quotes = []
    if not quotes or not all(_stands(quote["text"], documents[quote["source"]]) for quote in quotes):
        return {"status": "unanswerable", "answer": None, "citations": [], "quotes": []}
    return {
        "status": "answered",
        "answer": " ".join(quote["text"] for quote in quotes),
        "citations": [quotes[0]["source"]],
        "quotes": quotes,
    }


def _nearest(
    question: str,
    documents: Mapping[str, Sequence[Document]],
    called: Mapping[str, Name],
    encoder: Encoder,
    threshold: float,
) -> list[dict[str, str]]:
    """The sentences of one source that come nearest to the parts of the question; none below the threshold."""
    passages, vectors = _passages(documents)
    scores = [_scored(part, passages, vectors, encoder, called) for part in _parts(question)] if passages else []
    chosen: list[int] = []
    surest = threshold
    for source in sorted(documents):
        own = [number for number, passage in enumerate(passages) if passage.source == source]
        bests = [max(own, key=lambda number: (round(float(row[number]), 4), -number)) for row in scores if own]
        score = float(np.mean([row[number] for row, number in zip(scores, bests, strict=False)])) if bests else 0.0
        if round(score, 4) > round(surest, 4) or (not chosen and score >= threshold):
            surest, chosen = score, list(dict.fromkeys(bests))
    return [{"source": passages[number].source, "text": passages[number].quote} for number in chosen]


def _stands(quote: str, passages: Sequence[Document]) -> bool:
    """Whether the quote gate would take it: each passage is a text of its own here."""
    return any(stands(quote, one.original) for one in passages)


def _passages(documents: Mapping[str, Sequence[Document]]) -> tuple[list[Passage], Vectors]:
    passages: list[Passage] = []
    rows: list[Vectors] = []
    for source in sorted(documents):
        for document in documents[source]:
            for number, one in enumerate(document.sentences):
                if is_statement(one) and not is_order(one):
                    former = all(clause.is_former() for clause in one.clauses)
                    passages.append(Passage(source, one.original.of(document.original), one.text, one.stems, former))
                    rows.append(document.vectors[number])
    return passages, np.vstack(rows) if rows else np.empty((0, 0), np.float32)


def _scored(
    part: str, passages: Sequence[Passage], vectors: Vectors, encoder: Encoder, called: Mapping[str, Name]
) -> Vectors:
    """How well each passage answers the part; a source that is named is asked for the rest of it."""
    scores = _scores(part, passages, vectors, encoder)
    bare = part
    for source, name in called.items():
        bare = name.cut_from(bare)
        own = np.array([one.source == source for one in passages], np.bool_)
        rest = name.out_of(part)
        if rest != part and own.any():
            scores = np.where(own, _scores(rest, passages, vectors, encoder), scores)
    # Where two things are named, a sentence about one of them is an answer only if it names the other too.
    others = [any(not _is_about(one, source, called) for source in called) for one in passages]
    unfit = [
        other
        or not (fits(part, one.text) and tells_event(part, one.text))
        or not keeps_to(bare, one.text, is_named=bool(called))
        for other, one in zip(others, passages, strict=True)
    ]
    return np.where(np.array(unfit, np.bool_), -1.0, scores).astype(np.float32)


def _is_about(passage: Passage, source: str, called: Mapping[str, Name]) -> bool:
    """Whether a sentence is the source's own, or names it: two sources may have one name."""
    own = called.get(passage.source)
    same = own is not None and own.plain == called[source].plain
    return passage.source == source or same or called[source].is_in(passage.text)


def _parts(question: str) -> list[str]:
    """The question, or its halves where each says something of its own: `safe for pets | tolerates low light`."""
    bare = _ASKING.sub("", question).rstrip("?？ ")
    parts = [part for part in _PART.split(bare) if part]
    return parts if len(parts) > 1 and all(len(set(stems(part))) > 1 for part in parts) else [question]


_DENIES = re.compile(r"[?？]\s*\Z|\b(?:false|untrue|myth|ignore|disregard)\b|嘘|誤り|無視", re.IGNORECASE)


def _scores(part: str, passages: Sequence[Passage], vectors: Vectors, encoder: Encoder) -> Vectors:
    """Cosine, plus the share of the part's words by rarity, less something where a passage says the contrary."""
    words = frozenset(stems(part))
    rarity = {
        word: math.log(1 + len(passages) / (1 + sum(word in passage.stems for passage in passages)))
        for word in sorted(words)
    }
    whole = sum(rarity.values()) or 1.0
    shared = [sum(rarity[word] for word in sorted(words & passage.stems)) / whole for passage in passages]
    # The model hardly knows Japanese: without a word of the question its nearness means nothing.
    foreign = [is_japanese(part) and not words & passage.stems for passage in passages]
    side = polarity(part)
    # What asks, or says that something is false or to be ignored, says nothing of its own.
    contrary = [
        side * polarity(one.text) < 0
        or _DENIES.search(one.text) is not None
        or (one.is_former and not _PAST.search(part))
        for one in passages
    ]
    superlatives = set(_SUPERLATIVE.findall(folded(part)))
    uncompared = [bool(superlatives) and not any(word in folded(one.text) for word in superlatives) for one in passages]
    scores = vectors @ encoder.encode([part])[0] + _LEXICAL * np.array(shared)
    scores = scores - _CONTRARY * np.array(contrary) - _UNCOMPARED * np.array(uncompared)
    return np.where(np.array(foreign, np.bool_), -1.0, scores).astype(np.float32)
