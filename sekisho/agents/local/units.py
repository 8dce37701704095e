"""What the local agent knows of units beyond `sekisho.units`: what they measure, and what Japanese counts with."""

from __future__ import annotations

import re
from decimal import Decimal

from sekisho.agents.local.words import stems
from sekisho.units import bounds, units_after

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
# A unit's letters that go on as another's: `5 m2`, `5 m³`.
_RAISED = re.compile(r"[\s-]?[A-Za-z]+[0-9²³]")
# One unit for each kind of measure that several units tell.
_KINDS = ("m", "kg", "l", "s", "°C", "W", "N")


def family(unit: str) -> str:
    """What a known unit measures, named by one of the units that measure it."""
    return next((kind for kind in _KINDS if bounds(Decimal(1), unit, kind) is not None), unit)


def readings(before: str, after: str) -> tuple[str, ...]:
    """The known units that the text after a number may begin with."""
    units = () if _RAISED.match(after) else units_after(after)
    if set(units) == _KILO and bool(_HEAVY.search(before)) != bool(_FAR.search(before)):
        return ("kg",) if _HEAVY.search(before) else ("km",)
    return units


def counted_by(after: str) -> frozenset[str]:
    """Stems of what the Japanese counter after a number may count."""
    return frozenset(
        stem for counter, things in _COUNTERS.items() if after.startswith(counter) for stem in stems(things)
    )
