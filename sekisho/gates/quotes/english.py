"""Whether a cut in an English sentence leaves out what turns the quoted words round.

What counts: a negation, denial, condition, exception or restriction that reaches the quoted words. It reaches through its
own clause; a condition, and a denial of what follows `that`, also reach the clauses joined to it. A clause is taken to be
one of its own only where a subject and a finite verb are seen; in doubt the cut counts.
"""

from __future__ import annotations

import re

from sekisho.gates.quotes.clauses import AUX, Boundary, boundaries

_NOT = (
    r"(?:not|no|never)\b(?!-)|\w*n't|cannot|neither|nor|none|nobody|no-one|nothing|nowhere|without|hardly|scarcely|"
    r"barely|rarely|seldom|unlikely|improbabl[ey]"
)
_FAR = (
    r"(?<!a )few|(?<!a )little|nil|lack(?:s|ed|ing)?|absence|devoid|(?:free|far|apart|aside|away) from|free of|instead of|"
    r"rather than|other than|as opposed to|in (?:place|lieu) of|contrary to|against|but for|anything but|too (?:\w+ ){1,4}to"
)
_DENY = (
    r"refus(?:e[sd]?|ing|als?)|den(?:y|ies|ied|ying|ials?)|fail(?:s|ed|ing|ures?)?|forb(?:id(?:s|den|ding)?|ade?)|"
    r"prohibit(?:s|ed|ing|ions?)?|ban(?:s|ned|ning)?|bar(?:s|red|ring)|avoid(?:s|ed|ing)?|declin(?:e[sd]?|ing)|"
    r"reject(?:s|ed|ing|ions?)?|prevent(?:s|ed|ing)?|stop(?:s|ped|ping)?|ceas(?:e[sd]?|ing)|exclud(?:e[sd]?|ing)|exclusion|"
    r"disallow(?:s|ed|ing)?|disput(?:e[sd]?|ing)|doubt(?:s|ed|ing|ful)?|refut(?:e[sd]?|ing)|rebut(?:s|ted|ting)?|"
    r"disprov(?:e[sdn]?|ing)|contradict(?:s|ed|ing)?|oppos(?:e[sd]?|ing)|object(?:s|ed|ing)? to|veto(?:es|ed|ing)?|"
    r"withh(?:old(?:s|ing)?|eld)|revok(?:e[sd]?|ing)|rescind(?:s|ed|ing)?|repeal(?:s|ed|ing)?|cancel(?:s|l?ed|l?ing)?|"
    r"abandon(?:s|ed|ing)?|abolish(?:es|ed|ing)?|halt(?:s|ed|ing)?|suspend(?:s|ed|ing)?|discontinu(?:e[sd]?|ing)|"
    r"overturn(?:s|ed)?|overrul(?:e[sd]?)|retract(?:s|ed|ing)?|renounc(?:e[sd]?|ing)|refrain(?:s|ed|ing)?|"
    r"abstain(?:s|ed|ing)?|discourag(?:e[sd]?|ing)|dissuad(?:e[sd]?|ing)|deter(?:s|red|ring)?|unable|impossible|incapable|"
    r"inability|unwilling|reluctant|illegal(?:ly)?|unlawful(?:ly)?|ineligible|invalid|unsafe|unsupported|unacceptable|"
    r"inadmissible|false(?:ly|hood)?|untrue|incorrect(?:ly)?|wrong(?:ly)?|mistaken(?:ly)?|erroneous(?:ly)?|myths?|hoax|"
    r"misconceptions?|nonsense|fiction|pretend(?:s|ed|ing)?|alleg(?:e[sd]?|ing|edly|ations?)|supposed(?:ly)?|"
    r"purport(?:s|ed|ing|edly)?|reportedly|so-called|claim(?:s|ed|ing)?|rumou?r(?:s|ed)?|exempt(?:s|ed|ing|ions?)?|"
    r"opt(?:s|ed|ing)? out|resist(?:s|ed|ing)?|hinder(?:s|ed|ing)?|block(?:s|ed|ing)|disabled?|waiv(?:e[sd]?|ing)"
)
_ONLY = r"only|solely|exclusively|merely|except(?:s|ed|ing|ions?)?|excluding|save for|apart from|aside from|other than"
_MAYBE = r"perhaps|maybe|possibly|possible that|conceivably|theoretically|hypothetical(?:ly)?"
_IF = (
    r"if|unless|provided|providing|as long as|so long as|until|till|in case|in the event|on condition|assum(?:e|es|ing)|"
    r"suppos(?:e|ing)|whether|subject to|pending|conditional(?:ly)?|contingent|barring|lest|depending on"
)
_WHEN = r"(?<!\bday )(?<!\btime )(?:when(?:ever)?|(?<![\w] )once|(?<=, )once)"


def _words(*lists: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(lists)})(?!\w)", re.IGNORECASE)


