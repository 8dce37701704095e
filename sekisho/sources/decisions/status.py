"""Statuses as they are worded in the wild, to a closed list."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from sekisho.decision import DecisionStatus
from sekisho.sources.decisions.wording import begins_with_status, is_surely_status

_STRUCK = re.compile(r"~~.*?~~")
_ARROW = re.compile(r"[-=]+>|→|⇒|➡")
_CHOICE = re.compile(r"\||/|,|、|・|\bor\b|または")
_TEMPLATE_ASKS = re.compile(r"what is the status|such as proposed|\betc\b|choose one|pick one|one of\b|いずれか|選択")
_NOTHING = re.compile(r"(?:n/?a|none|null|unknown|tbd|todo|-|なし|不明)?\W*")
# What a line of a status section says besides: where it comes from, and how it stands to other records.
_BESIDES = re.compile(
    r"\W*\w+\s*[:：]\W*\Z"
    r"|\W*(?:supersedes?|replaces|amends|amended by|clarifie[sd]|relates?|related|see|refs?|references?|issues?|prs?"
    r"|links?|dates?|notes?|authors?|deciders?|https?|関連|参照|日付|備考)\b",
    re.IGNORECASE,
)
_BY_NOBODY = re.compile(r"\W*(?:super[sc]eded|replaced) by\s*[:：]?\s*(?:none|n/?a|nothing|tbd|なし)?\W*")
_TICKED, _NOT_TICKED = re.compile(r"\W*\[x\]\s*", re.IGNORECASE), re.compile(r"\W*\[ \]")
ENDED = ("superseded", "superseded_in_part", "deprecated", "rejected")
_LONGEST_UNKNOWN = 60  # characters: what is longer is a sentence and not a status


def status_of(wording: str) -> DecisionStatus:
    """The status that a wording begins with; `unstated` for nothing or a template's choice, `other` for the rest.

    Of `proposed -> accepted` the last counts that is one.
    """
    text = _folded(wording)
    if (
        _NOTHING.fullmatch(text)
        or _BY_NOBODY.fullmatch(text)
        or not any(char.isalnum() for char in text)
        or is_choice(text)
    ):
        return "unstated"
    known = [status for part in _ARROW.split(text) if (status := begins_with_status(part))]
    return known[-1] if known else "other"


def is_choice(text: str) -> bool:
    """Whether a wording is the template's list of statuses, not one of them."""
    text = _folded(text)
    known = {status for part in _CHOICE.split(text) if (status := begins_with_status(part))}
    return bool(_TEMPLATE_ASKS.search(text)) or len(known) > 2 or (len(known) == 2 and "|" in text)


def status_of_lines(lines: Iterable[str]) -> tuple[DecisionStatus, str]:
    """The status of a section and its wording; where its lines tell a history an end counts, else the last word."""
    told: list[tuple[DecisionStatus, str]] = []
    unknown = ""
    for line in _ticked(lines):
        if _BESIDES.match(line) or (told and not is_surely_status(_folded(line))):
            continue
        status = status_of(line)
        if status not in ("unstated", "other"):
            told.append((status, line))
        elif status == "other" and len(line) <= _LONGEST_UNKNOWN:
            unknown = unknown or line
    if told:
        return next((found for found in reversed(told) if found[0] in ENDED), told[-1])
    return ("other", unknown) if unknown else ("unstated", "")


def _ticked(lines: Iterable[str]) -> list[str]:
    """The lines; of a list of boxes those that are ticked."""
    told = [line for line in lines if not _NOT_TICKED.match(line)]
    return [_TICKED.sub("", line) for line in told if _TICKED.match(line)] or told


def _folded(text: str) -> str:
    return _STRUCK.sub("", unicodedata.normalize("NFKC", text).casefold().replace("’", "'")).strip()
