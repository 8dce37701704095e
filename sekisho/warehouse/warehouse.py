"""What the stages read and write: whole tables at a time, each write one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import duckdb

from sekisho.catalogue import CatalogueProblem, Term
from sekisho.decision import Decision, DecisionFile
from sekisho.recall.records import Recall
from sekisho.records import (
    Answer,
    Draft,
    Fact,
    Gap,
    KnowledgeBase,
    Manifest,
    Note,
    PortalView,
    Record,
    SourceText,
    Stage,
    ViewProblem,
)
from sekisho.seals import manifest_of_answers, manifests_of
from sekisho.warehouse.connection import reading, table_names, writing
from sekisho.warehouse.rows import Unreadable, insert, replace, select, select_readable

if TYPE_CHECKING:
    from sekisho.mapping.mapped import ChoiceCall, Mapped

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Published:
    """All that is published, with the lists of it, and the rows that cannot be read."""

    base: KnowledgeBase
    answers: tuple[Answer, ...]
    manifests: tuple[Manifest, ...]
    unreadable: tuple[Unreadable, ...] = ()


class Warehouse:
    """The rows of every stage. Values in, values out; `wait` is how long, in seconds, a held file is waited for."""

    def __init__(self, path: Path, *, wait: float = 10.0) -> None:
        self.path = path
        self._wait = wait

    def notes(self) -> list[Note]:
        """The notes as last ingested, by path."""
        return self._rows("notes", Note)

    def replace_notes(self, notes: Iterable[Note], gaps: Iterable[Gap]) -> None:
        """Store a new set of notes and what was wrong with them."""
        with writing(self.path, self._wait) as connection:
            replace(connection, "notes", notes)
            _replace_gaps(connection, "notes", gaps)

    def facts(self) -> list[Fact]:
        """The candidate facts, in source order; nothing in them is verified."""
        return self._rows("facts", Fact)

    def replace_facts(self, facts: Iterable[Fact], gaps: Iterable[Gap], held: Iterable[Gap]) -> None:
        """Store new candidate facts, the documents that gave none, and what is held against publishing them."""
        with writing(self.path, self._wait) as connection:
            replace(connection, "facts", facts)
            _replace_gaps(connection, "facts", gaps)
            _replace_gaps(connection, "knowledge_base", held)

    def gaps(self) -> list[Gap]:
        """Everything that the gates turned back, stage by stage."""
        return self._rows("gaps", Gap)

    def replace_gaps(self, stage: Stage, gaps: Iterable[Gap]) -> None:
        """Store what one stage turned back, in place of what it did before."""
        with writing(self.path, self._wait) as connection:
            _replace_gaps(connection, stage, gaps)

    def knowledge(self) -> KnowledgeBase:
        """The published knowledge base; one without facts and generation before the first publication."""
        with reading(self.path, self._wait) as connection:
            rows = connection.execute("SELECT generation FROM knowledge_generation").fetchall()
            return KnowledgeBase(
                generation=rows[0][0] if rows else "",
                facts=tuple(select(connection, "knowledge_facts", Fact)),
                sources=tuple(select(connection, "knowledge_sources", SourceText)),
            )

    def published(self) -> Published:
        """All that is published, as of one moment; a row that is no record hides no other."""
        with reading(self.path, self._wait) as connection:
            rows = connection.execute("SELECT generation FROM knowledge_generation").fetchall()
            facts, bad_facts = select_readable(connection, "knowledge_facts", Fact, "source")
            sources, bad_sources = select_readable(connection, "knowledge_sources", SourceText, "source")
            answers, bad_answers = select_readable(connection, "answers", Answer, "id")
            manifests, bad_manifests = select_readable(connection, "manifests", Manifest, "part")
        base = KnowledgeBase(generation=rows[0][0] if rows else "", facts=tuple(facts), sources=tuple(sources))
        unreadable = (*bad_facts, *bad_sources, *bad_answers, *bad_manifests)
        return Published(base, tuple(answers), tuple(manifests), unreadable)

    def publish_knowledge(self, base: KnowledgeBase, answers: Iterable[Answer]) -> None:
        """Publish a verified knowledge base and the answers that hold against it, in one transaction."""
        with writing(self.path, self._wait) as connection:
            connection.execute("DELETE FROM knowledge_generation")
            connection.execute("INSERT INTO knowledge_generation VALUES (?)", [base.generation])
            replace(connection, "knowledge_facts", base.facts)
            replace(connection, "knowledge_sources", base.sources)
            answers = list(answers)
            replace(connection, "answers", answers)
            replace(connection, "manifests", [*manifests_of(base), manifest_of_answers(answers)])
            _replace_gaps(connection, "knowledge_base", ())

    def drafts(self) -> list[Draft]:
        """The draft answers, in question order; nothing in them is verified."""
        return self._rows("draft_answers", Draft)

    def replace_drafts(self, drafts: Iterable[Draft]) -> None:
        """Store a new set of drafts."""
        with writing(self.path, self._wait) as connection:
            replace(connection, "draft_answers", drafts)

    def answers(self) -> list[Answer]:
        """The published answers, in question order."""
        return self._rows("answers", Answer)

    def publish_answers(self, answers: Iterable[Answer], gaps: Iterable[Gap]) -> None:
        """Make the verified answers the published ones, and record what was withheld, in one transaction."""
        with writing(self.path, self._wait) as connection:
            answers = list(answers)
            replace(connection, "answers", answers)
            connection.execute("DELETE FROM manifests WHERE part = 'answers'")
            insert(connection, "manifests", [manifest_of_answers(answers)])
            _replace_gaps(connection, "answers", gaps)

    def decisions(self) -> list[Decision]:
        """The past decisions as last ingested, by id."""
        return self._rows("decisions", Decision)

    def decision_files(self) -> list[DecisionFile]:
        """What was to be told of the files below the decisions, by path."""
        return self._rows("decision_files", DecisionFile)

    def replace_decisions(self, decisions: Iterable[Decision], files: Iterable[DecisionFile]) -> None:
        """Store a new set of decisions and what was to be told of their files."""
        with writing(self.path, self._wait) as connection:
            replace(connection, "decisions", decisions)
            replace(connection, "decision_files", files)

    def recalls(self) -> list[Recall]:
        """What recall said of each draft last, in the order of the drafts."""
        return self._rows("recall_citations", Recall)

    def replace_recalls(self, recalls: Iterable[Recall]) -> None:
        """Store what recall says of the drafts in place of whatever it said before."""
        with writing(self.path, self._wait) as connection:
            replace(connection, "recall_citations", recalls)

    def views(self) -> list[PortalView]:
        """The portal views as last ingested, by id."""
        return self._rows("portal_views", PortalView)

    def view_problems(self) -> list[ViewProblem]:
        """What could not be used of the portal views' files."""
        return self._rows("view_problems", ViewProblem)

    def replace_views(self, views: Iterable[PortalView], problems: Iterable[ViewProblem]) -> None:
        """Store a new set of views and what was wrong with their files, in one transaction."""
        with writing(self.path, self._wait) as connection:
            replace(connection, "portal_views", views)
            replace(connection, "view_problems", problems)

    def terms(self) -> list[Term]:
        """The records of the catalogue as last ingested, by id."""
        return self._rows("catalogue_terms", Term)

    def catalogue_problems(self) -> list[CatalogueProblem]:
        """What could not be used of the catalogue's files."""
        return self._rows("catalogue_problems", CatalogueProblem)

    def replace_catalogue(self, terms: Iterable[Term] | None, problems: Iterable[CatalogueProblem]) -> None:
        """Store a new set of records and what was wrong with the files; with None, the records stay as they were."""
        with writing(self.path, self._wait) as connection:
            if terms is not None:
                replace(connection, "catalogue_terms", terms)
            replace(connection, "catalogue_problems", problems)

    def mappings(self) -> list[Mapped]:
        """The queries of the query file with their candidates and choices, in its order."""
        from sekisho.mapping.mapped import Mapped  # late: it brings the matcher, and scipy with it

        return self._rows("term_mappings", Mapped)

    def mapping_calls(self) -> list[ChoiceCall]:
        """The model calls that the choices came from."""
        from sekisho.mapping.mapped import ChoiceCall

        return self._rows("mapping_calls", ChoiceCall)

    def replace_mappings(self, mapped: Iterable[Mapped], calls: Iterable[ChoiceCall]) -> None:
        """Store a new set of mappings and the calls they came from, in one transaction."""
        with writing(self.path, self._wait) as connection:
            replace(connection, "term_mappings", mapped)
            replace(connection, "mapping_calls", calls)

    def counts(self, tables: Mapping[str, str]) -> dict[str, int]:
        """How many rows tables hold, under the names given for them; one that is not there is left out."""
        with reading(self.path, self._wait) as connection:
            have = set(table_names(connection))
            found = [(name, table) for name, table in tables.items() if table in have]
            return {
                name: int(connection.execute(f'SELECT count(*) FROM "{table}"').fetchall()[0][0])
                for name, table in found
            }

    def _rows(self, table: str, kind: type[R]) -> list[R]:
        with reading(self.path, self._wait) as connection:
            return select(connection, table, kind)


def _replace_gaps(connection: duckdb.DuckDBPyConnection, stage: Stage, gaps: Iterable[Gap]) -> None:
    connection.execute("DELETE FROM gaps WHERE stage = ?", [stage])
    insert(connection, "gaps", list(gaps))
