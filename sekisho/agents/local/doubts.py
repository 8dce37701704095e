"""What in a clause keeps a word of yes from being a plain statement: a report, a plan, a need, a limit, a condition."""

from __future__ import annotations

import re

# What comes after one of these is said anew: `some doubt it; in fact dogs are welcome`.
_ANEW = re.compile(r";|\bin fact\b|,\s+but\b")
_FINITE = re.compile(r"\b(?:am|is|are|was|were|has|have|does|did|isn't|aren't|wasn't|weren't|hasn't|haven't|that)\b")
_REPORT = re.compile(
    r"\b(?:says?|said|sa(?:id|ying) to|claim(?:s|ed|ing)?|believe[sd]?|thinks?|thought|hop(?:e|es|ed|ing)|"
    r"doubt(?:s|ed)?|"
    r"assum(?:e|es|ed|ing)|suppose[sd]?|suspect(?:s|ed)?|guess(?:es|ed)?|reckons?|suggest(?:s|ed)?|alleg(?:e|es|ed)|"
    r"maintain that|insists?|insisted|promise[sd]?|fears? that|expect(?:s|ed)?|wish(?:es)?|imagines?|wonders?|heard|"
    r"t(?:ells?|old)(?= (?:me|us|her|him|them|people|everyone)\b)|according to|rumou?r(?:s|ed)?|talk of|"
    r"some days|gossip|legend|"
    r"apparently|allegedly|supposedly|reportedly|purportedly|presumably|probably|perhaps|maybe|possibly|hopefully|"
    r"seemingly|theoretically|in theory|it seems|likely|un(?:clear|sure|certain|known)|doubtful|"
    r"not (?:clear|sure|certain)|"
    r"in \w+ (?:opinion|view)|(?:no|nobody|no one) \w+ that|nothing \w+(?: to \w+)? that|"
    r"swears?|swore|calls|pretends?|in (?:\w+ ){0,2}\w+'s? (?:words|eyes|opinion|view)|"
    r"no (?:\w+ )?(?:proof|evidence|hint|guarantee|certainty|indication)|true that|whether)\b"
)
# What is written is no hearsay, and `no doubt` is none.
_WRITTEN = re.compile(
    r"\b(?:(?:sign|notice|label|board|plate|rule|manual|sticker|certificate|law|tag|instruction|package|"
    r"entry)s?|no|without"
    r"(?: an?)?)\s+(?:(?:at|on|by|in|near) (?:the |a |its )?\w+\s+)?\Z"
)
# `It is a myth that …` leaves open whether it is so; `see that`, `the good news is that`, `a path that is` do not.
_THAT = re.compile(
    r"\b(?P<told>[a-z']+)\s+that\s+(?!(?:is|are|was|were|has|have|had|can|may|will|does|do|makes?|allows?|"
    r"permits?)\b)"
)
_FACT = """note know known see seen sure glad pleased remember aware means mean shows show confirms confirmed confirm
certain certifies certified found so now such is fact doubt states informed advised assured proves proved
proven clear happy after before on in at with of from to for and but or not"""
_FACTS = frozenset(_FACT.split())
_REPORTED_AFTER = re.compile(
    r"\A[^,;]*,\s*(?:so\s+|as\s+|or so\s+)?(?!(?:and|but|who|which|so|as)\b)(?:[\w']+\s+){0,2}?(?:says?|"
    r"said|claims?|believes?|"
    r"thinks?|seems?|hopes?|tells?|told|guess|apparently|allegedly|supposedly|perhaps|maybe|probably|presumably)\b"
)
_PENDING = re.compile(
    r"\b(?:will|shall|should|would|could|might|ought|must|going to|about to|due|overdue|plan(?:s|ned|"
    r"ning)?|intend(?:s|ed)?|"
    r"scheduled|await(?:s|ing)?|wait(?:s|ing)? (?:for|to)|wants? to|tr(?:y|ies|ying) to|aims? to|pending|had been|"
    r"becomes?|(?:was|were) once|once)\b|'ll\b"
)
_NOT_WHEN_DENIED = re.compile(r"\b(?:would|could|might|ought|due|overdue|plan\w*|intend\w*|scheduled|pending)\b")
_MAY = re.compile(r"\b(?:may|can)\b(?!\s+not\b)")
_PERMISSION = re.compile(r"allow|permi|\b(?:may|can)\b|welcom|accept|admit|forbid|access|free")
_DEGREE = re.compile(
    r"\b(?:nearly|almost|barely|scarcely|rarely|seldom|all but|half|partly|sometimes|occasionally|"
    r"virtually|practically|"
    r"mostly|largely|more or less|looks?|seems?|too \w+ to|as good as|pass(?:es|ed)? (?:for|as)|yet to|"
    r"semi-|quasi-|pseudo-|so-called|"
    r"(?:is|are|was|were) only)(?:\s+[\w'-]+){0,2}?\s*\Z"
)
_NEED = re.compile(
    r"\b(?:needs?|needed|requir(?:es?|ed)|wants?|seeks?|look(?:s|ing)? for|asks? for|search(?:es|ing)? for|without|"
    r"instead of|rather than)(?:\s+(?!and\b)[\w'-]+){0,3}?\s*\Z"
)
_NEEDED = re.compile(
    r"\A(?:\s+[\w'-]+){0,2}\s+(?:is|are|was|were)\s+(?:required|needed|necessary|wanted|missing|mandatory|"
    r"compulsory)\b"
)
_LIMIT = re.compile(
    r"\A[^,;.]{0,40}?\bonly\s+(?:if|when|in|for|by|with|during|from|to|at|after|before|as|under|"
    r"on(?!\s+(?:an?|the|short|lead|leash)))\b|"
    r"\A[^,;.]{0,40}?\b(?:now and then|at times|from time to time|off and on|on and off|in some cases|"
    r"depending|discretion|alone|under review)\b|"
    r"\A(?:(?!\b(?:until|till|to|through)\b)[^,;.]){0,40}?\b(?:next (?:week|month|year|spring|summer|"
    r"autumn|winter|season)|"
    r"tomorrow|soon|one day|some day)\b"
)
_OTHER_TIME = re.compile(
    r"\bby (?:its|the|his|her|their|an?)?\s*(?:last|previous|former|first|late)\b|"
    r"\bin (?:the old|those|former|the past)\b|\bback then\b"
)
_BUT_FOR = re.compile(r"\A[^,;.]{0,20}?\b(?:apart from|except for|save for)\b")
_WAS = re.compile(r"\b(?:was|were)\b")
_THEN = re.compile(r"\A[^,;]*\b(?:when|while|until|till|once|at first|to begin with|at the time)\b")
_IN_CASE = re.compile(
    r"\A\W*(?:(?:but|and|so|then)\s+)?(?:only\s+)?(?:if|unless|when(?:ever)?|provided|in case|as long as|"
    r"until|should)\b[^,]*,"
)
_LIKENESS = re.compile(r"\bas\s+\Z")
_LIKE = re.compile(r"\A\s+as\s+(?:an?|the|any)\b")
# What denies in other words than `not`, right before what it denies; before a stop, `no more` is said of all before it.
_TURNS = re.compile(
    r"\b(?:(?:far from|nowhere near|anything but)(?:\s+[\w'-]+){0,2}?|(?:out of|low on|short of|less than)|"
    r"(?:fails?|failed|ceases?|ceased) to(?:\s+[\w'-]+)?|"
    r"(?:wrong|false|untrue|misleading|a lie|a mistake|nonsense) to (?:call|say|claim|describe|"
    r"think)(?:\s+[\w'-]+){0,3}?)"
    r"\s*\Z"
)
_NO_MORE = re.compile(r"\A[^,;]*\b(?:no more|no longer)\s*(?:\Z|[.!,;])")


