"""Word-initial alignment: whether a short form is made of the beginnings of a name's words.

`MGB` of medial geniculate body, `PoT` of posterior nucleus of thalamus, `SCsu` of superficial layer of superior
colliculus (Schwartz and Hearst, 2003, align letters likewise, but in the order of the words only).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_WITHIN = 0.85  # a letter that follows its word's first in a row
_INSIDE = 0.5  # a letter further inside a word that has begun
_BACK = 0.2  # what it costs to go back to an earlier word
_CASE = 0.15  # what it costs to begin a word with a small letter behind a capital, or to go on in a word with a capital
_SKIPPED = -0.3  # a letter that begins or continues nothing
_WORDS = 10


class Alignment(NamedTuple):
    """How well the letters fit, in [0, 1], and which of the words they begin, by place."""

    fit: float
    used: tuple[int, ...]


def letters_of(query: str) -> str:
    """The letters and figures of a short form, its case kept."""
    return "".join(char for char in query if char.isalnum())


def is_short_form(text: str) -> bool:
    """Whether a text may be a short form: one word of 2 to 8 letters and figures, or several that are all capitals."""
    letters = letters_of(text)
    if not 2 <= len(letters) <= 8 or not letters.isascii() or not letters[0].isalpha():
        return False
    return len(text.split()) == 1 or letters.upper() == letters


def align(letters: str, words: Sequence[str]) -> Alignment:
    """The best way to spell `letters` by the beginnings of lower-case `words`, each used at most once."""
    words = words[:_WORDS]
    lower = letters.lower()
    mixed = not (letters.isupper() or letters.islower())
    starts: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        starts.setdefault(word[0], []).append(at)
    best = (-1.0, ())
    # Each state: score so far, word it is in, letter of that word, words used; the few best are kept at each letter.
    states: list[tuple[float, int, int, tuple[int, ...]]] = [(0.0, -1, 0, ())]
    for at, letter in enumerate(lower):
        capital = mixed and letters[at].isupper()
        grown: dict[tuple[int, int, tuple[int, ...]], float] = {}
        for score, word, place, used in states:
            options = [(score + _SKIPPED, word, place, used)]
            for start in starts.get(letter, ()):
                if start not in used:
                    cost = (_BACK if start < word else 0.0) + (_CASE if mixed and not capital and at else 0.0)
                    options.append((score + 1.0 - cost, start, 1, (*used, start)))
            if word >= 0:
                following = words[word].find(letter, place)
                if following >= 0:
                    gain = (_WITHIN if following == place else _INSIDE) - (2 * _CASE if capital else 0.0)
                    options.append((score + gain, word, following + 1, used))
            for option in options:
                key = option[1:]
                if option[0] > grown.get(key, -9.0):
                    grown[key] = option[0]
        ranked = sorted(((score, *key) for key, score in grown.items()), key=lambda state: (-state[0], state[1:]))
        states = ranked[:6]
    if states:
        best = (states[0][0], states[0][3])
    return Alignment(max(0.0, min(1.0, best[0] / len(lower))), tuple(sorted(best[1])))
