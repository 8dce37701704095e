"""References from one record to others: links, mentions such as `ADR-0013 / 0015`, and file names."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from sekisho.decision import LinkKind
from sekisho.sources.decisions.page import Block, Ref
from sekisho.sources.decisions.relations import Sentence

_MENTION = re.compile(
    r"(?<![\w/.-])ADR(?:[-\s#:._]{0,3}(?:No\.\s?)?(?P<number>\d{1,4})"
    r"|[-\s](?P<category>[A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*)-(?P<in_category>\d{1,4}))(?![\d\w])"
    r"|(?<![\w\])!])\[(?P<bracketed>\d{3,4})\](?![(\[:])",
    re.IGNORECASE,
)
# `ADR-0013 / 0015`: a later number without its prefix, as wide as the one before.
_AND = re.compile(r"(?:\s*(?:[/,、・&+]|and\b|or\b|および|と)\s*)(?P<number>\d{2,4})(?![\d\w%]|\.\d)")
_FILE = re.compile(
    r"(?<![\w@])(?:https?://[^\s<>()]{1,300}?|[\w./-]{0,200}[\w-])\.(?:md|mdx|rst|html)\b", re.IGNORECASE
)
# `Superseded by 0012` and `[[0012-use-x]]`: numbers and names that only their place makes references.
_BARE = re.compile(
    r"\b(?:super[sc]ed(?:ed by|es)|replaced by|replaces|amend(?:ed by|s))\s*:?\s*#?(?P<name>\d{1,4}(?:-[\w-]*\w)?)"
    r"(?![\w%]|[./-]\d)|\[\[(?P<wiki>[^\[\]|#]{1,200})",
    re.IGNORECASE,
)
# Another project's name before `ADR-028`: a word with a capital that is none of those a sentence begins with.
_CAPITAL = re.compile(r"(?P<word>[A-Z][\w.+]*)(?:['’]s)?[ \t]+\Z")
_OPENERS = frozenset(
    (
        *("a", "also", "although", "amended", "amends", "an", "and", "as", "because", "before", "both", "but"),
        *("by", "clarifies", "compare", "context", "decision", "deprecated", "from", "if", "implements", "in"),
        *("like", "link", "links", "note", "on", "our", "parts", "per", "previous", "refer", "reference"),
        *("references", "refines", "related", "relates", "replaced", "replaces", "see", "since", "some"),
        *("status", "superseded", "supersedes", "accepted", "proposed", "that", "the", "these", "this", "those"),
        *("through", "to", "under", "unlike", "using", "we", "when", "where", "while", "with"),
    )
)
_WORD = 80  # characters before a mention in which that name is looked for
_QUOTE_MARKS = "\"'“‘「『`"
_SENTENCE_END = re.compile(
    r"(?<=[^\W\d][.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!cf\.)(?<!vs\.)\s+(?=[A-Z_\"“(])"
    r"|(?<=[)\]\"”][.!?])\s+(?=[A-Z_])|(?<=[。！？])"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference as written: a link's `target`, or the `number` or `category` of a mention; and what it says.

    `in_passing` marks a file name in running text, which is no link: it means that very file or nothing.
    """

    shown: str
    kind: LinkKind = "relates"
    partial: bool = False
    target: str = ""
    number: int | None = None
    category: str = ""
    in_passing: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    start: int
    end: int
    reference: Reference


def references_in(block: Block, *, default: LinkKind | None = None, about_itself: bool) -> Iterator[Reference]:
    """The references of a block.

    `about_itself` says that it stands where a record speaks of itself: its status, its links, its opening lines;
    elsewhere only a sentence about `this decision` makes more of a reference than `relates`. `default` is the kind of
    those that no word in their sentence describes.
    """
    places = sorted(_places(block), key=lambda place: place.start)
    words = _blanked(block.text, places)
    ends = [*(m.end() for m in _SENTENCE_END.finditer(words)), len(words)]
    for number, found in groupby(places, key=lambda place: bisect_right(ends, place.start)):
        start = ends[number - 1] if number else 0
        sentence = Sentence(words[start : ends[number]])
        for nth, place in enumerate(found):
            kind, partial = sentence.says(place.start - start, place.end - start, default)
            if not about_itself and not sentence.speaks_of_itself(kind, another_before=nth > 0):
                kind = "relates"
            yield replace(place.reference, kind=kind, partial=partial and kind != "relates")


