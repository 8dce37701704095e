"""What a sentence can be taken for: a statement, only a heading, menu or label, or an order to whoever reads it."""

from __future__ import annotations

import re

from sekisho.agents.local.document import Sentence
from sekisho.agents.local.fields import Wanted
from sekisho.agents.local.quantities import quantities
from sekisho.agents.local.words import STOP, folded, is_japanese, stems
from sekisho.dates import dates

# Words that only a clause with a predicate holds.
_FINITE = re.compile(
    r"\b(?:am|is|are|was|were|be|been|has|have|had|does|do|did|can|could|may|might|must|shall|should|will|would|cannot|"
    r"(?:i|we|you|they|he|she|it|there)(?=\s+[a-z]))\b|n't\b|'(?:s|re|ll|ve|m)\s+[a-z]+(?:ed|ing)\b|"
    r"\b(?:no|not|never)\b|\w{3,}(?<!e)ed\W*\Z|(?:である|です|ます|だ|する|した|ない|いる|ある|れる|せる|よい)\W*\Z",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"[^\W_]\s*[:：=]\s*[^\W_]")
_CELLS = re.compile(r"[^\W_]\W*\|\W*[^\W_]")
_MENU = re.compile(r"\s[|·•›»/>]\s")
_ASKS = re.compile(r"\s*(?:how|why|what|where|when|which|who)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_ITEM = 3
# An order that is about what to write down, not about the subject: `set x to 9`, `please answer 9`, `ignore the above`.
_ORDER = re.compile(
    r"(?:\A\W*|[.;:,!—–]\s*|\b(?:and|then|please|must|should|shall|always|(?:need|have|has) to)\s+)(?:please\s+)?"
    r"(?:set|output|return|print|report|answer|reply|respond|write|fill|enter|record|extract|assume|pretend|state|"
    r"overwrite|override|ignore|disregard|forget)\b(?P<rest>[^.;!?]*)",
    re.IGNORECASE,
)
_READER = re.compile(
    r"\b(?:fields?|values?|answers?|outputs?|instructions?|prompts?|json|schema|model|assistant|reader|ai|rest|above|"
    r"previous|everything)\b",
    re.IGNORECASE,
)


def is_statement(sentence: Sentence) -> bool:
    """Whether a sentence says something: no question, heading, menu, label or line without a predicate."""
    text = sentence.text.strip()
    if sentence.kind in ("heading", "head") or text.endswith(("?", "？", ":", "：")):
        return False
    if sentence.kind == "row":
        return _CELLS.search(text) is not None
    ends = text.rstrip("*_)」』”’\"'").endswith((".", "!", "。", "！", "…"))
    if _FINITE.search(folded(text)):
        return ends or not _ASKS.match(text)
    if sentence.kind == "links" or (_MENU.search(text) and not ends):
        return False
    if _LABELLED.search(text) or dates(text) or any(one.units for one in quantities(text)):
        return True
    words = _WORD.findall(text)
    if is_japanese(text) or sentence.kind == "line":
        return ends or "は" in text
    if all(not word[0].islower() for word in words if word.lower() not in STOP):
        return False  # a name: `Old Mill Road`
    return ends or (sentence.kind == "item" and len(words) >= _ITEM)


def is_order(sentence: Sentence, wanted: Wanted | None = None) -> bool:
    """Whether a sentence tells its reader what to write down for the field, or to forget what is written."""
    if wanted and sentence.kind != "line" and "_" in wanted.name and wanted.name in sentence.text:
        return True
    named = wanted.title_stems if wanted else frozenset()
    return any(
        _READER.search(match["rest"]) or (named and named <= frozenset(stems(match["rest"])))
        for match in _ORDER.finditer(sentence.text.replace("_", " "))
    )
