"""English words and turns that deny, limit or condition what stands beside them, as patterns over lower-case text.

Every alternative begins with a letter: only so does `re` skip most of them at a glance.
"""

from __future__ import annotations

import re
from collections import defaultdict


def listed(words: str) -> frozenset[str]:
    """The words of a list that is written as text."""
    return frozenset(words.split())


def _any(alternatives: str) -> str:
    """A pattern of alternatives, which white space divides; `_` stands for a space within one."""
    return "|".join(alternatives.split()).replace("_", " ")


AUX = (
    r"(?:is|are|was|were|am|has|have|had|do|does|did|can|could|will|would|shall|should|may|might|must|cannot|ought|"
    r"[a-z]+n't)"
)
IRREGULAR = listed("""
    went held made took gave found built kept left lost paid sent sold spent told won wrote began became came
    got grew knew led met ran said saw stood felt brought bought fell rose broke chose drove ate flew spoke
    stole wore taught thought caught drew hid rang sang sank slept swam threw understood heard read put cost
    stuck hung dug bent lent swept bound ground wound
""")
_NOT = _any(r"""
    not\b(?!-) no\b(?!-) never\b(?!-) cannot neither nor none nobody no-one nothing nowhere without hardly
    scarcely barely rarely seldom unlikely improbabl[ey] [a-z]+n't
""")
_FAR = _any(r"""
    few(?<!a_few) little(?<!a_little) nil lack(?:s|ed|ing)? absence devoid free_(?:from|of) far_from apart_from
    aside_from away_from instead_of rather_than other_than as_opposed_to in_(?:place|lieu)_of contrary_to
    against but_for anything_but yet_to g(?:ives?|ave|iven|iving)_up too_(?:\w+_){1,4}to
""")
DENY = _any(r"""
    refus(?:e[sd]?|ing|als?) den(?:y|ies|ied|ying|ials?) fail(?:s|ed|ing|ures?)? forb(?:id(?:s|den|ding)?|ade?)
    prohibit(?:s|ed|ing|ions?)? ban(?:s|ned|ning)? bar(?:s|red|ring) avoid(?:s|ed|ing)? declin(?:e[sd]?|ing)
    reject(?:s|ed|ing|ions?)? prevent(?:s|ed|ing)? stop(?:s|ped|ping)? ceas(?:e[sd]?|ing) exclud(?:e[sd]?|ing)
    exclusion disallow(?:s|ed|ing)? disput(?:e[sd]?|ing) doubt(?:s|ed|ing|ful)? refut(?:e[sd]?|ing)
    rebut(?:s|ted|ting)? disprov(?:e[sdn]?|ing) contradict(?:s|ed|ing)? oppos(?:e[sd]?|ing)
    object(?:s|ed|ing)?_to veto(?:es|ed|ing)? withh(?:old(?:s|ing)?|eld) revok(?:e[sd]?|ing)
    rescind(?:s|ed|ing)? repeal(?:s|ed|ing)? cancel(?:s|l?ed|l?ing)? abandon(?:s|ed|ing)? abolish(?:es|ed|ing)?
    halt(?:ed|ing) suspend(?:s|ed|ing)? discontinu(?:e[sd]?|ing) overturn(?:s|ed)? overrul(?:e[sd]?)
    retract(?:s|ed|ing)? renounc(?:e[sd]?|ing) refrain(?:s|ed|ing)? abstain(?:s|ed|ing)? discourag(?:e[sd]?|ing)
    dissuad(?:e[sd]?|ing) deter(?:s|red|ring)? unable impossible incapable inability unwilling reluctant
    illegal(?:ly)? unlawful(?:ly)? ineligible invalid unsafe unsupported unacceptable inadmissible
    false(?:ly|hood)? untrue incorrect(?:ly)? wrong(?:ly)? mistaken(?:ly)? erroneous(?:ly)? myths? hoax
    misconceptions? nonsense fiction lies? lied pretend(?:s|ed|ing)? alleg(?:e[sd]?|ing|edly|ations?)
    supposed(?:ly)? purport(?:s|ed|ing|edly)? reportedly so-called claim(?:s|ed|ing)? rumou?r(?:s|ed)?
    exempt(?:s|ed|ing|ions?)? opt(?:s|ed|ing)?_out once_(?:thought|believed|assumed|held) forfeit(?:s|ed|ing)?
    resist(?:s|ed|ing)? hinder(?:s|ed|ing)? block(?:s|ed|ing) disabled? waiv(?:e[sd]?|ing)
""")
_ONLY = _any(r"""
    only solely exclusively merely except(?:s|ed|ing|ions?)? exclud(?:ed|ing)
    save_(?:for|in|where|when|as|if|that|with) apart_from aside_from other_than
""")
_MAYBE = _any(r"""
    perhaps maybe possibly possible_that conceivably theoretically hypothetical(?:ly)?
""")
_IF = _any(r"""
    if unless provided providing as_long_as so_long_as until till in_case in_the_event on_condition
    assum(?:e|es|ing) suppos(?:e|ing) whether subject_to pending conditional(?:ly)? contingent barring lest
    depending_on insofar_as in_so_far_as to_the_extent
""")
# What only was, may be, is wished for or said by others.
_HELD = _any(r"""
    omit(?:s|ted|ting)?_to mistake_to beware
    used_to(?<!is_used_to)(?<!are_used_to)(?<!be_used_to)(?<!was_used_to)(?<!were_used_to)(?<!been_used_to)(?<!get_used_to)
    might k(?:eeps?|ept|eeping)_\w+(?:_\w+)?_from fixed_(?:an?|the)_(?:\w+_)?(?:bug|issue|problem|error|crash)
    bugs?_(?:\w+_){0,2}(?:where|in_which) defects?_(?:\w+_){0,2}(?:where|in_which)
    asked_to i_wish we_wish it_is_hoped critics?_(?:say|said|says|claim|argue|hold)
    opponents?_(?:say|said|says|claim|argue|hold)
    believe[sd]?_that thinks?_that thought_that suspect(?:s|ed)?_that hope[sd]?_that fear(?:s|ed)?_that
    guess(?:es|ed)?_that argue[sd]?_that suggest(?:s|ed)?_that speculate[sd]?_that imagine[sd]?_that
    expect(?:s|ed)?_that predict(?:s|ed)?_that hypothesi[sz]e[sd]?_that assume[sd]?_that
""")
_PAPERS = (
    r"(?:payment|receipt|request|approval|proof|presentation|completion|delivery|arrival|return|signature|notice|consent|"
    r"acceptance|production)"
)
_UNTRUE = r"false|untrue|not true|not the case|not so|wrong|incorrect|mistaken|nonsense|fiction"
# What may stand between `is` and the word that denies: is widely regarded as false.
_JUDGED = (
    r"(?:\s+(?:\w+ly|regarded|considered|deemed|declared|judged|thought|believed|said|found|ruled|held|now|still|also|"
    r"again|later|soon|to|be|been|being|as|an?|the|just|pure|mere|simply))*"
)
_LINKING = (
    r"\b(?:is|are|was|were|be|been|being|remains?|seems?|proved|turned out|becomes?|became|has|have|had|will|would|can|"
    r"could|may|must|should)"
)


