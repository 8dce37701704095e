"""How much each part of a document is about a field."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sekisho.agents.local.document import Clause, Document, Sentence
from sekisho.agents.local.events import asks_of_plans
from sekisho.agents.local.fields import Wanted
from sekisho.agents.local.statements import is_order, is_statement
from sekisho.agents.local.words import NEIGHBOUR
from sekisho.retrieval.encoder import Vectors

_BARRED = -2.0


@dataclass(frozen=True, slots=True)
class Relevance:
    """How much each sentence and clause of a document is about a field, 0 to about 1.5; far below where it is barred.

    Barred is what says nothing of the field, whatever words it uses.
    """

    sentences: NDArray[np.float32]
    clauses: NDArray[np.float32]
    barred: NDArray[np.bool_]
    barred_clauses: NDArray[np.bool_]


def relevance(document: Document, wanted: Wanted, vector: Vectors) -> Relevance:
    """Cosine with the field's query, plus the share of the field's words that the text has, less excluded words.

    Barred are orders to whoever reads the text, what is no longer so or only planned, what a neighbour is, and what is
    no statement; a heading may still hold a number.
    """
    sentences = document.vectors @ vector
    clauses = document.clause_vectors @ vector
    lexical = np.array([overlap(s.stems, wanted) for s in document.sentences], np.float32)
    parts = np.array([overlap(c.stems, wanted) for s in document.sentences for c in s.clauses], np.float32)
    barred, silent = _barred(document, wanted)
    return Relevance(
        np.where(barred, _BARRED, sentences + lexical),
        np.where(silent, _BARRED, clauses + parts),
        barred,
        silent,
    )


def _barred(document: Document, wanted: Wanted) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    sentences, clauses = [], []
    for sentence in document.sentences:
        silent = is_order(sentence, wanted) or not _may_say(sentence, wanted)
        own = [silent or _is_not_so(clause, wanted) for clause in sentence.clauses]
        clauses += own
        sentences.append(all(own))
    return np.array(sentences, np.bool_), np.array(clauses, np.bool_)


def _is_not_so(clause: Clause, wanted: Wanted) -> bool:
    """Whether a clause tells of another time than the field's, or of a neighbour that the field does not name."""
    if clause.is_former() or (clause.is_planned() and not asks_of_plans(wanted.query) and not _is_placed(wanted)):
        return True
    return (
        wanted.type != "str"
        and clause.is_of_a_neighbour(at_place=not _is_placed(wanted))
        and not NEIGHBOUR.search(wanted.query)
    )


def _is_placed(wanted: Wanted) -> bool:
    """Whether the field's values stand at one place of a clause, which may be planned in part only."""
    return wanted.type in ("int", "float", "date")


def _may_say(sentence: Sentence, wanted: Wanted) -> bool:
    if wanted.type == "str" or (wanted.type == "bool" and not sentence.text.endswith(("?", "？"))):
        return is_statement(sentence)  # a question says what a bare answer after it is about
    return wanted.type not in ("enum", "list") or sentence.kind not in ("heading", "head", "links")


def overlap(words: frozenset[str], wanted: Wanted) -> float:
    """0 to 0.5 for shared words, of which the name's count most; below 0 where excluded words prevail."""
    shared = len(words & wanted.stems) / max(4, len(wanted.stems))
    named = len(words & wanted.title_stems) / max(1, len(wanted.title_stems))
    excluded = 0.1 * len(words & wanted.excluded)
    return 0.25 * min(1.0, 2 * shared) + 0.25 * named - excluded
