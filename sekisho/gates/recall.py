"""The gates on recall; they warn, for recall never stands in anybody's way: at worst its list is empty."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from sekisho.decision import Decision, DecisionFile
from sekisho.gates.finding import Finding
from sekisho.recall.records import Recall
from sekisho.text import printable, shortened


def citations_were_candidates(recalls: Iterable[Recall]) -> list[Finding]:
    """A finding for each id that a model named and that was no candidate, whether it was dropped or stands there."""
    gate = "citations_were_candidates"
    findings = []
    for recall in recalls:
        for one in recall.dropped:
            if one.why == "no_candidate":
                told = shortened(printable(one.adr_id) or "no id", 80) if one.times == 1 else f"{one.times} more"
                findings.append(Finding(gate, recall.draft, f"no candidate, dropped: {told}"))
        standing = [one.adr_id for one in recall.citations if one.adr_id not in recall.candidates]
        findings += [Finding(gate, recall.draft, f"no candidate, and cited: {id}") for id in standing]
    return findings


def recall_is_not_degraded(recalls: Iterable[Recall], files: Iterable[DecisionFile] = ()) -> list[Finding]:
    """A finding for each draft whose list says nothing: recall could not look, or not one reason could be verified.

    And for each draft that could not be read or used whole, and each for which the built-in prompt stood in.
    """
    gate = "recall_is_not_degraded"
    findings = [Finding(gate, printable(file.path), f"{file.path}: {file.message}") for file in files if file.is_fault]
    for recall in recalls:
        if recall.failed:
            findings.append(Finding(gate, recall.draft, f"{recall.status}: {recall.reason}: {recall.problem}"))
        elif recall.returned and not recall.citations:
            why = ", ".join(sorted({one.why for one in recall.dropped}))
            findings.append(Finding(gate, recall.draft, f"all {recall.returned} citations were dropped: {why}"))
        if recall.problem and not recall.failed:
            findings.append(Finding(gate, recall.draft, recall.problem))
        if recall.prompt_problem:
            told = f"the built-in prompt stood in: {recall.prompt_problem}"
            findings.append(Finding(gate, recall.draft, told))
    return findings


def decisions_are_indexed(decisions: Sequence[Decision], indexed: Iterable[str], today: date) -> list[Finding]:
    """A finding for each decision that recall cannot find by its meaning yet, with the days since its date."""
    known = set(indexed)
    return [
        Finding("index_is_fresh", one.id, f"{one.id} ({one.status}) is not indexed yet{_age(one, today)}")
        for one in decisions
        if one.id not in known
    ]


def _age(decision: Decision, today: date) -> str:
    try:
        days = (today - date.fromisoformat(decision.date)).days
    except ValueError:
        return ""  # without a date, or with one that names no day
    return f", {days} days after its date" if days >= 0 else ""
