"""The known id that a wrong one was most likely meant to be."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

_ALIKE = 60


class Names:
    """Known ids, made ready once for any number of wrong ones."""

    def __init__(self, known: Iterable[str]) -> None:
        self._bare = {name: _bare(name) for name in sorted(known)}
        self._files = {_bare(name.rpartition("/")[2]): name for name in reversed(self._bare)}

    def nearest(self, given: str) -> str:
        """The known id that is most like a given one, or nothing where none is; ties go to the first in sorted order.

        The same name in another folder is most like it.
        """
        from rapidfuzz import fuzz, process  # late: only a wrong id needs it

        wanted = _bare(given[:500])
        named = _bare(given[:500].rpartition("/")[2])
        if wanted and (same := self._files.get(named)) and _bare(same) != wanted:
            return same
        best = process.extractOne(wanted, self._bare, scorer=fuzz.ratio, score_cutoff=_ALIKE)
        if best is None and wanted:
            best = process.extractOne(wanted, self._bare, scorer=fuzz.partial_ratio, score_cutoff=90)
        return str(best[2]) if best else ""


def nearest(given: str, known: Iterable[str]) -> str:
    """`Names(known).nearest(given)`, for a single id."""
    return Names(known).nearest(given)


def _bare(name: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", name).casefold() if char.isalnum())