_INVERTED = r"\A\W*(?:should|were|had)\s+(?:you|the|an?|any|it|we|they|he|she|i)\b"
_ANY = _words(_NOT, _FAR, _DENY, _ONLY, _MAYBE, _IF, "when(?:ever)?", "once", "lied", "joked")
_CONDITION = re.compile(rf"(?<!\w)(?:{_IF})(?!\w)|{_INVERTED}", re.IGNORECASE)
_INVERSION = re.compile(_INVERTED, re.IGNORECASE)
_LEFT = _words(_NOT, _FAR, _DENY, _ONLY, _MAYBE, _IF)
_RIGHT = _words(_NOT, _ONLY, _IF, "lacks?")
_DENIED = _words(_NOT, _FAR, _DENY)
_TIME = re.compile(r"(?<!day )(?<!time )\bwhen(?:ever)?\b|(?:^|[,(;]\s*|\bor\s)once\b", re.IGNORECASE)
_RIGHT_TIME = re.compile(r"(?<!,)\s(?:when(?:ever)?|once)\b", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were|had|did|\w{2,}ed)\b", re.IGNORECASE)
_PRESENT = re.compile(r"\b(?:is|are|am|has|have|does|do|can|will|shall|may|must|should|cannot|stays?|remains?|needs?)\b", re.IGNORECASE)
# What only looks like one of these.
_IDIOM = re.compile(
    r"\b(?:not only|no doubt|without (?:a )?doubt|no matter|not least|not to mention|not surprisingly|"
    r"if any(?:thing)?(?=[,.;)])|as if|nothing less than|no\. ?(?=\d)|never mind|no wonder|"
    r"no less than|needless to say|nothing if not|last but not least|without (?:delay|incident|warning|difficulty|further ado))",
    re.IGNORECASE,
)
# A clause that grants something, once it is closed.
_EVEN = re.compile(r"\b(?:even (?:if|when|though)|whether or not|regardless of (?:whether|how|what|who))\b[^,;]*", re.IGNORECASE)
_EVEN_CLOSED = re.compile(_EVEN.pattern + ",", re.IGNORECASE)
_ADDED = re.compile(r"\s+and no (?!one\b)[^,;]*", re.IGNORECASE)
_ASIDE = re.compile(r",\s(?:which|who|whom|whose|where)\b[^,;]*,|\([^()]*\)")
_CONTRAST = re.compile(r",\s+(?:and\s+)?not\s+(?!(?:if|when|unless|because|until|before|after)\b)(\w+)[^,;]*", re.IGNORECASE)
_PREPOSITION = frozenset("for in on at by with to as from during under over within".split())
_JUDGED = (
    r"(?:\s+(?:\w+ly|regarded|considered|deemed|declared|judged|thought|believed|said|found|ruled|held|now|still|also|again|"
    r"later|soon|to|be|been|being|as|an?|the|just|pure|mere|simply))*"
)
_PREDICATE = re.compile(
    rf"(?:^|\b(?:is|are|was|were|be|been|being|remains?|seems?|proved|turned out|becomes?|became|has|have|had|will|would|"
    rf"can|could|may|must|should){_JUDGED})\s+(?:{_DENY})(?!\w)",
    re.IGNORECASE,
)
_ALL_FALSE = re.compile(
    r"\b(?:this|that|which|it|all of (?:this|it))\s+(?:is|was|has been|turned out to be|proved(?: to be)?)\s+(?:\w+ly\s+)?"
    r"(?:false|untrue|not true|not the case|not so|wrong|incorrect|mistaken|nonsense|fiction|an?\s+(?:myth|lie|hoax|rumou?r))\b",
    re.IGNORECASE,
)
_FALSELY = re.compile(r",\s+(?:or so\s+)?(?:\w+\s+){1,5}(?:claim(?:s|ed)?|alleg(?:es?|ed)|pretend(?:s|ed)?|lied|joked)\W*\Z", re.IGNORECASE)
_LATE_CONDITION = re.compile(
    rf"[,(-]\s*(?:(?:but|and|or|then)\s+)?(?:only\s+)?(?:{_IF}|{_ONLY})(?!\w)|\bonly (?:if|when|where|after|once|with)\b",
    re.IGNORECASE,
)
# A predicate of its own behind the quoted one, and a clause that only adds to a noun: what they deny, they deny alone.
_SHARED = re.compile(
    rf",?\s+(?:and|but|yet)\s+(?:(?:also|then|thus|so)\s+)?(?={AUX}\b|never\s+\w+s\b|"
    rf"\w+(?:[^s\W]s|ed)\s+(?:no|nothing|nobody|neither|the|an?|any)\b)|,\s+(?=(?:\w+\s+of\s+)?(?:which|whom?|whose|where)\b)",
    re.IGNORECASE,
)
_GRANTED = re.compile(
    r"\W*(?:although|though|despite|in spite|regardless|notwithstanding|instead|rather|unlike|because|since|as|far|apart|"
    r"besides|contrary|while|whereas|after|before)\b",
    re.IGNORECASE,
)
_FINITE = re.compile(rf"(?<!\w){AUX}(?!\w)|\b(?:it|he|she|they|we|i|you)\s+\w+", re.IGNORECASE)
_LABEL_WORDS = 5
_UNTRUE = re.compile(r"\b(?:false|untrue|not true|not the case|wrong|incorrect|mistaken|myths?|lies?|hoax|misconceptions?)\b", re.IGNORECASE)
_ASKS = re.compile(
    rf"\W*(?:{AUX}|who|whom|whose|what|when|where|why|which|how)\b", re.IGNORECASE
)


