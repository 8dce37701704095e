"""The gate of the report: whether a page shows what is published, each quote marked where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sekisho.evidence.digest import has_its_digest
from sekisho.evidence.reading import ItemRead, PlaceRead, read_page
from sekisho.gates.finding import Finding
from sekisho.records import Answer, Fact
from sekisho.text import shortened
from sekisho.warehouse import Published

GATE = "report_shows_every_quote"
MOST = 2_000  # answers, facts, drafts and queries that a page shows, each


def report_shows_every_quote(page: str, published: Published) -> list[Finding]:
    """Findings for what is published and stands otherwise on a page: an answer, or a quote in the text of its source.

    The page is read back, not trusted: what is marked has to be the quote, at its offset in the source on record. All
    else on it is held by the digest that it was given when it was made.
    """
    read = read_page(page)
    gate = _Quotes({source.source: source.text for source in published.base.sources}, read.places)
    found: list[Finding] = []
    for number, answer in enumerate(published.answers[:MOST], start=1):
        found += [Finding(GATE, answer.id, why) for why in gate.against_answer(answer, read.answers[number])]
    for number, fact in enumerate(published.base.facts[:MOST], start=1):
        found += [Finding(GATE, fact.source, why) for why in gate.against_fact(fact, read.facts[number])]
    if not has_its_digest(page):
        found.append(
            Finding(GATE, "report.html", "it is not as it was written: changed, cut, or of an earlier version")
        )
    return found


class _Quotes:
    """The texts on record, and what a page shows of them."""

    def __init__(self, texts: Mapping[str, str], places: Mapping[str, PlaceRead]) -> None:
        self._texts = texts
        self._places = places

    def against_answer(self, answer: Answer, item: ItemRead) -> Iterator[str]:
        """Why an item of the page is not this answer."""
        if not item.parts:
            yield "the page does not show it"
            return
        if (item.parts.get("question"), item.parts.get("answer", "")) != (answer.question, answer.answer):
            yield "the page has another question or answer"
        names = dict.fromkeys([*answer.citations, *(quote.source for quote in answer.quotes)])  # they stand under these
        quotes = [quote for name in names for quote in answer.quotes if quote.source == name]
        yield from self._against([(quote.source, quote.start, quote.end, quote.text) for quote in quotes], item.quotes)

    def against_fact(self, fact: Fact, item: ItemRead) -> Iterator[str]:
        """Why an item of the page is not this fact."""
        if item.parts.get("source") != fact.source:
            yield "the page does not show it"
            return
        wanted = []
        for name in dict.fromkeys([*fact.fields, *fact.evidence]):
            if (text := fact.evidence.get(name)) is not None:
                place = fact.places.get(name)
                wanted.append((fact.source, place.start, place.end, text) if place else (fact.source, 0, 0, text))
        yield from self._against(wanted, item.quotes)

    def _against(self, wanted: Sequence[tuple[str, int, int, str]], shown: Sequence[tuple[str, str]]) -> Iterator[str]:
        if [text for _, _, _, text in wanted] != [text for text, _ in shown]:
            yield "the page has other quotes"
            return
        for (source, start, end, text), (_, opens) in zip(wanted, shown, strict=True):
            if end and not self._stands(source, start, end, text, self._places.get(opens)):
                yield f"the page does not mark the quote where it stands in {shortened(source)}: {shortened(text)}"

    def _stands(self, source: str, start: int, end: int, text: str, place: PlaceRead | None) -> bool:
        on_record = self._texts.get(source)
        return (
            place is not None
            and on_record is not None
            and (place.source, place.start, place.end) == (source, start, end)
            and place.text == on_record[place.first : place.first + len(place.text)]
            and on_record[start:end] == text
        )
