"""How English lines and headings deny what is listed under them, as patterns over lower-case text."""

from __future__ import annotations

import re

from sekisho.gates.quotes.english_words import DENY

# How a list of what is not so is announced: `Do not:`, `The following are prohibited:`; not its reasons or steps.
LIST_DENIED = re.compile(
    r"(?:\b(?:not|never|cannot)|n't)(?:(?:\s+\w+){0,2}|,\s[^:,]{1,40}|"
    r"\b[^:]{0,60}\b(?:the following|these|any of this)\b[^:]{0,30})\s*:\Z|"
    r"\b(?:the following|these|this|below)\b[^:]{0,60}\b(?:is|are|was|were|be)\s+(?:\w+\s+)?"
    rf"(?:not\b[^:]{{0,30}}|(?:{DENY})(?:\s+\w+){{0,4}})\s*:\Z|"
    r"\b(?:forbids?|forbidden|prohibits?|prohibited|banned|disallows?|excludes?|excluded|excluding|except|without|"
    r"avoid|refuses?|rejects?|unless|unsupported|ineligible|exempt|illegal|impossible)(?:\s+\w+){0,2}\s*:\Z"
)
# The same in a heading, with or without a colon, and a heading that is a condition.
TITLE_DENIED = re.compile(
    r"\A\W*(?:not|never|do not|don'ts?|avoid|non-goals|out of scope|contra-?indicated|contra-?indications)\b|"
    r"\A\W*(?:what|things|items|cases|who|where|when|how)\b[^,:]*(?:\b(?:not|never|cannot)|n't)\b|"
    r"\b(?:do|does|will|can|must|may|should)(?: not|n't) (?:cover|include|accept|allow|permit|support|offer|provide|"
    r"ship|bring|do|use|eat|wear|pay|refund|insure)(?: for| to)?:?\Z|"
    r"\b(?:exclusions|exceptions|prohibitions|prohibited|forbidden|banned|myths?|misconceptions?|fallac(?:y|ies)|"
    r"rumou?rs|hoax(?:es)?|false claims|lies|common (?:mistakes|errors))\b[^,:]*:?\Z|"
    r"\A\W*(?:\w+ ){0,2}(?:excluded|disallowed|unsupported|uninsured|ineligible|rejected|illegal|untrue|false)"
    r"(?: \w+){0,2}:?\Z"
)
# What is listed as an exception stands where it is a statement; a prohibition is told again by an item that forbids.
EXCEPTIONS = re.compile(r"\b(?:exceptions|exclusions)\b")
FORBIDS = re.compile(
    r"\W*(?:(?:you|we|they|it|staff|employees|everyone) (?:can|may|must|will|shall|should|do|are|is|could)"
    r"(?:not| not|n?'t)\b|(?:do not|don't|never|nobody|no one)\b)"
)
FORBIDDEN = re.compile(
    r"\b(?:(?:do|must|may|should|can) not|cannot|(?:do|must|should|ca)n't|don'ts|"
    r"not (?:ok|okay|allowed|permitted|to do)|never|avoid|prohibited|prohibitions|forbidden|banned|disallowed)\b"
)
# A denial within what is said of a subject, and the verb that goes on behind it.
OF_SUBJECT = re.compile(
    r"\b(?:that|which|who) (?:is|are|was|were|do|does|did|has|have|can|could|will)(?: not|n't|not) \w+"
    r"(?:(?!\b(?:the following|these|below)\b)[^:,])*?"
    r"(?= (?:is|are|was|were|will|must|may|can|shall|should|has|have|include|includes)\b)"
)
# A heading over what is no more: removed parts, or faults that a colon says are mended (under a plain `Fixed` most
# items tell of the change). An item that says itself what was changed stands alone.
TITLE_PAST = re.compile(
    r"\A\W*(?:removed|removals|dropped|discontinued|withdrawn|deleted|retired|repealed|revoked)"
    r"(?: (?:in|since|from|with|features?|support|products?|rules?)\b[^,:]*)?:?\Z|"
    r"\A\W*(?:fixed|resolved|bug ?fixes|fixes)(?: (?:in|since|with|issues?|bugs?|problems?)\b[^,:]*)?:\Z"
)
CHANGED = re.compile(
    r"\A\W*(?:\w+ed\b|fix(?:es|ing)?\b|remov|drop|delet|correct|prevent|avoid|handl|ensur|mak|add|updat|improv|allow|"
    r"restor|use|do not|don't|no longer|stop|renam|replac|return|set|bump|upgrade|revert)|"
    r"\b(?:now|no longer|again|anymore|instead|properly|correctly)\b|\b(?:is|are|was|were|has been) \w+ed\b"
)
TITLE_CONDITION = re.compile(
    r"\A\W*(?:should|were|had) (?:you|the|an?|any|it|we|they)\b[^,:]*:\Z|"
    r"\A\W*(?:if|unless|in case|in the event|in an emergency|provided|when(?:ever)?(?! \w+ing\b))\b[^,:]*:?\Z|"
    r"\b(?:if|unless|whenever)(?: \w+){0,2}:\Z"
)
# What holds of a set of rules as such denies none of them.
RULES = re.compile(
    r"\b(?:rules|terms|conditions|principles|requirements|steps|guidelines|laws|provisions|clauses|limits|facts|settings)"
    r"(?: \w+){0,2} (?:cannot|(?:can|may|must|will|do|does|are|is) not|(?:can|do|does|are|is|wo)n't)\b"
)
LIST_GRANTED = re.compile(
    r"\A\W*(?:if|when|where|because|since|as|in case|although|though|while)\b|\bnot limited to\b|"
    r"\b(?:reasons?|because|since|why|steps?|follows|follow these|instead|how to|examples?|but)\b"
)
