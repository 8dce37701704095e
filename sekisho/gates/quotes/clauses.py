"""Where clauses of their own begin in an English sentence: a subject and a finite verb behind a mark or a conjunction."""

from __future__ import annotations

import re
from dataclasses import dataclass

AUX = (
    r"(?:is|are|was|were|am|has|have|had|do|does|did|can|could|will|would|shall|should|may|might|must|cannot|ought|"
    r"\w+n't)"
)
_BOUNDARY = re.compile(
    r"\s*(?P<mark>;)\s*(?P<after>(?:and|but|so|yet|however|therefore|thus|hence|instead|otherwise),?\s+)?|"
    r"\s*(?P<comma>,)\s*(?:(?P<link>and|but|so|yet|while|whereas|although|though|because|since|as)\s+)?|"
    r"\s+(?P<word>and|but|so|yet|while|whereas|although|though|because|since)\s+|"
    r"\s*(?P<colon>:)\s+|\s+(?P<dash>--?)\s+|\s*(?P<paren>\()",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?(?:-[A-Za-z]+)*|\d[\d.,]*\d|\d|[^\w\s]")
_AUX = re.compile(rf"{AUX}\Z", re.IGNORECASE)
_NOMINATIVE = frozenset("i you he she it we they there everyone everybody someone somebody nobody nothing".split())
_SHORT = re.compile(r"(?:i|you|he|she|it|we|they|there|that)'(?:s|re|ve|ll|d|m)\Z", re.IGNORECASE)
_DETERMINER = frozenset(
    """the a an my your his her its our their this these those each every any some many most several both all such
    another other no neither one two three four five six seven eight nine ten""".split()
)
_NO_SUBJECT = frozenset(
    """in on at for with after by from to during under over without within before until of into onto about against
    and or but nor if unless when while because since although though as than that which who whom whose where what how
    why not never only then also even just""".split()
)
_STOPS_SUBJECT = frozenset("that which who whom whose when where while if because unless to or nor than".split())
_AFTER_VERB = frozenset(
    """the a an my your his her its our their this that these those each every any some many most all in on at for with
    after by from to during under over within before until into about against as it them him us you me there here
    both several no not none nothing neither never now then also only out up down off back away""".split()
)
_IRREGULAR = frozenset(
    """went held made took gave found built kept left lost paid sent sold spent told won wrote began became came got
    grew knew led met ran said saw stood felt brought bought fell rose broke chose drove ate flew spoke stole wore taught
    thought caught drew hid rang sang sank slept swam threw understood heard read put cost""".split()
)
# Those of them that are never participles, so that a bare noun before them is a subject.
_PAST_ONLY = frozenset(
    """went took gave wrote began became grew knew saw fell rose broke chose drove ate flew spoke stole wore drew rang sang
    sank swam threw""".split()
)
_OBJECT = frozenset("the a an my your his her its our their this that these those each every any some it them".split())
_INFLECTED = re.compile(r"[a-z]{2,}(?:ed|[^su\W]s|[^s\W]es)\Z")
_TOKENS = 14


@dataclass(frozen=True, slots=True)
class Boundary:
    """What stands between two clauses: `start` to `end`, with its sign and the conjunction, in lower case."""

    start: int
    end: int
    sign: str
    link: str


def boundaries(sentence: str) -> list[Boundary]:
    """The places where a clause of its own begins, in order; the sentence's own beginning is not among them."""
    found = []
    for match in _BOUNDARY.finditer(sentence):
        if opens_clause(sentence[match.end() : match.end() + 200]):
            sign = match["mark"] or match["comma"] or match["colon"] or match["dash"] or match["paren"] or ""
            link = match["link"] or match["word"] or match["after"] or ""
            found.append(Boundary(match.start(), match.end(), sign, link.strip(" ,").lower()))
    return found


def opens_clause(text: str) -> bool:
    """Whether a text begins with a subject and its finite verb; in doubt it does not."""
    words: list[str] = []
    for token in _TOKEN.findall(text.lstrip("\"'( ")):
        if not (token[0].isalnum()):
            if token in "\"'%$€£&/-":
                continue
            break
        words.append(token)
        if len(words) == _TOKENS:
            break
    if len(words) < 2:
        return bool(words) and _SHORT.match(words[0]) is not None
    first = words[0].lower()
    if _SHORT.match(first):
        return True
    if first in _NO_SUBJECT or _AUX.match(first):
        return False
    if first in _NOMINATIVE and first not in _DETERMINER:
        return words[1].lower() not in ("and", "or")
    return _has_verb(words)


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
        if lower in _PAST_ONLY or (determined and at > 1 and _agrees(words[at - 1].lower(), lower, after)):
            return True
        if ((determined and at > 1) or named) and (lower in _IRREGULAR or _INFLECTED.match(lower)):
            return True
    return False


def _agrees(before: str, word: str, after: str) -> bool:
    """Whether a word between a plural and an object is most likely its verb: dogs watch the gate."""
    plural = before.endswith("s") and not before.endswith("ss")
    return plural and after in _OBJECT and word not in _AFTER_VERB and word not in _NO_SUBJECT and word != "of"
