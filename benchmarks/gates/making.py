"""How a case is made: its fields, its random source, and how many of a family are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from benchmarks.gates.reading import Sentence

SEED = 20241
PER_LANGUAGE = 24
ACCEPT, REJECT, OPEN = "accept", "reject", None
Case = dict[str, Any]


def case(sentence: Sentence, family: str, quote: str, expect: str | None, why: str, part: str | None = None) -> Case:
    """One case on a sentence; offsets are those of the sentence, or of the part that the quote is of."""
    made: Case = {"family": family, "lang": sentence.lang, "source": sentence.source}
    made |= {"quote": quote, "expect": expect, "why": why}
    if expect == ACCEPT:
        made["start"], made["end"] = (sentence.start, sentence.end) if part is None else sentence.at(part)
    return made


def dice(*what: object) -> Random:
    """A random source of its own for each place, so that one more sentence changes no other case."""
    return Random(f"{SEED}:{':'.join(map(str, what))}")


def sampled(made: Iterable[Case], family: str) -> list[Case]:
    """At most `PER_LANGUAGE` cases of a family in each language, in the order of their sources."""
    chosen: list[Case] = []
    listed = list(made)
    for lang in ("en", "ja"):
        own = [one for one in listed if one["lang"] == lang]
        keep = set(dice("sample", family, lang).sample(range(len(own)), min(PER_LANGUAGE, len(own))))
        chosen.extend(one for at, one in enumerate(own) if at in keep)
    return chosen


def everywhere(known: dict[str, list[Sentence]]) -> Iterator[Sentence]:
    """All sentences that can stand alone: no table rows, no bare list items."""
    for listed in known.values():
        yield from (one for one in listed if not {"row", "leadin", "leadin_open", "bare"} & one.notes.keys())
