"""Whether a clause affirms or denies: words of permission, validity, safety and presence, and what turns them round."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sekisho.agents.local import doubts, japanese
from sekisho.agents.local.roles import ACTS, Roles
from sekisho.agents.local.words import NEGATOR, NEGATOR_JA, folded, stems

_YES = """allow allowed permit permitted welcome admit admitted admits accept accepts accepted tolerate okay ok fine
sure yes true free happy happily valid current passed pass in_force in_order within_tolerance up_to_date
certified licensed agrees agree approved renewed available safe harmless innocuous suitable possible included includes
open works working functional intact enabled supported supports ready"""
_NO = """ban banned bar barred bars prohibit prohibited prohibits forbid forbidden forbids outlaw outlawed disallow
disallowed exclude excluded excludes refuse refused reject rejected deny denied unwelcome closed expired expires lapsed
run_out ran_out ended drifted failed fails missed overdue invalid out_of_date outdated revoked suspended unsafe toxic
poisonous poison venomous dangerous harmful hazardous unavailable impossible excluded missing broken disabled
unsupported defective crossed-out crossed_out keep_off kept_off keep_out kept_out stay_at_home stay_away leave_at_home
objects object minds mind bother bothers trouble troubles harm harms complains complain off_limits
a_fine_of a_fine_for fined"""
_TOKEN = re.compile(r"[a-z]+(?:-[a-z]+)*(?:'[a-z]+)?|[^\x00-\x7f]+")
_STATE = re.compile(r"(?:ed|able|ible|ful|less|ive|al|ic)\Z")
_ADJECTIVE = re.compile(r"(?:able|ible|ful|less|ive|al|ic)\Z")
_BARE_NO = re.compile(r"\W*(?:no|none|nope|never|false)\W*")
_SAYS_NO = re.compile(r"\W*(?:no|nope|false)\b(?=\W*(?:$|[,.;!—-]))")
# `Dogs allowed: no` asks and answers.
_LABEL = re.compile(r"[:：]\s*(?=(?:yes|no|true|false)\b\W*\Z)")
# `200 bar`, `the bar`, `an object`
_THING = re.compile(r"(?:\d|\ban?|\bthe)\s+(?:bars?|minds?|objects?)\Z")
_REACH = 5
STATE = 0.5


def _split(words: str) -> tuple[frozenset[str], tuple[str, ...]]:
    singles = [word for word in words.split() if "_" not in word]
    return frozenset(singles), tuple(word.replace("_", " ") for word in words.split() if "_" in word)


def own_words(title: str) -> dict[str, float]:
    """What each word of a field's name counts: a state (`calibrated`) a half, a thing (`dogs`) a quarter."""
    words = _TOKEN.findall(folded(title))
    return {root: STATE if _STATE.search(word) else STATE / 2 for word in words for root in stems(word)}


_NOTHING: Mapping[str, float] = {}
_YES_WORDS, _YES_PHRASES = _split(_YES)
_NO_WORDS, _NO_PHRASES = _split(_NO)
_YES_ROOTS = frozenset(root for word in _YES_WORDS for root in stems(word))
# `in order to open`, `in order of size`
_PURPOSE = re.compile(r"in order (?:to|of|that)\b")


def polarity(
    text: str,
    yes: Mapping[str, float] = _NOTHING,
    no: frozenset[str] = frozenset(),
    field: str | None = None,
    *,
    is_strict: bool = True,
) -> float:
    """Above 0 where the clause affirms, below 0 where it denies, 0 where it does neither.

    `yes` and `no` are stems of the field's own, by what they count: `yes` a state as a half and a thing as a quarter,
    though a half where it is denied. A negation turns round what follows it within five words, in Japanese what
    stands before it. `field` is what the field is called and said to be, None where the clause is asked for no field.
    `is_strict`: what is told, planned, needed or limited affirms nothing.
    """
    text = folded(text)
    _, asked, answer = _LABEL.sub("? ", text).replace("？", "?").rpartition("?")
    if asked:
        return _answer(answer, yes, no, field)
    if _BARE_NO.fullmatch(text):
        return -1.0
    total = japanese.polarity(text, field)
    roles = Roles(text, field, is_strict=is_strict)
    for phrase in _YES_PHRASES + _NO_PHRASES:
        if (at := text.find(phrase)) >= 0:
            is_said = phrase in _NO_PHRASES or (
                not roles.is_silent(at, at + len(phrase)) and not _PURPOSE.match(text, at)
            )
            total += (1.0 if phrase in _YES_PHRASES else -1.0) * _turn(text, at) * is_said
            text = text.replace(phrase, " " * len(phrase))
    total += sum(_said(text, match, yes, no, roles) for match in _TOKEN.finditer(text))
    return total if total <= 0 or total >= 1 or _is_about(text, total, yes, roles) else 0.0


