"""The checkers that are compared: each prepares the sources once and says yes or no to (source id, quote).

A rival is used as its documentation shows it, in its strict or default mode; a source id that is not known is a no for
all of them, since most of them know no ids. Rivals that are not installed are left out and named.
"""

from __future__ import annotations

import importlib
import unicodedata
from collections.abc import Callable, Mapping

from rapidfuzz import fuzz

Check = Callable[[str, str], bool]
Texts = Mapping[str, str]
THRESHOLD = 90


def substring(texts: Texts) -> Check:
    """The quote stands in the source as it is."""
    return lambda source, quote: source in texts and bool(quote.strip()) and quote in texts[source]


def nfkc_substring(texts: Texts) -> Check:
    """The same after NFKC and single spaces on both sides."""

    def folded(text: str) -> str:
        return " ".join(unicodedata.normalize("NFKC", text).split())

    ready = {source: folded(text) for source, text in texts.items()}
    return lambda source, quote: source in ready and bool(folded(quote)) and folded(quote) in ready[source]


def rapidfuzz_ratio(texts: Texts) -> Check:
    """`fuzz.partial_ratio` of at least 90."""

    def check(source: str, quote: str) -> bool:
        return source in texts and bool(quote.strip()) and fuzz.partial_ratio(quote, texts[source]) >= THRESHOLD

    return check


def quotegate(texts: Texts) -> Check:
    """`quotegate.check` of one reply line; hard-wrapped files are given with `soft_breaks=True`, as its docs advise.

    Its rule against past years is off: it depends on today's date. It keeps a quote widened to the whole sentence.
    """
    gate = importlib.import_module("quotegate")
    rules = importlib.import_module("quotegate.core").Rules(current_year=0)
    ready = {source: gate.Passage(text, soft_breaks=_is_wrapped(text)) for source, text in texts.items()}

    def check(source: str, quote: str) -> bool:
        line = " ".join(quote.split())  # a reply has one quote a line
        return source in ready and bool(gate.check(f"[1] {line}", [ready[source]], rules).ok)

    return check


def groundgate(texts: Texts) -> Check:
    """`groundgate.admit` of a string field whose value and evidence are the quote; only `admitted` is a yes."""
    gate = importlib.import_module("groundgate")
    schema = {"fields": {"quote": {"type": "string"}}}
    ready = {source: unicodedata.normalize("NFC", text) for source, text in texts.items()}

    def check(source: str, quote: str) -> bool:
        if source not in ready:
            return False
        claim = {"field": "quote", "value": quote, "evidence": [{"text": quote}]}
        return bool(gate.admit(ready[source], schema, [claim]).decisions[0].outcome == "admitted")

    return check


def citenexus_gate(texts: Texts) -> Check:
    """`citenexus.answer.verify.is_supported_v2`, what its command line's `verify` and strict `cite-check` call."""
    gate = importlib.import_module("citenexus.answer.verify")
    return lambda source, quote: source in texts and bool(gate.is_supported_v2(quote, texts[source]))


def citenexus_answer(texts: Texts) -> Check:
    """`citenexus.verify_answer` without a model, on the one source; a yes when every claim in the quote is verified."""
    gate = importlib.import_module("citenexus")
    unit = importlib.import_module("citenexus.answer").EvidenceUnit
    ready = {source: [unit(id="s", text=text)] for source, text in texts.items()}

    def check(source: str, quote: str) -> bool:
        if source not in ready:
            return False
        found = gate.verify_answer(quote, ready[source]).evidence
        return bool(found.decision == "answered" and found.all_claims_verified and not found.unsupported_claims_removed)

    return check


def sekisho(texts: Texts) -> Check:
    """The project's own gate on prepared sources."""
    sources = importlib.import_module("sekisho.gates.quotes").Sources(texts)
    return lambda source, quote: bool(sources.check(source, quote).accepted)


def _is_wrapped(text: str) -> bool:
    """Whether a text's lines are broken inside sentences: most of them are long and end in no stop."""
    lines = [line.rstrip() for line in text.splitlines() if len(line) > 30]
    return bool(lines) and sum(line[-1] not in ".。:：!?？|" for line in lines) > len(lines) / 2


CHECKERS: dict[str, Callable[[Texts], Check]] = {
    "sekisho": sekisho,
    "substring": substring,
    "NFKC substring": nfkc_substring,
    "rapidfuzz >= 90": rapidfuzz_ratio,
    "quotegate": quotegate,
    "groundgate": groundgate,
    "citenexus gate": citenexus_gate,
    "citenexus answer": citenexus_answer,
}