def references_in_text(text: str, *, default: LinkKind, bare: bool = True) -> Iterator[Reference]:
    """The references of a value of front matter; with `bare`, numbers and names that stand there alone are too."""
    block = Block(kind="text", text=text, refs=_markdown_refs(text), lines=(0, 0))
    found = list(references_in(block, default=default, about_itself=True))
    if bare and not found:
        for part in re.split(r"[,\s、]+", text):
            if m := re.fullmatch(r"#?0*(\d{1,4})", part.strip("[]\"'")):
                found.append(Reference(shown=part, kind=default, number=int(m[1])))
            elif re.fullmatch(r"[\w.-]*\d{2,4}[\w.-]*", part):
                found.append(Reference(shown=part, kind=default, target=part))
    yield from found


def _places(block: Block) -> Iterator[_Place]:
    """Where references stand; not read are code and the text of a link that leads somewhere, for its target knows."""
    text = block.text
    taken = bytearray(len(text))
    for ref in block.refs:
        if ref.target and not ref.target.startswith("#"):
            taken[ref.start : ref.end] = b"x" * (ref.end - ref.start)
            yield _Place(ref.start, ref.end, Reference(shown=text[ref.start : ref.end], target=ref.target))
    for m in _FILE.finditer(text):
        if not taken[m.start()]:
            taken[m.start() : m.end()] = b"x" * (m.end() - m.start())
            yield _Place(*m.span(), Reference(shown=m[0], target=m[0], in_passing=True))
    for m in _BARE.finditer(text):
        name = "name" if m["name"] else "wiki"
        if not taken[m.start(name)] and not re.match(r"\s*ADR\W*\d", m[name], re.IGNORECASE):
            taken[m.start(name) : m.end(name)] = b"x" * len(m[name])
            yield _Place(*m.span(name), _named(m[name]))
    for start, end in block.code:
        taken[start:end] = b"x" * (end - start)
    for m in _MENTION.finditer(text):
        if not taken[m.start()] and not _is_anothers(text[max(0, m.start() - _WORD) : m.start()]):
            yield from _mentions(text, m)


def _mentions(text: str, m: re.Match[str]) -> Iterator[_Place]:
    """A mention and the bare numbers that go on from it."""
    digits = m["number"] or m["in_category"] or m["bracketed"]
    category = (m["category"] or "").upper()
    yield _Place(*m.span(), _mention(m[0], category, digits))
    wide = len(digits) > 2 or digits[0] == "0"
    at = m.end()
    while wide and (more := _AND.match(text, at)) and len(more["number"]) == len(digits):
        yield _Place(more.start("number"), more.end(), _mention(more["number"], category, more["number"]))
        at = more.end()


def _named(name: str) -> Reference:
    return Reference(name, number=int(name)) if name.isdecimal() else Reference(name, target=f"{name}.md")


def _mention(shown: str, category: str, digits: str) -> Reference:
    if category:
        return Reference(shown=shown, category=f"{category}-{int(digits)}")
    return Reference(shown=shown, number=int(digits))


def _is_anothers(before: str) -> bool:
    """Whether what stands before a mention makes it another project's, or an example in quotation marks."""
    capital = _CAPITAL.search(before)
    return before[-1:] in tuple(_QUOTE_MARKS) or (capital is not None and capital["word"].casefold() not in _OPENERS)


def _blanked(text: str, places: Iterable[_Place]) -> str:
    """The text with references made blank: a title in a link is not what the sentence says."""
    chars = list(text)
    for place in places:
        chars[place.start : place.end] = "_" * (place.end - place.start)
    return "".join(chars)


def _markdown_refs(text: str) -> tuple[Ref, ...]:
    return tuple(Ref(m.start(), m.end(), m[1]) for m in re.finditer(r"\[[^\[\]]*\]\(([^()\s]+)\)", text))
