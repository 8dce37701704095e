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
    """The words outside `source.text[first:last]` without which it says something else than the source; else nothing."""
    if source.is_struck(source.words.starts[first], source.words.ends[last - 1]):
        return "~~"
    text = source.text
    number, floor, _ = source.block(first)
    ceiling = source.block(last - 1)[2]
    if found := left_out_before(source, first, floor) or left_out_after(source, last, ceiling):
        return found
    start, end = source.sentence(first)[0], source.sentence(last - 1)[1]
    left, right = text[max(start, first - _REACH) : first], text[last : min(end, last + _REACH)]
    if left.strip() or right.strip(" .。"):
        quote = text[first:last]
        around = left + quote[:_REACH] + right
        if _LATIN.search(around) and (found := english.left_out(left, quote, right)):
            return found
        if _KANA.search(around) and (found := japanese.left_out(left, quote, right)):
            return found
    lead = source.lead(number)
    return english.denied_list(lead) or japanese.denied_list(lead) if lead else ""
