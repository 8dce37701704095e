"""The ids `ADR-0000` to `ADR-9999`: a log's own numbers where it has them, else a number made from the name.

A record added later leaves the others' ids alone, with two exceptions: where it takes a number that another one was
given by its name, or one that two records claim and that is due to it by the order below.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from sekisho.sources.decisions.names import OwnId

_ALL = 10_000
_MADE_FROM = 5_000  # numbers made from names begin here, above what logs count to


@dataclass(frozen=True, slots=True)
class Claim:
    """What a record can be numbered by: its path below the decisions, its own id, its date or nothing."""

    path: str
    own: OwnId
    date: str
    is_folder: bool = False

    @property
    def folder(self) -> str:
        """The folder it lies in; that around it where the folder is the record."""
        parent = PurePosixPath(self.path).parent
        return str(parent.parent if self.is_folder else parent)

    @property
    def key(self) -> str:
        """What its log calls it, in one spelling: a number, a category's number, or its name."""
        own = self.own
        name = str(own.number) if own.number is not None else own.category or own.text
        return unicodedata.normalize("NFKC", name).casefold()

    @property
    def order(self) -> tuple[int, str, str]:
        """Who keeps a number that several claim: the one less deep, then the elder, then by path."""
        return self.folder.count("/") + (self.folder != "."), self.date, self.path


def assign_ids(claims: Sequence[Claim]) -> dict[str, str]:
    """An id for each path, `ADR-` and four digits; none for what is left when all ten thousand are taken."""
    taken: dict[int, str] = {}
    late: list[tuple[Claim, str]] = []
    claimed: set[str] = set()
    for claim in sorted(claims, key=lambda claim: claim.order):
        again = claim.key in claimed
        claimed.add(claim.key)
        if again or claim.own.number is None:
            late.append((claim, str(PurePosixPath(claim.path).with_suffix("")) if again else claim.key))
        else:
            taken[claim.own.number] = claim.path
    for claim, key in late:
        start = _made_from(key)
        free = next((n % _ALL for n in range(start, start + _ALL) if n % _ALL not in taken), None)
        if free is not None:
            taken[free] = claim.path
    return {path: f"ADR-{number:04d}" for number, path in taken.items()}


def _made_from(key: str) -> int:
    digest = hashlib.sha256(key.encode("utf-8", "backslashreplace")).hexdigest()
    return _MADE_FROM + int(digest[:8], 16) % (_ALL - _MADE_FROM)
