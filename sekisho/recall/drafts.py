"""Recall over all drafts, several at a time; what has not changed is not asked again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sekisho.agents.fanout import fanout
from sekisho.decision import DraftDecision
from sekisho.recall.node import RecallNode
from sekisho.recall.records import Recall


def recall_drafts(
    drafts: Sequence[DraftDecision], node: RecallNode, before: Iterable[Recall] = (), *, workers: int = 5
) -> list[Recall]:
    """One result for each draft that needs a record, in their order; a draft that is gone leaves nothing behind."""
    wanted = [draft for draft in drafts if draft.needs_adr]
    known = {recall.path: recall for recall in before}
    made: dict[int, Recall] = {}
    for index, outcome in fanout(wanted, lambda draft: node.recall(draft, known.get(draft.path)), workers=workers):
        if isinstance(outcome, Exception):
            raise outcome  # the node raises nothing of its own: a disk that refuses the log, say
        made[index] = outcome
    return [made[index] for index in range(len(wanted))]
