"""What a question narrows its answer to: a reason, a place, the first or next time, a year, a number."""

from __future__ import annotations

import re

from sekisho.agents.local.times import asks_when
from sekisho.agents.local.words import folded, stems

# A word of the question, and what a sentence needs then.
_NEEDS = [
    (r"\bwhy\b|\bfor what reason\b|なぜ|どうして",
     r"\b(?:because|since|so|due to|owing to|thanks to|reasons?|otherwise|or|lest|if|"
     r"to (?:avoid|prevent|keep|save|protect|let|make|stop|help|get|be))\b|ため|から|ので|理由|原因"),
    (r"\bwhere\b|どこ",
     r"\b(?:in|at|on|by|near|behind|besides?|under|below|above|between|inside|outside|from|to|into|along|opposite|"
     r"around|through|next|off|past|within|across)\b(?!\s+\d)|\b(?:here|there|place|room)\b|[にでへ]|から"),
    (r"\bfirst\b|最初|初めて", r"\b(?:first|initial|initially|original|originally|oldest|earliest)\b|最初|初め|初回"),
    (r"\bnext\b|次回|次に|次の", r"\b(?:next|due|again|will|following|every|then|until)\b|次|毎|ごと"),
    (r"\b(?:former|formerly|previous|previously)\b|\bbefore\W*\Z|以前",
     r"\b(?:former|formerly|previous|previously|earlier|used to|before|until|once|old)\b|以前|かつて|前"),
]  # fmt: skip
_NARROWING = [(re.compile(asked, re.IGNORECASE), re.compile(needed, re.IGNORECASE)) for asked, needed in _NEEDS]
# Two things asked for at once: `What are the flow and the weight of it?`
_BOTH = re.compile(r"\A\W*(?:what|when|how)\b.*?\b(?P<one>[a-z]+) and (?:the |its )?(?P<other>[a-z]+)\b")
_WHERE = re.compile(r"\bwhere\b|どこ")
_WHO = re.compile(r"\bwho(?:m|se)?\b")
_PERSON = re.compile(
    r"(?<=[\w,;] )(?!(?i:mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))[A-Z]|"
    r"\b[A-Z]\.|\b\w*(?:er|or|ist|man|men|people|s?he|we|they|us|I|staff|team|family|child|children|mason|student)s?\b"
)
_COUNTED = ["zero", "_", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*")
# A number to compare with, which the sentence need not hold.
_COMPARED = re.compile(
    r"\b(?:than|above|over|below|under|beyond|least|most|exceed\w*|within|up to|down to|between|before|after|since)\b|"
    r"以上|以下|未満|超|より|まで"
)


def keeps_to(question: str, sentence: str, field: str = "", *, is_named: bool = True) -> bool:
    """Whether a sentence has what the question, without the name it is about, is narrowed to.

    Words of the `field` that is asked for narrow nothing: its value is the answer. Where no source is named, the
    source itself may be the place that is asked for.
    """
    asked, told = folded(question), folded(sentence)
    if not is_named:
        asked = _WHERE.sub(" ", asked)
    if any(
        here.search(asked) and not here.search(folded(field)) and not needed.search(told) for here, needed in _NARROWING
    ):
        return False
    if not field and asks_when(question) and (own := set(stems(asked))) and not own & set(stems(told)):
        return False
    if _WHO.search(asked) and told.isascii() and not _PERSON.search(sentence):
        return False
    both = _BOTH.match(asked)
    if both and not set(stems(f"{both['one']} {both['other']}")) <= set(stems(told)):
        return False
    return _COMPARED.search(asked) is not None or _numbers(asked) <= _numbers(told)


def _numbers(text: str) -> set[str]:
    spelled = {str(number) for number, word in enumerate(_COUNTED) if re.search(rf"\b{word}\b", text)}
    return spelled | {number.replace(",", "") for number in _NUMBER.findall(text)}
