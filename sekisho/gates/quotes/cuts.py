"""Whether a quote that stands in a source says what the source says there, or is cut so that it says something else."""

from __future__ import annotations

import re

from sekisho.gates.quotes import english, japanese
from sekisho.gates.quotes.edges import left_out_after, left_out_before
from sekisho.gates.quotes.prepared import Prepared

_REACH = 1000
_ITEM = 100
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
# A cell of a table that denies the rest of its row.
_NO = re.compile(
    r"\W*(?:no|never|none|not \w+(?: \w+)?|false|prohibited|forbidden|excluded|unsupported|不可|否|なし|無し|非対応|"
    r"対象外|禁止|いいえ)\W*|[×✕✖✗✘❌]️?",
    re.IGNORECASE,
)
# The box of a task that is not done.
_OPEN_BOX = "[ ]"
_LATIN = re.compile("[A-Za-z]{2}")


def left_out(source: Prepared, block: tuple[int, int, int], first: int, last: int) -> str:
    """The words outside `source.text[first:last]`, which begins in a block, without which it says something else."""
    if source.is_struck(source.words.starts[first], source.words.ends[last - 1]):
        return "~~"
    text = source.text
    number, floor, ceiling = block
    if first > floor and text.startswith(_OPEN_BOX, floor):
        return _OPEN_BOX
    lead_floor = floor
    start, end = source.sentence(first, number, floor, ceiling)
    if last > end:
        last_number, last_floor, ceiling = source.block(last - 1)
        end = source.sentence(last - 1, last_number, last_floor, ceiling)[1]
    floor = start if source.is_own_line(start) else floor
    ceiling = end if source.is_own_line(end) else ceiling
    left, right = text[max(start, first - _REACH) : first], text[last : min(end, last + _REACH)]
    if left.strip() or right.strip(" .。"):
        found = left_out_before(source, first, floor) or left_out_after(source, last, ceiling)
        if found or (found := _turned(left, text[first:last], right)):
            return found
    if denied := next((cell for cell in source.beside(number, first, last) if _NO.fullmatch(cell)), ""):
        return denied
    if start > lead_floor or not (denied := _denied_by_lead(source, number)):
        return ""
    said = text[first : first + _ITEM]
    leads = source.leads(number)
    denials = (english.denied_list(lead, said) or japanese.denied_list(lead) for lead in leads)
    return next(filter(None, denials), "")


def _denied_by_lead(source: Prepared, number: int) -> str:
    """What denies a block in the words that introduce its list or column; found once for each block."""
    if number not in source.denials:
        said = (english.denied_list(lead) or japanese.denied_list(lead) for lead in source.leads(number))
        source.denials[number] = next(filter(None, said), "")
    return source.denials[number]


def _turned(left: str, quote: str, right: str) -> str:
    around = left + quote[:_REACH] + right
    found = english.left_out(left, quote, right) if _LATIN.search(around) else ""
    return found or (japanese.left_out(left, quote, right) if _KANA.search(around) else "")
