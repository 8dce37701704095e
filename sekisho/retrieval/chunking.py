"""Cutting texts into pieces that an embedding model can hold whole, with offsets into the original."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

TokenSpan = tuple[int, int]

_BREAKS = (re.compile(r"\n\s*\n"), re.compile(r"[.!?]\s|[。！？…]|\n"), re.compile(r"\s"))


def chunk_spans(text: str, token_spans: Callable[[str], Sequence[TokenSpan]], max_tokens: int) -> list[TokenSpan]:
    """Start and end offsets of consecutive pieces of at most `max_tokens` tokens; no token is left out.

    A piece ends at a paragraph, else a sentence, else a space, where one stands in its second half.
    """
    if max_tokens < 1:
        raise ValueError("a chunk holds at least one token")
    spans = list(token_spans(text))
    chunks: list[TokenSpan] = []
    at = 0
    while at < len(spans):
        end = min(at + max_tokens, len(spans))
        if end < len(spans):
            end = _break(text, spans, at, end)
        # A piece may come to more tokens alone than it did inside the text: make it shorter until it fits.
        while end > at + 1 and len(token_spans(text[spans[at][0] : spans[end - 1][1]])) > max_tokens:
            end -= 1
        chunks.append((spans[at][0], spans[end - 1][1]))
        at = end
    return chunks


def _break(text: str, spans: Sequence[TokenSpan], at: int, end: int) -> int:
    """The token after which to cut, in the second half of what fits."""
    middle = at + (end - at) // 2
    for pattern in _BREAKS:
        for token in range(end, middle, -1):
            between = text[spans[token - 1][0] : spans[token][0]] if token < len(spans) else ""
            if pattern.search(between):
                return token
    return end
