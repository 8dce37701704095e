"""Receipts: everything published, derived again without a model from what is on record and the documents as they are.

A receipt is what a published item carries: the digests of its source, prompt and reply, the reply itself, the verdict
on each quote with its place, and a seal over all of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sekisho.compiled import render_compiled
from sekisho.gates import answers_are_verified
from sekisho.gates.quotes import Sources
from sekisho.hashing import sha256_json, sha256_text
from sekisho.listed import Listed
from sekisho.records import Answer, Fact, KnowledgeBase, Note, Provenance, SourceText
from sekisho.seals import generation_of, seal_of
from sekisho.text import shortened
from sekisho.warehouse import Published

Status = Literal["holds", "source changed", "source gone", "receipt broken"]
_UNSEALED = "published before receipts were kept: run again"


@dataclass(frozen=True, slots=True)
class QuoteNow:
    """A published quote against its source as it is now: whether it `stands`, why, and where.

    `about` is the field of a fact that it shows, empty for an answer. `found_in` is the source that has it, another one
    where it moved; `start` and `end` are offsets there. All are empty where it stands nowhere.
    """

    source: str
    about: str
    text: str
    stands: bool
    reason: str
    found_in: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Verified:
    """What verifying one published item came to; `reasons` say what is broken, changed or gone."""

    kind: Literal["knowledge base", "fact", "answer"]
    id: str
    status: Status
    reasons: tuple[str, ...] = ()
    quotes: tuple[QuoteNow, ...] = ()


@dataclass(frozen=True, slots=True)
class _Said:
    source: str
    about: str
    text: str


def verify_published(published: Published, notes: Sequence[Note], compiled: str) -> list[Verified]:
    """The knowledge base, each fact and each answer, in their order; `compiled` is the text of compiled.json.

    Behind them come what cannot be read of the facts and answers, and what is listed as published and not there.

    The worst that is true of an item is its status: `receipt broken`, then `source gone`, then `source changed`.
    """
    base = published.base
    current = _Current(base, notes)
    texts = Sources({source.source: source.text for source in base.sources})
    listed = Listed(published)
    found = [_verify_base(base, compiled, listed)]
    for fact in base.facts:
        quotes = [_Said(fact.source, name, text) for name, text in fact.evidence.items()]
        broken = _broken_fact(fact, current.recorded.get(fact.source), texts) + listed.against(fact)
        found.append(current.verdict("fact", fact.source, broken, [fact.source], quotes))
    for answer in published.answers:
        quotes = [_Said(quote.source, "", quote.text) for quote in answer.quotes]
        # That the sources do not say it rests on all of them.
        sources = answer.citations if answer.status == "answered" else tuple(current.recorded)
        broken = _broken_answer(answer, base, texts) + listed.against(answer)
        found.append(current.verdict("answer", answer.id, broken, sources, quotes))
    return found + [Verified(kind, id, "receipt broken", (reason,)) for kind, id, reason in listed.not_there()]


def notes_beside(published: Published, notes: Iterable[Note]) -> list[str]:
    """Notes that nothing published rests on, of which verifying says nothing: new ones, say.

    Each is its path, with what is wrong with it where it cannot be read; a note without text is none.
    """
    paths = {source.path for source in published.base.sources}
    ids = {source.source for source in published.base.sources}
    others = [note for note in notes if note.is_document and note.path not in paths and note.source not in ids]
    return [f"{note.path} ({note.problem})" if note.status == "unreadable" else note.path for note in others]


class _Current:
    """The documents as they are, by the ids of the sources on record."""

    def __init__(self, base: KnowledgeBase, notes: Sequence[Note]) -> None:
        self.recorded = {source.source: source for source in base.sources}
        readable = [note for note in notes if note.status != "unreadable"]
        by_path = {note.path: note for note in readable}
        by_id = {note.source: note for note in readable}
        self._bad = {note.path: note.problem for note in notes if note.status == "unreadable"}
        self._places = {note.sha256: note.path for note in reversed(readable)}
        self._paths: defaultdict[str, list[str]] = defaultdict(list)
        for note in notes:
            self._paths[note.source].append(note.path)
        paired = {name: by_path.get(source.path) or by_id.get(name) for name, source in self.recorded.items()}
        self.notes = {name: note for name, note in paired.items() if note is not None}
        # A source that is gone is an empty text, so that the gate looks for its quotes in the others.
        texts = {note.source: note.text for note in readable} | dict.fromkeys(self.recorded, "")
        self._texts = Sources(texts | {name: note.text for name, note in self.notes.items()})

    def verdict(
        self, kind: Literal["fact", "answer"], id: str, broken: Sequence[str], sources: Iterable[str], said: list[_Said]
    ) -> Verified:
        """What verifying an item came to that rests on these sources."""
        if broken:
            return Verified(kind, id, "receipt broken", tuple(broken))
        gone = [name for name in sources if name not in self.notes]
        changed = [name for name in sources if name not in gone and self._is_changed(name)]
        if not gone and not changed:
            return Verified(kind, id, "holds")
        reasons = [self._gone(name) for name in gone] + [self._changed(name) for name in changed]
        quotes = tuple(self._now(one) for one in said if one.source in {*gone, *changed})
        return Verified(kind, id, "source gone" if gone else "source changed", tuple(reasons), quotes)

    def _gone(self, name: str) -> str:
        source = self.recorded.get(name)
        if source is not None and (problem := self._bad.get(source.path)):
            return f"cannot be read: {shortened(name)}: {problem}"
        place = self._places.get(source.sha256) if source is not None else None
        return f"gone: {shortened(name)}{f', the same text is at {place}' if place else ''}"

    def _is_changed(self, name: str) -> bool:
        return len(self._paths[name]) > 1 or self.notes[name].sha256 != self.recorded[name].sha256

    def _changed(self, name: str) -> str:
        paths = self._paths[name]
        also = f" (now {len(paths)} files: {', '.join(map(shortened, paths))})" if len(paths) > 1 else ""
        return f"changed: {shortened(name)}{also}"

    def _now(self, said: _Said) -> QuoteNow:
        found = self._texts.check(said.source, said.text)
        place = (found.source, found.start, found.end) if found.end else ("", 0, 0)
        return QuoteNow(said.source, said.about, said.text, found.accepted, found.reason, *place)


def _verify_base(base: KnowledgeBase, compiled: str, listed: Listed) -> Verified:
    reasons = listed.broken()
    if generation_of(base.facts) != base.generation:
        reasons.append("its generation is not the digest of its facts")
    if sorted(fact.source for fact in base.facts) != sorted(source.source for source in base.sources):
        reasons.append("its facts and its sources are not of the same documents")
    if not compiled:
        reasons.append("compiled.json is missing, or is no text")
    elif compiled != render_compiled(base):
        reasons.append("compiled.json is not what was published")
    return Verified("knowledge base", base.generation, "receipt broken" if reasons else "holds", tuple(reasons))


def _broken_fact(fact: Fact, source: SourceText | None, texts: Sources) -> list[str]:
    """What of a fact's receipt does not agree."""
    broken = [*_broken_seal(fact), *_broken_reply(fact.reply, fact.provenance)]
    if source is None:
        return [*broken, "its source is not on record"]
    if not sha256_text(source.text) == source.sha256 == fact.note_sha256:
        broken.append("the text on record is not the one it was read from")
    fields, evidence = _given(fact.reply, "fields"), _given(fact.reply, "evidence")
    if fields != {name: value for name, value in fact.fields.items() if value is not None}:
        broken.append("its fields are not those of the reply")
    if not evidence.keys() == fact.evidence.keys() == fact.places.keys():
        return [*broken, "its evidence is not that of the reply"]
    for name, said in evidence.items():
        place, verdict = fact.places[name], texts.check(fact.source, str(said))
        stands = (place.reason, place.start, place.end) == (verdict.reason, verdict.start, verdict.end)
        if not (stands and verdict.accepted and fact.evidence[name] == source.text[place.start : place.end]):
            broken.append(f"the evidence does not stand as recorded: {shortened(name)}")
    return broken


