"""Differences that make a quote false: what a generator can know by itself, and what the side files say by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from benchmarks.gates.reading import Sentence

# Key in a side file -> (family, what a reader would say is wrong).
EDITS = {
    "syn": ("synonym", "one word replaced by a near-synonym: not verbatim"),
    "ant": ("antonym", "one word replaced by an opposite"),
    "negadd": ("negation_added", "a negation inserted"),
    "negdrop": ("negation_dropped", "the negation removed or turned"),
    "unit": ("unit_changed", "the unit or the scale differs"),
    "cur": ("currency_changed", "the currency differs"),
    "date": ("date_changed", "the date or the day differs"),
    "sign": ("sign_changed", "the sign differs"),
    "name": ("name_changed", "a name, a label or a term differs"),
    "num_word": ("number_word_changed", "a number written as a word differs"),
    "sup": ("superscript_changed", "an exponent or a fraction flattened or changed"),
    "case": ("case_meaning", "letter case carries meaning"),
}
CUTS = {
    "cut_negation": "the negation is left outside",
    "cut_condition": "the condition is left outside",
    "cut_exception": "the exception or the limit is left outside",
    "cut_number": "a number is cut",
    "affix": "part of a word is left outside",
}
_NUMBER = re.compile(r"(?<![A-Za-z\d.,])\d+(?:[.,，．]\d+)*")


def edited(sentence: Sentence) -> Iterator[tuple[str, str, str]]:
    """(family, quote, why) for every change of words that the side file names."""
    for key, (family, why) in EDITS.items():
        for change in sentence.notes.get(key, []):
            old, new = change.split(" => ")
            if old not in sentence.text:
                raise ValueError(f"{sentence.source}: {old!r} does not stand in {sentence.text!r}")
            yield family, sentence.text.replace(old, new, 1), f"{why}: {change}"
    for key, family in (("del", "clause_deleted"), ("qual", "qualifier_dropped")):
        for part in sentence.notes.get(key, []):
            if part not in sentence.text:
                raise ValueError(f"{sentence.source}: {part!r} does not stand in {sentence.text!r}")
            quote = sentence.text.replace(part, "", 1)
            if quote not in sentence.text:  # a word cut off at an end is a cut, and labelled as one where it matters
                yield family, quote, f"silently removed: {part.strip()}"
    for key, family in (("para", "paraphrase"), ("reorder", "reordered"), ("badrow", "cells_mixed")):
        for quote in sentence.notes.get(key, []):
            yield family, quote, f"{family.replace('_', ' ')}: not what stands there"


def cut(sentence: Sentence) -> Iterator[tuple[str, str, str]]:
    """(family, quote, why) for every cut of the side file."""
    for key, why in CUTS.items():
        family = "affix_cut" if key == "affix" else key
        for quote in sentence.notes.get(key, []):
            if quote not in sentence.text:
                raise ValueError(f"{sentence.source}: {quote!r} does not stand in {sentence.text!r}")
            yield family, quote, why


def number_changed(text: str, dice: Random) -> str | None:
    """One digit of a number replaced by another."""
    return _in_a_number(text, dice, lambda number, at: number[:at] + _other_digit(number[at], dice) + number[at + 1 :])


def digit_dropped(text: str, dice: Random) -> str | None:
    """One digit of a number left out."""
    return _in_a_number(text, dice, lambda number, at: number[:at] + number[at + 1 :], digits=2)


def digits_swapped(text: str, dice: Random) -> str | None:
    """Two different neighbouring digits exchanged."""
    pairs = [at for at in range(len(text) - 1) if text[at : at + 2].isdigit() and text[at] != text[at + 1]]
    pairs = [at for at in pairs if text[at : at + 2].isdecimal()]
    if not pairs:
        return None
    at = dice.choice(pairs)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def decimal_shifted(text: str, dice: Random) -> str | None:
    """A decimal point or a thousands separator dropped, moved or replaced."""
    points = list(re.finditer(r"(?<=\d)[.](?=\d)", text))
    if not points:
        return None
    at = dice.choice(points).start()
    return dice.choice(
        [text[:at] + text[at + 1 :], text[:at] + "," + text[at + 1 :], text[:at] + text[at + 1] + "." + text[at + 2 :]]
    )


def digit_raised(text: str, dice: Random) -> str | None:
    """A plain digit turned into an exponent."""
    numbers = [match for match in _NUMBER.finditer(text) if len(match[0]) > 1 and match[0].isdecimal()]
    if not numbers:
        return None
    at = dice.choice(numbers).end() - 1
    digit = "⁰¹²³⁴⁵⁶⁷⁸⁹"[int(text[at])]
    return text[:at] + digit + text[at + 1 :]


def letter_changed(text: str, dice: Random) -> str | None:
    """One letter inside a word replaced by another."""
    words = list(re.finditer(r"[a-z]{6,}|[\u4e00-\u9fff]{2,}", text))
    if not words:
        return None
    match = dice.choice(words)
    at = dice.randrange(match.start(), match.end())
    pool = "abcdefghijklmnopqrstuvwxyz" if text[at].isascii() else "山川春秋左右朝夕新旧"
    return text[:at] + dice.choice([char for char in pool if char != text[at]]) + text[at + 1 :]


def words_swapped(text: str, dice: Random) -> str | None:
    """Two neighbouring words, or two clauses of a Japanese sentence, exchanged."""
    if not text.isascii() and text.count("、") == 1 and text[-1] == "。":
        left, right = text[:-1].split("、")
        return f"{right}、{left}。"
    pairs = [match for match in re.finditer(r"(?<= )([a-z]{3,}) ([a-z]{3,})(?= )", text) if match[1] != match[2]]
    if not pairs:
        return None
    match = dice.choice(pairs)
    return text[: match.start()] + f"{match[2]} {match[1]}" + text[match.end() :]


def _in_a_number(text: str, dice: Random, change: Callable[[str, int], str], digits: int = 1) -> str | None:
    numbers = [match for match in _NUMBER.finditer(text) if sum(char.isdecimal() for char in match[0]) >= digits]
    if not numbers:
        return None
    match = dice.choice(numbers)
    at = dice.choice([place for place, char in enumerate(match[0]) if char.isdecimal()])
    new = change(match[0], at)
    changed = text[: match.start()] + new + text[match.end() :]
    return None if changed in text else changed


def _other_digit(digit: str, dice: Random) -> str:
    zero = ord(digit) - int(digit)
    return chr(zero + (int(digit) + dice.randrange(1, 9)) % 10)


FAMILIES = {
    "number_changed": number_changed,
    "digit_dropped": digit_dropped,
    "digits_swapped": digits_swapped,
    "decimal_shifted": decimal_shifted,
    "superscript_added": digit_raised,
    "letter_changed": letter_changed,
    "words_swapped": words_swapped,
}
