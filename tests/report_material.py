"""A published state as values: hostile sources whose quotes went through the real gates, and whatever else is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sekisho.answer import publishable, source_texts
from sekisho.bill import Bill
from sekisho.evidence.material import NONE, GateSaid, Material, Scorecard
from sekisho.gates import check_draft
from sekisho.hashing import sha256_text
from sekisho.knowledge import compile_knowledge
from sekisho.records import (
    Answer,
    Draft,
    Fact,
    KnowledgeBase,
    Note,
    Place,
    Provenance,
    PublishedQuote,
    Quote,
    SourceText,
)
from sekisho.schema import NotesSchema
from sekisho.scorecards.plots import plot_answers
from sekisho.seals import manifest_of_answers, manifests_of
from sekisho.warehouse import Published

SCRIPT = "<script>alert('owned')</script>"
IMAGE = "<img src=https://example.org/beacon.png onerror=alert(1)>"
BY = Provenance(agent="mock", model=SCRIPT, prompt_sha256="p" * 64, reply_sha256="r" * 64)
FERRY = "The ferry leaves the island at noon."
# By source the text, a quote of it, and the letters that are published for the quote.
SOURCES: dict[str, tuple[str, str, str]] = {
    "plain": (f"Notice. {FERRY} Bring a coat.", FERRY, FERRY),
    "emoji": (f"🌱🌱🌱 👩\u200d💻 Notice. {FERRY} 🚢", FERRY, FERRY),
    "windows": (f"Line one.\r\nLine two.\r\n\r\n{FERRY}\r\nThe end.\r\n", FERRY, FERRY),
    "script": (f"{SCRIPT} {IMAGE} </div></article> {FERRY} &lt;b&gt;", FERRY, FERRY),
    "hidden": (
        "\ufeffA\u202eB\u202c \x1b[31mred\x1b[0m \x00 \u2066x\u2069 The ferry leaves the is\u200bland at noon. End.",
        FERRY,
        "The ferry leaves the is\u200bland at noon.",
    ),
    "hebrew": (f"שלום עולם. {FERRY} תודה רבה.", FERRY, FERRY),
    "船": (
        "離島便の時刻。フェリーは正午に島を出ます。遅れることがあります。",
        "フェリーは正午に島を出ます。",
        "フェリーは正午に島を出ます。",
    ),
    "long": ("Nothing happened today. " * 4000 + FERRY + " Nothing happened since." * 4000, FERRY, FERRY),
    "unbroken": ("x" * 3000 + f" {FERRY} " + "y" * 3000, FERRY, FERRY),
}
SCHEMA = NotesSchema.model_validate({"fields": {"says": {"type": "str", "description": "What it says."}}})


def base_of(sources: Mapping[str, tuple[str, str]]) -> KnowledgeBase:
    """The knowledge base of these texts, each with one fact whose evidence is the quote."""
    notes = [
        Note(path=f"{name}.md", source=name, status="read", text=text, sha256=sha256_text(text))
        for name, (text, _) in sources.items()
    ]
    facts = [
        Fact(
            path=note.path,
            source=note.source,
            fields={"says": f"{SCRIPT} {note.source}"},
            evidence={"says": sources[note.source][1]},
            note_sha256=note.sha256,
            provenance=BY,
        )
        for note in notes
    ]
    return compile_knowledge(notes, facts, [], SCHEMA)


def answer_of(base: KnowledgeBase, number: int, quotes: Mapping[str, str], words: str = "At noon.") -> Answer:
    """A published answer that cites these sources with these quotes; every gate has let it through."""
    draft = Draft(
        id=f"question-{number:05}",
        question=f"When does the ferry leave, {number}? {SCRIPT} \u202e",
        status="answered",
        answer=words,
        citations=list(quotes),
        quotes=tuple(Quote(source=name, text=text) for name, text in quotes.items()),
        shown=tuple(sorted(base.known)),
        generation=base.generation,
        provenance=BY,
    )
    texts = source_texts(base)
    assert check_draft(draft, base.known, texts) == []
    return publishable(draft, texts, base)


def material_of(base: KnowledgeBase, answers: list[Answer], **more: Any) -> Material:
    """A state with nothing but these, and what else is given."""
    manifests = (*manifests_of(base), manifest_of_answers(answers))
    empty: dict[str, Any] = {
        "since": "2026-11-30T09:00:00.000+00:00",
        "gaps": (),
        "questions": {},
        "recalls": (),
        "mappings": (),
        "gates": (),
        "run": "",
        "scorecards": (),
        "bill": Bill((), ()),
    }
    return Material(published=Published(base, tuple(answers), manifests), **(empty | more))


def hostile_material() -> Material:
    """All sources above, an answer for each of them and one that quotes them all."""
    base = base_of({name: (text, quote) for name, (text, quote, _) in SOURCES.items()})
    quotes = {name: quote for name, (_, quote, _) in SOURCES.items()}
    each = [answer_of(base, number, {name: quote}) for number, (name, quote) in enumerate(quotes.items())]
    words = f"At noon. {SCRIPT} {IMAGE} \u202eevil\u200b \x1b[2J"
    gate = GateSaid(f"facts{SCRIPT}", "citations_exist", False, "ERROR", f"{IMAGE}\u202e", "run-1")
    row = {"queries": "all", "chosen": NONE} | {f"figure_{n}_of_the_first_stage": "0.123" for n in range(9)}
    card = Scorecard("Mapping", (row, row), plot_answers({"right": 1.0}, None))
    answers = [*each, answer_of(base, 99, quotes, words)]
    return material_of(base, answers, gates=(gate,), run="run-1", scorecards=(card,))


def many(count: int) -> Material:
    """So many sources, facts and answers, each answer with quotes of two sources; no gate is asked, to save time."""
    around = "Nothing happened today. " * 100
    start, end = len(around), len(around) + len(FERRY)
    text = f"{around}{FERRY} {around}"
    names = [f"note-{number:05}" for number in range(count)]
    digest = sha256_text(text)
    place: dict[str, Any] = {"start": start, "end": end, "reason": "exact"}
    facts = [
        Fact(
            path=f"{name}.md",
            source=name,
            fields={"says": "at noon"},
            evidence={"says": FERRY},
            places={"says": Place.model_validate(place)},
            note_sha256=digest,
            provenance=BY,
        )
        for name in names
    ]
    sources = [SourceText(source=name, path=f"{name}.md", text=text, sha256=digest) for name in names]
    base = KnowledgeBase(generation="0123456789abcdef", facts=tuple(facts), sources=tuple(sources))
    answers = [
        Answer(
            id=name,
            question="When does the ferry leave?",
            status="answered",
            answer="At noon.",
            citations=(name, other),
            quotes=tuple(
                PublishedQuote(source=one, text=FERRY, source_sha256=digest, **place) for one in (name, other)
            ),
            generation=base.generation,
            provenance=BY,
        )
        for name, other in zip(names, [*names[1:], names[0]], strict=True)
    ]
    return material_of(base, answers)
