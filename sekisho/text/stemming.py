"""English words as stems, by the Snowball stemmer."""

from __future__ import annotations

import threading
from functools import lru_cache

_LOCAL = threading.local()


@lru_cache(maxsize=131072)
def english_stem(word: str) -> str:
    """The stem of a lower-case word; safe to call from several threads."""
    if not hasattr(_LOCAL, "stemmer"):  # a stemmer holds the word it works on: one for each thread
        import snowballstemmer

        _LOCAL.stemmer = snowballstemmer.stemmer("english")
    return str(_LOCAL.stemmer.stemWord(word))
