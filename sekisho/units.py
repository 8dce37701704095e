"""Units as people write them in English and Japanese, and what one converts into."""

from __future__ import annotations

import re
from decimal import Decimal

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x3000: 0x20,
    0x2212: 0x2D,
    0x2019: 0x27,
    0xFFE5: 0xA5,
}
_GAP = r"[\s-]?(?:of\s)?"

# canonical unit -> (dimension, size in the dimension's smallest unit here, its spellings)
_UNITS: dict[str, tuple[str, str, str]] = {
    "mm": ("length", "1", "mm|millimet(?:re|er)s?|ミリメートル|ミリ"),
    "cm": ("length", "10", "cm|centimet(?:re|er)s?|センチメートル|センチ"),
    "m": ("length", "1000", "m|met(?:re|er)s?|メートル"),
    "km": ("length", "1000000", "km|kms|kilomet(?:re|er)s?|キロメートル|キロ|㎞"),
    "mile": ("miles", "1", "mi|miles?|マイル"),
    "mg": ("mass", "1", "mg|milligram(?:me)?s?|ミリグラム"),
    "g": ("mass", "1000", "g|grams?|grammes?|グラム"),
    "kg": ("mass", "1000000", "kg|kgs|kilos?|kilogram(?:me)?s?|キログラム|キロ|㎏"),
    "t": ("mass", "1000000000", "t|tonnes?|トン"),
    "lb": ("pounds", "1", "lbs?|pounds?|ポンド"),
    "ml": ("volume", "1", "ml|millilit(?:re|er)s?|ミリリットル"),
    "l": ("volume", "1000", "l|lit(?:re|er)s?|リットル"),
    "s": ("time", "1", "s|secs?|seconds?|秒"),
    "min": ("time", "60", "min|mins|minutes?|分"),
    "h": ("time", "3600", "h|hrs?|hours?|時間"),
    "day": ("time", "86400", "d|days?|日間|日"),
    "week": ("time", "604800", "wks?|weeks?|週間|週"),
    "month": ("months", "1", "months?|[かヶカヵケ箇]月間?"),
    "year": ("months", "12", "yrs?|years?|年間|年"),
    "°C": ("celsius", "1", "°\\s?C|℃|deg(?:rees?)?(?:\\s?(?:C|celsius))?|°|度"),
    "°F": ("fahrenheit", "1", "°\\s?F|degrees?\\s?(?:F|fahrenheit)"),
    "%": ("percent", "1", "%|percent|per cent|パーセント"),
    "W": ("power", "1", "W|watts?|ワット"),
    "kW": ("power", "1000", "kW|kilowatts?|キロワット"),
    "V": ("voltage", "1", "V|volts?|ボルト"),
    "bar": ("bar", "1", "bar|バール"),
    "kPa": ("pascal", "1", "kPa|kilopascals?"),
    "Hz": ("frequency", "1", "Hz|hertz"),
    "rpm": ("rpm", "1", "rpm"),
    "N": ("force", "1", "N|newtons?"),
    "kN": ("force", "1000", "kN|kilonewtons?"),
    "EUR": ("euros", "1", "€|EUR|euros?|ユーロ"),
    "USD": ("dollars", "1", r"\$|USD|(?:US )?dollars?|ドル"),
    "GBP": ("sterling", "1", "£|GBP"),
    "JPY": ("yen", "1", "¥|JPY|yen|円"),
    "MB": ("bytes", "1", "MB|megabytes?"),
    "GB": ("gigabytes", "1", "GB|gigabytes?"),
}
_CASED = {"m", "g", "t", "l", "s", "h", "d", "W", "V", "N"}
_SPELLINGS = {
    unit: re.compile(rf"{_GAP}(?:{names})(?![A-Za-z])", 0 if unit in _CASED | {"kW", "kN", "mg"} else re.IGNORECASE)
    for unit, (_, _, names) in _UNITS.items()
}
_SIGN = re.compile(r"(?P<sign>[$€£¥])\s?\Z")
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
# Spelt out: single letters in a sentence are seldom units.
_NAMED = {
    unit: re.compile(
        "|".join(
            rf"\b(?:{name})\b" if name[0].isascii() else name
            for name in re.split(r"\|(?![^(]*\))", names)
            if len(name) > 3 or not name.isascii()
        )
        or r"(?!)",
        re.IGNORECASE,
    )
    for unit, (_, _, names) in _UNITS.items()
}
# What has no exact size in another dimension: (from, into) -> how many of the one's smallest make one of the other's.
_ROUGHLY = {
    ("miles", "length"): Decimal("1609344"),
    ("pounds", "mass"): Decimal("453592.37"),
}
_DAY = Decimal(86400)
_MONTH, _YEAR = (Decimal(28), Decimal(31)), (Decimal(360), Decimal(366))


def plain(text: str) -> str:
    """The text with full-width letters, digits and signs as ASCII; every character keeps its place."""
    return text.translate(_WIDE)


def canonical(unit: str) -> str | None:
    """The known unit of this spelling, or None: then it is the name of what is counted."""
    for name, pattern in _SPELLINGS.items():
        if pattern.fullmatch(plain(unit).strip()):
            return name
    return None


def convert(value: Decimal, unit: str, wanted: str) -> Decimal | None:
    """The value in another unit of the same dimension, exactly; None where there is no exact one."""
    (here, size, _), (there, other, _) = _UNITS[unit], _UNITS[wanted]
    if here != there:
        return None
    scaled = value * Decimal(size)
    result = scaled / Decimal(other)
    return result if result * Decimal(other) == scaled else None


def units_after(text: str) -> tuple[str, ...]:
    """The known units that the text after a number may begin with."""
    return tuple(name for name, pattern in _SPELLINGS.items() if pattern.match(text))


def currency_before(text: str) -> tuple[str, ...]:
    """The currency whose sign ends the text before a number."""
    sign = _SIGN.search(text)
    return (_SIGNS[sign["sign"]],) if sign else ()


def named_in(text: str) -> frozenset[str]:
    """The known units whose names, spelt out, stand in a text."""
    return frozenset(name for name, pattern in _NAMED.items() if pattern.search(plain(text)))


def bounds(value: Decimal, unit: str, wanted: str) -> tuple[Decimal, Decimal] | None:
    """The least and the greatest that a measure comes to in another unit; None where they measure different things.

    They differ where months or years are told in days.
    """
    (here, size, _), (there, other, _) = _UNITS[unit], _UNITS[wanted]
    scaled = value * Decimal(size)
    if here == there:
        return (scaled / Decimal(other),) * 2
    if (here, there) in _ROUGHLY:
        return (scaled * _ROUGHLY[here, there] / Decimal(other),) * 2
    if (there, here) in _ROUGHLY:
        return (scaled / _ROUGHLY[there, here] / Decimal(other),) * 2
    if (here, there) == ("fahrenheit", "celsius"):
        return ((value - 32) * 5 / 9,) * 2
    if (here, there) == ("celsius", "fahrenheit"):
        return (value * 9 / 5 + 32,) * 2
    if (here, there) == ("months", "time"):
        return _spans(value, unit, _DAY / Decimal(other))
    if (here, there) == ("time", "months"):
        low, high = _spans(Decimal(1), wanted, _DAY / Decimal(size))
        return value / high, value / low
    return None


def _spans(value: Decimal, unit: str, days: Decimal) -> tuple[Decimal, Decimal]:
    low, high = _YEAR if unit == "year" else _MONTH
    return value * low * days, value * high * days
