"""English turns that only look like a denial or condition, or have one that does not reach what stands beside them."""

from __future__ import annotations

import re

from sekisho.gates.quotes.english_words import AUX, IRREGULAR, grouped, listed

# What only looks like one of these.
IDIOM = re.compile(
    r"\b(?:"
    + grouped(
        r"no secret|no surprise|no coincidence|no exaggeration|or no \w+(?=,)",
        "not only|no doubt|without (?:a )?doubt|no matter|not least|not to mention|not surprisingly",
        r"if any(?:thing)?(?=[,.;)])|as if|nothing less than|no\. ?(?=\d)|never mind|no wonder|no less than",
        "needless to say|nothing if not|last but not least|without (?:delay|incident|warning|difficulty|further ado)",
    )
    + ")"
)
# A clause that grants something: what it denies or leaves open does not matter to the rest.
EVEN = re.compile(
    r"\b(?:even (?:if|when|though)|whether or not|whether [^,;]{1,60} or not(?=,)|"
    r"regardless of (?:whether|how|what|who))\b[^,;]*"
)
EVEN_CLOSED = re.compile(EVEN.pattern + ",")
GRANTED = re.compile(
    r"[\W\d]*(?:although|though|despite|in spite|regardless|notwithstanding|instead|rather|unlike|because|since|as|"
    r"far|apart|unable|unwilling|reluctant|having|lacking|(?:not|never) \w+ing|"
    r"besides|contrary|while|whereas|after|before)\b"
)
# What only adds to what was said: and no hospital, but no gym, with no fever, without a single step.
ADDED = re.compile(
    r",?\s+(?:and none\b|and no (?!one\b)|with no\b|and in (?:no|neither)\b|"
    r"but no (?!(?:one|longer|more|later|earlier)\b))[^,;]*|"
    r",\s+(?:without|neither|none of (?:them|these|those))\b[^,;]*"
)
ASIDE = re.compile(
    r",\s(?:which|who|whom|whose|where)\b[^,;]*,|\([^()]*\)|"
    r",\sas\s[^,;]*\b(?:said|says|put it|reported|noted|claim(?:s|ed))[^,;]*,"
)
# Nor does another case beside the one named, a phrase that sets off the main clause, an answer, or what somebody is
# quoted as saying.
OR_IF = re.compile(r",?\s+or (?:if|when|where)\b[^,;]*")
IF_SAID = re.compile(r"\b(?:if|when|where)\b")
SET_ASIDE = re.compile(r"\A\W*(?:no,|(?:instead of|rather than|unlike|contrary to|far from|in place of)\b[^,;]*,\s*\Z)")
SPOKEN = re.compile(r"\"[^\"]{10,}[,?!]\"")
# A verb of its own that shares the subject: must not smoke and | must wear a badge.
JOINED = re.compile(r"(?:,\s+|\s)(?:and|but|yet)\s+(?:(?:also|then|still)\s+)?\Z")
OWN_AUX = re.compile(rf"(?!\w+n't\b|cannot\b){AUX}\b(?! not\b)")
OWN_VERB = re.compile(rf"{OWN_AUX.pattern}|\w+(?:[^s\W]s|ed)\b|(?:{'|'.join(sorted(IRREGULAR))})\b")
NOT_VERB = re.compile(rf"\b{AUX}\s+(?:not|never)\b|\bcannot\b|\b[a-z]+n't\b")
RELATIVE = re.compile(r"\b(?:that|which|who)\b")
CONTRAST = re.compile(r",\s+(?:and\s+)?not\s+(?!(?:if|when|unless|because|until|before|after)\b)(\w+)[^,;]*")
PREPOSITION = listed("for in on at by with to as from during under over within")
# A predicate of its own behind the quoted one, and a clause that only adds to a noun: what they deny, they deny alone.
SHARED = re.compile(
    rf",?\s+(?:and|but|yet)\s+(?:(?:also|then|thus|so)\s+)?(?={AUX}\b|never\s+\w+s\b|"
    rf"(?:\w+(?:[^s\W]s|ed)|{'|'.join(sorted(IRREGULAR))})\s+(?:no|nothing|nobody|neither|the|an?|any)\b)|"
    r",\s+(?=(?:\w+\s+of\s+)?(?:which|whom?|whose|where)\b)"
)
# The same behind a whole clause, where a comma tells it from a second noun: stands in the hall, and asks for nothing.
SHARED_VERB = re.compile(
    r",\s+(?:and|but|yet)\s+(?=\w+(?:[^s\W]s|ed)\s)|"
    r",\s+(?=\w+[^s\W]s\s+(?:no|nothing|nobody|neither|an?|the|any|its)\s)"
)
# A further clause with a condition of its own: it copies the files, and if one is missing it says so.
AND_IF = re.compile(r",\s+(?:and|but)\s+(?=(?:if|when|once|where|unless)\b)")
# Where a clause within the clause begins.
SUBORDINATE = re.compile(r"\b(?:that|who|which|where|after|before|since|while|as|because|when)\b")
# A consequence or a purpose: it takes nothing back.
SO = re.compile(r",\s+so\s+(?!long\b|far\b)")
# `The leaflet does not say: ...` denies what follows; `Nothing was lost: ...` does not.
HELD_OUT = re.compile(
    r"\b(?:says?|said|states?d?|claim(?:s|ed)?|show[ns]?|prove[dns]?|confirm(?:s|ed)?|means?|believed?|think|thought|"
    r"guarantee[ds]?|true|case|following|follows|this|these|includes?|covers?|allow(?:s|ed)?|permit(?:s|ted)?|do|is|are|"
    r"be|support(?:s|ed)?)\W*\Z"
)
