"""Reading a golden set: a YAML list of what should come out, each entry about another item."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from sekisho.errors import InputError
from sekisho.records import Record
from sekisho.refusal import refusal
from sekisho.sources.inside import kept_inside
from sekisho.yamlio import load_yaml

R = TypeVar("R", bound=Record)


def read_golden(path: Path, kind: type[R], about: str, *inside: type[Record]) -> list[R]:
    """The entries of a golden file in its order, none without the file or where it holds nothing.

    `about` is the field that names an entry's item, which no other entry may name; `inside` are the types of what an
    entry holds. `InputError` names the entry.
    """
    folder = path.parent
    kept_inside(folder, folder.parent)
    kept_inside(path, folder.parent)
    if folder.exists() and not folder.is_dir():
        raise InputError("not a folder", file=folder, remedy="make it a folder with the golden sets")
    raw = load_yaml(path) if path.exists() else None
    raw = [] if raw is None else raw
    if not isinstance(raw, list):
        raise InputError(f"a list of entries is expected, each with `{about}`", file=path, remedy=f"write `- {about}:`")
    entries: dict[str, R] = {}
    for number, item in enumerate(raw, start=1):
        name = item.get(about) if isinstance(item, dict) else None
        where = f"entry {number} ({name})" if isinstance(name, str) else f"entry {number}"
        try:
            entry = kind.model_validate(item)
        except ValidationError as error:
            raise refusal(error, path, (kind, *inside), entry=where) from None
        key = getattr(entry, about)
        if key in entries:
            raise InputError(f"this {about} stands twice", file=path, item=where, remedy="put them together")
        entries[key] = entry
    return list(entries.values())
