"""Which sources a question names, and what it asks for besides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sekisho.agents.local.document import Document
from sekisho.agents.local.spans import SUBJECT_TITLES
from sekisho.agents.local.words import STOP, folded, stems
from sekisho.units import canonical

_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?")
_TITLE = re.compile(r"\s*title:\s*(?P<title>.+)", re.IGNORECASE)
_CJK = "\u30a1-\u30fa\u30fc-\u30ff\u3400-\u9fff々"
# What tells Kiln 3 from Kiln 2, or Pump A from Pump B: it stands at the end of the name.
_MARKED = re.compile(rf"(?P<base>.*?[a-z{_CJK}])(?P<gap>\s*)(?P<mark>\d+\s?[a-z]?|(?<=\s)[a-z])")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*(?:[a-z](?![a-z0-9]))?|[a-z]+(?:'[a-z]+)?")
_OWNING = re.compile(r"'s\b")
_IS_MARK = re.compile(r"\d+[a-z]?|[a-z]")
_NUMBER_SIGN = frozenset({"no", "nr", "number"})
_JOINS = frozenset({"and", "or"})
# A letter `a` or `i` in the middle of a question is a word, unless it is followed by what only a name is.
_AFTER_A_NAME = re.compile(r"is|are|was|were|ha[sd]|have|do|does|did|can|may|must|will|and|or|in|on|at|to|for|be")


@dataclass(frozen=True)
class Name:
    """A name of a source: `Kiln 3`, 窯3."""

    title: str

    @cached_property
    def plain(self) -> str:
        return _plain(self.title)

    @cached_property
    def _parts(self) -> tuple[str, str]:
        found = _MARKED.fullmatch(self.plain)
        return (found["base"].strip(), found["mark"].replace(" ", "")) if found else (self.plain, "")

    @property
    def base(self) -> str:
        """The name without what tells it from its like: `kiln`."""
        return self._parts[0]

    @property
    def mark(self) -> str:
        """The number or letter at the end: `3`, `a`, `12a`, or nothing."""
        return self._parts[1]

    @cached_property
    def marks(self) -> frozenset[str]:
        """All words and numbers that the name may leave in a question."""
        return frozenset([*stems(self.title), *_TOKEN.findall(self.plain), *re.findall(r"\d+|[a-z]\Z", self.mark)])

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset([*stems(self.base), *re.findall(r"\d+", self.base)])

    @cached_property
    def _spelled(self) -> re.Pattern[str]:
        joined = re.escape(self.base) + (rf"\s*{re.escape(self.mark)}" if self.mark else "")
        single = "(?<!の)" if len(self.plain) == 1 else ""  # 山の水 is not 水
        before = rf"(?<![{_CJK}]){single}" if re.match(f"[{_CJK}]", self.plain) else ""
        after = rf"(?![{_CJK}])" if re.search(f"[{_CJK}]\\Z", self.plain) else ""
        return re.compile(rf"(?<![a-z0-9]){before}{joined}(?![a-z0-9]|[.,]\d){after}")

    def __bool__(self) -> bool:
        return bool(self.plain) and self.title != "I"

    def is_in(self, text: str) -> bool:
        """Whether a text has the name: as it is spelled, or word by word with its number right behind."""
        if self.plain.isdigit() or (not self._words and self.title.isascii()):
            return self._stands_alone(text)
        plain = _plain(text)
        if self.mark and self.base.isascii():
            return self._words <= _words(plain) and self.mark in marks_behind(self.base, text)
        if self._spelled.search(plain) is not None:
            return True
        return self.base.isascii() and not self.mark and bool(self._words) and self._words <= _words(plain)

    def _stands_alone(self, text: str) -> bool:
        """A name of one letter, a number or a common word counts with a capital, and never as the first word."""
        spelled = self.title[:1].upper() + self.title[1:]
        behind = r"(?=[のはがを]|\W*\Z|\s+(?:is|was|has|does|did|can)\b)" if spelled.isdigit() else r"(?![\w'’])"
        found = re.search(rf"(?<![\w'’]){re.escape(spelled)}{behind}", text)
        return found is not None and (found.start() > 0 or re.match("[のはがを]", text[found.end() :]) is not None)

    def is_part_of(self, other: Name) -> bool:
        """Whether another name is this one and more: `Kiln` and `Kiln 3`."""
        if self.plain == other.plain or (self.mark and self.mark != other.mark):
            return False
        return (bool(self._words) and self._words | {self.mark} < other._words | {other.mark, ""}) or (
            self.plain in other.plain and self._spelled.search(other.plain) is not None
        )

    def out_of(self, question: str) -> str:
        """The question without the name; the whole of it where nothing else is asked."""
        left = self.cut_from(question)
        return " ".join(left.split()) if stems(left) else question

    def cut_from(self, text: str) -> str:
        """A text without the name, and without its words."""
        spelled = re.escape(self.title).replace(r"\ ", r"[\s_-]*(?:no\.?|nr\.?|number|\#)?\s*")
        left = re.sub(rf"(?<![A-Za-z0-9]){spelled}(?![A-Za-z0-9])", " ", text, flags=re.IGNORECASE)
        return _WORD.sub(lambda word: " " if (own := _words(folded(word[0]))) and own <= self._words else word[0], left)


def marks_behind(base: str, text: str) -> list[str]:
    """The numbers and letters right behind a name's last word: 3 and 4 in `Kiln 3`, `kiln no. 3`, `Kilns 3 and 4`."""
    if not base.isascii():
        return re.findall(rf"(?<![{_CJK}]){re.escape(base)}\s*(\d+[a-z]?)(?![a-z0-9]|[.,]\d)", _plain(text))
    last = (stems(base) or _TOKEN.findall(base) or [""])[-1]
    tokens = [(match[0], match.start(), match.end()) for match in _TOKEN.finditer(_OWNING.sub("  ", _plain(text)))]
    found: list[str] = []
    for at, (word, _, _) in enumerate(tokens):
        if (stems(word) or [word])[-1] != last or word.isdigit():
            continue
        rest = [one for one in tokens[at + 1 :] if one[0] not in _NUMBER_SIGN]
        many = word.endswith("s") and not base.endswith(word)
        while rest and _is_mark(text, rest):
            found.append(rest[0][0])
            rest = rest[1:]
            while many and rest and rest[0][0] in _JOINS:
                rest = rest[1:]
            if not many:
                break
    return found


