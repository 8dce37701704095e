"""What stands right before or behind quoted English words, or opens their sentence, and says of what they hold.

A part of a whole, a plan, a belief, a place or time for which alone something holds: left out, they change what is
said. Patterns over lower-case text; those that end in `\\Z` are for the last words before a quote.
"""

from __future__ import annotations

import re

from sekisho.gates.quotes.clauses import opens_clause
from sekisho.gates.quotes.english_words import AUX, PAST, PRESENT

_TAIL = 60
_COUNT = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|dozens|hundreds|"
    r"thousands|(?<!section )(?<!article )(?<!chapter )(?<!page )(?<!part )(?<!paragraph )\d[\d.,]*)"
)
_OURS = r"(?: (?:the|these|those|this|his|her|its|our|their|my|your|all|every))?"
_PART = re.compile(
    rf"(?:\A|(?<=[\s(\"]))(?:(?:{_COUNT}|some|most|many|several|few|none|all|half|part) (?:out )?of{_OURS}|"
    rf"{_COUNT} in (?:every )?{_COUNT}|half{_OURS}|"
    rf"(?:an? \w+ )?(?:number|minority|majority|share|handful|fraction) of{_OURS}|"
    r"some|(?<!the )most|many|several|numerous|various|certain|selected)\s+\Z"
)
_UNREAL = re.compile(
    r"\b(?:proposed|planned|suspected|draft|hypothetical|potential|prospective|intended|rejected|repealed|cancell?ed|"
    r"abandoned|purported|presumed|putative|expired|unconfirmed)\s+\Z"
)
_WILLED = re.compile(
    r"\b(?:plan(?:s|ned|ning)?|intend(?:s|ed|ing)?|want(?:s|ed|ing)?|wish(?:es|ed)?|hop(?:e|es|ed|ing)|aim(?:s|ed)?|"
    r"seeks?|sought|tr(?:y|ies|ied|ying)|attempt(?:s|ed|ing)?|propos(?:e|es|ed|ing)|threaten(?:s|ed)?|"
    r"promis(?:e|es|ed)|offer(?:s|ed)?|expected|likely|scheduled|said|believed|thought|reported|rumou?red)"
    r"\s+to(?:\s+\w+){0,2}\s+\Z"
)
_BELIEVED = re.compile(
    r"\b(?:believe[sd]?|thinks?|thought|suspect(?:s|ed)?|hope[sd]?|fear(?:s|ed)?|guess(?:es|ed)?|argue[sd]?|"
    r"suggest(?:s|ed)?|speculate[sd]?|imagine[sd]?|expect(?:s|ed)?|predict(?:s|ed)?|hypothesi[sz]e[sd]?|assume[sd]?)"
    r"(?:\s+that)?\s+\Z"
)
_DETERMINED = re.compile(
    rf"(?:the|an?|his|her|its|our|their|my|your|this|that|these|those|it|them|to|in|on|at|for|by|with|and|or|{AUX})\b"
)
_VERB = re.compile(rf"(?:{AUX}|and|or|but|in|on|at|for|by|with)\b")

