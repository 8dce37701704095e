"""Recall over all drafts, several at a time; what has not changed is not asked again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sekisho.agents.fanout import fanout
from sekisho.decision import DraftDecision
from sekisho.events import EventLog
from sekisho.recall.node import RecallNode
from sekisho.recall.records import Recall


def recall_drafts(
    drafts: Sequence[DraftDecision],
    node: RecallNode,
    before: Iterable[Recall] = (),
    *,
    events: EventLog | None = None,
    workers: int = 5,
) -> list[Recall]:
    """One result for each draft that needs a record, in their order; a draft that is gone leaves nothing behind.

    Whoever watches `events` is told of each draft as it comes back.
    """
    wanted = [draft for draft in drafts if draft.needs_adr]
    known = {recall.path: recall for recall in before}
    made: dict[int, Recall] = {}
    if events is not None and wanted:
        events.begin("recall", [draft.id for draft in wanted], workers=workers)
    for index, outcome in fanout(wanted, lambda draft: node.recall(draft, known.get(draft.path)), workers=workers):
        if isinstance(outcome, Exception):
            raise outcome  # the node raises nothing of its own: a disk that refuses the log, say
        made[index] = outcome
        if events is not None:
            aside = "skipped" if outcome.status == "skipped" else ""
            events.tell("recall", id=outcome.draft, ok=not outcome.failed, reason=outcome.problem, aside=aside)
    return [made[index] for index in range(len(wanted))]
