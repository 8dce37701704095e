"""Answers to questions: the sentences of one source that come nearest to the question, word for word."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sekisho.agents.local.document import Document
from sekisho.agents.local.polarity import polarity
from sekisho.agents.local.words import folded, stems
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


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a source with its place in reading order."""

    source: str
    text: str
    stems: frozenset[str]


def answer_question(
    question: str, documents: Mapping[str, Sequence[Document]], encoder: Encoder, threshold: float
) -> dict[str, Any]:
    """A reply in the shape of `AnswerReply`; unanswerable where no source has a sentence for each part of the question.

    `documents` holds the passages of each source. Ties go to the source id, then to the place in the text.
    """
    passages, vectors = _passages(documents)
    parts = _parts(question)
    scores = [_scores(part, passages, vectors, encoder) for part in parts] if passages else []
    chosen: list[int] = []
    surest = threshold
    for source in sorted(documents):
        own = [number for number, passage in enumerate(passages) if passage.source == source]
        bests = [max(own, key=lambda number: (round(float(row[number]), 4), -number)) for row in scores if own]
        score = float(np.mean([row[number] for row, number in zip(scores, bests, strict=False)])) if bests else 0.0
        if round(score, 4) > round(surest, 4) or (not chosen and score >= threshold):
            surest, chosen = score, list(dict.fromkeys(bests))
    if not chosen:
        return {"status": "unanswerable", "answer": None, "citations": [], "quotes": []}
    quotes = [{"source": passages[number].source, "text": passages[number].text} for number in chosen]
    return {
        "status": "answered",
        "answer": " ".join(quote["text"] for quote in quotes),
        "citations": [quotes[0]["source"]],
        "quotes": quotes,
    }


def _passages(documents: Mapping[str, Sequence[Document]]) -> tuple[list[Passage], Vectors]:
    passages: list[Passage] = []
    rows: list[Vectors] = []
    for source in sorted(documents):
        for document in documents[source]:
            passages += [
                Passage(source, sentence.original.of(document.original), sentence.stems)
                for sentence in document.sentences
            ]
            rows.append(document.vectors)
    return passages, np.vstack(rows) if rows else np.empty((0, 0), np.float32)


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
    side = polarity(part)
    # What asks, or says that something is false or to be ignored, says nothing of its own.
    contrary = [side * polarity(one.text) < 0 or _DENIES.search(one.text) is not None for one in passages]
    superlatives = set(_SUPERLATIVE.findall(folded(part)))
    uncompared = [bool(superlatives) and not any(word in folded(one.text) for word in superlatives) for one in passages]
    scores = vectors @ encoder.encode([part])[0] + _LEXICAL * np.array(shared)
    return np.asarray(scores - _CONTRARY * np.array(contrary) - _UNCOMPARED * np.array(uncompared), np.float32)
