"""Words as the local agent compares them: plain digits, stems, and the closed lists that mark polarity and distance."""

from __future__ import annotations

import re
import unicodedata

from sekisho.text.stemming import english_stem

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")
_JAPANESE = re.compile("[\u3041-\u30ff\u3400-\u9fff々ー]+")

_STOP = """a about above after all also am an and any are as at be been before being below between both but by can could
    did do does doing down during each every few for from further had has have having he her here hers him his
    how i if in into is it its itself just may me might more most much must my new no nor not now of off on once
    one only or other our out over own per same shall she should so some such than that the their them then
    there these they this those through to today too under until up upon us very was we were what whatever when
    where whether which while who whom whose why will with without would yes you your field value note notes
    says say said state states number name true false ones day days usual"""
STOP = frozenset(_STOP.split())
# What marks a clause as being about something else, or about another time, than the note's subject today.
ELSEWHERE = re.compile(
    r"\b(?:other|others|another|different|that one|the latter|neighbou?r(?:s|'s|ing)?|next door|next to it|unlike|"
    r"whereas|against|instead of|rather than|than the|compared with|by contrast|predecessors?|successors?|sister|twin|"
    r"spare|second(?!-)|older|old one|former|formerly|previous|previously|earlier|original|originally|used to|"
    r"before that|last year|years? ago|variant|detour|alternative)\b|"
    r"以前|かつて|前の|旧型|旧式|昨年|去年|別の|他の|ほかの|隣の|予備|より",
    re.IGNORECASE,
)
# What marks a clause as being about what is no longer so, up to the word that comes back to today.
FORMER = re.compile(
    r"\b(?:(?<!is )(?<!are )(?<!was )(?<!were )used to|formerly|previously|back then|in (?:the past|those days)|"
    r"at the time|(?:stopped|ceased|quit) \w+ing)\b|"
    r"\b(?:was|were|had)\b(?:(?!\b(?:is|are|and|but)\b)[^;])*\buntil\b|\buntil\b[^;]*\b(?:was|were|had)\b|"
    r"以前|かつて|昔|去年|昨年",
    re.IGNORECASE,
)
_SOON = r"(?:\w+ly\s+|soon\s+|then\s+|again\s+)?"
_TO_COME = (
    r"\b(?:(?:19|20)\d\d|soon|later|tomorrow|again|next (?:year|month|week|season|spring|summer|autumn|winter))\b"
)
# What marks a clause as being about what is only planned or still to come.
PLANNED = re.compile(
    # `will be` without a time tells as often of what is always so: `you will be warm enough`.
    rf"\b(?:will|shall)\s+{_SOON}become\b|\b(?:will|shall)\s+{_SOON}(?:be|get|have)\b(?=.*{_TO_COME})|"
    rf"{_TO_COME}.*\b(?:will|shall)\s+(?:be|get|have)\b|"
    r"\b(?:is|are|was|were|falls?|fell|comes?)\s+(?:\w+\s+)?due\b(?! to)|\bdue (?:on|in|by|for|date)\b|"
    r"\bnext (?!to\b|door\b)(?:\w+ ){1,3}?(?:is|are|will|on|in|for|falls|comes|takes|follows)\b|"
    r"\bnext (?:\w+ ?){1,2}[:|：]|"
    r"\bplans? (?:to|for|call(?:s|ed)?|(?:is|are|was|were) to|had|foresees?|foresaw)\b|"
    r"\bplann(?:ed|ing) (?:to|for|on|in)\b|"
    r"\b(?:is|are|was|were|been|being|as) (?:\w+ly |first |once )?(?:planned|proposed|scheduled|foreseen|intended)\b|"
    r"\b(?:proposed|scheduled|planned) (?:for|in|on|by|height|length|date)\b|\bproposals? (?:to|for)\b|"
    r"\b(?:was|were) to (?:be|become|have|get|stand)\b|\b(?:is|are) to become\b|"
    r"\b(?:is|are) to be\b(?=.*\b(?:20\d\d|soon|later|next)\b)|"
    r"予定|計画|次回|今後",
    re.IGNORECASE,
)
# A field that is itself about what is to come.
PLANNED_FIELD = re.compile(
    r"\b(?:next|due|deadline|plan(?:s|ned)?|proposed|scheduled?|intended|future|upcoming|expir\w+|until|will)\b|"
    r"予定|計画|次回|今後|期限",
    re.IGNORECASE,
)
# What marks the subject of a clause as a thing near by, not the note's own.
NEIGHBOUR = re.compile(
    r"\b(?:nearby|neighbou?r(?:s|'s|ing)?|next door|opposite|"
    r"across the (?:road|street|bay))\b|"
    r"隣の|近くの|向かいの",
    re.IGNORECASE,
)
NOW = re.compile(r"\b(?:now|nowadays|today|these days|currently)\b|今は|今では|現在", re.IGNORECASE)
# Words for "about so much" and "not so much": the number beside them is seldom the one that is meant.
LOOSE = re.compile(
    r"\b(?:nearly|almost|guess(?:ed)?|estimated?|rated for|up to|at least|at most|first|last|would|if|mere|only)\b",
    re.IGNORECASE,
)
_NEGATORS = (
    r"\b(?:not|no|never|neither|nor|nobody|none|nothing|nowhere|without|hardly|cannot|lacks?|free of|"
    r"g[ai]v(?:en?|ing) up)\b|n't\b|\bnon-?|"
    r"\bun(?=[a-z]{4})"
)
NEGATOR = re.compile(_NEGATORS, re.IGNORECASE)
# A denial of what is said next, unless it sets a bound: `not every 10 days`, but `not below 10 °C`, `no more than 10`.
DENIAL = re.compile(r"\b(?:not|never|cannot|no longer)\b|n['’]t\b", re.IGNORECASE)
BOUND = re.compile(
    r"\b(?:only|just|than|until|before|(?:up|down|drop|fall) to|below|under|over|above|beyond|exceed|at (?:mo|lea)st)\b"
    r"|しか|以上|以下|未満|超|より",
    re.IGNORECASE,
)
# 大丈夫ではない, 使えません, 未校正, 不可: after or inside the word it turns round.
NEGATOR_JA = re.compile("ない|なかっ|ません|なく|ず、|ずに|未(?=[\u4e00-\u9fff])|非(?=[\u4e00-\u9fff])")


def folded(text: str) -> str:
    """NFKC, lower case."""
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


def stems(text: str) -> list[str]:
    """The content words of a text, English ones as stems, Japanese runs as pairs of characters."""
    text = folded(text)
    english = [
        english_stem(word.removesuffix("'s")) for word in _WORD.findall(text) if word not in STOP and len(word) > 1
    ]
    runs = _JAPANESE.findall(text)
    return english + [run[i : i + 2] for run in runs for i in range(len(run) - 1) if not _is_kana(run[i : i + 2])]


def is_japanese(text: str) -> bool:
    """Whether a fifth of the letters or more are Japanese."""
    return 5 * sum(map(len, _JAPANESE.findall(text))) >= max(1, sum(char.isalpha() for char in text))


def _is_kana(pair: str) -> bool:
    return all("\u3041" <= char <= "\u309f" for char in pair)
