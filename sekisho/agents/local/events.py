"""What happens, has happened or is only planned: which event a date is of, and which of two values holds today."""

from __future__ import annotations

import re

from sekisho.agents.local.words import PLANNED, PLANNED_FIELD, folded

# Kinds of events by the words that tell of them; the date of one is no date of another.
_EVENTS = {
    name: re.compile(words)
    for name, words in {
        "end": r"\b(?:put out|(?:switched|turned|shut) (?:off|down)|extinguish\w*|clos(?:ed|ure)|end(?:ed|s)?|"
        r"sold|sale|replac\w+|remov\w+|retir\w+|demoli\w+|decommission\w*|abolish\w*|dismantl\w+|(?:torn|pulled) down|"
        r"destroy\w*|wrecked|abandon\w*|discontinu\w+|expir\w+|withdrawn|scrapped)\b|"
        r"廃止|閉鎖|売却|撤去|解体|廃棄|取り壊|消灯|交換|終了|期限",
        "look": r"\b(?:inspect\w*|insp|check(?:ed|s|up)?|examin\w+|test(?:ed)?|survey\w*|audit\w*|certif\w+|gone over|"
        r"looked over)\b|点検|検査|確認",
        "paint": r"\b(?:re)?(?:paint\w*|coat\w*|varnish\w*|whitewash\w*)\b|塗",
        "build": r"\b(?:re)?(?:built|build(?:ing)?|construct\w*|erect\w*|found(?:ed|ation)|established)\b|"
        r"建設|建て|竣工|設立|創立",
        "light": r"\b(?:re)?(?:lit|lighted|lighting|kindled)\b|点灯|初点",
        "open": r"\b(?:re)?(?:opened|opening|inaugurat\w+)\b|開業|開館|開通|開設",
        "buy": r"\b(?:bought|buy|purchas\w+|acqui\w+|deliver\w*|order(?:ed)?)\b|購入|納入|導入",
        "mend": r"\b(?:repair\w*|mend(?:ed)?|overhaul\w*|renovat\w+|restor(?:ed|ation)|servic(?:ed|ing))\b|"
        r"修理|修繕|改修|整備",
        "calibrate": r"\bcalibrat\w*|校正",
        "visit": r"\b(?:visited|photographed|written|updated|published)\b|訪問|撮影|更新",
    }.items()
}
# Where a sentence turns to another statement, beside its clauses; a comma within a date is none.
_TURN = re.compile(r",\s+(?!\d{4}\b)|\sand\s(?!\d)|[、;；]")
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|did|does|will|stands?|measures?|built|went|came|took|\w{2,}ed)\b|"
    r"した|され|だった|です|ます"
)
_CHANGE = re.compile(
    r"\b(?:rais|rose|risen|increas|lower|reduc|extend|lengthen|shorten|heighten|widen|deepen|grew|grown|went|chang|cut|"
    r"rebuilt|enlarg|mov|drop|fell|fallen)\w*\b[^.;]*\bfrom\s+(?:about\s+)?\Z",
    re.IGNORECASE,
)
_TO = re.compile(r"\s*(?:[^\W\d]+\s+)?to\s+(?:about\s+)?\d", re.IGNORECASE)
_CHANGE_JA = re.compile(
    r"\s*[^\W\d]{0,8}?から[^。、]*?\d[^。、]*?(?:上げ|下げ|改|変更|増|減|延|縮|伸|高く|低く|なった)"
)
_WAS = re.compile(r"\b(?:was|were|had been|used to be|measured|stood)\b(?!.*\b(?:is|are|has|have)\b)", re.IGNORECASE)
_HAS_BEEN = re.compile(
    r"\b(?:and|but)\s+(?:(?:it|they)\s+)?(?:(?:has|have)\s+been|(?:is|are)\s+now|now)\b(?:\s+\w+){0,2}?\s+\d",
    re.IGNORECASE,
)


def is_planned(text: str, at: int | None = None) -> bool:
    """Whether a clause, or what it says at a place of it, is only planned."""
    if at is None:
        return PLANNED.search(text) is not None
    planned = False
    for part in _parts(text):
        if PLANNED.search(part[0]):
            planned = True
        elif _VERB.search(folded(part[0])):
            planned = False
        if at < part[1]:
            return planned
    return planned


def asks_of_plans(field: str) -> bool:
    """Whether a field's name or description is about what is to come."""
    return PLANNED_FIELD.search(field) is not None


def is_of_another_event(field: str, text: str, at: int) -> bool:
    """Whether what a clause says at a place of it is dated by an event of which the field says nothing.

    An end or a replacement is another event for a field that names none either.
    """
    told: set[str] = set()
    start = 0
    for part, end in _parts(text):
        if start <= at:
            told = events(part) or (set() if _VERB.search(folded(part)) else told)
        start = end
    asked = events(field)
    return not told & asked and ("end" in told or bool(told and asked))


def is_replaced(text: str, start: int, end: int) -> bool:
    """Whether a number at `text[start:end]` of a sentence held before a change: `from 12 m to 16 m`."""
    before, after = text[:start], text[end:]
    if (_CHANGE.search(before) and _TO.match(after)) or _CHANGE_JA.match(after):
        return True
    return _WAS.search(before) is not None and _HAS_BEEN.search(after) is not None


def events(text: str) -> set[str]:
    """The kinds of events that a text tells of."""
    return {name for name, words in _EVENTS.items() if words.search(folded(text))}


def _parts(text: str) -> list[tuple[str, int]]:
    """The statements of a clause, each with the place where it ends."""
    ends = [*(match.start() for match in _TURN.finditer(text)), len(text)]
    starts = [0, *ends[:-1]]
    return [(text[start:end], end) for start, end in zip(starts, ends, strict=True)]