def _is_mark(text: str, rest: Sequence[tuple[str, int, int]]) -> bool:
    """Whether a word behind a name is its number or letter: neither `a` before a noun nor a number before a unit."""
    (word, start, _), following = rest[0], (rest[1][0] if len(rest) > 1 else "")
    if _IS_MARK.fullmatch(word) is None:
        return False
    if word in ("a", "i"):
        shown = text[start : start + 1] if len(_plain(text)) == len(text) else ""
        return shown.isupper() or not following or _AFTER_A_NAME.fullmatch(following) is not None
    return not word.isdigit() or not following or following in STOP or canonical(following) is None


def _plain(text: str) -> str:
    return re.sub(r"(?<=\w)[_\-‐–](?=\w)", " ", folded(text)).strip()


def _words(plain: str) -> frozenset[str]:
    return frozenset([*stems(plain), *re.findall(r"\d+", plain)])


def names(source: str, documents: Sequence[Document], fact: Mapping[str, Any]) -> list[Name]:
    """What a source is called: its file's name, its title, its first heading, the name that its fact holds."""
    file = source.rsplit("/", 1)[-1]
    titles = [re.sub(r"[_./-]+", " ", re.sub(r"\A[\d_./-]+(?=.)", "", file)).strip()]
    for document in documents[:1]:
        titles += [match["title"].strip() for one in document.sentences[:4] if (match := _TITLE.match(one.text))]
        titles += [one.text.strip("# \n") for one in document.sentences if one.kind == "heading"][:1]
    titles += [value for field, value in fact.items() if isinstance(value, str) and folded(field) in SUBJECT_TITLES]
    return [name for title in dict.fromkeys(titles) if (name := Name(title))]


