"""Front matter of decision records: strict YAML, else line by line, for one bad line must not cost the title."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from sekisho.errors import InputError
from sekisho.yamlio import parse_yaml

READ_BY_LINE = ": read line by line; correct it"
_KEY = re.compile(r"(?P<key>[^\W\d][\w .-]*?)[ \t]*:(?:[ \t]+(?P<value>\S.*))?[ \t]*\Z")
_ITEM = re.compile(r"[ \t]*-[ \t]+(?P<value>\S.*)\Z")


def read_front(text: str) -> tuple[dict[str, Any] | None, str]:
    """The keys of front matter, folded by `folded_key`, every value text; and what was wrong with it, or nothing.

    None where the text is no mapping, and so no front matter.
    """
    if not text.strip():
        return {}, ""
    try:
        value = parse_yaml(text, file="front matter", lines_before=1, plain=True)
    except InputError as error:
        value, problem = _by_line(text), f"front matter: {error.message}{READ_BY_LINE}"
        if not value:
            return None, ""
        return value, problem
    if value is None or value == "":
        return {}, ""
    if not isinstance(value, Mapping):
        return None, ""
    folded: dict[str, Any] = {}
    for key, held in value.items():
        folded.setdefault(folded_key(str(key)), held)
    return folded, ""


def folded_key(key: str) -> str:
    """A key as it is looked up: `Superseded-By`, `superseded_by` and `supersededBy` are one."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", key)).casefold()


def as_text(value: Any) -> str:
    """A value as it stood: a list joined by commas; `{proposed}`, which YAML takes for a mapping, as written."""
    if isinstance(value, Mapping):
        told = [str(key) if held in (None, "") else f"{key}: {as_text(held)}" for key, held in value.items()]
        return "{" + ", ".join(told) + "}"
    if isinstance(value, list | tuple):
        return ", ".join(filter(None, map(as_text, value)))
    return "" if value is None else str(value).strip()


def first_of(front: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    """The text of the first key that has one."""
    return next((text for key in keys if (text := as_text(front.get(key)))), "")


def _by_line(text: str) -> dict[str, Any]:
    """Keys at the beginning of a line with what stands behind them or, indented or as a list, below them."""
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in text.splitlines():
        at_margin = _KEY.match(line)
        if at_margin:
            current = found.setdefault(folded_key(at_margin["key"]), [])
            value = at_margin["value"] or ""
            if value[:1] not in ("|", ">", "#"):
                current.append(_unquoted(value))
        elif current is not None and (item := _ITEM.match(line)):
            current.append(_unquoted(item["value"]))
        elif current is not None and line[:1] in " \t" and not line.lstrip().startswith("#"):
            current.append(line.strip())
        elif line.strip():
            current = None
    return {key: ", ".join(filter(None, values)) for key, values in found.items()}


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return re.sub(r"\s#.*\Z", "", value)
