"""Ontologies (OBO, OWL, OBO graphs) as catalogues, through pronto."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sekisho.catalogue import Term
from sekisho.errors import InputError
from sekisho.sources.catalogue.checking import Told
from sekisho.text import printable

SUFFIXES = frozenset({".obo", ".owl", ".json"})
REMEDY = "pip install -e '.[ontology]', or write TSV or CSV"
# OBO's own name for a synonym that is a short form, and what ontologies call it besides.
_ACRONYM = frozenset({"abbreviation", "acronym", "omo:0003000", "omo:0003012"})
_SURE = frozenset({"EXACT"})  # related and narrower synonyms name other things


def read_ontology(path: Path, told: Told) -> Iterator[Term]:
    """Its terms that are not obsolete: id, name, exact synonyms, the first short form, the first parent by id.

    A term's parents are what it is a kind of; where there are none, what it is a part of. A term without a name is
    told. `InputError` where pronto is not installed or cannot read the file.
    """
    if find_spec("pronto") is None:
        raise InputError(f"no reader for {path.suffix} is installed", file=path, remedy=REMEDY)
    if not path.is_file():
        raise InputError("cannot be read: no such file", file=path, remedy="check the path")
    from pronto.ontology import Ontology  # late: an extra

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of constructs that are no part of a catalogue
            ontology = Ontology(str(path), import_depth=0, threads=1)
    except Exception as error:  # whatever its parsers raise
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(
            f"pronto cannot read it: {printable(reason)[:200]}", file=path, remedy="check the file"
        ) from None
    for term in sorted(ontology.terms(), key=lambda one: str(one.id)):
        if term.obsolete:
            continue
        if not (term.name or "").strip():
            told.add(term.id, "empty_name", "no name, left out: write one")
            continue
        yield _term(term)


def _term(term: Any) -> Term:
    exact = sorted({(one.description, _is_acronym(one)) for one in term.synonyms if one.scope in _SURE})
    short = [text for text, is_short in exact if is_short]
    return Term(
        id=term.id,
        name=term.name.strip(),
        acronym=short[0] if short else "",
        synonyms=tuple(text for text, _ in exact if text not in (term.name, *short[:1])),
        parent_id=_parent(term),
    )


def _is_acronym(synonym: Any) -> bool:
    kind = synonym.type
    return kind is not None and bool({str(kind.id).lower(), str(kind.description).lower()} & _ACRONYM)


def _parent(term: Any) -> str:
    kinds = sorted(parent.id for parent in term.superclasses(distance=1, with_self=False) if not parent.obsolete)
    if kinds:
        return str(kinds[0])
    wholes = sorted(
        whole.id
        for relation, others in term.relationships.items()
        if relation.id in ("part_of", "BFO:0000050")
        for whole in others
    )
    return str(wholes[0]) if wholes else ""
