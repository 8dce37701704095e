"""Differences that change nothing for a reader: each takes a text and a random source and gives a variant or None."""

from __future__ import annotations

import re
import unicodedata
from random import Random

_FULL = {chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F) if chr(code).isalnum()}
_HALF = {full: half for half, full in _FULL.items()}
_KANA = {unicodedata.normalize("NFKC", chr(code)): chr(code) for code in range(0xFF61, 0xFFA0) if code != 0xFF70}
_KANA["ー"] = "ｰ"
_KANA |= {
    unicodedata.normalize("NFKC", chr(code) + mark): chr(code) + mark
    for code in range(0xFF66, 0xFFA0)
    for mark in "ﾞﾟ"
    if len(unicodedata.normalize("NFKC", chr(code) + mark)) == 1
}
_HALF_KANA = {half: full for full, half in _KANA.items()}
_LIGATURES = {"ffi": "ﬃ", "ffl": "ﬄ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ"}
_CJK = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]")


def reflowed(text: str, dice: Random) -> str | None:
    """Line breaks and runs of spaces where other white space stands; in Japanese, a break between two characters."""
    spaces = [match.start() for match in re.finditer(" ", text)]
    if len(spaces) >= 3:
        for at in sorted(dice.sample(spaces, 3), reverse=True):
            text = text[:at] + dice.choice(["\n", "  ", " \n   ", "\t"]) + text[at + 1 :]
        return text
    places = [at for at in range(3, len(text) - 3) if _CJK.match(text[at]) and _CJK.match(text[at - 1])]
    if not places:
        return None
    at = dice.choice(places)
    return text[:at] + "\n" + text[at:]


def zero_width(text: str, dice: Random) -> str | None:
    """Two characters without width inside the text."""
    for at in sorted(dice.sample(range(1, len(text)), 2), reverse=True):
        text = text[:at] + dice.choice("\u200b\u200c\u2060\ufeff") + text[at:]
    return text


def soft_hyphens(text: str, dice: Random) -> str | None:
    """Soft hyphens inside long words."""
    words = list(re.finditer(r"[A-Za-z]{6,}|[\u30a0-\u30ff]{4,}", text))
    if not words:
        return None
    for match in sorted(dice.sample(words, min(2, len(words))), key=lambda one: -one.start()):
        at = match.start() + dice.randrange(2, len(match[0]) - 1)
        text = text[:at] + "\u00ad" + text[at:]
    return text


def special_spaces(text: str, dice: Random) -> str | None:
    """No-break, thin and ideographic spaces for plain ones."""
    if " " not in text:
        return None
    return "".join(dice.choice("\u00a0\u202f\u2009\u3000") if char == " " else char for char in text)


def other_quotes(text: str, dice: Random) -> str | None:
    """Straight quotation marks for curly ones, or the other way round."""
    straight = text.translate(str.maketrans("‘’“”", "''\"\""))
    if straight != text:
        return straight
    return text.replace("'", "’") if "'" in text else None


def other_dashes(text: str, dice: Random) -> str | None:
    """Another dash, or a hyphen, for each dash."""
    if not re.search("[–—−‐]", text):
        return None
    return "".join(dice.choice({"–": "-‑‒", "—": "–―-", "−": "-–", "‐": "-"}[c]) if c in "–—−‐" else c for c in text)


def double_hyphen(text: str, dice: Random) -> str | None:
    """A typewriter's two hyphens for a dash between spaces, and back."""
    if "—" in text:
        return text.replace("—", "--")
    return text.replace("--", "—") if " -- " in text else None


def other_width(text: str, dice: Random) -> str | None:
    """Letters and digits in the other width; units and markup stay."""
    half = "".join(_HALF.get(char, char) for char in text)
    if half != text:
        return half
    return "".join(_FULL.get(char, char) for char in text) if any(char in _FULL for char in text) else None


def other_kana(text: str, dice: Random) -> str | None:
    """Katakana in the other width."""
    wide = re.sub("[\uff66-\uff9d]\uff9e?|[\uff66-\uff9d]\uff9f", lambda one: _HALF_KANA.get(one[0], one[0]), text)
    if wide != text:
        return wide
    narrow = "".join(_KANA.get(char, char) if "\u30a1" <= char <= "\u30fc" else char for char in text)
    return narrow if narrow != text else None


def half_width_stops(text: str, dice: Random) -> str | None:
    """Japanese punctuation in half width."""
    narrow = text.translate(str.maketrans("、。「」", "､｡｢｣"))
    return narrow if narrow != text else None


def ligatures(text: str, dice: Random) -> str | None:
    """Typeset ligatures for the letters that they stand for."""
    tied = re.sub("ffi|ffl|ff|fi|fl", lambda one: _LIGATURES[one[0]], text)
    return tied if tied != text else None


def decomposed(text: str, dice: Random) -> str | None:
    """Accents and voicing marks as characters of their own."""
    apart = "".join(unicodedata.normalize("NFD", c) if c.isalpha() and c not in "Å" else c for c in text)
    return apart if apart != text else None


def dots(text: str, dice: Random) -> str | None:
    """Three full stops for the ellipsis that stands in the source."""
    return text.replace("…", "...") if "…" in text else None


def compatible_signs(text: str, dice: Random) -> str | None:
    """The other code point of the same sign: ℃ and °C, the two micro signs, the wave dash and the tilde."""
    for one, other in (("℃", "°C"), ("°C", "℃"), ("µ", "μ"), ("μ", "µ"), ("〜", "～"), ("～", "〜"), ("㎡", "m²")):
        if one in text:
            return text.replace(one, other)
    return None


def outer_quotes(text: str, dice: Random) -> str | None:
    """Quotation marks around the quote."""
    ascii_only = text.isascii()
    left, right = dice.choice(["“”", '""', "‘’", "«»"] if ascii_only else ["「」", "『』", "“”", '""'])
    return left + text + right


def edge_spaces(text: str, dice: Random) -> str | None:
    """White space around the quote."""
    return dice.choice([" ", "\n", "\t", "\u3000"]) + text + dice.choice([" ", "\n\n", ""])


def without_stop(text: str, dice: Random) -> str | None:
    """The final stop left out."""
    return text[:-1] if text[-1] in ".。" else None


def several(text: str, dice: Random) -> str | None:
    """Three harmless differences at once."""
    for change in dice.sample([reflowed, zero_width, soft_hyphens, other_quotes, without_stop, ligatures], 3):
        text = change(text, dice) or text
    return outer_quotes(text, dice)


FAMILIES = {
    "line_breaks": reflowed,
    "zero_width": zero_width,
    "soft_hyphen": soft_hyphens,
    "special_spaces": special_spaces,
    "quote_marks": other_quotes,
    "dashes": other_dashes,
    "double_hyphen": double_hyphen,
    "width": other_width,
    "kana_width": other_kana,
    "punctuation_width": half_width_stops,
    "ligature": ligatures,
    "nfd": decomposed,
    "ellipsis_in_source": dots,
    "compatible_signs": compatible_signs,
    "outer_quotes": outer_quotes,
    "edge_spaces": edge_spaces,
    "final_stop": without_stop,
    "combined": several,
}