def left_out(left: str, quote: str, right: str) -> str:
    """The words of the sentence outside a quote that turn it round, or nothing.

    `left` and `right` are what the sentence has before and after it; `quote` may hold further sentences between them.
    """
    before = _before(left, quote) if _ANY.search(left) or _INVERSION.match(left) else ""
    return before or (_after(quote, right) if _ANY.search(right) else "") or _question(left, quote, right)


def _masked(text: str, *patterns: re.Pattern[str]) -> str:
    for pattern in patterns:
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return text


def _before(left: str, quote: str) -> str:
    if not left.strip():
        return ""
    if (found := _INVERSION.match(left)) and ";" not in left:
        return found[0].strip()
    left = _masked(left, _IDIOM, _EVEN_CLOSED)
    own: Boundary | None = None
    for boundary in boundaries(left + quote[:300]):
        because = not boundary.sign and boundary.link in ("because", "since")
        if 0 < boundary.start <= len(left) and not because:
            own = boundary
    inner = _masked(left[own.end :] if own else left, _ASIDE)
    if found := _LEFT.search(inner):
        return found[0]
    if (found := _TIME.search(inner)) and not _is_past(inner + quote[:150]):
        return found[0]
    return _before_clause(left[: own.start], own, quote) if own else ""


def _before_clause(outer: str, own: Boundary, quote: str) -> str:
    """What reaches a clause of its own from the clauses before it."""
    outer = "" if own.sign == ";" else outer.rpartition(";")[2]
    if found := _CONDITION.search(outer):
        return found[0].strip()
    if (found := _TIME.search(outer)) and not _is_past(outer[found.start() :] + quote[:150]):
        return found[0].strip(" ,(;")
    denied = _DENIED.search(outer)
    if denied is None:
        return ""
    if own.link not in ("but", "yet", "while", "whereas") and re.search(r"\bthat\b", outer[denied.end() :]):
        return denied[0]
    if own.sign == ":" and (_UNTRUE.search(outer) or (len(outer.split()) <= _LABEL_WORDS and not _FINITE.search(outer))):
        return denied[0]
    adverbial = own.sign == "," and not own.link and not _FINITE.search(outer) and not _GRANTED.match(outer)
    return denied[0] if adverbial else ""


def _after(quote: str, right: str) -> str:
    if not right.strip():
        return ""
    if found := _ALL_FALSE.search(right) or _FALSELY.search(right):
        return found[0].strip(" ,.")
    right = _masked(right, _IDIOM, _EVEN)
    tail = quote[-300:]
    ends = [boundary for boundary in boundaries(tail + right) if boundary.start >= len(tail)]
    end = ends[0].start - len(tail) if ends else len(right)
    shared = _SHARED.search(right)
    end = min(end, shared.start()) if shared else end
    inner = _masked(right[:end], _ASIDE, _ADDED)
    if (contrast := _CONTRAST.search(inner)) and _is_contrast(contrast[1].lower(), tail):
        inner = inner[: contrast.start()] + inner[contrast.end() :]
    if found := _RIGHT.search(inner) or _PREDICATE.search(inner):
        return found[0].strip()
    if (found := _RIGHT_TIME.search(inner)) and not _is_past(tail[-150:] + inner):
        return found[0].strip()
    outer = right[end:].partition(";")[0]
    found = _LATE_CONDITION.search(outer)
    return found[0].strip(" ,(") if found else ""


def _is_contrast(first: str, quote: str) -> bool:
    """Whether `, not ...` only sets off what was said: the red one, not the blue one; by boat, not by car."""
    return first not in _PREPOSITION or first in quote.lower().split()[-8:]


def _is_past(text: str) -> bool:
    """Whether a time told by `when` is one that has been, and no condition."""
    return _PAST.search(text) is not None and _PRESENT.search(text) is None


def _question(left: str, quote: str, right: str) -> str:
    """The question mark, where without it a question would be a statement."""
    asked = right.rstrip("\"') ").endswith("?")
    return "?" if asked and (left.strip() or not _ASKS.match(quote)) else ""
