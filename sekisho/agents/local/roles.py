"""What part a word of yes plays in its clause: only as the predicate of a statement does it affirm."""

from __future__ import annotations

import re

from sekisho.agents.local import doubts
from sekisho.agents.local.grammar import (
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
    FUNCTION,
    MODALS,
    PREPOSITIONS,
    PRONOUNS,
    bare,
    is_time,
    tokens,
)
from sekisho.agents.local.grammar import nouns as qualified
from sekisho.agents.local.moods import Moods
from sekisho.agents.local.words import stems

# Verbs of yes, by what stands after them where they say yes: anything but a measure, the field's own, or a manner.
_PERMITTING = """allow allows permit permits admit admits accept accepts tolerate tolerates agree agrees welcome
welcomes"""
_PERMITS = frozenset(_PERMITTING.split())
_HOLDS = frozenset(["include", "includes", "support", "supports", "pass", "passes", "passed"])
_RUNS = frozenset(["work", "works", "working"])
_OPENS = frozenset(["opens"])
ACTS = _PERMITS | _HOLDS | _RUNS | _OPENS
_ANSWERS = frozenset(["sure"])
_ALWAYS = frozenset(["yes", "happily"])
_MANNERS = "well again perfectly fine great now today properly reliably and but because although yet"
_MANNER = frozenset(_MANNERS.split())
_PLURALS = frozenset(["i", "you", "we", "they", "who", "that", "which", "and"])
# `is known to be open` is open, as `must be open` and `is to be open` are not.
_SAID = frozenset(["known", "found"])
_MOVES = _RUNS | frozenset(["run", "runs", "running", "operate", "operates", "operating"])
_PLACES = frozenset(["in", "at", "on", "under", "behind", "inside", "below", "beside"])
# `open to debate` is no door that is open.
_IDEAS = re.compile(
    r"(?:(?:ta|sta|ga|sa|ra|ca|ma|na|ia|re|ec|es|is|us|dic|ges|ac|op)tions?|sions?|ments?|isms?|questions?|debates?|doubts?|"
    r"abuse|disputes?|offers|ideas|changes?|proposals|reviews?|challenges?|discussion)\Z"
)
_QUALITY = re.compile(r"-(?:free|friendly|proof|safe)\Z|(?:ed|able|ible|ful|less|ive|al|ic|an)\Z")
_EITHERS = "allowed permitted welcome admitted accepted open valid safe available free"
_EITHER = _PERMITS | frozenset(_EITHERS.split())
_NEXT = 5
_REACH = 300