_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter"
)
_DOCUMENT = (
    r"(?:ministry|government|reports?|study|survey|statistics|data|figures?|records?|maps?|plans?|schedule|timetable|"
    r"manual|guide|law|act|section|article|rules?|regulations?|constitution|treaty|contract|lease|census|table|office|"
    r"agency|court|police|department|institute|council|commission|bureau|register|logs?|archives?|standard|"
    r"specification|documentation)"
)
_NO_GROUP = (
    r"(?:results|reasons|purposes|details|questions|instructions|enquiries|inquiries|years|months|weeks|days|hours|"
    r"minutes|seconds|decades|centuries|times|ages|generations|others|thanks|its|this|is|was|has|as)"
)
# What opens a sentence, by its first word: whose word it is, for whom, from when, where or at which times it holds.
_OPENED: dict[str, tuple[re.Pattern[str], ...]] = {
    "according": (re.compile(rf"according to (?![^,;:]*\b{_DOCUMENT}\b)[^,;:]+,\s*\Z"),),
    "by": (
        re.compile(r"by (?:some|most|many|his|her|their|its) (?:own )?(?:accounts?|estimates?|reckoning)\b[^,;:]*\Z"),
    ),
    "for": (re.compile(rf"for (?:\w+ ){{0,2}}(?:children|people|men|women|(?!{_NO_GROUP}\b)\w+[^\Wsiu]s)\b[^,;:]*\Z"),),
    "from": (re.compile(rf"from [^,;:]*\b(?:{_MONTHS}|\d{{4}}|next|tomorrow)\b[^,;:]*\Z"),),
    "as": (re.compile(rf"as (?:of|from) [^,;:]*\b(?:{_MONTHS}|\d{{4}}|next|tomorrow)\b[^,;:]*\Z"),),
    "on": (re.compile(r"on (?:\w+ ){0,2}(?:(?:sun|mon|tues|wednes|thurs|fri|satur|week|holi)days)\b[^,;:]*\Z"),),
    "at": (re.compile(r"at (?:night|weekends|(?:low|high)(?:er)? \w+)\s*\Z"),),
    "during": (re.compile(r"during [^,;:]+,\s*\Z"),),
    "outside": (re.compile(r"outside [^,;:]+,\s*\Z"),),
    "in": (
        re.compile(
            r"in (?:winter|summer|spring|autumn|emergencies|an emergency|(?!all|both|these|those)(?:\w+ ){1,2}"
            r"(?:cases|circumstances|situations|conditions))\s*\Z|"
            r"in (?:the )?(?:\w+ )?(?:opinion|view|eyes|judge?ment) of [^,;:]+\Z|"
            r"in (?:my|his|her|our|their|[\w']+'s) (?:\w+ )?(?:opinion|view|eyes)\s*\Z"
        ),
    ),
    **dict.fromkeys(
        ("starting", "beginning", "effective", "with"),
        (re.compile(rf"(?:starting|beginning|effective|with effect)\b[^,;:]*\b(?:{_MONTHS}|\d{{4}})\b[^,;:]*\Z"),),
    ),
}
# A word that makes less of the whole sentence, and the same of two words: Usually, ...; In general, ...
_HEDGED = re.compile(
    r"\W*(?:usually|generally|typically|normally|ordinarily|often|sometimes|occasionally|mostly|perhaps|maybe|possibly|"
    r"probably|presumably|supposedly|allegedly|reportedly|apparently|ideally|theoretically|hopefully|by default|"
    r"as a rule|in (?:general|theory|principle|most cases|some cases|many cases)|for the most part|more or less),?\s*\Z"
)
_OF_OTHERS = re.compile(r"according|by|in .*\b(?:opinion|view|eyes|judge?ment)\b")
_PLACE = re.compile(
    rf"\W*In (?!(?:Section|Chapter|Article|Figure|Table|Appendix|Annex|Part|Volume|Book|Act|(?i:{_MONTHS}))\b)"
    r"(?:the )?[A-Z]\w+(?: [A-Z]\w+)*,\s*\Z"
)


def beside(small: str, head: str) -> str:
    """What stands right before a quote that begins with `head` and makes a part, a plan or a belief of it."""
    tail = small[-_TAIL:]
    if (found := _PART.search(tail)) and not _VERB.match(head):
        return found[0]
    if found := _BELIEVED.search(tail):
        return found[0]
    if (found := _WILLED.search(tail)) and not _VERB.match(head):
        return found[0]
    if found := _HEDGED.match(small):
        return found[0]
    found = _UNREAL.search(tail)
    return found[0] if found and not _DETERMINED.match(head) else ""


def opened(left: str, small: str, head: str) -> str:
    """What opens the sentence of a quote, with nothing between them, and says of whom, where or when it holds."""
    first = small.lstrip("\"'( ")
    patterns = _OPENED.get(first[:10].partition(" ")[0])
    if patterns is None:
        return ""
    comma = first.rstrip().endswith(",")
    if not (comma or opens_clause(head)):
        return ""
    phrase = first if patterns[0].pattern.endswith(r",\s*\Z") else first.rstrip(" ,")
    found = patterns[0].match(phrase)
    if found is None:
        found = _PLACE.match(left)
    if found is None:
        return ""
    has_been = PAST.search(head) is not None and PRESENT.search(head) is None
    return "" if has_been and not _OF_OTHERS.match(found[0]) else found[0]


# An exception to a whole statement, and what takes a statement back behind it.
SAVE = re.compile(
    r",?\s+(?:save|bar|barring|excepting) (?:the|those|one|an?|for|on|in|that|its|his|her|their|our|your|my)\b"
)
BRACKET = re.compile(
    r"\s*\((?:\w+\s+){0,4}(?:only|excluded|excepted|excl|false|untrue|incorrect|disprove[dn]|debunked|refuted|retracted|"
    r"withdrawn|overturned|repealed|disputed|rumou?red|alleged|unconfirmed|unverified|discontinued|obsolete|outdated)"
    r"[.!]?\)"
)
_UNDONE = r"(?:overturned|reversed|quashed|annulled|disprove[dn]|refuted|debunked|retracted|struck down|set aside)"
_BEEN = r"\s+(?:was|were|is|has been|have been|had to be)\s+(?:(?:\w+ly|later|since|then|soon)\s+)*"
UNDONE = re.compile(
    rf"[,;(-]\s*(?:but\s+)?(?:this|which|(?:the|an?|this|that)\s+(?:ruling|judge?ment|decision|finding|holding|verdict|claim|"
    rf"statement|report|conclusion|result|view)(?:\s+(?:that|which))?){_BEEN}"
    rf"(?:{_UNDONE}|(?<!which was )(?<!which is )(?:withdrawn|contradicted|disputed|corrected))\b"
)
