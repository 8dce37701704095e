"""Text values: the subject's name, names of people, lists in a sentence, or the best sentence itself."""

from __future__ import annotations

import calendar
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sekisho.agents.local.document import Clause, Document, Sentence, flat
from sekisho.agents.local.fields import Wanted
from sekisho.agents.local.found import Found, best
from sekisho.agents.local.proof import stands
from sekisho.agents.local.relevance import Relevance
from sekisho.agents.local.words import NEGATOR, STOP, folded, is_japanese, stems
from sekisho.gates.quotes import is_too_short
from sekisho.sentences import Span
from sekisho.text import fold_needle

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*['’]?")
_SUBJECT = re.compile(r"\b(?:the|this)\s+(?:note|document|text|page)\s+is\s+about\b|\bsubject\b", re.IGNORECASE)
SUBJECT_TITLES = frozenset({"name", "title", "名前", "名称", "題名", "品名"})
_NAMES = re.compile(
    r"\b(?:names?|people|persons?|who|whom|authors?|owners?|users?|members?)\b|名前|氏名|人名|人", re.IGNORECASE
)
_TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "prof", "sir"})
_JA_TERM = re.compile("[\u30a1-\u30ff\u3400-\u9fff々A-Za-z0-9０-９Ａ-Ｚａ-ｚ・-]{3,}")
_JA_PERSON = re.compile("[\u30a1-\u30fa\u30fc\u3400-\u9fff々]{1,8}(?=さん|氏|様|先生|くん)")
_ITEM_CUT = re.compile(r"\s*(?:,\s*(?:and|or)\s+|,\s+|;\s+|\s+and\s+|\s+or\s+|、|および|と(?=[\u30a1-\u9fff]))\s*")
_CALENDAR = frozenset(name.lower() for name in [*calendar.month_name, *calendar.day_name] if name)
_BLANK = re.compile(r"\n[^\S\n]*\n|\n#")
_BESIDE = 4
_BY_FILE = 1.0
_BY_TITLE = 0.9
_BY_COUNT = 0.3


def find_text(document: Document, wanted: Wanted, about: Relevance, others: Sequence[Relevance]) -> Found | None:
    """The one name in the best sentence where the field asks for a name, else the best sentence.

    A sentence that is more about one of the other fields says nothing of this one.
    """
    if _NAMES.search(wanted.title):
        return _one_name(document, wanted, about)
    found = []
    for number, sentence in enumerate(document.sentences):
        at = sentence.first_clause
        clauses = about.clauses[at : at + len(sentence.clauses)]
        score = 0.5 * float(about.sentences[number]) + 0.5 * float(max(clauses, default=0.0))
        is_own = all(other.sentences[number] <= about.sentences[number] for other in others)
        if is_own and not about.barred[number]:
            found.append(Found(flat(sentence.text), sentence.original, score))
    return best(found)


def find_texts(document: Document, wanted: Wanted, about: Relevance) -> Found | None:
    """The names, or the items of an enumeration, in the sentence that is most about the field."""
    found = []
    by_name = bool(_NAMES.search(f"{wanted.title} {wanted.meaning}"))
    for number, sentence in enumerate(document.sentences):
        items = _people(document, sentence, wanted) if by_name else _items(sentence)
        if items:
            found.append(Found(items, sentence.original, float(about.sentences[number])))
    return best(found)


def is_subject(wanted: Wanted) -> bool:
    """Whether the field asks for the name of what the whole document is about."""
    return folded(wanted.title) in SUBJECT_TITLES or bool(
        _SUBJECT.search(wanted.description) and _NAMES.search(wanted.description)
    )


def find_subject(document: Document) -> Found | None:
    """What the document is about: the words of its file name in the text, a title, or the name it repeats most."""
    return best([*_by_file(document), *_by_title(document), *_by_count(document), *_japanese_subject(document)])


