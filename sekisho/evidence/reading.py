"""A page of the evidence report read back, as a browser would read it: its answers, facts, quotes and marks."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from html.parser import HTMLParser

from sekisho.evidence.shown import LONGEST_ROW

_VOID = frozenset({"meta", "link", "img", "br", "hr"})
_FIGURES = frozenset("0123456789")


@dataclass(slots=True)
class ItemRead:
    """An answer or a fact as a page shows it: its `parts` by their names, its quotes each with what it opens."""

    parts: dict[str, str] = field(default_factory=dict)
    quotes: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class PlaceRead:
    """What a page shows of a source: the `text`, and the offset of its first character in the source.

    `start` and `end` are the offsets in the source of what is marked; -1 where nothing is.
    """

    source: str = ""
    text: str = ""
    first: int = 0
    start: int = -1
    end: int = -1


@dataclass(slots=True)
class PageRead:
    """The answers and facts of a page by their numbers, from 1, and the places of quotes by their ids."""

    answers: defaultdict[int, ItemRead] = field(default_factory=lambda: defaultdict(ItemRead))
    facts: defaultdict[int, ItemRead] = field(default_factory=lambda: defaultdict(ItemRead))
    places: dict[str, PlaceRead] = field(default_factory=dict)


def read_page(page: str) -> PageRead:
    """What a page shows; what is no such page shows nothing."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.read


@dataclass(slots=True)
class _Open:
    """An element that is not closed yet, what it is, and the text in it that is gathered, if it is."""

    tag: str
    role: str = ""
    name: str = ""
    text: list[str] | None = None
    item: ItemRead | None = None
    place: PlaceRead | None = None


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.read = PageRead()
        self._open: list[_Open] = [_Open("")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            return
        given = {name: value or "" for name, value in attrs}
        around = self._open[-1]
        one = _Open(tag, text=around.text, item=around.item, place=around.place)
        self._open.append(one)
        if "data-u" in given:  # the character itself, not the mark that stands for it
            if one.text is not None:
                count = min(_number(given.get("data-n", "1")), LONGEST_ROW)
                one.text.append(chr(int(given["data-u"], 16)) * count)
            one.text = None
        elif "data-answer" in given:
            one.item = self.read.answers[_number(given["data-answer"])]
        elif "data-fact" in given:
            one.item = self.read.facts[_number(given["data-fact"])]
        elif "popover" in given:
            one.place = self.read.places.setdefault(given.get("id", ""), PlaceRead())
        elif "data-quote" in given:
            one.role, one.name, one.text = "quote", given.get("popovertarget", ""), []
        elif "data-part" in given:
            one.role, one.name, one.text = "part", given["data-part"], []
        elif "data-first" in given and one.place is not None:
            one.role, one.text, one.place.first = "source", [], _number(given["data-first"])
        elif tag == "mark" and one.place is not None and one.text is not None:
            one.role, one.place.start = "mark", one.place.first + sum(map(len, one.text))

    def handle_data(self, data: str) -> None:
        text = self._open[-1].text
        if text is not None:
            text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if len(self._open) == 1 or self._open[-1].tag != tag:
            return
        one = self._open.pop()
        text = "".join(one.text or ())
        if one.role == "quote" and one.item is not None:
            one.item.quotes.append((text, one.name))
        elif one.role == "part" and one.item is not None:
            one.item.parts[one.name] = text
        elif one.role == "part" and one.place is not None:
            one.place.source = text
        elif one.role == "source" and one.place is not None:
            one.place.text = text
        elif one.role == "mark" and one.place is not None:
            one.place.end = one.place.first + len(text)


def _number(text: str) -> int:
    return int(text) if text and set(text) <= _FIGURES else 0
