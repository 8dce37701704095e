"""What a question wants in its answer: a number of a kind, a time, a denial."""

from __future__ import annotations

import re

from sekisho.agents.local.events import events
from sekisho.agents.local.polarity import denies
from sekisho.agents.local.quantities import quantities
from sekisho.agents.local.spans import capitals, is_dated
from sekisho.agents.local.times import asks_when, tells_when
from sekisho.agents.local.units import CURRENCIES, family
from sekisho.agents.local.words import folded, stems
from sekisho.dates import dates
from sekisho.sentences import Span
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


_WHO = re.compile(
    r"\A\W*(?:(?:by|to|for|from|with) )?who(?:m|se)?\b(?! (?:may|can|must|should|shall|is allowed))|誰", re.IGNORECASE
)
_SOMEONE = re.compile(
    r"\b(?:council|company|club|society|trust|association|authority|office|department|family|families|team|volunteers|"
    r"ministry|university|school|firm|owners?|keepers?|members?|by the [a-z]+)\b|"
    r"氏|さん|様|先生|社|協会|組合|大学",
    re.IGNORECASE,
)
_ASKS_COLOUR = re.compile(r"\b(?:what|which) colou?rs?\b|何色|どんな色", re.IGNORECASE)
_COLOUR = re.compile(
    r"\b(?:colou?r\w*|red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|gr[ae]y|silver|gold(?:en)?|"
    r"crimson|scarlet|beige|cream|turquoise)\b|[赤青黄緑白黒紫茶灰金銀橙]|色",
    re.IGNORECASE,
)
_DONE = re.compile(r"\bwhen (?:was|were|did|has|have)\b.*\b(?P<verb>[a-z]{3,})\W*\Z", re.IGNORECASE)


def fits(question: str, answer: str) -> bool:
    """Whether a sentence has what the question asks for: a number of its kind, a time, a denial of what is not so."""
    if _NOT.search(question) and not denies(answer):
        return False
    if asks_when(question) and not tells_when(answer):
        return False
    if _WHO.search(question) and not _names_someone(question, answer):
        return False
    if _ASKS_COLOUR.search(question) and dates(answer) and not _COLOUR.search(answer):
        return False
    wanted = {family(unit) for unit in _units(question)}
    wanted = wanted or {kind for pattern, kinds in _MEASURED if pattern.search(question) for kind in kinds}
    found = quantities(answer)
    if wanted:
        return any(family(unit) in wanted for one in found for unit in one.units)
    return not _HOW_MANY.search(question) or bool(found)


def tells_event(question: str, answer: str) -> bool:
    """Whether a sentence tells of what a question of when asks for: by the same verb, or one of the same event."""
    done = _DONE.search(question) if asks_when(question) else None
    if done is None:
        return True
    verb = frozenset(stems(done["verb"]))
    return verb <= frozenset(stems(answer)) or bool(events(done["verb"]) & events(answer))


def _names_someone(question: str, answer: str) -> bool:
    """Whether a sentence has a name that the question lacks, or a word for people or an organisation."""
    known = frozenset(stems(question))
    names = [span for span in capitals(answer, Span(0, len(answer)), initial=0) if not is_dated(answer, span)]
    return bool(_SOMEONE.search(answer)) or any(not frozenset(stems(span.of(answer))) <= known for span in names)


def _units(question: str) -> list[str]:
    spelled = [match["unit"] or match["counter"] for match in _IN_UNITS.finditer(folded(question))]
    return [unit for one in spelled if (unit := canonical(one)) is not None]