def named(
    question: str, documents: Mapping[str, Sequence[Document]], facts: Mapping[str, Mapping[str, Any]]
) -> dict[str, Name]:
    """The sources that the question names, each with the longest of its names that stands there.

    A question that names something else, such as Kiln 4 where there are Kiln 1 to 3, has that name alone, under itself:
    only a sentence that holds the name can answer it.
    """
    known = {source: names(source, documents[source], facts.get(source, {})) for source in documents}
    found: dict[str, Name] = {}
    for source, own in known.items():
        called = [name for name in own if name.is_in(question)]
        if called:
            found[source] = max(called, key=lambda name: len(name.title))
    found = {source: name for source, name in found.items() if not _is_covered(name, found.values())}
    texts = [
        " ".join(
            [*(one.original for one in documents[source]), *(name.title for name in known[source])]
            + [f"{field.replace('_', ' ')} {value}" for field, value in facts.get(source, {}).items()]
        )
        for source in documents
    ]
    every = [name for own in known.values() for name in own]
    return {name.title: name for name in unknown(question, every, list(found.values()), texts)} or found


def unknown(question: str, known: Sequence[Name], called: Sequence[Name], texts: Sequence[str]) -> list[Name]:
    """The names in the question that are no source's: of another number or letter, or in no source's text."""
    marks = {(name.base, name.mark) for name in known if name.mark}
    others = [
        Name(f"{base}{' ' if base.isascii() else ''}{mark}")
        for base in sorted({base for base, _ in marks})
        for mark in marks_behind(base, question)
        if (base, mark) not in marks and not any(mark == name.mark for name in called)
    ]
    if others:
        return others
    topic = _TOPIC.match(folded(question).strip())
    if topic and not called and _ASKS.search(topic[0]) is None:
        pairs = stems(topic[0])
        plain = [folded(text) for text in texts]
        alone = re.compile(rf"(?<![{_CJK}]){re.escape(topic[0])}(?![{_CJK}])")
        # 冷却ポンプ is another than ポンプ.
        if any(topic[0].endswith(name.plain) for name in known):
            pairs = []
        if not any(any(pair in text for pair in pairs) if pairs else alone.search(text) for text in plain):
            return [Name(topic[0])]
    return [Name(run) for run in _capitalised(question, called) if not _is_told(run, texts)]


# What a Japanese question begins with and is about.
_TOPIC = re.compile(rf"[{_CJK}a-z0-9]*[{_CJK}](?=[のはがを])")
_ASKS = re.compile("[何誰]")
_RUN = re.compile(r"(?<=[a-z,0-9] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]*| \d+\b)*")
_CALENDAR = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|christmas|easter"
)


def _capitalised(question: str, called: Sequence[Name]) -> list[str]:
    """The proper names in an English question, without those of sources; none where every word has a capital."""
    long = [word for word in re.findall(r"[A-Za-z]+", question)[1:] if len(word) > 3]
    if long and all(word[0].isupper() for word in long) and len(long) > 2:
        return []
    runs = [match[0] for match in _RUN.finditer(question)]
    for name in called:
        runs = [name.cut_from(run).strip() for run in runs]
    return [
        " ".join(kept)
        for run in runs
        if (
            kept := [
                word
                for word in run.split()
                if word[0].isupper()
                and (low := folded(word).removesuffix("'s")) not in STOP
                and _CALENDAR.fullmatch(low) is None
                and canonical(word) is None
                and canonical(low) is None
            ]
        )
    ]


def _is_told(run: str, texts: Sequence[str]) -> bool:
    """Whether one source uses all words of a proper name."""
    words = set(stems(run))
    return not words or any(words <= set(stems(text)) for text in texts)


def _is_covered(name: Name, others: Iterable[Name]) -> bool:
    return any(name.is_part_of(other) for other in others)
