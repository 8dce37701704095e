"""What is wrong in a file that a person wrote, in words for that person instead of Pydantic's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from sekisho.errors import InputError
from sekisho.nearest import nearest
from sekisho.text import printable, shortened


def refusal(
    error: ValidationError, path: Path, models: Sequence[type[BaseModel]], *, entry: str = "", example: str = ""
) -> InputError:
    """The first thing that is wrong in a file, by its place.

    `models` are the types of the whole and of what is inside it, `entry` is where the whole stands in the file, and
    `example` is how an entry is written that is none.
    """
    first = error.errors()[0]
    place = first["loc"]
    item = ".".join([*([entry] if entry else []), *(str(part) for part in place)])
    known = models[0] if len(place) == 1 else models[-1]
    return InputError(_reason(first, known, example), file=path, item=item or None, remedy="correct this entry")


def _reason(problem: Any, known: type[BaseModel], example: str) -> str:
    kind, given = problem["type"], problem["input"]
    if kind == "extra_forbidden":
        name = printable(str(problem["loc"][-1]))
        return f"nobody reads {name!r}{_meant(name, list(known.model_fields))}"
    if kind.startswith("model_") and example:
        what = "a bare text" if isinstance(given, str) else "empty" if given is None else f"{_shown(given)}"
        return f"is {what}: write {example}"
    if kind == "literal_error":
        names = problem["ctx"]["expected"].replace("'", "")
        return f"is {_shown(given)}; one of {names}{_meant(str(given), names.replace(' or ', ', ').split(', '))}"
    if kind == "string_type" and not isinstance(given, dict | list):
        return f"is {_shown(given)}, not text: put it in quotes" if given is not None else "is empty: write a text"
    return str(problem["msg"])


def _meant(name: str, known: Sequence[str]) -> str:
    found = nearest(name, known)
    return f" (the nearest is {found!r})" if found else ""


def _shown(value: Any) -> str:
    return shortened(printable(repr(value)), 80)
