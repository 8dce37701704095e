"""The known id that a wrong one was most likely meant to be."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

_ALIKE = 60


class Names:
    """Known ids, made ready once for any number of wrong ones."""

    def __init__(self, known: Iterable[str]) -> None:
        self._bare = {name: _bare(name) for name in sorted(known)}

    def nearest(self, given: str) -> str:
        """The known id that is most like a given one, or nothing where none is; ties go to the first as sorted."""
        from rapidfuzz import fuzz, process  # late: only a wrong id needs it

        wanted = _bare(given[:500])
        best = process.extractOne(wanted, self._bare, scorer=fuzz.ratio, score_cutoff=_ALIKE)
        if best is None and wanted:
            best = process.extractOne(wanted, self._bare, scorer=fuzz.partial_ratio, score_cutoff=90)
        return str(best[2]) if best else ""


def nearest(given: str, known: Iterable[str]) -> str:
    """`Names(known).nearest(given)`, for a single id."""
    return Names(known).nearest(given)


def _bare(name: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", name).casefold() if char.isalnum())
