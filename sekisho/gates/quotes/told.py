"""A verdict as a sentence for people and for the next round of a loop."""

from __future__ import annotations

from sekisho.gates.quotes.verdict import Verdict
from sekisho.text import shortened

_SHOWN = 60


def told(what: str, verdict: Verdict, asked: str, quote: str) -> str:
    """Why a quote was turned back; `what` names it (`quote`), `asked` is the source that it was said to be from."""
    where, words = shortened(asked), shortened(quote)
    hint = shortened(verdict.hint, _SHOWN)
    match verdict.reason:
        case "unknown_source":
            return f"{what} from an unknown source: {where}{f' (nearest known: {hint})' if hint else ''}: {words}"
        case "misattributed":
            return f"{what} not found in {where}, but in {shortened(verdict.source)}: {words}"
        case "truncated":
            return f"{what} truncated in {where} (left out: {hint}): {words}"
        case "elided":
            return f"{what} elided in {where} (an ellipsis stands for words of the source): {words}"
        case "stitched":
            return f"{what} stitched in {where} (its parts do not stand next to each other): {words}"
        case "too_short":
            return f"{what} too short to say anything, from {where}: {words}"
        case "empty":
            return f"{what} empty, from {where}"
        case _:
            return f"{what} not found in {where}: {words}"
