"""Whether a clause affirms or denies: words of permission, validity, safety and presence, and what turns them round."""

from __future__ import annotations

import re
from collections.abc import Mapping

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
_YES_JA = re.compile("可能|許可|できる|できます|歓迎|安全|有効|済み|済の|合格|無害|大丈夫|よい|OK|(?<!不)可(?![能否])")
_NO_JA = re.compile("禁止|不可|危険|有毒|有害|失効|期限切れ|切れ|お断り|断って|遠慮|不合格|中止|故障|毒")
_TOKEN = re.compile(r"[a-z]+(?:-[a-z]+)*(?:'[a-z]+)?|[^\x00-\x7f]+")
_STATE = re.compile(r"(?:ed|able|ible|ful|less|ive|al|ic)\Z")
_BARE_NO = re.compile(r"\W*(?:no|none|nope|never|false)\W*")
_SAYS_NO = re.compile(r"\W*(?:no|nope|false)\b(?=\W*(?:$|[,.;!—-]))")
# `Dogs allowed: no` asks and answers.
_LABEL = re.compile(r"[:：]\s*(?=(?:yes|no|true|false)\b\W*\Z)")
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


def polarity(text: str, yes: Mapping[str, float] = _NOTHING, no: frozenset[str] = frozenset()) -> float:
    """Above 0 where the clause affirms, below 0 where it denies, 0 where it does neither.

    `yes` and `no` are stems of the field's own, by what they count: `yes` a state as a half and a thing as a quarter,
    though a half where it is denied. A negation turns round what follows it within five words, in Japanese what
    stands before it.
    """
    text = folded(text)
    _, asked, answer = _LABEL.sub("? ", text).replace("？", "?").rpartition("?")
    if asked:
        return _answer(answer, yes, no)
    if _BARE_NO.fullmatch(text):
        return -1.0
    total = _japanese(text)
    for phrase in _YES_PHRASES + _NO_PHRASES:
        if (at := text.find(phrase)) >= 0:
            total += (1.0 if phrase in _YES_PHRASES else -1.0) * _turn(text, at)
            text = text.replace(phrase, " " * len(phrase))
    for match in _TOKEN.finditer(text):
        weight = _weight(match[0], yes, no)
        if weight:
            turn = _turn(text, match.start(), match[0])
            total += max(weight, STATE) * turn if weight > 0 > turn else weight * turn
    return total


def denies(text: str) -> bool:
    """Whether anything in a text denies or forbids: a negation, or a word such as `banned` or 禁止."""
    text = folded(text)
    if NEGATOR.search(text) or NEGATOR_JA.search(text) or _NO_JA.search(text):
        return True
    return any(phrase in text for phrase in _NO_PHRASES) or any(word in _NO_WORDS for word in _TOKEN.findall(text))


def _answer(answer: str, yes: Mapping[str, float], no: frozenset[str]) -> float:
    """A question says nothing by itself; `no` and `not` in its answer deny it."""
    refused = _SAYS_NO.match(answer)
    said = polarity(answer[refused.end() :] if refused else answer, yes, no)
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
    return -1.0 if (count + own) % 2 else 1.0


def _japanese(text: str) -> float:
    total = 0.0
    for pattern, weight in ((_YES_JA, 1.0), (_NO_JA, -1.0)):
        for match in pattern.finditer(text):
            turned = bool(NEGATOR_JA.search(text, match.end())) != text[: match.start()].endswith(("未", "非"))
            total += -weight if turned else weight
    return total