class Roles:
    """The words of one clause, folded, with what the clause asks, orders or supposes; `field` is None where unknown.

    `is_strict`: what is told, planned or needed is no statement.
    """

    def __init__(self, text: str, field: str | None, *, is_strict: bool = True) -> None:
        self.field = field
        self.is_strict = is_strict
        self.moods = Moods(text, field)
        self._text = text
        self._stems = None if field is None else frozenset(stems(field))

    def is_silent(self, start: int, end: int, *, is_denied: bool = False) -> bool:
        """Whether the clause says nothing for certain at this place."""
        if self.moods.is_silent(start, is_denied=is_denied):
            return True
        return self._is_unsure(start, end, is_denied=is_denied)

    def _is_unsure(self, start: int, end: int, *, is_denied: bool) -> bool:
        return self.is_strict and doubts.is_unsure(self._text, start, end, self.field, is_denied=is_denied)

    def affirms(self, start: int, end: int, *, is_denied: bool = False) -> bool:
        """Whether the word of yes at this place says that something is so, or with a negation that it is not so."""
        word = self._text[start:end]
        if word in _ALWAYS:
            return not self.moods.is_silent(start)
        first, last = self.moods.stretch(start)
        before = tokens(self._text[max(first, start - _REACH) : start])
        after = tokens(self._text[end : min(last, end + _REACH)])
        if self.moods.is_order(start):
            return word in _PERMITS and self.moods.is_refusal(start) and self._is_own(after[:_NEXT])
        if self.moods.is_silent(start) or self._is_unsure(start, end, is_denied=is_denied):
            return False
        if self.is_strict and not is_denied and self._is_limited(word, before, after):
            return False
        if word in _ANSWERS:
            return not before and (not after or not after[0][0].isalnum())
        return (word in ACTS and self._is_act(word, before, after)) or self._is_state(word, before, after)

    def is_asserted(self, start: int, *, is_state: bool, is_denied: bool = False) -> bool:
        """Whether a word of the field's own is part of a statement: no order, condition, infinitive or duty."""
        word = re.compile(r"[a-z'-]*").match(self._text, start)
        end = word.end() if word else start
        if self.is_silent(start, end, is_denied=is_denied):
            return False
        before = bare(tokens(self._text[self.moods.stretch(start)[0] : start]))
        after = tokens(self._text[end : min(self.moods.stretch(start)[1], end + _REACH)])
        if self.is_strict and not is_denied and self._is_part(self._text[start:end], before, after, is_state=is_state):
            return False
        return not (is_state and before and (before[-1] == "to" or (before[-1] == "be" and _is_unmet(before))))

    def is_own_name(self, word: str) -> bool:
        """Whether every part of a word is the field's own: `dog-friendly`."""
        return self._stems is None or frozenset(stems(word)) <= self._stems

    def is_one_of_two(self, start: int, end: int) -> bool:
        """Whether another word of yes or no stands beside this one: `allowed or forbidden`."""
        before, after = tokens(self._text[max(0, start - 40) : start]), tokens(self._text[end : end + 40])
        return (
            _EITHER & {*before[-2:-1]} != set()
            if before[-1:] == ["or"]
            else after[:1] == ["or"] and bool(_EITHER & {*after[1:3]})
        )

    def _is_limited(self, word: str, before: list[str], after: list[str]) -> bool:
        """`allowed or forbidden`, `open to debate`, `safe in the cellar`, `about available loans`."""
        if after[:1] == ["or"] or before[-1:] == ["or"]:
            return True
        taken = [one for one in after[1:4] if one not in DETERMINERS]
        if word == "open" and after[:1] == ["to"] and taken and not self._is_own(taken[:1]):
            return _IDEAS.search(taken[0]) is not None
        if word == "safe" and after[:1] and after[0] in _PLACES and not self._is_own(taken):
            return True
        return self._is_picked(before, after)

    def _is_picked(self, before: list[str], after: list[str]) -> bool:
        """A quality that tells one thing from others, not what a thing is: `the vegan soups stand there`."""
        things = qualified(after, _NEXT - 1)
        last = before[-1] if before else ""
        return bool(things) and (
            last.endswith("'s")
            or (not before and things[0].endswith("s"))
            or (last in PREPOSITIONS and last not in ("with", "as"))
            or (last in ("the", "these", "those", "other", "all", "any", "some", "most") and things[0].endswith("s"))
        )

    def _is_part(self, word: str, before: list[str], after: list[str], *, is_state: bool) -> bool:
        """Whether a word of the field's own only names a thing, or tells how it runs, or is one of two."""
        if word.startswith(("semi-", "quasi-", "pseudo-", "half-", "near-")):
            return True
        if is_state and (after[:1] == ["or"] or before[-1:] == ["or"]):
            return True
        if (is_state or _QUALITY.search(word)) and self._is_picked(before, after):
            return True
        if is_state and after[:1] == ["of"] and not (COPULAS | AUXILIARIES | MODALS) & {*before, *after}:
            return True  # `Check of the brakes`
        return word in _MOVES and not (_is_manner(after) or (is_time(after[1:2]) and not after[1][0].isdigit()))

    def _is_own(self, words: list[str]) -> bool:
        return self._stems is None or bool(self._stems & frozenset(stems(" ".join(words))))

    def _is_state(self, word: str, before: list[str], after: list[str]) -> bool:
        """`is open`, `safe and open to all`, `Dogs welcome`, and before a noun only where that is the field's own."""
        if word in _RUNS and not _is_manner(after):
            return False
        nouns = qualified(after, _NEXT - 1)
        link, is_direct = _link(before)
        if link is None and before and self._is_own(before[-1:]):
            link, is_direct = _link(before[:-1])  # `is wheelchair accessible`
        if link is not None and not (is_direct and link > 0 and before[link - 1] == "there"):
            is_met = before[link] != "be" or not _is_unmet(before[: link + 1])
            return is_met and (is_direct or not nouns or self._is_own(nouns))
        last = before[-1] if before else ""
        if last == "to" or last in PRONOUNS or last in MODALS | AUXILIARIES - {"has", "have", "had"}:
            return False
        if nouns:
            return self._is_own(nouns)
        if after and (after[0] == ":" or (after[0] in DETERMINERS and not is_time(after[1:3]))):
            return word.endswith("ed") and bool(before) and self._stems is not None and self._is_own(after[:_NEXT])
        if not last or not last[0].isalnum():
            return True
        return last not in FUNCTION and (_is_telegram(before, after) or _is_after_noun(before))

    def _is_act(self, word: str, before: list[str], after: list[str]) -> bool:
        """`we allow dogs`, `it supports USB`, `the lamp works`: a finite verb with what it takes."""
        words = bare(before)
        last = words[-1] if words else ""
        is_base = not word.endswith(("s", "ed")) or word == "pass"
        if word == "working" or (not last and is_base) or not _is_subject(last, is_base):
            return False
        if word in _RUNS:
            return _is_manner(after)
        if word in _OPENS:
            return not after or after[0] in PREPOSITIONS or is_time(after[:1])
        taken = _until_stop(after)[:_NEXT]
        if word in _HOLDS:
            return not taken or self._is_own(taken)
        is_measured = any(one[0].isdigit() for one in taken)
        return (not is_measured or self._is_own(taken)) and (word != "welcome" or bool(taken))


