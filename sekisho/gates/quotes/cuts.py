"""Whether a quote that stands in a source says what the source says there, or is cut so that it says something else."""

from __future__ import annotations

import re

from sekisho.gates.quotes import english, japanese
from sekisho.gates.quotes.edges import left_out_after, left_out_before
from sekisho.gates.quotes.prepared import Prepared

_REACH = 1000
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_LATIN = re.compile("[A-Za-z]{2}")


def left_out(source: Prepared, first: int, last: int) -> str:
    """The words outside `source.text[first:last]` without which it says something else; else nothing."""
    if source.is_struck(source.words.starts[first], source.words.ends[last - 1]):
        return "~~"
    text = source.text
    number, floor, ceiling = source.block(first)
    start, end = source.sentence(first, number, floor, ceiling)
    if last > end:
        last_number, last_floor, ceiling = source.block(last - 1)
        end = source.sentence(last - 1, last_number, last_floor, ceiling)[1]
    left, right = text[max(start, first - _REACH) : first], text[last : min(end, last + _REACH)]
    if left.strip() or right.strip(" .。"):
        found = left_out_before(source, first, floor) or left_out_after(source, last, ceiling)
        if found or (found := _turned(left, text[first:last], right)):
            return found
    lead = source.lead(number) if start <= floor else ""
    return english.denied_list(lead) or japanese.denied_list(lead) if lead else ""


def _turned(left: str, quote: str, right: str) -> str:
    around = left + quote[:_REACH] + right
    found = english.left_out(left, quote, right) if _LATIN.search(around) else ""
    return found or (japanese.left_out(left, quote, right) if _KANA.search(around) else "")
