"""What a compiled fact states: the sentence that shows the value of the one field that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sekisho.agents.local.asked import fits
from sekisho.agents.local.choices import find_bool
from sekisho.agents.local.document import Document
from sekisho.agents.local.fields import Wanted, encode_fields
from sekisho.agents.local.named import Name
from sekisho.agents.local.narrowed import keeps_to
from sekisho.agents.local.polarity import own_words, polarity
from sekisho.agents.local.proof import is_proved
from sekisho.agents.local.relevance import Relevance, relevance
from sekisho.agents.local.statements import is_order
from sekisho.agents.local.words import folded, is_japanese, stems
from sekisho.dates import dates
from sekisho.retrieval.encoder import Encoder
from sekisho.units import canonical

# Words that only ask for a value, whatever it is of.
_ASKING = frozenset(stems("tell give know find please exactly date time year month number amount kind type many much"))
_ASKING_JA = re.compile(
    r"(?:教え|知り|何|(?<=何)(?:日|月|年|時|度|人|個|台|枚|本|回|円|分|時間|週間?|つ)|誰|[\u3040-\u309fー、。・？?!！\s])+"
)
_YES_OR_NO = re.compile(r"\A\W*(?:is|are|was|were|do|does|did|can|may|has|have|will)\b|か[。？?\s]*\Z", re.IGNORECASE)
_WHICH = re.compile(
    r"\b(?:what|which|who|when|where|why|how)\b|何|いつ|誰|どこ|どれ|どの|どう|なぜ|いく[つら]", re.IGNORECASE
)
_ABBREVIATED = 3


def field_asked(question: str, name: Name, fields: Mapping[str, Any]) -> Wanted | None:
    """The one field with a value that the question is about, and about nothing else: what is left of it only asks."""
    found = [
        wanted
        for field, value in fields.items()
        if value not in (None, [], "") and _is_named(question, name, wanted := _wanted(field, value))
    ]
    if len(found) != 1:
        return None
    is_yes_or_no = _YES_OR_NO.search(question) is not None and _WHICH.search(question) is None
    return found[0] if is_yes_or_no == (found[0].type == "bool") or is_japanese(question) else None


def stated(
    question: str, name: Name, wanted: Wanted, value: Any, documents: Sequence[Document], encoder: Encoder
) -> str | None:
    """The sentence that shows the value of the field, and is most about it; None where no sentence does."""
    bare = name.cut_from(question)
    vector = encode_fields([wanted], encoder)[wanted.name]
    found: list[tuple[float, int, str]] = []
    for document in documents:
        about = relevance(document, wanted, vector)
        for row, score in _shown(document, wanted, value, about):
            text = document.sentences[row].text
            if fits(question, text) and keeps_to(bare, text, wanted.title):
                found.append((score, -len(found), document.sentences[row].original.of(document.original)))
    return max(found, default=(0.0, 0, None))[2]


def _is_named(question: str, name: Name, wanted: Wanted) -> bool:
    if not wanted.title.isascii():
        rest = folded(question).replace(folded(name.title), " ")
        title = folded(wanted.title)
        return title in rest and _ASKING_JA.fullmatch(rest.replace(title, " ")) is not None
    asked = set(stems(question.replace("_", " "))) - name.marks
    own = [word for word in stems(wanted.title) if canonical(word) is None]
    said = {word: {one for one in asked if _is_short_for(word, one)} for word in own}
    rest_of = asked - _ASKING - {one for matches in said.values() for one in matches}
    return bool(own) and all(said.values()) and all(canonical(word) is not None for word in rest_of)


def _is_short_for(one: str, other: str) -> bool:
    """Whether two stems are the same, or one begins with the other: `max` and `maximum`."""
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= _ABBREVIATED and long.startswith(short))


def _wanted(field: str, value: Any) -> Wanted:
    """The field as far as its name and value tell."""
    kind = type(value).__name__
    if isinstance(value, str) and len(value) == 10 and [day.date.isoformat() for day in dates(value)] == [value]:
        kind = "date"
    return Wanted(field, kind, "", {}, "str", "", required=False, evidence=True)


def contradicts(wanted: Wanted, value: Any, sentence: str) -> bool:
    """Whether a sentence says no where the fact says yes, or the other way round."""
    said = polarity(sentence, own_words(wanted.title), field=wanted.title) if isinstance(value, bool) else 0.0
    return said != 0 and (said > 0) != value


def _shown(document: Document, wanted: Wanted, value: Any, about: Relevance) -> Iterator[tuple[int, float]]:
    """The sentences that show the value, each with how much it is about the field."""
    if isinstance(value, bool):
        found = find_bool(document, wanted, about)
        if found is not None and found.value == value and found.score > 0:
            row = next(row for row, one in enumerate(document.sentences) if one.original == found.evidence)
            yield row, found.score
        return
    for row, one in enumerate(document.sentences):
        if about.barred[row] or one.kind in ("heading", "head", "links") or is_order(one):
            continue
        if _holds(wanted, value, one.original.of(document.original), document.original):
            yield row, float(about.sentences[row])


def _holds(wanted: Wanted, value: Any, words: str, text: str) -> bool:
    if wanted.type in ("str", "list"):
        items = value if isinstance(value, list) else [value]
        if not all(_has(words, str(item)) for item in items):
            return False
    return is_proved(wanted, value, words, text)


def _has(words: str, item: str) -> bool:
    return re.search(rf"(?<![a-z0-9-]){re.escape(folded(item))}(?![a-z0-9-])", folded(words)) is not None
