"""Units as people write them in English and Japanese, and what one converts into exactly."""

from __future__ import annotations

import re
from decimal import Decimal

from sekisho.agents.local.words import plain, stems

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
    unit: re.compile(
        rf"{_GAP}(?:{names})(?![A-Za-z0-9²³])", 0 if unit in _CASED | {"kW", "kN", "mg"} else re.IGNORECASE
    )
    for unit, (_, _, names) in _UNITS.items()
}
_MONEY = re.compile(r"(?P<sign>[$€£¥])\s?\Z")
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
# What Japanese counts with a word of its own, and what the thing may be called in English.
_COUNTERS = {
    "人": "people persons men women staff members passengers guests users",
    "名": "people persons staff members passengers guests users",
    "個": "pieces items",
    "台": "cars vehicles bicycles machines devices",
    "枚": "sheets plates boards",
    "本": "bottles rods trees",
    "回": "times",
    "席": "seats",
    "匹": "animals",
    "頭": "animals",
    "部屋": "rooms",
    "室": "rooms",
    "段": "steps",
    "階": "floors storeys",
}
CURRENCIES = ("EUR", "USD", "GBP", "JPY")
# キロ is a length or a weight: the word before it says which.
_KILO = {"km", "kg"}
_HEAVY, _FAR = re.compile("重"), re.compile("[長距道走]")
# Months have no exact number of days, but both tell how long something takes.
_FAMILIES = {"months": "time"}


def canonical(unit: str) -> str | None:
    """The known unit of this spelling, or None: then it is the name of what is counted."""
    for name, pattern in _SPELLINGS.items():
        if pattern.fullmatch(plain(unit).strip()):
            return name
    return None


def family(unit: str) -> str:
    """What a known unit measures."""
    dimension = _UNITS[unit][0]
    return _FAMILIES.get(dimension, dimension)


def readings(before: str, after: str) -> tuple[str, ...]:
    """The known units that the text after a number may begin with."""
    units = tuple(name for name, pattern in _SPELLINGS.items() if pattern.match(after))
    if set(units) == _KILO and bool(_HEAVY.search(before)) != bool(_FAR.search(before)):
        return ("kg",) if _HEAVY.search(before) else ("km",)
    return units


def counted_by(after: str) -> frozenset[str]:
    """Stems of what the Japanese counter after a number may count."""
    return frozenset(
        stem for counter, things in _COUNTERS.items() if after.startswith(counter) for stem in stems(things)
    )


def money_before(before: str) -> tuple[str, ...]:
    """The currency whose sign stands right before a number."""
    sign = _MONEY.search(before)
    return (_SIGNS[sign["sign"]],) if sign else ()


def convert(value: Decimal, unit: str, wanted: str) -> Decimal | None:
    """The value in another unit of the same dimension, exactly; None where there is no exact one."""
    (here, size, _), (there, other, _) = _UNITS[unit], _UNITS[wanted]
    if here != there:
        return None
    scaled = value * Decimal(size)
    result = scaled / Decimal(other)
    return result if result * Decimal(other) == scaled else None
