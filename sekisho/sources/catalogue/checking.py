"""What is amiss among the records of a catalogue: doubled ids, parents that are not there, circles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sekisho.catalogue import CatalogueProblem, ProblemKind, Term
from sekisho.sources.catalogue.brackets import with_alternate_names
from sekisho.text import shortened


class Told:
    """What has been found so far in one file; `lines` are those of each id, empty where a format has none."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.problems: list[CatalogueProblem] = []
        self.lines: dict[str, list[int]] = {}

    def add(self, item: str, kind: ProblemKind, message: str, *, path: str = "") -> None:
        """One more problem, in this file where no other is named."""
        self.problems.append(
            CatalogueProblem(path=path or self.path, item=shortened(item), kind=kind, message=shortened(message, 400))
        )


def usable(rows: Iterable[Term], told: Told) -> list[Term]:
    """The records with ids and parents set right, and the alternate names of their brackets among the synonyms."""
    terms = _single(rows, told)
    parents = _parents(terms, told)
    settled = [
        term if term.parent_id == parents[id] else _with(term, parent_id=parents[id]) for id, term in terms.items()
    ]
    return with_alternate_names(settled)


def _single(rows: Iterable[Term], told: Told) -> dict[str, Term]:
    """One record for each id: rows that share id and name are one, of other names the first in order is kept."""
    terms: dict[str, Term] = {}
    for term in rows:
        other = terms.get(term.id)
        if other is None:
            terms[term.id] = term
        elif other.name == term.name:
            reason = "stands twice with one name: read as one record, write it once"
            told.add(term.id, "doubled_id", _at(term.id, told) + reason)
            terms[term.id] = _merged(other, term)
        else:
            kept, left = sorted((other, term), key=lambda one: (one.name, one.acronym, one.synonyms, one.parent_id))
            reason = f"is the id of {kept.name!r} and of {left.name!r}, which is left out: give it an id of its own"
            told.add(term.id, "doubled_id", _at(term.id, told) + reason)
            terms[term.id] = kept
    return terms


def _at(id: str, told: Told) -> str:
    """The first line of an id and the one that is just read; rows are read one by one."""
    lines = told.lines.get(id, [])
    return f"lines {lines[0]} and {lines[-1]}: " if len(lines) > 1 else ""


def _merged(one: Term, other: Term) -> Term:
    acronyms = sorted({one.acronym, other.acronym} - {""})
    synonyms = sorted({*one.synonyms, *other.synonyms, *acronyms[1:]})
    parents = sorted({one.parent_id, other.parent_id} - {""})
    return _with(one, acronym=(acronyms or [""])[0], synonyms=tuple(synonyms), parent_id=(parents or [""])[0])


def _parents(terms: dict[str, Term], told: Told) -> dict[str, str]:
    """The parent of each record; none where it is not there, or where following parents comes back."""
    parents = {id: term.parent_id for id, term in terms.items()}
    for id, parent in parents.items():
        if parent and parent not in terms:
            told.add(id, "dangling_parent", f"no record has the id {parent!r}: loaded without parent, correct it")
            parents[id] = ""
    done: set[str] = set()
    for start in sorted(parents):
        path: list[str] = []
        at = start
        while at and at not in done:
            done.add(at)
            path.append(at)
            at = parents[at]
        if at in path:
            circle = path[path.index(at) :]
            cut = min(circle)
            shown = " -> ".join([*circle[:5], *(["..."] if len(circle) > 5 else []), at])
            told.add(cut, "cycle", f"is its own ancestor ({shown}): loaded without parent, correct it")
            parents[cut] = ""
    return parents


def _with(term: Term, **fields: Any) -> Term:
    # Without pydantic's copy: a catalogue has tens of thousands of records, and all fields are texts already.
    values = {"id": term.id, "name": term.name, "acronym": term.acronym, "synonyms": term.synonyms}
    return Term.model_construct(**{**values, "parent_id": term.parent_id, **fields})
