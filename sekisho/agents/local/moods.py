"""Where a clause says nothing of what is so: its orders and conditions, and what holds for some alone."""

from __future__ import annotations

import re
from bisect import bisect_right

from sekisho.agents.local.grammar import ORDERS
from sekisho.agents.local.words import stems

_CONDITION = re.compile(
    r"\b(?:before|after|when(?:ever)?|if|unless|until|till|once(?! an?\b)|whether|as soon as|in case|provided)\b"
)
_FINITE = re.compile(
    r"\b(?:am|is|are|was|were|has|have|had|does|did|can|could|may|might|must|shall|should|will|would|cannot)\b|n't\b"
)
# `Please note that dogs are welcome` states it.
_NOTE = re.compile(
    r"\W*(?:please\s+)?(?:note|remember|know|(?:please\s+)?be (?:aware|informed|advised|assured))\s+(?:that\s+)?"
)
_ALLOWS = re.compile(r"\bfeel free\b|\bby all means\b|\bwelcome\b")
_HEAD = re.compile(
    r"\W*(?:(?P<please>please|kindly)\s+|(?:always|then|now|just|so|and|but|also|instead)\s+|do\s+(?!not\b)|"
    r"(?P<no>do not|don't|never)\s+)*(?P<verb>[a-z]+)\b(?P<rest>.*)",
    re.DOTALL,
)
_OBJECT = re.compile(r"\s+(?:the|an?|your|his|her|its|my|our|their|this|these|those|it|them|him|us|me)\b")
# An order not to do one of these forbids the thing itself.
_REFUSED = frozenset(stems("bring take let allow enter admit accept permit come"))
_NO_VERB = frozenset(["of", "costs"])
_NOT_TO = re.compile(r"\b(?:do not|don't|never)\s+\Z")
# `Only members may enter` holds for members; `The only dogs allowed` for no others.
_ONLY = re.compile(
    r"(?:\A\W*|[,;:.]\s*|\b(?:and|but|that|because|so|where)\s+)"
    r"(?:the only\b|only\s+(?P<who>(?:[\w'-]+\s+){1,6}?)"
    r"(?=(?:may|can|could|is|are|was|were|has|have|will|get|gets|go|enter|allowed|permitted|admitted|accepted|welcome)\b))"
)
_ONLY_AFTER = re.compile(r"(?:\A\W*|\b(?:to|for|by)\s+)(?P<who>(?:[\w'-]+\s+){1,3}?)only\b(?=\W*(?:\Z|[,;.)]))")


class Moods:
    """A clause, folded, cut into stretches: each an order, a condition or a statement. `field`: the field's words."""

    def __init__(self, text: str, field: str | None) -> None:
        self._text = text
        self._is_exclusive = field is not None and _excludes(text, frozenset(stems(field)))
        self._stretches: list[tuple[int, int, str]] = []
        at = 0
        for part in text.split(","):
            self._add(text, at, at + len(part))
            at += len(part) + 1

    def _add(self, text: str, start: int, end: int) -> None:
        """One part between commas, cut where a condition begins in it."""
        cue = _CONDITION.search(text, start, end)
        middle = cue.start() if cue else end
        if text[start:middle].strip():
            last = self._stretches[-1] if self._stretches else None
            mood = _mood(text[start:middle])
            has_verb = _FINITE.search(text, start, middle) is not None
            if mood == "statement" and last and not has_verb and last[2] != "condition":
                # What goes on after a comma without a verb is still part of it: `keep dogs, cats and hens close`.
                self._stretches[-1] = last[0], middle, last[2]
            else:
                self._stretches.append((start, middle, mood))
        if cue:
            self._stretches.append((middle, end, "condition"))

    def stretch(self, at: int) -> tuple[int, int]:
        """Where the stretch begins and ends that holds this place."""
        return self._at(at)[:2]

    def is_order(self, at: int) -> bool:
        """Whether the place is in an order to the reader."""
        return self._at(at)[2] in ("order", "refusal")

    def is_refusal(self, at: int) -> bool:
        """Whether the place is in an order not to bring, take, enter or do what the field is called after."""
        return self._at(at)[2].startswith("refusal")

    def is_head(self, at: int) -> bool:
        """Whether the word at this place begins an order."""
        start, _, mood = self._at(at)
        return mood == "order" and not any(char.isalnum() for char in self._text[start:at])

    def is_forbidden(self, at: int) -> bool:
        """Whether the verb at this place is what an order says not to do: `do not swim`."""
        start, _, mood = self._at(at)
        return mood in ("order", "refusal") and _NOT_TO.search(self._text, start, at) is not None

    def is_silent(self, at: int, *, is_denied: bool = False) -> bool:
        """Whether nothing said at this place holds of the field's subject as it is; what is denied holds for all."""
        return (self._is_exclusive and not is_denied) or self._at(at)[2] != "statement"

    def _at(self, at: int) -> tuple[int, int, str]:
        number = bisect_right(self._stretches, at, key=lambda one: one[0]) - 1
        return self._stretches[number] if number >= 0 else (0, at, "statement")


def _mood(part: str) -> str:
    if (noted := _NOTE.match(part)) is not None:
        part = part[noted.end() :]
    elif _ALLOWS.search(part):
        return "statement"
    head = _HEAD.match(part)
    if head is None:
        return "statement"
    verb, rest = head["verb"], head["rest"]
    is_told = bool(head["please"] or head["no"]) or re.search(r"\bplease\b", part) is not None
    following = re.match(r"\s+([a-z']+)", rest)
    if not is_told:
        is_free = _FINITE.search(rest) is None and not (following and following[1] in _NO_VERB)
        is_verb = verb in ORDERS or (_OBJECT.match(rest) is not None and not verb.endswith(("ing", "ed", "s")))
        if not (is_free and is_verb) or rest.lstrip().startswith(":"):
            return "statement"
    return "refusal" if head["no"] and frozenset(stems(verb)) & _REFUSED else "order"


def _excludes(text: str, field: frozenset[str]) -> bool:
    for match in [*_ONLY.finditer(text), *_ONLY_AFTER.finditer(text)]:
        who = frozenset(stems(match["who"] or ""))
        if not who or not who <= field:
            return True
    return False
