"""A catalogue of records that names are mapped to, and what its curators know besides, as values."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal, Self

from sekisho.hashing import sha256_json
from sekisho.records import Record

ProblemKind = Literal["row", "doubled_id", "empty_id", "empty_name", "dangling_parent", "cycle", "curated"]
TokenKind = Literal["stop", "side", "modifier", "marker", "cell", "method", "keep"]


class Term(Record):
    """One record; `acronym` keeps its case, `parent_id` is the id of what it is a part or kind of, or empty."""

    id: str
    name: str
    acronym: str = ""
    synonyms: tuple[str, ...] = ()
    parent_id: str = ""


class CatalogueProblem(Record):
    """What cannot be used of one record or row; `message` is the reason and the remedy."""

    path: str
    item: str
    kind: ProblemKind
    message: str


class Alias(Record):
    """A text that curators say means one record."""

    text: str
    id: str


class Abbreviation(Record):
    """A short form, its case kept, for a record (`id`) or for longer words (`expansion`); `note` says when."""

    text: str
    id: str = ""
    expansion: str = ""
    note: str = ""


class Token(Record):
    """A word that curators say carries no name, a side, or what cleaning takes out or has to keep."""

    text: str
    kind: TokenKind


class Curated(Record):
    """What lies beside a catalogue: names, short forms and words that its curators have decided on."""

    aliases: tuple[Alias, ...] = ()
    abbreviations: tuple[Abbreviation, ...] = ()
    tokens: tuple[Token, ...] = ()


class Catalogue(Record):
    """All records, ordered by id; `sha256` is the same however the rows of the file were ordered."""

    terms: tuple[Term, ...]
    curated: Curated = Curated()
    sha256: str

    @classmethod
    def of(cls, terms: Iterable[Term], curated: Curated | None = None) -> Self:
        """The catalogue of these records, whose ids differ."""
        ordered = tuple(sorted(terms, key=lambda term: term.id))
        known = curated or Curated()
        rows = [[term.id, term.name, term.acronym, term.synonyms, term.parent_id] for term in ordered]
        return cls(terms=ordered, curated=known, sha256=sha256_json([rows, known.model_dump(mode="json")]))

    @cached_property
    def by_id(self) -> dict[str, Term]:
        """The records by their ids."""
        return {term.id: term for term in self.terms}


class MapQuery(Record):
    """One text to be mapped; all but `query` is for whoever evaluates, `context` for the model alone."""

    query: str
    expected_id: str = ""
    kind: str = ""
    difficulty: str = ""
    relation: str = ""
    context: str = ""
