"""Questions that a time answers, and what tells one."""

from __future__ import annotations

import re

from sekisho.agents.local.words import folded
from sekisho.dates import dates

_WHEN = re.compile(
    r"(?:\A\W*|\b(?:and|but|since|until|from)\s+)when\b|"
    r"\bwhen\s+(?:is|are|was|were|do|does|did|can|should|must|may|will)\b|"
    r"\b(?:at|on|in|by)\s+(?:what|which)\s+(?:time|day|date|weekday|month|year|season)\b|\bwhat time\b|"
    r"いつ(?!も|か|でも)|何(?:時|曜日|月|年)(?!間)",
    re.IGNORECASE,
)
_TIME = re.compile(
    # A year, an hour, a day of the week, a month.
    r"\b(?:1[5-9]|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|\b\d{1,2}\s?(?:am|pm|o'clock)\b|"
    r"\b(?:at|by|from|until|till|before|after|since|past)\s+(?:about\s+)?(?:\d{1,2}\b(?!\s*[a-z°%])|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|"
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|"
    r"\b(?:in|of|since|until|by) may\b|"
    # A season, a part of the day.
    r"\b(?:spring|summer|autumn|winter|christmas|easter|new year|season|holidays?|weekends?|weekdays?)\b|"
    r"\b(?:mornings?|noon|midday|afternoons?|evenings?|nights?|midnight|dawn|dusk|sunrise|sunset)\b|"
    r"\b(?:today|tomorrow|yesterday|tonight|recently|already|soon|now)\b|"
    # How long or how often, and on what event.
    r"\b(?:seconds?|minutes?|hours?|days?|weeks?|fortnights?|months?|years?|century|centuries)\b|"
    r"\b(?:daily|weekly|monthly|yearly|annually|annual|always|often|never|every|each time|once|twice)\b|"
    r"\b(?:when|whenever|while|before|after|until|till|as soon as|as long as|during|if|since)\b|"
    r"\d\s?(?:年|月|日|時|分|週|か月)|曜|毎|週末|平日|祝日|休日|[春夏秋冬朝昼夕夜晩]|今[年月日週]|[昨去来翌]年|昨日|明日|先[月週]|来[月週]|"
    r"いつも|前に|後に|[るたい]時|とき|ごろ|頃|まで|たら|れば|ごと|おき"
)


def asks_when(question: str) -> bool:
    """Whether only a time answers the question."""
    return _WHEN.search(question) is not None


def tells_when(sentence: str) -> bool:
    """Whether a sentence tells a day, an hour, a season, how long, how often, or the event that something waits for."""
    return _TIME.search(folded(sentence)) is not None or bool(dates(sentence))