def _broken_answer(answer: Answer, base: KnowledgeBase, texts: Sources) -> list[str]:
    """What of an answer's receipt does not agree, every gate's word included."""
    broken = [*_broken_seal(answer), *_broken_reply(answer.reply, answer.provenance)]
    reply = answer.reply if isinstance(answer.reply, dict) else {}
    quotes = [quote for quote in reply.get("quotes") or () if isinstance(quote, dict)]
    citations = reply.get("citations")
    if (reply.get("status"), reply.get("answer") or "") != (answer.status, answer.answer):
        broken.append("it does not say what the reply says")
    if list(dict.fromkeys(map(str, citations if isinstance(citations, list) else ()))) != list(answer.citations):
        broken.append("its citations are not those of the reply")
    if [quote.get("source") for quote in quotes] != [quote.source for quote in answer.quotes]:
        broken.append("its quotes are not those of the reply")
    broken += [found.message for found in answers_are_verified([answer], base, texts)]
    for quote, said in zip(answer.quotes, answer.said, strict=True):
        if texts.check(quote.source, said).reason != quote.reason:
            broken.append(f"the verdict on a quote is not the one recorded: {shortened(quote.text)}")
    return broken


def _broken_seal(item: Fact | Answer) -> Iterator[str]:
    if not item.receipt:
        yield _UNSEALED
    elif seal_of(item) != item.receipt:
        yield "the row was changed after it was published"


def _broken_reply(reply: Any, made_by: Provenance) -> Iterator[str]:
    if sha256_json(reply) != made_by.reply_sha256:
        yield "the reply on record is not the one that was received"


def _given(reply: Any, part: str) -> Mapping[str, Any]:
    """What a reply gives under a key, without the empty."""
    found = reply.get(part) if isinstance(reply, dict) else None
    return {name: value for name, value in found.items() if value is not None} if isinstance(found, dict) else {}
