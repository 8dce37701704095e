"""What is published against the sealed lists of what was: no row goes missing and none comes in unseen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from sekisho.records import Answer, Fact, Manifest, SourceText
from sekisho.seals import digest_of, seal_of
from sekisho.text import shortened
from sekisho.warehouse import Published

Kind = Literal["fact", "answer"]
_TABLES: dict[str, str] = {"facts": "knowledge_facts", "sources": "knowledge_sources", "answers": "answers"}
_KINDS: dict[str, Kind] = {"facts": "fact", "answers": "answer"}


class Listed:
    """The lists of the published facts, sources and answers, and what of the rows is not as they say."""

    def __init__(self, published: Published) -> None:
        self._lists: dict[str, Manifest] = {one.part: one for one in published.manifests}
        self._sources = {source.source: source for source in published.base.sources}
        self._unreadable = {(row.table, row.id): row.reason for row in published.unreadable}
        self._there = {
            "facts": {fact.source for fact in published.base.facts},
            "sources": set(self._sources),
            "answers": {answer.id for answer in published.answers},
        }

    def broken(self) -> list[str]:
        """What is wrong with the lists themselves, and with the texts on record."""
        found = []
        for part in _TABLES:
            one = self._lists.get(part)
            if one is None:
                found.append(f"no list of the published {part} is on record: run again")
            elif seal_of(one) != one.receipt:
                found.append(f"the list of the published {part} was changed")
        found += [f"the source {shortened(id)} {reason}" for id, reason in self._gaps("sources")]
        found += [
            f"the source {shortened(name)} {reason}"
            for name, source in self._sources.items()
            for reason in self._unlike("sources", name, source)
        ]
        return found

    def against(self, item: Fact | Answer) -> list[str]:
        """What of an item, or of the source that a fact was read from, is not what was listed."""
        if isinstance(item, Answer):
            return [f"it {reason}" for reason in self._unlike("answers", item.id, item)]
        found = [f"it {reason}" for reason in self._unlike("facts", item.source, item)]
        source = self._sources.get(item.source)
        if source is not None:
            found += [f"its source {reason}" for reason in self._unlike("sources", item.source, source)]
        return found

    def not_there(self) -> Iterator[tuple[Kind, str, str]]:
        """The kind, the id and what is wrong of each fact and answer that is missing or cannot be read."""
        for part, kind in _KINDS.items():
            for id, reason in self._gaps(part):
                yield kind, id, f"it {reason}"

    def _unlike(self, part: str, id: str, item: Fact | Answer | SourceText) -> list[str]:
        one = self._lists.get(part)
        if one is None or one.items.get(id) == digest_of(item):
            return []
        return ["is not what was published" if id in one.items else "was not published"]

    def _gaps(self, part: str) -> list[tuple[str, str]]:
        """What is listed and not there, and what is there and cannot be read."""
        one = self._lists.get(part)
        bad = {
            id: f"cannot be read: {reason}"
            for (table, id), reason in self._unreadable.items()
            if table == _TABLES[part]
        }
        missing = (one.items.keys() if one else set()) - self._there[part] - bad.keys()
        return sorted((bad | dict.fromkeys(missing, "was published and is no longer on record")).items())
