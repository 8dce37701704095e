"""The gate on mapping: choices that are none of the candidates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from sekisho.gates.finding import Finding
from sekisho.text import shortened

if TYPE_CHECKING:
    from sekisho.mapping.mapped import Mapped


def chosen_terms_were_candidates(mapped: Iterable[Mapped], known: Collection[str]) -> list[Finding]:
    """A finding for each chosen id that was no candidate of its query, whether it stands or was turned back.

    `known` are the ids of the catalogue: a candidate that is none of them is a finding, too.
    """
    gate = "chosen_terms_were_candidates"
    return [Finding(gate, shortened(one.asked.query, 80), reason) for one in mapped for reason in _reasons(one, known)]


def _reasons(one: Mapped, known: Collection[str]) -> Iterator[str]:
    ids = [candidate.id for candidate in one.candidates]
    yield from (f"a candidate that is not in the catalogue: {shortened(id, 80)}" for id in ids if id not in known)
    stands = one.ai.best_id if one.ai is not None else None
    if stands is not None and stands not in ids:
        yield f"the term that stands was no candidate: {shortened(stands, 80)}"
    elif one.ai is not None and stands is None and ids:
        yield "no term stands, though there are candidates"
    if one.said is not None and one.said.id not in ids:
        yield f"the model chose what was no candidate: {shortened(one.said.id, 80) or 'no id'}"