def _link(before: list[str]) -> tuple[int | None, bool]:
    """The place of the verb that links a state to its subject, and whether nothing but adverbs stands between."""
    words, is_direct = bare(before), True
    while words:
        if words[-1] in COPULAS:
            return len(words) - 1, is_direct
        if words[-1] not in ("and", "or", "nor", "but", ",") or len(words) < 2:
            return None, False
        words, is_direct = words[:-1], False
        while words and words[-1] in ("and", "or", "nor", "but", ","):
            words = words[:-1]
        words = bare(words[:-1])
    return None, False


def _is_unmet(words: list[str]) -> bool:
    """Whether what is to be is not yet so: `to be open`, `must be open`; not `is known to be open`."""
    rest = bare(words[:-1])
    if rest and rest[-1] == "to":
        return len(rest) < 2 or rest[-2] not in _SAID
    return bool(rest) and rest[-1] in MODALS


def _is_subject(last: str, is_base: bool) -> bool:
    """Whether a verb may follow this word as the finite one."""
    if last == "to" or last in DETERMINERS | PREPOSITIONS | MODALS:
        return False
    if not is_base:
        return True
    return last in AUXILIARIES or last in _PLURALS or last.endswith("s")


def _until_stop(after: list[str]) -> list[str]:
    stop = next((at for at, word in enumerate(after) if word in (".", ",", "!", ";")), len(after))
    return after[:stop]


def _is_manner(after: list[str]) -> bool:
    return not after or not after[0][0].isalnum() or after[0] in _MANNER or after[0].endswith("ly")


def _is_telegram(before: list[str], after: list[str]) -> bool:
    """`Dogs welcome`, `Mill open daily`: no other verb, no article that a whole sentence would have."""
    verbs = COPULAS | AUXILIARIES | MODALS
    return before[0] not in DETERMINERS | PRONOUNS and not verbs & {*before, *after}


def _is_after_noun(before: list[str]) -> bool:
    """`is a plant safe for cats`: the noun that the subject is said to be stands right before."""
    place = max((at for at, word in enumerate(before) if word in ("a", "an")), default=0)
    return place > 0 and before[place - 1] in COPULAS and not FUNCTION & {*before[place + 1 :]}
