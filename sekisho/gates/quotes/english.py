"""Whether a cut in an English sentence leaves out what turns the quoted words round.

What counts: a negation, denial, condition, exception or restriction that reaches the quoted words. It reaches through
its own clause; a condition, and a denial of what follows `that`, also reach the clauses joined to it. A clause is
taken to be one of its own only where a subject and a finite verb are seen; in doubt the cut counts.
"""

from __future__ import annotations

import re

from sekisho.gates.quotes import english_harmless as harmless
from sekisho.gates.quotes import english_scope as scope
from sekisho.gates.quotes import english_titles as titles
from sekisho.gates.quotes import english_words as words
from sekisho.gates.quotes.clauses import Boundary, boundaries, opens_clause

_NEAR, _CLAUSE = 150, 300
_LABEL_WORDS = 5
_TITLE_WORDS = 10
_BREAK = re.compile(r"[.;:!?]\s|,\s(?:and|but|so)\s")
# The label of a question: Q:, Question 3.
_ASKER = re.compile(r"\W*(?:q|question|faq)?\s*\d*\W*")
# What may stand before the subject of a statement: In general, ...
_OPENING = re.compile(r"\W*(?:in|as|for|by|at) [^,.;:]{1,30}, ", re.IGNORECASE)
_NUMBERED = re.compile(r"\d\D{0,20}\Z")
_SENTENCE_BREAK = re.compile(r"[.!?]\s")
# How all that `_lessened` looks for begins: most of what follows a quote is ruled out at a glance.
_LESSENING = (words.LIMIT, words.BUT, words.CEILING, words.LESSENED, words.OR, words.OF_WHICH, words.UPON)
_LESSENS = re.compile("|".join(f"(?:{one.pattern})" for one in (*_LESSENING, scope.BRACKET, scope.SAVE)))
_LOWER = str.maketrans({chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)})


def left_out(left: str, quote: str, right: str) -> str:
    """The words of the sentence outside a quote that turn it round, or nothing.

    `left` and `right` are what the sentence has before and after it; `quote` may hold further sentences between them.
    """
    small_left, small_right = _lower(left), _lower(right)
    found = ""
    if left and (words.ANY.search(small_left) or words.INVERSION.match(small_left)):
        found = _before(left, quote)
    if left and not found and small_left.strip():
        beside = words.BESIDE.search(small_left)
        head = quote[:_NEAR]
        found = beside[0] if beside else scope.beside(small_left, _lower(head)) or scope.opened(left, small_left, head)
    if not found and small_right.strip(" .\"'"):
        found = _narrowed(_lower(quote[-_CLAUSE:]), small_right)
    if not found and words.ANY.search(small_right):
        found = _after(quote, right, small_right)
    if found:
        return found.strip(" ,.(;")
    asked = small_right.rstrip("\"') ").endswith("?")
    alone = not left.strip() or _ASKER.fullmatch(small_left)
    return "?" if asked and not (alone and words.ASKS.match(_lower(quote[:_NEAR]))) else ""


def denied_list(lead: str, item: str = "") -> str:
    """What denies the items of a list in the words that introduce it, or nothing; `item` begins the quoted one."""
    said = _masked(re.split(r"[.;!?] ", _lower(lead))[-1], harmless.IDIOM)
    if len(said.split()) <= _TITLE_WORDS and not said.endswith((".", "!", "?")):
        if found := titles.TITLE_DENIED.search(said):
            return "" if _stands_under(said, item) else found[0].strip(" :")
        if (found := titles.TITLE_PAST.search(said)) and not titles.CHANGED.search(_lower(item)):
            return found[0].strip(" :")
        if (found := titles.TITLE_CONDITION.search(said)) and not words.PAST.search(said):
            return found[0].strip(" :")
    if not lead.endswith(":"):
        return ""
    found = titles.LIST_DENIED.search(_masked(said, titles.OF_SUBJECT))
    granted = titles.RULES.search(said) or titles.LIST_GRANTED.search(said)
    granted = granted or titles.LIST_GRANTED.search(said.rpartition(", ")[2])
    return "" if found is None or granted else found[0].rstrip(":")


