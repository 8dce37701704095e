"""What is wrong in a file that a person wrote, in words for that person instead of Pydantic's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from sekisho.errors import InputError
from sekisho.nearest import nearest
from sekisho.text import printable, shortened

# What is asked for, by how Pydantic calls the problem.
_WANTED = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dict_type": "names with values",
    "list_type": "a list",
    "string_type": "text",
    "tuple_type": "a list",
}


def refusal(
    error: ValidationError, path: Path, models: Sequence[type[BaseModel]], *, entry: str = "", example: str = ""
) -> InputError:
    """The first thing that is wrong in a file, by its place.

    `models` are the types of the whole and of what is inside it, `entry` is where the whole stands in the file, and
    `example` is how an entry is written that is none; without it, the names that it must have.
    """
    found = error.errors()
    # A name that nobody reads comes first: it may be the one that is missing.
    first = next((problem for problem in found if problem["type"] == "extra_forbidden"), found[0])
    place = first["loc"]
    item = ".".join([*([entry] if entry else []), *(printable(str(part)) for part in _counted(first))])
    known = models[0] if len(place) < 2 else models[-1]
    return InputError(_reason(first, known, example), file=path, item=item or None, remedy="correct this entry")


def _reason(problem: Any, known: type[BaseModel], example: str) -> str:
    kind, given = problem["type"], problem["input"]
    if kind == "extra_forbidden":
        name = printable(str(problem["loc"][-1]))
        return f"nobody reads {name!r}{_meant(name, list(known.model_fields))}"
    if kind == "missing":
        return "is missing"
    if kind == "string_pattern_mismatch" and not str(given).strip():
        return "is empty: write text"
    if kind == "value_error":  # of a rule of ours, in words of ours
        return str(problem["ctx"]["error"])
    if kind == "invalid_key":
        return "is a name that is not text: put it in quotes"
    if kind == "literal_error":
        names = problem["ctx"]["expected"].replace("'", "")
        return f"is {_shown(given)}; one of {names}{_meant(str(given), names.replace(' or ', ', ').split(', '))}"
    if kind.startswith("model_"):
        what = "a bare text" if isinstance(given, str) else "empty" if given is None else f"{_shown(given)}"
        return f"is {what}: write {example or _names(known)}"
    return _unlike(given, _WANTED[kind]) if kind in _WANTED else str(problem["msg"])


def _unlike(given: Any, wanted: str) -> str:
    """A value of another type than the one that is wanted, and how to write that."""
    if given is None:
        return f"is empty: write {wanted}"
    how = ""
    if not isinstance(given, dict | list):
        how = {"text": ": put it in quotes", "a list": ": put it in [ ]"}.get(wanted, "")
    return f"is {_shown(given)}, not {wanted}{how}"


def _names(known: type[BaseModel]) -> str:
    """The names that an entry must have, those that it may have where it must have none."""
    required = [name for name, field in known.model_fields.items() if field.is_required()]
    return " and ".join(f"`{name}: …`" for name in required) or f"`{next(iter(known.model_fields))}: …`"


def _meant(name: str, known: Sequence[str]) -> str:
    found = nearest(name, known)
    return f" (the nearest is {found!r})" if found else ""


def _counted(problem: Any) -> list[int | str]:
    """The place of a problem, in which the entries of a list count from one; a number may be a name, too."""
    place, name = list(problem["loc"]), problem["type"] == "invalid_key"
    return [part + 1 if isinstance(part, int) and not name else part for part in place]


def _shown(value: Any) -> str:
    """A value as a person wrote it, or may have: `no` is false to YAML."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return "true (as yes and on are)" if value else "false (as no and off are)"
    return shortened(printable(repr(value)), 80)
