"""What one record refers to, gathered from its front matter and its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from sekisho.decision import DecisionStatus, LinkKind
from sekisho.sources.decisions.front import as_text
from sekisho.sources.decisions.keys import DATE_KEYS, ID_KEYS, LINK_KEYS, STATUS_KEYS, SUMMARY_KEYS, TITLE_KEYS
from sekisho.sources.decisions.page import Block, Page
from sekisho.sources.decisions.references import Reference, references_in, references_in_text
from sekisho.sources.decisions.relations import announced

_NO_REFERENCES = frozenset({*TITLE_KEYS, *ID_KEYS, *DATE_KEYS, *SUMMARY_KEYS, "slug"})
_SPEAKS_OF_ITSELF = ("status", "links", "supersedes", "superseded_by")
_SUPERSEDED = ("superseded", "superseded_in_part")
_LONGEST_LABEL = 60  # characters


def references_of(page: Page, status: DecisionStatus) -> list[Reference]:
    """Everything that the record refers to, front matter first."""
    found: list[Reference] = []
    for key, value in page.front.items():
        if key in LINK_KEYS:
            kind, partial = LINK_KEYS[key]
            given = references_in_text(as_text(value), default=kind)
            found += [replace(ref, partial=ref.partial or (partial and ref.kind != "relates")) for ref in given]
        elif key not in _NO_REFERENCES:
            ended = key in STATUS_KEYS and status in _SUPERSEDED
            default: LinkKind = "superseded_by" if ended else "relates"
            found += references_in_text(as_text(value), default=default, bare=False)
    return [*found, *_references_in_blocks(page.blocks, status)]


def _references_in_blocks(blocks: Iterable[Block], status: DecisionStatus) -> Iterator[Reference]:
    label: LinkKind | None = None
    for block in blocks:
        itself = block.opening or block.admonition or block.section in _SPEAKS_OF_ITSELF
        if block.kind == "heading":
            label = announced(block.text) if len(block.text) < _LONGEST_LABEL else None
            continue
        if block.kind == "text" and block.section not in ("supersedes", "superseded_by"):
            label = None
        default = label or _by_section(block, status)
        yield from references_in(block, default=default, about_itself=itself or label is not None)
        if itself and len(block.text) < _LONGEST_LABEL and re.search(r"[:：]\s*\Z", block.text):
            label = announced(block.text) or label


def _by_section(block: Block, status: DecisionStatus) -> LinkKind | None:
    """What a bare reference means where it stands: under `Superseded by`, or in the status of what was superseded."""
    if block.section == "supersedes" or block.section == "superseded_by":
        return block.section
    ended = status in _SUPERSEDED and block.section == "status"
    return "superseded_by" if ended else None
