"""The closed classes of English words that tell what part the words between them play."""

from __future__ import annotations

import re

_COPULAS = """am is are was were be been being isn't aren't wasn't weren't it's that's he's she's they're you're we're
i'm there's seem seems seemed look looks remain remains remained stay stays become becomes became feel feels prove
proves proved considered deemed declared judged rated labelled marked classed regarded found called"""
_ADVERBS = """very quite also not never always still now again both all just even too so rather really only often today
here there yet ever longer no as equally well perhaps maybe already anyway currently daily"""
_DETERMINERS = "a an the this these those my your his her its our their some any every each another which whose"
_PRONOUNS = "i you he she it we they one who that nobody everybody anyone someone everyone nothing"
_PREPOSITIONS = """about above across after against along among around at before behind below beneath beside besides
between beyond but by despite down during except for from in inside into like near of off on onto out outside over past
per since than through throughout till to toward towards under until up upon via with within without"""
_JOINS = "and or nor but yet while when where if unless because though although then than as"
_MODALS = "must should could might would ought need needs"
_AUXILIARIES = "do does did don't doesn't didn't will won't can can't cannot may shall have has had hasn't haven't"
# Verbs that tell what to do even before a bare noun or a preposition: `Keep dogs close`, `Wait for the lamp`.
_ORDERS = """keep wait mind close shut turn press push pull use take bring leave put place check ensure make ask tell
call ring hold lift clean wash wipe dry store watch remove replace switch plug unplug stop start go come walk stay stand
sit drive park follow lock unlock secure tie lead let avoid beware carry add pour fill empty set get give help try feed
water pay buy book register report show wear leash see enter touch ride be do read write look listen return tidy throw
collect pick pack respect observe consult contact choose select enjoy visit bear treat handle test dispose deposit
insert attach fasten tighten loosen apply cover rinse boil heat cool mix stir cut"""
# What may stand after a word of a state and is no noun that it qualifies: `open daily`, `free again`, `open 9 to 5`.
_TIMES = re.compile(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|year-round|year|years|time|whole|entire|"
    r"round|winter|summer|spring|autumn|mornings?|afternoons?|evenings?|nights?|everywhere|anywhere|inside|outside|"
    r"outdoors|indoors|again|free|\w+ly|\d\S*)\Z"
)
_TOKEN = re.compile(r"[a-z0-9]+(?:['-][a-z0-9]+)*|[^\w\s]")

COPULAS = frozenset(_COPULAS.split())
DETERMINERS = frozenset(_DETERMINERS.split())
PRONOUNS = frozenset(_PRONOUNS.split())
PREPOSITIONS = frozenset(_PREPOSITIONS.split())
MODALS = frozenset(_MODALS.split())
AUXILIARIES = frozenset(_AUXILIARIES.split())
ORDERS = frozenset(_ORDERS.split())
ADVERBS = frozenset(_ADVERBS.split())
FUNCTION = COPULAS | ADVERBS | DETERMINERS | PRONOUNS | PREPOSITIONS | frozenset(_JOINS.split()) | MODALS | AUXILIARIES


def tokens(text: str) -> list[str]:
    """Words and stops of a folded text."""
    return _TOKEN.findall(text)


def bare(words: list[str]) -> list[str]:
    """The words without the adverbs at their end."""
    end = len(words)
    while end and (words[end - 1] in ADVERBS or words[end - 1].endswith("ly")):
        end -= 1
    return words[:end]


def nouns(after: list[str], most: int) -> list[str]:
    """The words that the one before them may qualify: up to a word of grammar, a time or a stop."""
    found: list[str] = []
    for word in after[:most]:
        if not word[0].isalnum() or word in FUNCTION or _TIMES.match(word):
            break
        found.append(word)
    return found


def is_time(words: list[str]) -> bool:
    """Whether one of the words tells when, where or how."""
    return any(_TIMES.match(word) for word in words)