def is_turned(text: str, start: int, end: int) -> bool:
    """Whether other words than a negation deny what stands at this place of a folded clause: `far from safe`."""
    return _TURNS.search(text[:start]) is not None or _NO_MORE.match(text[end:]) is not None


def is_hearsay(text: str, start: int, end: int) -> bool:
    """Whether what stands here is only told or supposed, or holds in a case that the clause names before it."""
    case = _IN_CASE.match(text)
    if (case and case.end() <= start) or _REPORTED_AFTER.match(text[end:]):
        return True
    before = _said_before(text, start)
    if any(one["told"] not in _FACTS and not _WRITTEN.search(before[: one.start()]) for one in _THAT.finditer(before)):
        return True
    return any(not _WRITTEN.search(before[: one.start()]) for one in _REPORT.finditer(before))


def is_unsure(text: str, start: int, end: int, field: str | None, *, is_denied: bool = False) -> bool:
    """Whether anything in the clause qualifies what stands here; a plan or a duty does not qualify what is denied."""
    if is_hearsay(text, start, end):
        return True
    before, after = _said_before(text, start), text[end:]
    modal = _governing(_NOT_WHEN_DENIED if is_denied else _PENDING, before)
    if modal is not None and not is_turned(text, start, end):
        return True
    if is_denied:
        return False
    if (may := _governing(_MAY, before)) is not None and _is_possible(before[may:], field):
        return True
    if _LIKENESS.search(before) and _LIKE.match(after):
        return True
    if not re.search(r"\b(?:everywhere|anywhere)\b", text) and _BUT_FOR.match(after):
        return True
    if _governing(_WAS, before) is not None and _THEN.match(after):
        return True
    return any(one.search(before) for one in (_DEGREE, _NEED)) or any(
        one.search(after) for one in (_NEEDED, _LIMIT, _OTHER_TIME)
    )


def _said_before(text: str, start: int) -> str:
    cuts = [one.end() for one in _ANEW.finditer(text, 0, start)]
    return text[cuts[-1] if cuts else 0 : start]


def _governing(cue: re.Pattern[str], before: str) -> int | None:
    """Where the last such cue stands that no finite verb or comma parts from the end."""
    found = [one.start() for one in cue.finditer(before)]
    rest = before[found[-1] :] if found else ","
    is_parted = "," in rest or _FINITE.search(re.sub(r"\Ahad been|\A(?:was|were)|have been", "", rest)) is not None
    return None if is_parted else found[-1]


def _is_possible(words: str, field: str | None) -> bool:
    """`can be heated`, `may soon be open`, and `may work` where the field asks for no permission."""
    if re.search(r"\bbe\b", words):
        return True
    return words.startswith("may") and field is not None and not _PERMISSION.search(field.casefold())
