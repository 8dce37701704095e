"""The gates before an answer: citations that exist, quotes that stand in the source they name.

Each is a pure predicate: values in, findings out, an empty list where all is well.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping

from sekisho.gates.finding import Finding
from sekisho.records import Answer, Draft, KnowledgeBase, Quote
from sekisho.text import Folded, find_quote, fold, is_blank, shortened


class SourceTexts:
    """Original texts by source id, each folded once when it is first needed."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._folded: dict[str, Folded] = {}

    def at(self, source: str, span: tuple[int, int]) -> str:
        """The original letters at a place of a source."""
        return self._texts[source][span[0] : span[1]]

    def find(self, source: str, quote: str) -> tuple[int, int] | None:
        """Offsets of a quote in the original text of a source; None where either is missing."""
        if source not in self._texts:
            return None
        if source not in self._folded:
            self._folded[source] = fold(self._texts[source])
        return find_quote(self._folded[source], quote)


def verify_citations(citations: object, known: Collection[str], shown: Collection[str] | None = None) -> list[str]:
    """The messages for a list of citations, fail closed: absent, empty or no list, and ids outside `known`.

    With `shown`, an id that is known but was not shown to the model is reported as well.
    """
    if not isinstance(citations, list | tuple) or not citations:
        return ["citations missing or empty"]
    messages: dict[str, None] = {}
    for citation in citations:
        if not isinstance(citation, str) or citation not in known:
            original = citation if isinstance(citation, str) else json.dumps(citation, ensure_ascii=False, default=str)
            messages[f"hallucinated citation: {shortened(original)}"] = None
        elif shown is not None and citation not in shown:
            messages[f"citation not shown to the model: {shortened(citation)}"] = None
    return list(messages)


def citations_are_present(drafts: Iterable[Draft]) -> list[Finding]:
    """Findings for answers without citations, questions without a draft, and a status that contradicts the answer."""
    gate = "citations_are_present"
    findings = []
    for draft in drafts:
        if draft.status == "failed":
            findings.append(Finding(gate, draft.id, f"no draft: {draft.problem}"))
        elif draft.status == "unanswerable":
            if not is_blank(draft.answer):
                findings.append(Finding(gate, draft.id, "unanswerable, yet with an answer"))
            if draft.citations or draft.quotes:
                findings.append(Finding(gate, draft.id, "unanswerable, yet with citations or quotes"))
        elif not isinstance(draft.citations, list) or not draft.citations:
            findings.append(Finding(gate, draft.id, "citations missing or empty"))
        elif is_blank(draft.answer):
            findings.append(Finding(gate, draft.id, "answered, yet without an answer"))
    return findings


def citations_exist(drafts: Iterable[Draft], known: Collection[str]) -> list[Finding]:
    """A finding `hallucinated citation: X` for each cited id that is no compiled source, or was not shown."""
    return [
        Finding("citations_exist", draft.id, message)
        for draft in drafts
        if isinstance(draft.citations, list) and draft.citations
        for message in verify_citations(draft.citations, known, draft.shown)
    ]


def quotes_are_verbatim(drafts: Iterable[Draft], texts: SourceTexts) -> list[Finding]:
    """Findings for quotes that do not stand in the source they name, and for citations and quotes that do not match."""
    gate = "quotes_are_verbatim"
    findings = []
    for draft in drafts:
        cited = (
            {item for item in draft.citations if isinstance(item, str)} if isinstance(draft.citations, list) else set()
        )
        quoted = {quote.source for quote in draft.quotes}
        for quote in draft.quotes:
            if texts.find(quote.source, quote.text) is None:
                words = shortened(quote.text)
                findings.append(Finding(gate, draft.id, f"quote not found in {shortened(quote.source)}: {words}"))
        for name in sorted(quoted - cited):
            findings.append(Finding(gate, draft.id, f"quote from a source that is not cited: {shortened(name)}"))
        if draft.status == "answered":
            for name in sorted(cited - quoted):
                findings.append(Finding(gate, draft.id, f"citation without a quote: {shortened(name)}"))
    return findings


def answers_are_verified(answers: Iterable[Answer], base: KnowledgeBase, texts: SourceTexts) -> list[Finding]:
    """Findings for published answers that do not hold against the published knowledge base."""
    gate = "answers_are_verified"
    findings = []
    sha256 = {source.source: source.sha256 for source in base.sources}
    for answer in answers:
        draft = as_draft(answer, base)
        findings += [Finding(gate, answer.id, found.message) for found in check_draft(draft, base.known, texts)]
        if answer.generation != base.generation:
            findings.append(Finding(gate, answer.id, f"published over generation {answer.generation or 'none'}"))
        findings += [
            Finding(gate, answer.id, f"the quote stands elsewhere than recorded: {shortened(quote.text)}")
            for quote in answer.quotes
            if (quote.start, quote.end) != texts.find(quote.source, quote.text)
            or quote.source_sha256 != sha256.get(quote.source)
        ]
    return findings


def check_draft(draft: Draft, known: Collection[str], texts: SourceTexts) -> list[Finding]:
    """Every gate that stands before an answer is published."""
    return [
        *citations_are_present([draft]),
        *citations_exist([draft], known),
        *quotes_are_verbatim([draft], texts),
    ]


def as_draft(answer: Answer, base: KnowledgeBase) -> Draft:
    """A published answer as a draft again, so that the same gates can judge it anew."""
    return Draft(
        id=answer.id,
        question=answer.question,
        status=answer.status,
        answer=answer.answer,
        citations=list(answer.citations),
        quotes=tuple(Quote(source=quote.source, text=quote.text) for quote in answer.quotes),
        shown=tuple(sorted(base.known)),
        generation=base.generation,
        provenance=answer.provenance,
    )
