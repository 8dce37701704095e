"""Word-initial alignment: whether a short form is made of the beginnings of a name's words.

`MGB` of medial geniculate body, `PoT` of posterior nucleus of thalamus, `SCsu` of superficial layer of superior
colliculus. Schwartz and Hearst (2003) align letters likewise, but from the right and in the order of the words only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np

from sekisho.mapping.words import arabic

OWN = 7  # words of the name itself, then of what stands above it, and letters of each
_ABOVE = 2
_DEEP = 5
WORDS = OWN + _ABOVE
_WITHIN = 0.95  # for a letter that follows the one before in its word; 1 for a word's first letter
_INSIDE = 0.45  # for a letter further inside a word that has begun
_BACK = 0.5  # what it costs to go back to an earlier word
_BORROWED = 0.4  # or to begin a word of what stands above
_CASE = 0.25  # or a word with a small letter where there are capitals; twice that to go on with a capital
_SKIPPED = -0.4  # for a letter that begins or continues nothing
_NONE = np.float32(-9)

_NUMBERED = re.compile("([A-Z]?[A-Za-z]*[a-z])([IVX]+)")

Spelt = np.ndarray[Any, np.dtype[np.uint8]]


def letters_of(text: str) -> str:
    """The letters and figures of a short form, its case kept: without accents, a Roman numeral behind it in figures."""
    plain = "".join(char for char in unicodedata.normalize("NFD", text) if char.isalnum())
    match = _NUMBERED.fullmatch(plain)
    number = arabic(match[2]) if match else ""
    return f"{match[1]}{number}" if match and number else plain


def is_short_form(text: str) -> bool:
    """Whether a text may be a short form: one word of 2 to 8 letters and figures, or several that are all capitals."""
    letters = letters_of(text)
    if not 2 <= len(letters) <= 8 or not letters.isascii() or letters.isdigit():
        return False
    return len(text.split()) == 1 or letters.upper() == letters


def spell(words: Sequence[str], above: Sequence[str] = ()) -> Spelt:
    """The first letters of a name's words and of those above it that are no words of its own: words x letters."""
    spelt = np.zeros((WORDS, _DEEP), dtype=np.uint8)
    borrowed = [word for word in above if word not in words][:_ABOVE]
    for first, some in ((0, words[:OWN]), (OWN, borrowed)):
        for at, word in enumerate(some, start=first):
            start = word[:_DEEP].encode("ascii", "replace")
            spelt[at, : len(start)] = np.frombuffer(start, dtype=np.uint8)
    return spelt


def align(forms: Sequence[str], spelt: Spelt) -> tuple[Any, Any]:
    """How well short forms are spelt by the beginnings of names' words: the fit in [0, 1], and the words used, as bits.

    The first form goes with the first name, and so on: `spelt` is names x words x letters. The best path over (word,
    letter) is followed for all of them at once; a word is begun at most once on a path.
    """
    letters, begins, capitals = _letters(forms)
    across = np.ascontiguousarray(spelt.transpose(1, 2, 0))  # words x letters x names
    names = across.shape[2]
    score = np.full(across.shape, _NONE, dtype=np.float32)
    used = np.zeros(across.shape, dtype=np.int16)
    for at, letter in enumerate(letters):
        new = np.full_like(score, _NONE)
        new_used = np.zeros_like(used)
        begun, begun_used = _begun(score.max(axis=1), _at_best(score, used), np.float32(at * _SKIPPED))
        new[:, 0], new_used[:, 0] = begun + begins[at], begun_used
        _go_on(score, used, new, new_used, capitals[at])
        new[(across != letter) | (letter == 0)] = _NONE
        stays = score + np.where(letter == 0, np.float32(0), np.float32(_SKIPPED))
        np.copyto(new_used, used, where=new < stays)
        score, used = np.maximum(new, stays), new_used
    flat = score.reshape(-1, names)
    best = flat.argmax(axis=0)
    column = np.arange(names)
    sizes = np.count_nonzero(letters, axis=0)
    return np.clip(flat[best, column] / sizes, 0, 1), used.reshape(-1, names)[best, column].astype(np.int32)


def _letters(forms: Sequence[str]) -> tuple[Any, Any, Any]:
    """Per letter and form: its code, 0 behind the end; what it gains by beginning a word; what going on costs it."""
    places = {form: at for at, form in enumerate(dict.fromkeys(forms))}  # one form stands beside many names
    most = max(map(len, places), default=0)
    codes = np.zeros((len(places), most), dtype=np.uint8)
    begins = np.ones((len(places), most), dtype=np.float32)
    capitals = np.zeros((len(places), most), dtype=np.float32)
    for form, row in places.items():
        codes[row, : len(form)] = np.frombuffer(form.lower().encode("ascii", "replace"), dtype=np.uint8)
        if not (form.isupper() or form.islower()):
            upper = np.array([letter.isupper() for letter in form])
            begins[row, 1 : len(form)] -= np.where(upper[1:], 0, _CASE)
            capitals[row, : len(form)] = np.where(upper, 2 * _CASE, 0)
    rows = np.array([places[form] for form in forms], dtype=np.int32)
    return codes.T[:, rows], begins.T[:, rows], capitals.T[:, rows]


def _at_best(score: Any, used: Any) -> Any:
    """The words used on the path to the best letter of each word."""
    best = used[:, 0].copy()
    top = score[:, 0].copy()
    for place in range(1, score.shape[1]):
        np.copyto(best, used[:, place], where=score[:, place] > top)
        np.maximum(top, score[:, place], out=top)
    return best


def _go_on(score: Any, used: Any, new: Any, new_used: Any, cost: Any) -> None:
    """Put in the best score for each letter as one further inside the word of the letter before."""
    new[:, 1:] = score[:, :-1] + (np.float32(_WITHIN) - cost)
    new_used[:, 1:] = used[:, :-1]
    furthest, furthest_used = score[:, 0].copy(), used[:, 0].copy()
    for place in range(2, score.shape[1]):
        jump = furthest + (np.float32(_INSIDE) - cost)
        better = jump > new[:, place]
        np.copyto(new[:, place], jump, where=better)
        np.copyto(new_used[:, place], furthest_used, where=better)
        np.copyto(furthest_used, used[:, place - 1], where=score[:, place - 1] > furthest)
        np.maximum(furthest, score[:, place - 1], out=furthest)


def _begun(best: Any, used: Any, first: Any) -> tuple[Any, Any]:
    """The best score for each word as one that begins here: as the first one, or behind another that ended well."""
    words = len(best)
    value = np.full_like(best, first)
    value_used = np.zeros_like(used)
    for order, cost in ((range(words), np.float32(0)), (range(words - 1, -1, -1), np.float32(_BACK))):
        running = np.full_like(best[0], _NONE)
        running_used = np.zeros_like(used[0])
        for word in order:
            free = (running_used >> word) & 1 == 0
            better = (running - cost > value[word]) & free
            np.copyto(value[word], running - cost, where=better)
            np.copyto(value_used[word], running_used, where=better)
            np.copyto(running_used, used[word], where=best[word] > running)
            np.maximum(running, best[word], out=running)
    value[OWN:] -= np.float32(_BORROWED)
    return value, value_used | (np.int16(1) << np.arange(words, dtype=np.int16))[:, None]
