"""What a question wants in its answer: a number of a kind, a time, a denial."""

from __future__ import annotations

import re

from sekisho.agents.local.polarity import denies
from sekisho.agents.local.quantities import quantities
from sekisho.agents.local.times import asks_when, tells_when
from sekisho.agents.local.units import CURRENCIES, family
from sekisho.agents.local.words import folded
from sekisho.units import canonical

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


def fits(question: str, answer: str) -> bool:
    """Whether a sentence has what the question asks for: a number of its kind, a time, a denial of what is not so."""
    if _NOT.search(question) and not denies(answer):
        return False
    if asks_when(question) and not tells_when(answer):
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
