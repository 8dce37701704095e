"""What a question asks for: the source that it names, what is left of it then, and the kind of number it wants."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sekisho.agents.local.document import Document
from sekisho.agents.local.polarity import denies
from sekisho.agents.local.quantities import quantities
from sekisho.agents.local.units import CURRENCIES, family
from sekisho.agents.local.words import folded, stems
from sekisho.units import canonical

_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?")
_TITLE = re.compile(r"\s*title:\s*(?P<title>.+)", re.IGNORECASE)
# Questions that only a number answers, and what the number must measure.
_HOW_MANY = re.compile(
    r"\bhow many\b|何(?:人|個|日|年|回|台|枚|本|度|分|時間|週間|か月|円)|いくつ|いくら", re.IGNORECASE
)
_IN_UNITS = re.compile(
    r"\b(?:in|how many)\s+(?P<unit>[a-z]+)\b|何\s?(?P<counter>日|年|分|時間|週間|か月|円|度|[a-z]+)", re.IGNORECASE
)
# A question about what is not so, or may not be: `rather than` and `ありませんか` are none.
_NOT = re.compile(
    r"\b(?:not|never|cannot|without)\b|n['’]t\b|(?:ては|ちゃ)(?:いけない|ならない|だめ)|禁止|できない|でない",
    re.IGNORECASE,
)
_MEASURED = [
    (re.compile(r"\bhow heavy\b|\b(?:what|how much)\b.*\bweighs?\b", re.IGNORECASE), {family("kg")}),
    (re.compile(r"\bhow (?:far|tall|wide|deep|high)\b", re.IGNORECASE), {family("m")}),
    (re.compile(r"\b(?:what|how much)\b.*\b(?:costs?|price)\b|いくら", re.IGNORECASE), {family(c) for c in CURRENCIES}),
]


def names(source: str, documents: Sequence[Document]) -> dict[str, frozenset[str]]:
    """What a source is called, each with its stems: its file's name, its title, its first heading."""
    titles = [re.sub(r"[\d_./-]+", " ", source.rsplit("/", 1)[-1]).strip()]
    for document in documents[:1]:
        titles += [match["title"] for one in document.sentences[:4] if (match := _TITLE.match(one.text))]
        titles += [one.text for one in document.sentences if one.kind == "heading"][:1]
    return {title: words for title in titles if (words := frozenset(stems(title)))}


def without(question: str, title: str) -> str:
    """The question without a name; the whole of it where nothing else is asked."""
    called = frozenset(stems(title))
    left = question.replace(title, " ")
    left = _WORD.sub(lambda word: " " if (own := frozenset(stems(word[0]))) and own <= called else word[0], left)
    return " ".join(left.split()) if stems(left) else question


def fits(question: str, answer: str) -> bool:
    """Whether a sentence has what the question asks for: a number of its kind, a denial if it asks what is not so."""
    if _NOT.search(question) and not denies(answer):
        return False
    wanted = {family(unit) for unit in _units(question)}
    wanted = wanted or {kind for pattern, kinds in _MEASURED if pattern.search(question) for kind in kinds}
    found = quantities(answer)
    if wanted:
        return any(family(unit) in wanted for one in found for unit in one.units)
    return not _HOW_MANY.search(question) or bool(found)


def _units(question: str) -> list[str]:
    spelled = [match["unit"] or match["counter"] for match in _IN_UNITS.finditer(folded(question))]
    return [unit for one in spelled if (unit := canonical(one)) is not None]