def _alternatives(pattern: str) -> list[str]:
    found, depth = [""], 0
    for token in re.findall(r"\\.|\[[^\]]*\]|.", pattern):
        depth += (token == "(") - (token == ")")
        if token == "|" and not depth:
            found.append("")
        else:
            found[-1] += token
    return found


def grouped(*lists: str) -> str:
    """A pattern of alternatives by their first letters, so that `re` tries few of them anywhere."""
    by_letter: defaultdict[str, list[str]] = defaultdict(list)
    for word in _alternatives("|".join(lists)):
        first = word[0] if word[0].isalpha() and word[1:2] not in "?*+{" else ""
        by_letter[first].append(word.removeprefix(first))
    others = by_letter.pop("", [])
    return "|".join([f"{first}(?:{'|'.join(rest)})" for first, rest in by_letter.items()] + others)


def _words(*lists: str) -> re.Pattern[str]:
    """Whole words, of lists that all begin with a letter."""
    return re.compile(rf"\b(?:{grouped(*lists)})(?!\w)")


ANY = _words(
    _NOT,
    _FAR,
    DENY,
    _ONLY,
    _MAYBE,
    _IF,
    _HELD,
    "when(?:ever)?",
    "once",
    "where(?:ver)?",
    "joked",
    "after",
    "upon",
    "aside",
    "reversed",
    "quashed",
    "annulled",
    "debunked",
    "withdrawn",
    "corrected",
    "struck down",
    "set aside",
)
LEFT = _words(_NOT, _FAR, DENY, _ONLY, _MAYBE, _IF, _HELD)
RIGHT = _words(_NOT, _ONLY, _IF, "lacks?")
# What stands right before the quoted words and makes less of them: fewer than half, most of, 1 in 10.
BESIDE = re.compile(
    r"\b(?:(?:fewer|less|more|other|rather) than|at most|at least|up to|almost|nearly|mostly|partly|partially|"
    r"half(?: of)?|(?:a|one|two|three)[ -](?:third|quarter|fifth|tenth)s?(?: of)?|"
    r"(?:part|some|most|many|several|few|one|none) of|"
    r"fake|would-be|former|self-styled|mock|counterfeit|imitation|bogus|sham|unlike|either|"
    r"only (?:with|for|by|on|after) [^:]*:|"
    r"(?<![^.;] )fixed:|\d+ (?:in|of|out of) (?:every )?\d+)\s*\Z"
)
# Behind a quantity: a limit that is part of it. Behind a negation: whatever narrows what is denied.
LIMIT = re.compile(
    r"\s+(?:or|and) (?:below|above|less|more|fewer|later|earlier|under|over|higher|lower|longer|shorter|up|older|"
    r"younger)\b|\s*,?\s*at (?:most|least|the (?:latest|earliest|most|least))\b|\s*\(?(?:max|min)(?:imum|\.)?\b"
)
# What makes less of any statement that it follows.
LESSENED = re.compile(
    r",?\s+bar (?:the|one|an?|for|on|in)\b|,\s+(?:\w+\s+){1,3}(?:aside|excepted|excluded)\b|,?\s+but for\b|"
    r"\s+outside (?:of|school|office|business|working|opening)\b|,?\s+according to (?!plan\b)|"
    rf",\s+(?:critics|opponents) (?:say|said|claim|argue)\b|\s+(?:up)?on {_PAPERS} of\b|"
    r"\s*\((?:(?:but|and)\s)?(?:not|no|nobody|never|none|except|excluding|unless|only|if|closed|cancelled|suspended|provided)\b"
)
EITHER = re.compile(r"\beither\b")
OR = re.compile(r",?\s+or\b")
NARROWED = re.compile(r"\s+\W?\w+")
WITHOUT = re.compile(r",\s+(?:without|with no|other than|save|but|except)\b")
JOINS = re.compile(r"\s+(?:and|but|so|yet|because|since|although|though|while|whereas|nor|or)\b|\s*[:;(—-]")
NEGATIVE = _words(_NOT)
# An exception to all or none: any year but 2026.
ALL_BUT = re.compile(r"\b(?:any|all|every|each|no|none|nothing|nobody|everyone|everything|anyone|anything|anywhere)\b")
BUT = re.compile(r"\s+but\b")
# A permission, and on what it hangs.
# A ceiling, and a relative clause that says of which of several things something holds.
CEILING = re.compile(r"\s*,?\s*(?:up to|no more than|not more than|less than|fewer than)\s")
OF_WHICH = re.compile(r"\s+(?:who|whom|whose|that|which)\b")
MAY = re.compile(r"\b(?:may|can|allowed to|permitted to|entitled to)\b")
UPON = re.compile(
    r"\s+(?:upon|with (?:the|a|prior|written)|on (?:request|notice|presentation|payment|condition)|by (?:appointment|"
    r"arrangement|permission)|at the discretion|in (?:\w+ )?(?:cases?|circumstances|emergenc(?:y|ies)))\b"
)
DENIED = _words(_NOT, _FAR, DENY)
# `Should you lose the card, ...`
INVERSION = re.compile(r"[\W\d]*(?:should|were|had)\s+(?:you|the|an?|any|it|we|they|he|she|i)\b")
# A condition of a clause before: a clause itself, no mere `until noon`.
CONDITION = re.compile(
    r"\b(?:if|unless|provided|providing|as long as|so long as|insofar as|in so far as|to the extent|in case|"
    r"in the event|on condition|assuming|"
    r"suppos(?:e|ing)|whether)\b|\A[\W\d]*(?:but for|\w+(?: \w+)? aside(?:,|\Z))|"
    rf"\A[\W\d]*(?:after|upon|on) {_PAPERS}\b|"
    r"(?:\A[\W\d]*|[,(]\s*)(?:until|till|subject to|pending|barring|except|save)\b|"
    rf"\A{INVERSION.pattern}"
)
TIME = re.compile(
    r"\bwhen(?:ever)?\b(?<!day when)(?<!time when)|(?:\A[\W\d]*|[,(;]\s*|\bor\s)once\b|"
    r"\A[\W\d]*where(?:ver)?\b"
)
RIGHT_TIME = re.compile(
    r"(?<!,)\s(?:when(?:ever)?|once|after (?:\w+\s){1,4}(?:is|are|has|have)|upon|"
    r"where (?:permitted|necessary|possible|required|applicable|appropriate|available|"
    r"(?:the|an?|any|such|there)(?:\s\w+){1,3}\s(?:is|are|has|have|does|do|cannot|may)))\b"
)
PAST = re.compile(r"\b(?:was|were|had|did|\w{2,}ed)\b")
PRESENT = re.compile(r"\b(?:is|are|am|has|have|does|do|can|will|shall|may|must|should|cannot|stays?|remains?|needs?)\b")
PREDICATE = re.compile(rf"(?:^|{_LINKING}{_JUDGED})\s+(?:{DENY})(?!\w)")
UNTRUE = _words(_UNTRUE, "myths?", "lies?", "hoax", "misconceptions?")
ALL_FALSE = re.compile(
    r",\s+(?:an?|the)\s+(?:\w+\s+)?(?:view|claim|belief|idea|theory|notion|story|assumption|charge|allegation)\s+"
    rf"(?:that|which)\b[^;]*?(?<!\w)(?:{_NOT}|{DENY})(?!\w)|"
    r"\b(?:this|that|which|it|all of (?:this|it))\s+(?:is|was|has been|turned out to be|proved(?: to be)?)\s+"
    rf"(?:\w+ly\s+)?(?:{_UNTRUE}|an?\s+(?:myth|lie|hoax|rumou?r))\b"
)
FALSELY = re.compile(
    r",\s+(?:or so\s+)?(?:\w+\s+){1,5}(?:claim(?:s|ed)?|alleg(?:es?|ed)|pretend(?:s|ed)?|lied|joked)\W*\Z"
)
LATE_CONDITION = re.compile(
    rf"[,(-]\s*(?:(?:but|and|or|then)\s+)?(?:only\s+)?(?:{_IF}|{_ONLY})(?!\w)|"
    r"\bonly (?:if|when|where|after|once|with)\b"
)
FINITE = re.compile(rf"(?<!\w){AUX}(?!\w)|\b(?:it|he|she|they|we|i|you)\s+\w+")
ASKS = re.compile(rf"\W*(?:{AUX}|who|whom|whose|what|when|where|why|which|how)\b")
