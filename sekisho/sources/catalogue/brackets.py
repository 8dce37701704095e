"""Alternate names in brackets: `optic nerve [II]`, `Ammon's horn (hippocampus proper)`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from sekisho.catalogue import Term
from sekisho.mapping.words import is_bare
from sekisho.text import fold_needle

_TAIL = re.compile(r"^(?P<before>[^()\[\]（）［］【】]*\S)\s*[(\[（［【](?P<inside>[^()\[\]（）［］【】]+)[)\]）］】]$")
_QUALIFIER = re.compile(r"\d+|left|right|[lr]|human|mouse|rat|primates?|mammals?|rodents?|左|右", re.IGNORECASE)


def with_alternate_names(terms: Sequence[Term]) -> list[Term]:
    """The records, each with what stands before and in the brackets at a name's end as synonyms.

    What stands there is an alternate name only where it is no other record's name: else it says which of several
    things is meant (`root (facial nerve)`), as does what two records share. A numeral alone is no name.
    """
    taken = {_key(term.name): term.id for term in terms}
    parts = {term.id: [part for name in (term.name, *term.synonyms) for part in _parts(name)] for term in terms}
    shared = Counter(key for found in parts.values() for key in {_key(part) for part in found})
    done = []
    for term in terms:
        known = {_key(term.name), *map(_key, term.synonyms)}
        added: list[str] = []
        for part in parts[term.id]:
            key = _key(part)
            if key not in known and shared[key] == 1 and taken.get(key, term.id) == term.id:
                known.add(key)
                added.append(part)
        done.append(term if not added else term.model_copy(update={"synonyms": (*term.synonyms, *added)}))
    return done


def _parts(name: str) -> list[str]:
    match = _TAIL.match(fold_needle(name)) if name[-1:] in ")]）］】" else None
    if match is None or _QUALIFIER.fullmatch(match["inside"].strip()):
        return []
    inside = match["inside"].strip()
    return [match["before"].strip(), *([] if is_bare(inside) else [inside])]


def _key(text: str) -> str:
    return fold_needle(text).casefold()