def _stands_under(title: str, item: str) -> bool:
    """Whether a title that denies leaves an item as it is: a statement among exceptions, a ban among the forbidden."""
    said = _SENTENCE_BREAK.split(item)[0]
    if titles.EXCEPTIONS.search(title):
        opening = _OPENING.match(said)
        return opens_clause(said[opening.end() :] if opening else said) and bool(words.FINITE.search(_lower(said)))
    return bool(titles.FORBIDDEN.search(title) and titles.FORBIDS.match(_lower(said)))


def _before(left: str, quote: str) -> str:
    small, head = _lower(left), _lower(quote[:_NEAR])
    if (found := words.INVERSION.match(small)) and ";" not in small:
        return found[0]
    small = _masked(small, harmless.IDIOM, harmless.EVEN_CLOSED, harmless.ASIDE, harmless.SPOKEN, harmless.SET_ASIDE)
    small = _shared(small, head)
    own: Boundary | None = None
    for boundary in boundaries(left + quote[:_CLAUSE], 1, len(left)):
        because = not boundary.sign and boundary.link in ("because", "since")
        aside = boundary.sign and not small[boundary.start : boundary.end].strip()
        if not because and not aside:
            own = boundary
    colon = len(small.rstrip(" \"'"))
    if colon and small[colon - 1] == ":" and (own is None or own.start < colon - 1):
        own = Boundary(colon - 1, len(small), "", "")
        if found_before := denied_list(left[:colon]):
            return found_before
    inner = small[own.end :] if own else small
    found = words.LEFT.search(inner) or _timed(words.TIME.search(inner), inner + head)
    if found:
        return found[0]
    return _before_clause(small[: own.start], own, head) if own else ""


def _shared(small: str, head: str) -> str:
    """Words before a quote that begins with a verb of its own, without the denials that belong to another verb."""
    joined = harmless.JOINED.search(small)
    if joined is None or not harmless.OWN_VERB.match(head):
        return small
    related = [match.start() for match in harmless.RELATIVE.finditer(small, 0, joined.start())]
    if related and joined[0].startswith(","):
        return small[: related[-1]] + " " * (joined.start() - related[-1]) + small[joined.start() :]
    if related:
        return small
    return _masked(small, harmless.NOT_VERB) if harmless.OWN_AUX.match(head) else small


def _before_clause(outer: str, own: Boundary, head: str) -> str:
    """What reaches a clause of its own from the clauses before it."""
    outer = "" if own.sign == ";" else outer.rpartition(";")[2]
    time = words.TIME.search(outer)
    if found := words.CONDITION.search(outer) or _timed(time, outer[time.start() if time else 0 :] + head):
        return found[0]
    denied = words.DENIED.search(outer)
    if denied is None:
        return ""
    of_what_follows = own.link not in ("but", "yet", "while", "whereas") and re.search(
        r"\bthat\b", outer[denied.end() :]
    )
    finite = words.FINITE.search(outer)
    held_out = words.UNTRUE.search(outer) or harmless.HELD_OUT.search(outer[denied.end() :])
    is_label = own.sign in (":", "") and (held_out or (len(outer.split()) <= _LABEL_WORDS and not finite))
    adverbial = own.sign == "," and not own.link and not finite and not harmless.GRANTED.match(outer)
    return denied[0] if of_what_follows or is_label or adverbial else ""


