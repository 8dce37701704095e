"""The draft's own record: whichever way its id is spelt, it is no candidate."""

from __future__ import annotations

from pathlib import PurePosixPath

from sekisho.decision import Decision
from sekisho.sources.decisions.names import own_id
from sekisho.sources.decisions.numbering import Claim


def spellings(adr_id: str) -> tuple[str, ...]:
    """An id as written, and as recall writes it where it is a number; none for an empty one."""
    own = own_id(adr_id)
    numbered = f"ADR-{own.number:04d}" if own.number is not None else ""
    return tuple(dict.fromkeys(one for one in (adr_id.strip(), numbered) if one))


def is_own(decision: Decision, adr_id: str) -> bool:
    """Whether an id names a decision: by its id, the log's own or the file's name; `13`, `adr-0013` and `0013-x` alike.

    Where two decisions go by a number, it names both.
    """
    path = PurePosixPath(decision.path)
    names = (decision.id, decision.original_id, path.stem)
    given = adr_id.strip()
    return given in (decision.path, path.name) or _key(given) in {_key(name) for name in names}


def _key(name: str) -> str:
    """One spelling for all of a name: a number, a category's number, or the name without case and width."""
    return Claim("", own_id(name), "").key
