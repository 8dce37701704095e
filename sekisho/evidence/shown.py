"""Text from outside as HTML: nothing in it is markup, and what a reader could not see is shown."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from sekisho.text import is_blank

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")  # in every locale
_EMOJI_FORMS = "\ufe0e\ufe0f"  # they choose between ☀ and ☀️ and stand in many a harmless text


def shown(value: Any) -> Any:
    """A text as HTML; what is HTML already, and what is no text, stays as it is.

    Control, bidi, zero-width and other characters that cannot be seen become marks such as `[U+202E]`, each in
    `<b class="u" data-u="202E">`, so that a program finds the original's characters again. Plain ASCII: there are fonts
    without a sign for the terminal's escape.
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return "" if value is None else value
    hidden = {char for char in set(value) if _is_hidden(char)}
    text = str(escape(value))
    if not hidden:
        return Markup(text)
    # An HTML parser makes a plain line feed of it, and every offset behind it would be another.
    text = text.replace("\r\n", "&#13;\n")
    pattern = f"[{''.join(map(re.escape, sorted(hidden)))}]"
    return Markup(re.sub(pattern, lambda found: _mark(found[0]), text))


def shown_moment(text: str) -> str:
    """A time of ISO 8601 with its zone as `30 Nov 2026, 17:30 UTC`; what is none stays as it is."""
    try:
        moment = datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        return text
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment:%Y, %H:%M} UTC"


@lru_cache(maxsize=65536)
def _is_hidden(char: str) -> bool:
    if char in "\n\t" or char in _EMOJI_FORMS:
        return False
    category = unicodedata.category(char)
    return category[0] == "C" or category in ("Zl", "Zp") or (not char.isspace() and is_blank(char))


def _mark(char: str) -> str:
    return f'<b class="u" data-u="{ord(char):04X}">[U+{ord(char):04X}]</b>'
