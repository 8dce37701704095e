"""What somebody who misspelt a name probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_NEAR = 0.75  # `synonym` is near to `synonyms`, `unit_price` is not near to `unit`


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that is most like this one, without regard to case; empty where none is near."""
    found = difflib.get_close_matches(name.strip().lower(), list(known), n=1, cutoff=_NEAR)
    return found[0] if found else ""
