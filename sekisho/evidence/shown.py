"""Text from outside as HTML: nothing in it is markup, and what a reader could not see is shown."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from sekisho.text import is_blank

LONGEST_ROW = 100_000  # of one hidden character that one mark stands for
_EMOJI = "\u2190-\u2bff\U0001f000-\U0001faff"
_JOINS = f"(?<=[{_EMOJI}\ufe0f])\u200d[{_EMOJI}]"  # 👩‍💻 is one sign: the joiner in it hides nothing
_EMOJI_FORMS = "\ufe0e\ufe0f"  # they choose between ☀ and ☀️ and stand in many a harmless text


def shown(value: Any) -> Any:
    """A text as HTML; what is HTML already, and what is no text, stays as it is.

    Control, bidi, zero-width and other characters that cannot be seen become marks such as `[U+202E]`, each in
    `<b class="u" data-u="202E">`, so that a program finds the original's characters again; a row of the same one is one
    mark, `[U+200B x500]`, with `data-n="500"`. Plain ASCII: there are fonts without a sign for the terminal's escape.
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return "" if value is None else value
    text = str(escape(value))
    hidden = _hidden(value)
    if hidden is None:
        return Markup(text)
    # An HTML parser makes a plain line feed of it, and every offset behind it would be another.
    text = text.replace("\r\n", "&#13;\n")
    return Markup(hidden.sub(lambda found: _mark(found[0]), text))


def weight(text: str) -> int:
    """The characters of a text, one that cannot be seen with all that stands for it."""
    hidden = _hidden(text)
    if hidden is None:
        return len(text)
    return len(text) + sum(len(_mark(found[0])) - len(found[0]) for found in hidden.finditer(text))


def _hidden(text: str) -> re.Pattern[str] | None:
    """What finds the rows of one hidden character in a text; None where there is none."""
    hidden = sorted(char for char in set(text) if _is_hidden(char))
    if not hidden:
        return None
    return re.compile(f"(?!{_JOINS})([{''.join(map(re.escape, hidden))}])\\1{{0,{LONGEST_ROW - 1}}}")


@lru_cache(maxsize=65536)
def _is_hidden(char: str) -> bool:
    if char in "\n\t" or char in _EMOJI_FORMS:
        return False
    category = unicodedata.category(char)
    return category[0] == "C" or category in ("Zl", "Zp") or (not char.isspace() and is_blank(char))


def _mark(row: str) -> str:
    code, count = f"{ord(row[0]):04X}", len(row)
    if count == 1:
        return f'<b class="u" data-u="{code}">[U+{code}]</b>'
    return f'<b class="u" data-u="{code}" data-n="{count}">[U+{code} x{count}]</b>'
