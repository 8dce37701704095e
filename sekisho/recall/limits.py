"""How much of a draft is looked at and sent: a megabyte would take minutes to encode, and dollars to ask about."""

from __future__ import annotations

from sekisho.decision import DraftDecision

LOOKED_WITH = 20_000  # characters that candidates are looked for with: two to three seconds of encoding
SENT = 60_000  # characters of the draft that a model is sent, some 15,000 tokens of English


def cut_draft(draft: DraftDecision, most: int) -> DraftDecision:
    """The draft with at most so many characters, each of its parts cut at its end; short parts stay whole."""
    parts = {"title": draft.title, "context": draft.context, "options": draft.options}
    if sum(map(len, parts.values())) <= most:
        return draft
    left = most
    for rest, name in zip((3, 2, 1), sorted(parts, key=lambda name: len(parts[name])), strict=True):
        parts[name] = parts[name][: left // rest]
        left -= len(parts[name])
    return draft.model_copy(update=parts)


def told_cut(draft: DraftDecision) -> str:
    """What is to be told of a draft that is too long to be used whole; empty for any other."""
    size = len(draft.title) + len(draft.context) + len(draft.options)
    if size <= LOOKED_WITH:
        return ""
    sent = f", and the first {SENT} were sent" if size > SENT else ""
    return f"of {size} characters candidates were looked for with the first {LOOKED_WITH}{sent}: shorten it"
