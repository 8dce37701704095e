"""The gates: pure predicates that say what is wrong with what a model proposed."""

from sekisho.gates.answers import (
    answers_are_verified,
    as_draft,
    check_draft,
    citations_are_present,
    citations_exist,
    quotes_are_verbatim,
    verify_citations,
)
from sekisho.gates.decisions import every_decision_was_read
from sekisho.gates.facts import (
    check_facts,
    every_file_was_read,
    evidence_is_verbatim,
    fact_count_matches,
    facts_fit_the_schema,
    knowledge_base_is_complete,
    sources_are_unique,
)
from sekisho.gates.finding import Finding, by_item, guarded, validation_reasons
from sekisho.gates.mappings import chosen_terms_were_candidates
from sekisho.gates.numbers import evidence_holds_the_value
from sekisho.gates.quotes import Sources, Verdict
from sekisho.gates.recall import citations_were_candidates, decisions_are_indexed, recall_is_not_degraded
from sekisho.gates.rows import every_row_was_read

__all__ = [
    "Finding",
    "Sources",
    "Verdict",
    "answers_are_verified",
    "as_draft",
    "by_item",
    "check_draft",
    "check_facts",
    "chosen_terms_were_candidates",
    "citations_are_present",
    "citations_exist",
    "citations_were_candidates",
    "decisions_are_indexed",
    "every_decision_was_read",
    "every_file_was_read",
    "every_row_was_read",
    "evidence_holds_the_value",
    "evidence_is_verbatim",
    "fact_count_matches",
    "facts_fit_the_schema",
    "guarded",
    "knowledge_base_is_complete",
    "quotes_are_verbatim",
    "recall_is_not_degraded",
    "sources_are_unique",
    "validation_reasons",
    "verify_citations",
]
