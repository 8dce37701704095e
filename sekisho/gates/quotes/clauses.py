"""Where clauses of their own begin in an English sentence: a subject and a finite verb behind a mark or conjunction."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from sekisho.gates.quotes.english_words import AUX, FINITE, IRREGULAR, listed

_BOUNDARY = re.compile(
    r"(?=[\s;,:(])(?:\s*(?P<mark>;)\s*(?P<after>(?:and|but|so|yet|however|therefore|thus|hence|instead|otherwise),?\s+)?|"
    r"\s*(?P<comma>,)\s*(?:(?P<link>and|but|so|yet|while|whereas|although|though|because|since|as)\s+)?|"
    r"\s+(?P<word>and|but|so|yet|while|whereas|although|though|because|since)\s+|"
    r"\s*(?P<colon>:)\s+|\s+(?P<dash>--?)\s+|\s*(?P<paren>\())",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?(?:-[A-Za-z]+)*|\d[\d.,]*\d|\d|[^\w\s]")
_AUX = re.compile(rf"{AUX}\Z", re.IGNORECASE)
_NOMINATIVE = listed("i you he she it we they there everyone everybody someone somebody nobody nothing")
_SHORT = re.compile(r"(?:i|you|he|she|it|we|they|there|that)'(?:s|re|ve|ll|d|m)\Z", re.IGNORECASE)
_DETERMINER = listed("""
    the a an my your his her its our their this these those each every any some many most several both all such
    another other no neither one two three four five six seven eight nine ten
""")
_NO_SUBJECT = listed("""
    in on at for with after by from to during under over without within before until of into onto about against
    and or but nor if unless when while because since although though as than that which who whom whose where
    what how why not never only then also even just
""")
_STOPS_SUBJECT = listed("that which who whom whose when where while if because unless to or nor than")
_AFTER_VERB = listed("""
    the a an my your his her its our their this that these those each every any some many most all in on at for
    with after by from to during under over within before until into about against as it them him us you me
    there here without between through across along around behind beside near past inside outside since so both
    several no not none nothing neither never now then also only out up down off back away
""")
# Those of them that are never participles, so that a bare noun before them is a subject.
_PAST_ONLY = listed("""
    went took gave wrote began became grew knew saw fell rose broke chose drove ate flew spoke stole wore drew
    rang sang sank swam threw
""")
_OBJECT = listed("the a an my your his her its our their this that these those each every any some it them")
_ACTED_ON = listed("the a an it them my your his her its our their")
_INFLECTED = re.compile(r"[a-z]{2,}(?:ed|[^su\W]s|[^s\W]es)\Z")
_PREPOSITIONS = listed("in on at for with after from during under over within before along across by near")
_PRONOUNS = listed("i you he she it we they there")
_SUBORDINATE = re.compile(r"\W*(?:if|when|while|where|once|because|although|though|since|as)\b")
_EXCEPTS = re.compile(r"\W*(?:(?:but|and|or)\s+)?(?:only if|unless|except|provided|until|subject|save)\b")
_TITLES = listed("Mr Mrs Ms Dr Prof St Gen Capt Sen Rep Rev Hon Lt Col Sgt")
_TOKENS = 14


class Boundary(NamedTuple):
    """What stands between two clauses: `start` to `end`, with its sign and the conjunction, in lower case."""

    start: int
    end: int
    sign: str
    link: str


def boundaries(sentence: str, first: int = 0, last: int | None = None) -> Iterator[Boundary]:
    """The places from `first` to `last` where a clause of its own begins, in order; no sentence's beginning is one."""
    for match in _BOUNDARY.finditer(sentence):
        if match.start() < first:
            continue
        if last is not None and match.start() > last:
            return
        sign = match["mark"] or match["comma"] or match["colon"] or match["dash"] or match["paren"] or ""
        link = (match["link"] or match["word"] or match["after"] or "").strip(" ,").lower()
        text = sentence[match.end() : match.end() + 200]
        if opens_clause(text, linked=bool(link)) or (sign == ";" and (_stands_alone(text) or _acts(text))):
            yield Boundary(match.start(), match.end(), sign, link)


def opens_clause(text: str, linked: bool = False) -> bool:
    """Whether a text begins with a subject and its finite verb; in doubt it does not.

    Behind a conjunction, where the text is `linked`, a bare plural may be the subject: so readings count as valid.
    """
    words = _first_words(text)
    if len(words) < 2:
        return bool(words) and _SHORT.match(words[0]) is not None
    first = words[0].lower()
    if _SHORT.match(first):
        return True
    if first in _PREPOSITIONS:
        return any(word.lower() in _PRONOUNS or _SHORT.match(word.lower()) for word in words[2:-1])
    if first in _NO_SUBJECT or _AUX.match(first):
        return False
    if first in _NOMINATIVE and first not in _DETERMINER:
        return words[1].lower() not in ("and", "or")
    if linked and len(words) > 2 and _agrees(first, words[1].lower(), words[2].lower(), _AFTER_VERB):
        return True
    return _has_verb(words)


def _first_words(text: str) -> list[str]:
    words: list[str] = []
    for token in _TOKEN.findall(text.lstrip("\"'( ")):
        if token[0].isalnum():
            words.append(token)
        elif token == "." and words and words[-1] in _TITLES:
            continue
        elif token not in "\"'%$€£&/-":
            break
        if len(words) == _TOKENS:
            break
    return words


def _stands_alone(text: str) -> bool:
    """Whether what follows a semicolon has a main clause of its own: when the river is up, you must go round."""
    text = text.partition(";")[0].lower()
    if _EXCEPTS.match(text):
        return False
    return len(FINITE.findall(text)) > bool(_SUBORDINATE.match(text))


def _acts(text: str) -> bool:
    """Whether a bare noun acts on something at the beginning of a text: kiln wash prevents it."""
    words = [word.lower() for word in _first_words(text)]
    return any(
        at and after in _ACTED_ON and _INFLECTED.match(word)
        for at, (word, after) in enumerate(itertools.pairwise(words[:6]))
    )


def _has_verb(words: list[str]) -> bool:
    """Whether a finite verb follows the subject that the words begin with."""
    first = words[0].lower()
    determined = first in _DETERMINER or words[1][0].isdigit()
    named = words[0][0].isupper() or first == "neither"
    for at, word in enumerate(words[1:], start=1):
        lower = word.lower()
        if lower in _STOPS_SUBJECT:
            return False
        if _AUX.match(lower):
            return not (at > 1 and words[at - 1].lower() in _NOMINATIVE)
        after = words[at + 1].lower() if at + 1 < len(words) else ""
        if after and after not in _AFTER_VERB and not after[0].isdigit() and not after.endswith("ly"):
            continue
        if lower in _PAST_ONLY or (determined and at > 1 and _agrees(words[at - 1].lower(), lower, after, _OBJECT)):
            return True
        if ((determined and at > 1) or named) and (lower in IRREGULAR or _INFLECTED.match(lower)):
            return True
    return False


def _agrees(before: str, word: str, after: str, follows: frozenset[str]) -> bool:
    """Whether a word between a plural and what may follow a verb is most likely one: dogs watch the gate."""
    plural = before.endswith("s") and not before.endswith("ss")
    return plural and after in follows and word not in _AFTER_VERB and word not in _NO_SUBJECT and word != "of"
