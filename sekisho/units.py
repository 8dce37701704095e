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
    "µm": ("length", "0.001", "[µμ]m|micromet(?:re|er)s?|microns?"),
    "cm": ("length", "10", "cm|centimet(?:re|er)s?|センチメートル|センチ"),
    "m": ("length", "1000", "m|met(?:re|er)s?|メートル"),
    "inch": ("inches", "1", "inch(?:es)?|インチ"),
    "ft": ("inches", "12", "ft|foot|feet|フィート"),
    "yd": ("inches", "36", "yds?|yards?|ヤード"),
    "cm²": ("area", "0.0001", r"cm(?:²|2|\^2)|square centimet(?:re|er)s?"),
    "m²": ("area", "1", r"m(?:²|2|\^2)|sqm|sq\.? ?m|square met(?:re|er)s?|平方メートル|平米|㎡"),
    "mm²": ("area", "0.000001", r"mm(?:²|2|\^2)|square millimet(?:re|er)s?"),
    "ha": ("area", "10000", "ha|hectares?|ヘクタール"),
    "km²": ("area", "1000000", r"km(?:²|2|\^2)|square kilomet(?:re|er)s?|平方キロ(?:メートル)?"),
    "sq ft": ("square feet", "1", r"sq\.? ?ft|square f(?:ee|oo)t|ft²"),
    "km/h": ("speed", "1", "km/h|kph|km per hour|kilomet(?:re|er)s per hour"),
    "m/s": ("speed", "3.6", "m/s|met(?:re|er)s per second"),
    "mph": ("miles an hour", "1", "mph|miles (?:per|an) hour"),
    "km": ("length", "1000000", "km|kms|kilomet(?:re|er)s?|キロメートル|キロ|㎞"),
    "mile": ("miles", "1", "mi|miles?|マイル"),
    "µg": ("mass", "0.001", "[µμ]g|mcg|micrograms?|マイクログラム"),
    "mg": ("mass", "1", "mg|milligram(?:me)?s?|ミリグラム"),
    "g": ("mass", "1000", "g|grams?|grammes?|グラム"),
    "kg": ("mass", "1000000", "kg|kgs|kilos?|kilogram(?:me)?s?|キログラム|キロ|㎏"),
    "t": ("mass", "1000000000", "t|tonnes?|tons?|トン"),
    "oz": ("ounces", "1", "oz|ounces?|オンス"),
    "lb": ("ounces", "16", "lbs?|pounds?|ポンド"),
    "ml": ("volume", "1", "ml|millilit(?:re|er)s?|ミリリットル"),
    "cl": ("volume", "10", "cl|centilit(?:re|er)s?"),
    "dl": ("volume", "100", "dl|decilit(?:re|er)s?|デシリットル"),
    "m³": ("volume", "1000000", r"m(?:³|3|\^3)|cubic met(?:re|er)s?|立方メートル"),
    "l": ("volume", "1000", "l|lit(?:re|er)s?|リットル"),
    "ms": ("time", "0.001", "ms|milliseconds?|ミリ秒"),
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
    "mW": ("power", "0.001", "mW|milliwatts?"),
    "MW": ("power", "1000000", "MW|megawatts?|メガワット"),
    "GW": ("power", "1000000000", "GW|gigawatts?"),
    "kcal": ("kilocalories", "1", "kcal|kilocalories|キロカロリー"),
    "acre": ("acres", "1", "acres?|エーカー"),
    "gallon": ("gallons", "1", "gal|gallons?|ガロン"),
    "pint": ("pints", "1", "pints?|パイント"),
    "stone": ("ounces", "224", "stones?|st"),
    "nmi": ("nautical miles", "1", "nmi|nautical miles?|海里"),
    "knot": ("knots", "1", "knots?|kn|kts?|ノット"),
    "fathom": ("inches", "72", "fathoms?"),
    "Wh": ("energy", "1", "Wh|watt-hours?"),
    "kWh": ("energy", "1000", "kWh|kilowatt[ -]hours?|キロワット時"),
    "MWh": ("energy", "1000000", "MWh|megawatt[ -]hours?"),
    "kW": ("power", "1000", "kW|kilowatts?|キロワット"),
    "V": ("voltage", "1", "V(?:\\s?[AD]C)?|volts?|ボルト"),
    "bar": ("bar", "1", "bar|バール"),
    "psi": ("psi", "1", "psi"),
    "Pa": ("pascal", "0.001", "Pa|pascals?"),
    "hPa": ("pascal", "0.1", "hPa|hectopascals?|ヘクトパスカル"),
    "MPa": ("pascal", "1000", "MPa|megapascals?"),
    "kPa": ("pascal", "1", "kPa|kilopascals?"),
    "Hz": ("frequency", "1", "Hz|hertz"),
    "kHz": ("frequency", "1000", "kHz|kilohertz"),
    "MHz": ("frequency", "1000000", "MHz|megahertz"),
    "GHz": ("frequency", "1000000000", "GHz|gigahertz"),
    "rpm": ("rpm", "1", "rpm"),
    "N": ("force", "1", "N|newtons?"),
    "kN": ("force", "1000", "kN|kilonewtons?"),
    "EUR": ("euros", "1", "€|EUR|euros?|ユーロ"),
    "USD": ("dollars", "1", r"\$|USD|(?:US )?dollars?|ドル"),
    "GBP": ("sterling", "1", "£|GBP"),
    "JPY": ("yen", "1", "¥|JPY|yen|円"),
    "CHF": ("francs", "1", "CHF|(?:Swiss )?francs?|フラン"),
    "CAD": ("canadian", "1", r"C(?:A)?\$|CAD"),
    "AUD": ("australian", "1", r"AU?\$|AUD"),
    "CNY": ("yuan", "1", "CNY|RMB|yuan|人民元"),
    "INR": ("rupees", "1", "₹|INR|rupees?|ルピー"),
    "cent": ("cents", "1", "cents?|¢|セント"),
    "kB": ("kilobytes", "1", "kB|kilobytes?"),
    "TB": ("terabytes", "1", "TB|terabytes?"),
    "MB": ("bytes", "1", "MB|megabytes?"),
    "GB": ("gigabytes", "1", "GB|gigabytes?"),
}
# Of these nothing more is known than that they are other money.
_OTHER_MONEY = "SEK NOK DKK PLN CZK HUF KRW SGD HKD NZD MXN BRL ZAR THB ILS"
_UNITS |= {code: (code, "1", code) for code in _OTHER_MONEY.split()}
_CASED = "m g t l s h d W V N mW MW GW m² m³ m/s ha Pa MPa ms kW kN mg"
_SPELLINGS = {
    unit: re.compile(
        rf"{_GAP}(?:{names})(?![A-Za-z²³]|\^?[23](?!\d)|/(?:h|s)(?![A-Za-z])|\s?per (?:hour|second))",
        0 if unit in _CASED.split() else re.IGNORECASE,
    )
    for unit, (_, _, names) in _UNITS.items()
}
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "US$": "USD", "Rs": "INR", "Rs.": "INR"}
_SIGNS |= {"C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD"}
_SIGNS |= {name: name for name in _UNITS if re.fullmatch("[A-Z]{3}", name)}
_SIGN = re.compile(rf"(?<![A-Za-z])(?P<sign>{'|'.join(sorted(map(re.escape, _SIGNS), key=len, reverse=True))})\s?\Z")
# Written as units are, though the table has none such: mixed case, capitals, a slash, a power, or right at the figure.
_UNIT_LIKE = re.compile(
    r"\s?(?:[µμΩ][A-Za-z]*|[a-z]{1,2}[A-Z][A-Za-z]*|(?!(?:AM|PM|AND|OR|TO|IN|OF)\b)[A-Z]{2,4}"
    r"|(?!and/or)[A-Za-z]{1,3}/[A-Za-z]{1,3}|[A-Za-z]{1,3}[²³])(?![A-Za-z\d])"
    r"|(?!st|nd|rd|th|am|pm|ish)[a-z]{2,4}(?![A-Za-z\d])"
)
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
    ("nautical miles", "length"): Decimal("1852000"),
    ("inches", "length"): Decimal("25.4"),
    ("ounces", "mass"): Decimal("28349.523125"),
    ("square feet", "area"): Decimal("0.09290304"),
    ("acres", "area"): Decimal("4046.8564224"),
    ("psi", "pascal"): Decimal("6.894757"),
    ("bar", "pascal"): Decimal(100),
    ("knots", "speed"): Decimal("1.852"),
    ("miles an hour", "speed"): Decimal("1.609344"),
    ("terabytes", "gigabytes"): Decimal(1000),
    ("gigabytes", "bytes"): Decimal(1000),
    ("bytes", "kilobytes"): Decimal(1000),
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


def is_unit_like(text: str) -> bool:
    """Whether the text after a number begins with what is written like a unit."""
    return _UNIT_LIKE.match(text) is not None


def currency_before(text: str) -> tuple[str, ...]:
    """The currency whose sign or code ends the text before a number."""
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