def evident(document: Document, wanted: Wanted, found: Found | None) -> Found | None:
    """The same with a sentence that says something as its evidence, where a heading of one word was it.

    A short yes or no in the field's own words is quoted with what stands beside it in its paragraph, list or table, as
    far as the quote gate asks for.
    """
    if found is not None and isinstance(found.value, bool):
        words = found.evidence.of(document.original)
        is_own = bool(wanted.title_stems & frozenset(stems(words))) or folded(wanted.title) in folded(words)
        return replace(found, evidence=_widened(document, found.evidence)) if is_own else found
    if found is None or not isinstance(found.value, str) or _says(found.evidence.of(document.original)):
        return found
    saying = (one.original for one in document.sentences if found.value in one.text and _says(one.text))
    return replace(found, evidence=next(saying, found.evidence))


def _widened(document: Document, short: Span) -> Span:
    """A sentence that stands as a quote, else with the next one, the one before or all of its paragraph."""
    if stands(short.of(document.original), document.original):
        return short
    spans = [one.original for one in document.sentences if one.kind not in ("heading", "head")]
    row = spans.index(short) if short in spans else len(spans)
    near = spans[max(0, row - _BESIDE) : row + _BESIDE + 1]
    before = [one for one in near if one < short and not _BLANK.search(document.original, one.end, short.start)]
    after = [one for one in near if one > short and not _BLANK.search(document.original, short.end, one.start)]
    firsts, lasts = [short, *before[::-1]], [short, *after]
    for first, last in ((short, lasts[:2][-1]), (firsts[:2][-1], short), (firsts[-1], lasts[-1])):
        wide = Span(first.start, last.end)
        if wide != short and stands(wide.of(document.original), document.original):
            return wide
    return short


def _says(words: str) -> bool:
    return not is_too_short(fold_needle(words))


def _by_file(document: Document) -> Iterator[Found]:
    slug = [_bare(word) for word in re.split(r"[-_./\s]+", document.source.rsplit("/", 1)[-1]) if not word.isdigit()]
    slug = [word for word in slug if word]
    if not slug:
        return
    for sentence in document.sentences:
        words = list(_WORD.finditer(document.text, sentence.span.start, sentence.span.end))
        bare = [_bare(word[0]) for word in words]
        for at in range(len(words) - len(slug) + 1):
            if bare[at : at + len(slug)] == slug:
                span = _grown(document.text, words, at, at + len(slug))
                size = _BY_FILE + 0.001 * (span.end - span.start)
                yield Found(flat(span.of(document.text)).strip("'’"), sentence.original, size)


def _grown(text: str, words: list[re.Match[str]], first: int, last: int) -> Span:
    """The words and the capitalised or numbered words that touch them on both sides."""
    while (
        first
        and _is_name_word(words[first - 1][0], opens=True)
        and text[words[first - 1].end() : words[first].start()] == " "
    ):
        first -= 1
    while (
        last < len(words) and _is_name_word(words[last][0]) and text[words[last - 1].end() : words[last].start()] == " "
    ):
        last += 1
    return Span(words[first].start(), words[last - 1].end())


def _by_title(document: Document) -> Iterator[Found]:
    """A heading or a `title:` of the front matter whose words come up again in the text."""
    for number, sentence in enumerate(document.sentences[:4]):
        title = re.sub(r"^title:\s*", "", sentence.text, flags=re.IGNORECASE).strip("\"'")
        if title == sentence.text and sentence.kind != "heading":
            continue
        again = sum(frozenset(stems(title)) <= other.stems for other in document.sentences[number + 1 :])
        if again and stems(title):
            yield Found(flat(title), sentence.original, _BY_TITLE)


def _by_count(document: Document) -> Iterator[Found]:
    """Runs of capitalised words within sentences, by how often and how early they stand."""
    runs: list[tuple[str, int]] = []
    for number, sentence in enumerate(document.sentences):
        spans = [span for span in capitals(document.text, sentence.span) if not is_dated(document.text, span)]
        runs += [(span.of(document.text), number) for span in spans]
    counts = Counter(name for name, _ in runs)
    for name, number in runs:
        score = min(0.8, _BY_COUNT + 0.1 * counts[name] + 0.05 * name.count(" ") - 0.02 * number)
        yield Found(flat(name).strip("'’"), document.sentences[number].original, score)


