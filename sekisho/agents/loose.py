"""Replies of which each item is judged for itself: a value that cannot be kept is null, and costs no other."""

from __future__ import annotations

import math
from typing import Any

# Deeper or longer is no value that anybody asked for, and more than a parser will read again.
_DEEPEST = 32
_DIGITS = 300


def is_loose(reply_type: type[Any]) -> bool:
    """Whether a reply type says `loose = True`: it takes what it can, and rules of its own judge the rest."""
    return bool(getattr(reply_type, "loose", False))


def keepable(value: Any, depth: int = 0) -> Any:
    """A value with null in place of what JSON has no letters for: NaN, half a surrogate pair, a number without end."""
    if depth > _DEEPEST:
        return None
    if isinstance(value, dict):
        return {key: keepable(one, depth + 1) for key, one in value.items() if isinstance(key, str) and _is_text(key)}
    if isinstance(value, list | tuple):
        return [keepable(one, depth + 1) for one in value]
    if isinstance(value, str):
        return value if _is_text(value) else None
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value if value.bit_length() < _DIGITS * 3 else None
    return value if isinstance(value, float) and math.isfinite(value) else None


def once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any] | None:
    """An object, null where a key stands twice: nobody knows which of the two was meant."""
    value = dict(pairs)
    return value if len(value) == len(pairs) else None


def whole_number(digits: str) -> int | None:
    """A whole number, null where it has hundreds of digits."""
    return int(digits) if len(digits) <= _DIGITS else None


def _is_text(value: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in value)
