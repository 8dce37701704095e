"""Why a quote does not stand in its source: elided, put together from pieces, or not there at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sekisho.gates.quotes.needle import Needle
from sekisho.gates.quotes.prepared import Prepared, letters
from sekisho.gates.quotes.search import cuts_a_word
from sekisho.text.folding import is_cjk

_ELLIPSIS = re.compile(
    r"[\[(〔（【<]\s*(?:\.{2,}|中略|前略|後略|略|snip|omitted)\s*[\])〕）】>]|\.{3,}|。{2,}|⋯+|・{3,}|(?:\. ){2,}\.",
    re.IGNORECASE,
)
_HINT = re.compile(r"\.(?:\.| \.)|・・|。。|⋯|略|snip|omit")
_PIECES = 4
_LETTERS = 10
_HAN = 5
_TRIES = 50


def is_elided(source: Prepared, needle: Needle) -> bool:
    """Whether an ellipsis stands in the quote for words of the source: what is left and right of it stands there."""
    if not _HINT.search(needle.bare):
        return False
    parts = [letters(part) for part in _ELLIPSIS.split(needle.bare)]
    said = [part for part in parts if part]
    return len(parts) > 1 and bool(said) and all(part in source.letters for part in said)


def is_stitched(source: Prepared, needle: Needle, stands_elsewhere: Callable[[str], bool]) -> bool:
    """Whether the quote is made of pieces, of several words each, that stand in the source but not next to each other.

    The last piece may be from another source: `stands_elsewhere` says of folded words whether one has them.
    """
    rest = needle.bare
    for number in range(_PIECES):
        if not _says(rest):
            return False
        size = _longest(rest, source.text)
        if number and size == len(rest):
            return True
        if not _says(rest[:size]):
            return number > 0 and stands_elsewhere(rest)
        rest = rest[size:].strip()
    return False


def stands(piece: str, text: str) -> bool:
    """Whether a piece stands in a text, whole words from end to end."""
    return any(not cuts_a_word(text, at) and not cuts_a_word(text, at + len(piece)) for at in _found(piece, text))


def _longest(wanted: str, text: str) -> int:
    """The length of the longest beginning of `wanted` that stands in the text as whole words, or 0."""
    best = 0
    size = _LETTERS if wanted.isascii() or not any(map(is_cjk, wanted[:_HAN])) else _HAN
    for at in _found(wanted[:size], text):
        if cuts_a_word(text, at) or not text.startswith(wanted[: best + 1], at):
            continue
        low, high = best, len(wanted)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if text.startswith(wanted[:middle], at) else (low, middle - 1)
        while low > best and (cuts_a_word(wanted, low) or cuts_a_word(text, at + low)):
            low -= 1
        best = max(best, low)
    return best


def _found(piece: str, text: str) -> Iterator[int]:
    at = text.find(piece)
    for _ in range(_TRIES):
        if at < 0:
            return
        yield at
        at = text.find(piece, at + 1)


def _says(piece: str) -> bool:
    return len(piece) >= _LETTERS or sum(map(is_cjk, piece)) >= _HAN