def is_dated(text: str, span: Span) -> bool:
    """Whether a run of capitals and figures is a date, a month or a bare number."""
    words = [word.lower() for word in span.of(text).split() if not any(char.isdigit() for char in word)]
    return all(word in _CALENDAR for word in words)


def _japanese_subject(document: Document) -> Iterator[Found]:
    for number, sentence in enumerate(document.sentences[:3]):
        if not is_japanese(sentence.text):
            continue
        for match in _JA_TERM.finditer(sentence.text):
            mixed = bool(re.search("[\u30a1-\u30ff]", match[0])) + bool(re.search("[A-Za-z0-9Ａ-Ｚ０-９]", match[0]))
            topic = sentence.text[match.end() : match.end() + 1] in ("は", "の", "、", "")
            score = 0.3 + 0.1 * mixed + 0.1 * topic + 0.01 * min(len(match[0]), 12) - 0.05 * number
            yield Found(match[0], sentence.original, score)


def _one_name(document: Document, wanted: Wanted, about: Relevance) -> Found | None:
    many = find_texts(document, wanted, about)
    return Found(many.value[0], many.evidence, many.score) if many and len(many.value) == 1 else None


def _people(document: Document, sentence: Sentence, wanted: Wanted) -> list[str]:
    """The names in a sentence that its clause does not deny, without titles, in order, each once."""
    if is_japanese(sentence.text):
        return list(dict.fromkeys(_JA_PERSON.findall(sentence.text)))
    names: list[str] = []
    for clause in sentence.clauses:
        for span in capitals(document.text, clause.span, initial=clause.span.start):
            words = [word for word in span.of(document.text).split() if word.strip(".").lower() not in _TITLES]
            name = " ".join(words).removesuffix("'s").strip("'’.,")
            if (
                name
                and not any(char.isdigit() for char in name)
                and not frozenset(stems(name)) & wanted.stems
                and not _denied(document.text, clause, span)
            ):
                names.append(name)
    return list(dict.fromkeys(names))


def _denied(text: str, clause: Clause, span: Span) -> bool:
    after = " ".join(text[span.end : clause.span.end].split()[:2])
    return clause.is_elsewhere(span.start) or bool(NEGATOR.search(after))


def capitals(text: str, within: Span, initial: int | None = None) -> Iterator[Span]:
    """Runs of capitalised words; a sentence's first word alone only where `_may_open` says so."""
    words = list(_WORD.finditer(text, within.start, within.end))
    at = 0
    while at < len(words):
        last = at
        while (
            last < len(words)
            and _is_name_word(words[last][0], opens=last == at)
            and (last == at or text[words[last - 1].end() : words[last].start()] in (" ", "\n", ". "))
        ):
            last += 1
        if last > at and not (
            words[at].start() == within.start and last - at == 1 and not _may_open(text, words, at, initial)
        ):
            yield Span(words[at].start(), words[last - 1].end())
        at = max(last, at + 1)


def _may_open(text: str, words: list[re.Match[str]], at: int, initial: int | None) -> bool:
    """Whether a lone capitalised first word may be a name: `Osei and Lindqvist`, `Dunja has`; not `Visitors may`."""
    if initial is None or at + 1 >= len(words):
        return initial is not None
    after = words[at + 1][0]
    return after in ("and", "has", "is", "was") or _is_name_word(after) or text[words[at].end()] in ",."


def _is_name_word(word: str, opens: bool = False) -> bool:
    """Whether a word may belong to a name, or open it: `The` and `B20` belong to one, neither opens it."""
    if opens and folded(word).rstrip("'") in STOP:
        return False
    return word[0].isupper() or any(char.isdigit() for char in word)


def _items(sentence: Sentence) -> list[str]:
    """The items after a colon, or the parts of a sentence that is an enumeration."""
    _, colon, tail = sentence.text.partition(":")
    body = (tail if colon else sentence.text).strip().rstrip(".。!")
    items = [item.strip() for item in _ITEM_CUT.split(flat(body)) if item.strip()]
    return items if (colon and items) or len(items) > 2 else []


def _bare(word: str) -> str:
    return re.sub(r"[^\w]", "", folded(word))