def _is_about(text: str, total: float, yes: Mapping[str, float], roles: Roles) -> bool:
    """Whether the field's own words alone may affirm it: each that is there says yes, and no thing lacks."""
    for root in yes:
        own = [one for one in _TOKEN.finditer(text) if root in _roots(re.sub(r"^non-?", "", one[0]))]
        if not all(_may_affirm(one, yes[root], 1.0, roles) for one in own if one[0].isascii()):
            return False
        if not own and total < STATE:
            return False
    return True


def _said(text: str, match: re.Match[str], yes: Mapping[str, float], no: frozenset[str], roles: Roles) -> float:
    """What one word adds: its weight, turned round by a negation; nothing where its part in the clause is no yes."""
    weight = _weight(match[0], yes, no)
    if not weight:
        return 0.0
    if not match[0].isascii():
        return weight if weight < 0 else weight * japanese.own(text, yes, *match.span(), roles.field)
    turn = _turn(text, match.start(), match[0])
    if weight > 0 and not _may_affirm(match, weight, turn, roles):
        return 0.0
    if weight < 0 and _THING.search(text[: match.end()]):
        return 0.0
    if (
        weight < 0
        and roles.is_strict
        and (doubts.is_hearsay(text, *match.span()) or roles.is_one_of_two(*match.span()))
    ):
        return 0.0
    if weight < 0 and roles.moods.is_head(match.start()):
        return 0.0  # `Mind the step` warns of it, and does not say that somebody minds
    return max(weight, STATE) * turn if weight > 0 > turn else weight * turn


def _may_affirm(match: re.Match[str], weight: float, turn: float, roles: Roles) -> bool:
    """Whether a word of yes, or of the field's own, is said of what is so."""
    bare = re.sub(r"^non-?", "", match[0])
    start, end = match.end() - len(bare), match.end()
    if bare in _YES_WORDS or bare in ACTS or _ADJECTIVE.search(bare):
        return roles.affirms(start, end, is_denied=turn < 0)
    if not _YES_ROOTS.isdisjoint(_roots(bare)):
        # Another form of such a word, `opening` or `lead-free`, is none, but in a name that is all the field's own.
        return "-" in bare and roles.is_own_name(bare) and roles.is_asserted(start, is_state=True)
    if turn < 0 and (roles.moods.is_refusal(start) or (weight < STATE and roles.moods.is_forbidden(start))):
        return True
    return roles.is_asserted(start, is_state=weight == STATE, is_denied=turn < 0)


def denies(text: str) -> bool:
    """Whether anything in a text denies or forbids: a negation, or a word such as `banned` or 禁止."""
    text = folded(text)
    if NEGATOR.search(text) or NEGATOR_JA.search(text) or japanese.denies(text):
        return True
    return any(phrase in text for phrase in _NO_PHRASES) or any(word in _NO_WORDS for word in _TOKEN.findall(text))


def _answer(answer: str, yes: Mapping[str, float], no: frozenset[str], field: str | None) -> float:
    """A question says nothing by itself; `no` and `not` in its answer deny it."""
    refused = _SAYS_NO.match(answer)
    said = polarity(answer[refused.end() :] if refused else answer, yes, no, field)
    if refused or (not said and NEGATOR.search(answer)):
        return -1.0 + min(0.0, said)
    return said


def _weight(word: str, yes: Mapping[str, float], no: frozenset[str]) -> float:
    """What a word counts before negation; a prefix non- or un- is looked at apart."""
    bare = re.sub(r"^non-?", "", word)
    if word in _YES_WORDS or word in _NO_WORDS:
        return 1.0 if word in _YES_WORDS else -1.0
    roots = _roots(bare)
    if roots & no or bare in _NO_WORDS:
        return -1.0
    if bare in _YES_WORDS:
        return 1.0
    return max((yes.get(root, 0.0) for root in roots), default=0.0)


def is_no_word(word: str) -> bool:
    """Whether a folded word forbids or fails by itself: `forbidden`, `closed`."""
    return word in _NO_WORDS


def is_yes_root(root: str) -> bool:
    """Whether a stem is that of a word of yes: `allow`, `open`."""
    return root in _YES_ROOTS


def uses(text: str, roots: frozenset[str]) -> bool:
    """Whether a text has a word of one of the stems, be it denied by a prefix."""
    return any(roots & _roots(re.sub(r"^non-?", "", word)) for word in _TOKEN.findall(folded(text)))


def _roots(bare: str) -> set[str]:
    return set(stems(bare)) | (set(stems(bare[2:])) if bare.startswith("un") else set())


def _turn(text: str, at: int, word: str = "") -> float:
    """-1 where an odd number of negations reach this place, else 1."""
    words = re.split(r"\s+", text[:at])[-_REACH - 1 :]
    # `Nobody objects to dogs being allowed`: the denial is spent on `objects`.
    spent = max((number for number, one in enumerate(words) if one.strip(",.") in _NO_WORDS), default=-1)
    before = " ".join(words[spent + 1 :])
    count = len(NEGATOR.findall(before))
    own = bool(re.match(r"non|un(?=[a-z]{4})", word)) and word not in _YES_WORDS | _NO_WORDS
    turned = doubts.is_turned(text, at, at + len(word))
    return -1.0 if (count + own + turned) % 2 else 1.0
