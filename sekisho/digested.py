"""JSON files that carry the digest of their own content, so that a byte that changed on the disk is seen."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import BaseModel

from sekisho.hashing import sha256_text

M = TypeVar("M", bound=BaseModel)
_DIGEST = "sha256"


def digested(value: dict[str, Any]) -> dict[str, Any]:
    """A JSON object with the digest of the rest of it, as `sha256`."""
    rest = {name: part for name, part in value.items() if name != _DIGEST}
    return rest | {_DIGEST: sha256_text(json.dumps(rest, sort_keys=True))}


def render_digested(record: BaseModel) -> str:
    """A record as the text of its file."""
    return json.dumps(digested(record.model_dump(mode="json")), indent=1) + "\n"


def read_digested(kind: type[M], data: bytes) -> M:
    """The record in a file; `ValueError` where it is none, or not the one that was written.

    A file without a digest is one of an earlier version, and is read all the same.
    """
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or _DIGEST not in value:
        return kind.model_validate_json(data)
    given = value.pop(_DIGEST)
    record = kind.model_validate_json(json.dumps(value))
    if digested(value)[_DIGEST] != given:
        raise ValueError("it is not what was written: its digest is another one")
    return record


def reason_of(error: ValueError) -> str:
    """Why a file is no record, in one line."""
    errors = getattr(error, "errors", None)
    return str(errors()[0]["msg"]) if errors else str(error)
