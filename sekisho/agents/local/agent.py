"""The local agent: no model call and no key; it copies what an embedding model and patterns find in the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from sekisho.agents.base import Call, Reply
from sekisho.agents.local.answers import answer_question
from sekisho.agents.local.choices import find_bool, find_value, find_values
from sekisho.agents.local.document import Document, read_document
from sekisho.agents.local.fields import Wanted, encode_fields, read_fields
from sekisho.agents.local.found import Found
from sekisho.agents.local.memory import RememberingEncoder
from sekisho.agents.local.numbers import find_dates, find_number
from sekisho.agents.local.proof import is_proved
from sekisho.agents.local.recall import recall_candidates
from sekisho.agents.local.relevance import relevance
from sekisho.agents.local.spans import evident, find_subject, find_text, find_texts, is_subject
from sekisho.agents.local.units import family
from sekisho.errors import AgentAbstained, AgentUnavailable
from sekisho.retrieval.encoder import Encoder
from sekisho.units import canonical

VERSION = "5"
NO_SENTENCE = "no sentence says"  # with the field after it: the reason where nothing was found
# Within the ranges that `python -m benchmarks.local_agent --tune` prints for the odd-numbered notes; those of text,
# list of enum and question are set by hand. docs/local.md says what was seen, and has the figures.
THRESHOLDS: Mapping[str, float] = {
    "name": 0.63,
    "text": 0.63,
    "measure": 0.66,
    "count": 0.66,
    "date": 0.55,
    "bool": 0.25,
    "enum": 0.02,
    "list of str": 0.28,
    "list of enum": 0.3,
    "question": 0.5,
}


class LocalAgent:
    """Fills fields and answers questions with verbatim evidence, and abstains below a threshold of each kind.

    `model` is the digest of the encoder's model, for provenance. Safe to call from several threads.
    """

    name = "local"

    def __init__(self, encoder: Encoder, *, model: str = "", thresholds: Mapping[str, float] = THRESHOLDS) -> None:
        self._encoder = RememberingEncoder(encoder)
        self._model = model
        self._thresholds = dict(thresholds)

    @property
    def fingerprint(self) -> str:
        """The version of the rules and the digest of the model."""
        return f"local:{VERSION}:{self._model}"

    def propose(self, call: Call) -> Reply:
        """A fact, an answer, past decisions, or what is passed through; `AgentAbstained` without a required field."""
        stage = call.key.partition(":")[0]
        given = call.variables
        if stage == "extract" and {"source", "text", "fields"} <= given.keys():
            return Reply(self.extract(given["source"], given["text"], given["fields"]), model=self._model)
        if stage == "query" and {"question", "sources"} <= given.keys():
            return Reply(self.answer(given["question"], given["sources"]), model=self._model)
        if stage == "recall" and {"applicant_input", "candidate_adrs"} <= given.keys():
            named = recall_candidates(given["applicant_input"], given["candidate_adrs"], self._encoder)
            return Reply(named, model=self._model)
        if call.pass_through is not None:
            return Reply(call.pass_through)
        if stage == "rerank":
            raise AgentUnavailable(
                "the local agent has no model to choose with: mapping stays with its first stage",
                remedy="choose a model with IECQ_AGENT",
            )
        raise AgentUnavailable(
            f"the local agent cannot do {call.key}: it extracts facts, answers questions and recalls decisions",
            remedy="choose a model with IECQ_AGENT",
        )

    def extract(self, source: str, text: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Field by field the value and the sentence that shows it, an optional one null where nothing does."""
        document = self._read(source, text)
        wanted = read_fields(fields)
        values: dict[str, Any] = {}
        evidence: dict[str, str | None] = {}
        missing: list[str] = []
        for one, found in self.find(document, wanted):
            threshold = self._thresholds.get(kind(one), float("inf"))
            sure = found is not None and found.score >= threshold
            words = found.evidence.of(text) if found and sure else None
            if found and words and one.evidence:
                sure = is_proved(one, found.value, words, text)
            values[one.name] = found.value if found and sure else None
            if one.evidence:
                evidence[one.name] = words if sure else None
            if one.required and not sure:
                missing.append(_why_not(one, found, threshold))
        if missing:
            raise AgentAbstained(f"local: {'; '.join(missing)}")
        return {"fields": values, "evidence": evidence}

    def find(self, document: Document, wanted: Sequence[Wanted]) -> list[tuple[Wanted, Found | None]]:
        """Each field with its best candidate, however unsure."""
        vectors = encode_fields(wanted, self._encoder)
        measures = Counter(map(measure, wanted))
        abouts = {one.name: relevance(document, one, vectors[one.name]) for one in wanted}
        days = find_dates(document, [one for one in wanted if kind(one) == "date"], abouts)
        found = []
        for one in wanted:
            about = abouts[one.name]
            others = [abouts[other.name] for other in wanted if other is not one and kind(other) != "name"]
            is_shared = measures[measure(one)] > 1
            finder = {
                "name": partial(find_subject, document),
                "text": partial(find_text, document, one, about, others),
                "measure": partial(find_number, document, one, about, self._encoder, is_shared=is_shared),
                "count": partial(find_number, document, one, about, self._encoder, is_shared=is_shared),
                "date": partial(days.get, one.name),
                "bool": partial(find_bool, document, one, about),
                "enum": partial(find_value, document, one, about, self._encoder),
                "list of str": partial(find_texts, document, one, about),
                "list of enum": partial(find_values, document, one, about, self._thresholds["list of enum"]),
            }.get(kind(one))
            found.append((one, evident(document, one, finder() if finder and document.sentences else None)))
        return found

    def answer(self, question: str, sources: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The sentence of the field asked for, else the nearest sentences of one of the sources, or unanswerable."""
        documents = {
            block["source"]: [self._read(block["source"], passage) for passage in block["passages"]]
            for block in sources
        }
        facts = {block["source"]: block.get("fields", {}) for block in sources}
        return answer_question(question, documents, facts, self._encoder, self._thresholds["question"])

    def _read(self, source: str, text: str) -> Document:
        return read_document(source, text, self._encoder)


def _why_not(wanted: Wanted, found: Found | None, threshold: float) -> str:
    if found and found.is_contradicted and found.was >= threshold:
        return f'sentences contradict each other on "{wanted.name}"'
    if found and found.score >= threshold:
        return f'the evidence found for "{wanted.name}" would be turned back by a gate'
    best = f"best {max(found.score, found.was):.2f} < {threshold:.2f}" if found else "no candidate"
    return f'{NO_SENTENCE} "{wanted.name}" ({best})'


def kind(wanted: Wanted) -> str:
    """How a field is looked for, and the name of its threshold."""
    if wanted.type in ("int", "float"):
        return "measure" if wanted.unit and canonical(wanted.unit) else "count"
    if wanted.type == "str":
        return "name" if is_subject(wanted) else "text"
    return f"list of {wanted.items}" if wanted.type == "list" else wanted.type


def measure(wanted: Wanted) -> str:
    """What the field's values are measured in: two fields with the same may be taken for each other."""
    unit = canonical(wanted.unit) if kind(wanted) == "measure" else None
    return family(unit) if unit else wanted.unit if kind(wanted) == "count" else kind(wanted)
