"""Values and figures: whether a text contains an expected value, and how a figure is told."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

_COUNTS = ("questions", "drafts")  # the others are shares
_WITHIN_WORDS = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff")  # where a line may break, or not: nobody sees them


def shown_figure(name: str, value: float) -> str:
    """A figure of a scorecard for a reader: a count as it is, a share with three decimals."""
    return f"{value:.0f}" if name in _COUNTS else f"{value:.3f}"


def figure_rows(figures: Mapping[str, float]) -> list[dict[str, str]]:
    """The figures of a scorecard as the rows of a table."""
    return [{"figure": name, "value": shown_figure(name, value)} for name, value in figures.items()]


def contains(text: str, value: str) -> bool:
    """Whether a text contains a value: letters of any case and width, white space folded, no part of a longer word.

    `28` stands neither in `128` nor in `2.28`; scripts without spaces have no word ends.
    """
    text, value = _folded(text), _folded(value)
    at = text.find(value)
    while at >= 0:
        before, after = text[:at], text[at + len(value) :]
        if not _joined(before[::-1], value) and not _joined(after, value[::-1]):
            return True
        at = text.find(value, at + 1)
    return False


def _joined(beside: str, value: str) -> bool:
    """Whether a text goes on into its neighbour, both read from where they meet."""
    first = value[:1]
    if first.isdecimal():
        return beside[:1].isdecimal() or (beside[:1] in (".", ",") and beside[1:2].isdecimal())
    return _has_case(first) and _has_case(beside[:1])


def _has_case(char: str) -> bool:
    return char.upper() != char.lower()


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).translate(_WITHIN_WORDS).casefold().split())
