"""A finding of the doctor, and the round through all parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sekisho.errors import SekishoError
from sekisho.text import printable, shortened

Level = Literal["ok", "warn", "error"]
Area = Literal["installation", "settings", "data", "state", "model", "alerts"]
_OUTSIDE: frozenset[str] = frozenset({"settings", "data", "alerts"})  # bad input, which ends a command with 2
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was looked at in an area, how it is, and for anything but `ok` the remedy."""

    area: Area
    name: str
    level: Level
    told: str
    remedy: str = ""


Check = Callable[[], Iterable[Diagnosis]]


def ok(area: Area, name: str, told: str) -> Diagnosis:
    """Something that is as it should be."""
    return Diagnosis(area, name, "ok", _line(told))


def warn(area: Area, name: str, told: str, remedy: str) -> Diagnosis:
    """Something that a run gets along with, though perhaps not as meant."""
    return Diagnosis(area, name, "warn", _line(told), _line(remedy))


def wrong(area: Area, name: str, told: str, remedy: str) -> Diagnosis:
    """Something that keeps a run from its work."""
    return Diagnosis(area, name, "error", _line(told), _line(remedy))


def of_error(area: Area, name: str, error: SekishoError) -> Diagnosis:
    """An error of ours as a finding: file, item and message, and its own remedy."""
    told = ": ".join(part for part in (error.file, error.item, error.message) if part and part != name)
    return wrong(area, name, told, error.remedy or "see the message")


def examine(area: Area, checks: Sequence[tuple[str, Check]]) -> Iterator[Diagnosis]:
    """The findings of named checks, in their order; one that breaks is a finding itself and hides no other."""
    for name, check in checks:
        try:
            yield from list(check())
        except SekishoError as error:
            yield of_error(area, name, error)
        except Exception as error:  # whatever is broken, the rest is looked at all the same
            yield wrong(area, name, f"{type(error).__name__}: {error}", "see the message, or install anew")


def exit_code(found: Iterable[Diagnosis]) -> int:
    """0 where nothing is wrong, 2 where settings, data or alerts are, 1 where only something else is."""
    areas = {one.area for one in found if one.level == "error"}
    return 2 if areas & _OUTSIDE else 1 if areas else 0


def _line(text: str) -> str:
    return shortened(printable(" ".join(text.split())), _LONGEST)
