"""What a model may cite: candidates alone, once each, for a reason that really stands where it was read.

Pure: no Dagster, network, environment or model is needed for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from sekisho.recall.text import normalize_for_citation_match
from sekisho.text import printable

Relevance = Literal["high", "med", "low"]
Standing = Literal["draft", "own_summary", "other_summary"]
Why = Literal["no_object", "no_candidate", "duplicate", "empty_reason", "reason_stands_nowhere", "beyond_the_fifth"]
MOST_CITATIONS = 5
_RELEVANCES: Mapping[Any, Relevance] = {"high": "high", "med": "med", "low": "low"}
_LONGEST_SHOWN = 200
_MOST_TOLD = 40  # each of them is a line for somebody to read


@dataclass(frozen=True, slots=True)
class Kept:
    """A citation that every rule let through; `stands_in` is where its reason was found.

    The reason is on one line, its white space folded and what does not print escaped.
    """

    adr_id: str
    relevance: Relevance
    relevance_reason: str
    stands_in: Standing


@dataclass(frozen=True, slots=True)
class Dropped:
    """A citation that a rule took out, and which; what the model wrote is cut at 200 characters.

    After the first forty they are only counted, in one without words for each rule: then `times` is how many.
    """

    adr_id: str
    relevance_reason: str
    why: Why
    times: int = 1


class Filtered(NamedTuple):
    """What came through the rules, in the model's order, and what did not."""

    kept: tuple[Kept, ...]
    dropped: tuple[Dropped, ...]

    @property
    def misattributed(self) -> int:
        """How many of the kept have a reason that stands in another candidate's summary alone."""
        return sum(one.stands_in == "other_summary" for one in self.kept)

    @property
    def reasons(self) -> dict[Why, int]:
        """How many were dropped, by the rule that took them out."""
        counted: Counter[Why] = Counter()
        for one in self.dropped:
            counted[one.why] += one.times
        return dict(sorted(counted.items()))


def filter_valid_citations(
    raw: Sequence[Any], candidates: Mapping[str, str], draft_text: str | Sequence[str]
) -> Filtered:
    """The citations that hold, of whatever a model returned; `candidates` are summaries by id.

    `draft_text` is the draft, or its parts: a reason stands in one of them, never across two.

    Each goes through the rules for itself, so that a bad one costs no other: (1) its id is a candidate's, (2) none with
    this id was kept before, (3) its reason stands in the draft or in a candidate's summary, (4) a relevance that is
    none becomes `low`, (5) five were not kept yet.
    """
    parts = [draft_text] if isinstance(draft_text, str) else draft_text
    draft = [normalize_for_citation_match(part) for part in parts]
    summaries = {id: normalize_for_citation_match(summary) for id, summary in candidates.items()}
    kept: dict[str, Kept] = {}
    dropped: list[Dropped] = []
    more: Counter[Why] = Counter()
    for item in raw:
        given = item if isinstance(item, Mapping) else {}
        judged = _judge(given, summaries, draft, kept) if isinstance(item, Mapping) else "no_object"
        if isinstance(judged, Kept):
            kept[judged.adr_id] = judged
        elif len(dropped) == _MOST_TOLD:
            more[judged] += 1
        else:
            said = item if not isinstance(item, Mapping) else given.get("adr_id")
            dropped.append(Dropped(_shown(said), _shown(given.get("relevance_reason")), judged))
    counted = [Dropped("", "", why, times) for why, times in sorted(more.items())]
    return Filtered(tuple(kept.values()), (*dropped, *counted))


def _judge(
    given: Mapping[Any, Any], summaries: Mapping[str, str], draft: Sequence[str], kept: Mapping[str, Kept]
) -> Kept | Why:
    id, reason, relevance = (given.get(name) for name in ("adr_id", "relevance_reason", "relevance"))
    if not isinstance(id, str) or id not in summaries:
        return "no_candidate"
    if id in kept:
        return "duplicate"
    words = normalize_for_citation_match(reason) if isinstance(reason, str) else ""
    if not isinstance(reason, str) or not any(character.isalnum() for character in words):
        return "empty_reason"  # a dash stands in every text, and says nothing
    standing = _standing(words, id, summaries, draft)
    if standing is None:
        return "reason_stands_nowhere"
    if len(kept) == MOST_CITATIONS:
        return "beyond_the_fifth"
    chosen = _RELEVANCES.get(relevance, "low") if isinstance(relevance, str) else "low"
    return Kept(id, chosen, printable(" ".join(reason.split())), standing)


def _standing(words: str, id: str, summaries: Mapping[str, str], draft: Sequence[str]) -> Standing | None:
    if any(words in part for part in draft):
        return "draft"
    if words in summaries[id]:
        return "own_summary"
    return "other_summary" if any(words in summary for summary in summaries.values()) else None


def _shown(value: Any) -> str:
    """What a model wrote in place of a text, as text."""
    text = value if isinstance(value, str) else "" if value is None else repr(value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
