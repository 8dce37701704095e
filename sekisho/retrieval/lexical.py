"""Ranking texts by their words: BM25, with a tokeniser that never turns a non-empty query into nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sekisho.text import fold_needle
from sekisho.text.scripts import CJK

# A run is cut into its characters and pairs of them.
_CJK = re.compile(f"[{CJK}]+")
_WORD = re.compile(r"\w+(?:[-']\w+)*")


def tokens(text: str) -> list[str]:
    """The words of a text, folded and lower case; a text of symbols alone gives the symbols."""
    folded = fold_needle(text).casefold()
    found: list[str] = []
    for match in _WORD.finditer(folded):
        found.extend(_split(match[0]))
    return found or [char for char in folded if not char.isspace()]


def rank(query: str, texts: Sequence[str]) -> list[int]:
    """Indices of all texts, most relevant first by BM25, ties in the given order."""
    import bm25s  # late: it is needed only when the texts do not all fit

    words = tokens(query)
    if not texts or not words:
        return list(range(len(texts)))
    index = bm25s.BM25()
    index.index([tokens(text) for text in texts], show_progress=False)
    scores = index.get_scores(words)
    return sorted(range(len(texts)), key=lambda i: (-float(scores[i]), i))


def _split(word: str) -> list[str]:
    pieces: list[str] = []
    at = 0
    for run in _CJK.finditer(word):
        pieces += [word[at : run.start()]] if run.start() > at else []
        pieces += [*run[0], *(run[0][i : i + 2] for i in range(len(run[0]) - 1))]
        at = run.end()
    return [*pieces, word[at:]] if at < len(word) else pieces