def _after(quote: str, right: str, small: str) -> str:
    said = small if small.lstrip().startswith("(") else _masked(small, harmless.ASIDE)
    if found := words.ALL_FALSE.search(said) or words.FALSELY.search(said) or scope.UNDONE.search(said):
        return found[0]
    small = _masked(small, harmless.IDIOM, harmless.EVEN)
    tail = quote[-_CLAUSE:]
    own = next(boundaries(tail + right, len(tail)), None)
    small = harmless.SO.split(small)[0]
    if " or " in small and harmless.OR_IF.search(small) and harmless.IF_SAID.search(_lower(tail)):
        small = _masked(small, harmless.OR_IF)
    end = min(own.start - len(tail) if own else len(small), len(small))
    whole = opens_clause(_SENTENCE_BREAK.split(tail)[-1])
    further = harmless.AND_IF.search(small)
    if further and len(words.FINITE.findall(small[further.end() :])) < 2:
        further = None
    for shared in (harmless.SHARED.search(small), harmless.SHARED_VERB.search(small) if whole else None, further):
        end = min(end, shared.start()) if shared else end
    inner = _masked(small[:end], harmless.ASIDE, harmless.ADDED)
    tail = _lower(tail)
    if (contrast := harmless.CONTRAST.search(inner)) and _is_contrast(contrast[1], tail):
        inner = inner[: contrast.start()] + inner[contrast.end() :]
    found = words.RIGHT.search(inner)
    found = found or words.PREDICATE.search(harmless.SUBORDINATE.split(inner)[0] if whole else inner)
    found = found or _timed(words.RIGHT_TIME.search(inner), tail[-_NEAR:] + inner)
    late = small[further.end() + 2 if further and further.start() == end else end :]
    found = found or words.LATE_CONDITION.search(late.partition(";")[0])
    return found[0] if found else ""


def _narrowed(tail: str, right: str) -> str:
    """What follows in the same breath and makes less of a quantity, a denial, a permission or an `all`."""
    last = _BREAK.split(tail)[-1]
    if _LESSENS.match(right) and (lessened := _lessened(last, right)) is not None:
        return lessened
    found = words.WITHOUT.match(right) or (None if words.JOINS.match(right) else words.NARROWED.match(right))
    denied = found and words.NEGATIVE.search(last) and words.NEGATIVE.search(_masked(last, harmless.IDIOM))
    return found[0] if found and denied else ""


def _lessened(last: str, right: str) -> str | None:
    """What makes less of the words before it, nothing where it plainly does not, None where that is still open."""
    if (found := words.LIMIT.match(right)) and _NUMBERED.search(last):
        return found[0]
    if (found := words.BUT.match(right)) and words.ALL_BUT.search(last) and not opens_clause(right[found.end() :]):
        return found[0]
    if found := words.CEILING.match(right) or words.LESSENED.match(right) or scope.BRACKET.match(right):
        return found[0]
    if (found := scope.SAVE.match(right)) and (
        right[0] == "," or words.ALL_BUT.search(last) or words.FINITE.search(last)
    ):
        return found[0]
    if (found := words.OR.match(right)) and words.EITHER.search(last):
        return found[0]
    if (found := words.OF_WHICH.match(right)) and not words.PAST.search(last):
        several = last.rstrip("\"'").endswith("s") or words.ALL_BUT.search(last)
        return found[0] if several else ""
    found = words.UPON.match(right)
    return found[0] if found and words.MAY.search(last) else None


def _is_contrast(first: str, quote: str) -> bool:
    """Whether `, not ...` only sets off what was said: the red one, not the blue one; by boat, not by car."""
    return first not in harmless.PREPOSITION or first in quote.split()[-8:]


def _timed(found: re.Match[str] | None, around: str) -> re.Match[str] | None:
    """A `when` that is a condition: not where the words around it tell what has been."""
    has_been = words.PAST.search(around) is not None and words.PRESENT.search(around) is None
    return None if has_been else found


def _masked(text: str, *patterns: re.Pattern[str]) -> str:
    for pattern in patterns:
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return text


def _lower(text: str) -> str:
    """ASCII letters in lower case; unlike `lower` it keeps every character's place."""
    return text.lower() if text.isascii() else text.translate(_LOWER)
