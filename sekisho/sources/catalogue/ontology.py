"""Ontologies (OBO, OWL, OBO graphs) as catalogues, through pronto."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sekisho.catalogue import Term
from sekisho.errors import InputError
from sekisho.sources.catalogue.checking import Told
from sekisho.sources.catalogue.stubs import declared_obo, declared_owl
from sekisho.text import printable

SUFFIXES = frozenset({".obo", ".owl", ".json"})
REMEDY = "pip install -e '.[ontology]', or write TSV or CSV"
# OBO's own name for a synonym that is a short form, and what ontologies call it besides.
_ACRONYM = frozenset({"abbr", "abbreviation", "acronym", "omo:0003000", "omo:0003012"})
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
            content, stubs = _declared(path)
            ontology = Ontology(io.BytesIO(content), import_depth=0, threads=1)
            found = [term for term in _terms(ontology) if not _is_stub(term, stubs)]
    except Exception as error:  # whatever its parsers raise
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(
            f"pronto cannot read it: {printable(reason)[:200]}", file=path, remedy="check the file"
        ) from None
    for id, term in found:
        if term is None:
            told.add(id, "empty_name", "no name, left out: write one")
        else:
            yield term


def _declared(path: Path) -> tuple[bytes, set[str]]:
    content = path.read_bytes()
    suffix = path.suffix.lower()
    if suffix == ".obo":
        return declared_obo(content)
    return declared_owl(content) if suffix == ".owl" else (content, set())


def _is_stub(found: tuple[str, Term | None], stubs: set[str]) -> bool:
    id, term = found
    return term is None and (id in stubs or id.replace(":", "_") in stubs)


def _terms(ontology: Any) -> list[tuple[str, Term | None]]:
    """Its terms that are not obsolete, by id; None for one without a name."""
    found = sorted((term for term in ontology.terms() if not term.obsolete), key=lambda one: str(one.id))
    return [(str(term.id), _term(term, ontology) if (term.name or "").strip() else None) for term in found]


def _synonyms(term: Any, ontology: Any) -> Any:
    """A term's synonyms; types of synonyms that the file uses without declaring them are declared as they come."""
    from pronto.synonym import SynonymType  # late: an extra

    while True:
        try:
            return term.synonyms
        except ValueError as error:
            _, said, undeclared = str(error).partition("undeclared synonym type: ")
            if not said or any(one.id == undeclared for one in ontology.synonym_types()):
                raise
            ontology.metadata.synonymtypedefs.add(SynonymType(undeclared, undeclared))


def _term(term: Any, ontology: Any) -> Term:
    exact = sorted({(one.description, _is_acronym(one)) for one in _synonyms(term, ontology) if one.scope in _SURE})
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
