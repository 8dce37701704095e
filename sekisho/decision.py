"""Past decisions and drafts of new ones, as values; each is one row of a table in the warehouse."""

from __future__ import annotations

from typing import Literal

from sekisho.records import Record

# `unstated`: the record says nothing, or has its template's choice still in it; `other`: it says what we do not know.
DecisionStatus = Literal[
    "proposed", "accepted", "superseded_in_part", "superseded", "deprecated", "rejected", "unstated", "other"
]
LinkKind = Literal["supersedes", "superseded_by", "relates"]
FileKind = Literal[
    "unreadable", "no_records", "doubled_number", "renumbered", "front_matter", "empty", "not_a_decision"
]
_FAULTS = frozenset({"unreadable", "no_records", "doubled_number"})


class DecisionLink(Record):
    """A link from one decision to another, by its id; `partial` says that it is about a part of the older one."""

    kind: LinkKind
    target: str
    partial: bool = False


class Decision(Record):
    """One past decision; `id` is `ADR-` and four digits, `original_id` what the log itself calls it.

    `status_text` is the wording that `status` was read from. `date` is ISO 8601 or empty, `date_text` its wording.
    `text` is the whole decoded file; `body` the same without front matter, comments and change log. `unresolved` are
    references, as written, to records that are not there or that another one shares its number with.
    """

    id: str
    original_id: str
    path: str
    title: str
    status: DecisionStatus = "unstated"
    status_text: str = ""
    date: str = ""
    date_text: str = ""
    summary: str = ""
    body: str = ""
    text: str = ""
    sha256: str = ""
    links: tuple[DecisionLink, ...] = ()
    unresolved: tuple[str, ...] = ()

    def targets(self, kind: LinkKind) -> list[str]:
        """The ids that links of one kind lead to."""
        return [link.target for link in self.links if link.kind == kind]


class DecisionFile(Record):
    """What is to be told about one file under the decisions or drafts; `message` is the reason and the remedy."""

    path: str
    kind: FileKind
    message: str

    @property
    def is_fault(self) -> bool:
        """Whether something is amiss; else it is told for completeness."""
        return self.kind in _FAULTS


class DraftDecision(Record):
    """A decision that somebody is about to write; `adr_id` is its own record where the log already has one.

    `id` is its path below the drafts without suffix. `needs_adr` is the verdict of whoever triaged it.
    """

    id: str
    path: str
    title: str = ""
    context: str = ""
    options: str = ""
    needs_adr: bool = True
    adr_id: str = ""
    sha256: str = ""
