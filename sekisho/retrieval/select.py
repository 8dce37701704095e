"""What one prompt shows of a knowledge base: all of it where it fits, else the most relevant sources."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from sekisho.records import KnowledgeBase
from sekisho.retrieval.lexical import rank

Ranker = Callable[[str], Sequence[str]]
"""Sources in the order of their relevance to a question."""


def select_sources(
    question: str, base: KnowledgeBase, budget: int, ranker: Ranker | None = None
) -> list[dict[str, Any]]:
    """The facts and passages that one prompt shows, in source order, within `budget` characters.

    When not everything fits, sources come in by relevance; one whose text is too long comes with its evidence alone.
    """
    texts = {source.source: source.text for source in base.sources}
    blocks = [{"source": fact.source, "fields": fact.fields, "passages": [texts[fact.source]]} for fact in base.facts]
    if sum(map(_size, blocks)) <= budget:
        return blocks
    taken: set[int] = set()
    left = budget
    for index in _order(question, blocks, ranker):
        if _size(blocks[index]) > max(left, 0) or _size(blocks[index]) > budget // 4:
            blocks[index]["passages"] = list(dict.fromkeys(base.facts[index].evidence.values()))
        if _size(blocks[index]) <= left:
            taken.add(index)
            left -= _size(blocks[index])
    return [blocks[index] for index in sorted(taken)]


def _order(question: str, blocks: Sequence[dict[str, Any]], ranker: Ranker | None) -> list[int]:
    by_words = rank(question, [_as_text(block) for block in blocks])
    if ranker is None:
        return by_words
    row = {block["source"]: index for index, block in enumerate(blocks)}
    ranked = [row[source] for source in ranker(question) if source in row]
    return list(dict.fromkeys([*ranked, *by_words]))


def _as_text(block: dict[str, Any]) -> str:
    return json.dumps(block["fields"], ensure_ascii=False) + "\n" + "\n".join(block["passages"])


def _size(block: dict[str, Any]) -> int:
    return len(block["source"]) + len(_as_text(block))
