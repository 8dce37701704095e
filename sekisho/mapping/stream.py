"""Mapping a stream of queries: candidates for each and, where a model is to choose, the choices; in input order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from sekisho.catalogue import MapQuery
from sekisho.mapping.choice import BATCH, MOST_CANDIDATES, Asked, Chooser, as_mapped
from sekisho.mapping.mapped import Mapped
from sekisho.mapping.match import Matcher
from sekisho.mapping.rows import BadRow

Item = MapQuery | BadRow


def map_queries(
    items: Iterable[Item],
    matcher: Matcher,
    chooser: Chooser | None = None,
    *,
    top_k: int = MOST_CANDIDATES,
    at_once: int = 64,
) -> Iterator[Mapped | BadRow]:
    """Each item mapped, in order and as soon as it can be; a bad row is handed on as it is.

    Without a model `at_once` items are matched together; with one, as many as fill a call for each of its workers.
    """
    matched = _matched(iter(items), matcher, top_k, at_once)
    if chooser is None:
        for item in matched:
            yield item if isinstance(item, BadRow) else as_mapped(*item, top_k)
        return
    for window in _windows(matched, BATCH * chooser.workers):
        chosen = iter(chooser.choose([item for item in window if not isinstance(item, BadRow)], top_k=top_k))
        for item in window:
            yield item if isinstance(item, BadRow) else next(chosen)


def _matched(items: Iterator[Item], matcher: Matcher, top_k: int, at_once: int) -> Iterator[Asked | BadRow]:
    while block := list(islice(items, at_once)):
        queries = [item.query for item in block if isinstance(item, MapQuery)]
        # How many are shown changes neither what a model chooses from nor the order.
        matches = iter(matcher.match_all(queries, top_k=max(top_k, MOST_CANDIDATES)))
        for item in block:
            yield item if isinstance(item, BadRow) else (item, next(matches))


def _windows(matched: Iterable[Asked | BadRow], size: int) -> Iterator[list[Asked | BadRow]]:
    """Cut where so many have been seen that a model can be asked about: then only the last batch of all is not full."""
    window: list[Asked | BadRow] = []
    askable = 0
    for item in matched:
        window.append(item)
        askable += not isinstance(item, BadRow) and bool(item[1].candidates)
        if askable == size:
            yield window
            window, askable = [], 0
    if window:
        yield window
