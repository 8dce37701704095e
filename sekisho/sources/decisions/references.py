"""References from one record to others: links, mentions such as `ADR-0013 / 0015`, and file names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from sekisho.decision import LinkKind
from sekisho.sources.decisions.page import Block, Ref
from sekisho.sources.decisions.relations import relation, speaks_of_itself

_MENTION = re.compile(
    r"(?<![\w/.-])ADR(?:[-\s#:._]{0,3}(?:No\.\s?)?(?P<number>\d{1,4})"
    r"|[-\s](?P<category>[A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*)-(?P<in_category>\d{1,4}))(?![\d\w])"
    r"|(?<![\w\])!])\[(?P<bracketed>\d{3,4})\](?![(\[:])",
    re.IGNORECASE,
)
# `ADR-0013 / 0015`: a later number without its prefix, as wide as the one before.
_AND = re.compile(r"(?:\s*(?:[/,、・&+]|and\b|or\b|および|と)\s*)(?P<number>\d{2,4})(?![\d\w%]|\.\d)")
_FILE = re.compile(r"(?<![\w@])(?:https?://[^\s<>()]+?|[\w./-]*[\w-])\.(?:md|mdx|rst|html)\b", re.IGNORECASE)
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
    for start, end in pairwise([0, *(m.end() for m in _SENTENCE_END.finditer(words)), len(words)]):
        inside = [place for place in places if start <= place.start < end]
        sentence = words[start:end]
        for place in inside:
            kind, partial = relation(sentence, place.start - start, place.end - start, default)
            another = any(other.start < place.start for other in inside)
            if not about_itself and not speaks_of_itself(sentence, kind, another_before=another):
                kind = "relates"
            yield replace(place.reference, kind=kind, partial=partial and kind != "relates")


def references_in_text(text: str, *, default: LinkKind) -> Iterator[Reference]:
    """The references of a value of front matter; a bare number or name is one too."""
    block = Block(kind="text", text=text, refs=_markdown_refs(text), lines=(0, 0))
    found = list(references_in(block, default=default, about_itself=True))
    if not found:
        for part in re.split(r"[,\s、]+", text):
            if m := re.fullmatch(r"#?0*(\d{1,4})", part.strip("[]\"'")):
                found.append(Reference(shown=part, kind=default, number=int(m[1])))
            elif re.fullmatch(r"[\w.-]*\d{2,4}[\w.-]*", part):
                found.append(Reference(shown=part, kind=default, target=part))
    yield from found


def _places(block: Block) -> Iterator[_Place]:
    """Where references stand; not read are code and the text of a link that leads somewhere, for its target knows."""
    taken: list[tuple[int, int]] = []
    for ref in block.refs:
        if ref.target and not ref.target.startswith("#"):
            taken.append((ref.start, ref.end))
            yield _Place(ref.start, ref.end, Reference(shown=block.text[ref.start : ref.end], target=ref.target))
    for m in _FILE.finditer(block.text):
        if _free(m.start(), taken):
            taken.append(m.span())
            yield _Place(*m.span(), Reference(shown=m[0], target=m[0], in_passing=True))
    for m in _MENTION.finditer(block.text):
        if _free(m.start(), [*taken, *block.code]) and not _is_anothers(block.text[: m.start()]):
            yield from _mentions(block.text, m)


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


def _mention(shown: str, category: str, digits: str) -> Reference:
    if category:
        return Reference(shown=shown, category=f"{category}-{int(digits)}")
    return Reference(shown=shown, number=int(digits))


def _is_anothers(before: str) -> bool:
    """Whether what stands before a mention makes it another project's, or an example in quotation marks."""
    capital = _CAPITAL.search(before[-80:])
    return before[-1:] in tuple(_QUOTE_MARKS) or (capital is not None and capital["word"].casefold() not in _OPENERS)


def _free(at: int, taken: Iterable[tuple[int, int]]) -> bool:
    return not any(start <= at < end for start, end in taken)


def _blanked(text: str, places: Iterable[_Place]) -> str:
    """The text with references made blank: a title in a link is not what the sentence says."""
    for place in places:
        text = text[: place.start] + "_" * (place.end - place.start) + text[place.end :]
    return text


def _markdown_refs(text: str) -> tuple[Ref, ...]:
    return tuple(Ref(m.start(), m.end(), m[1]) for m in re.finditer(r"\[[^\[\]]*\]\(([^()\s]+)\)", text))
