"""Sentences of a Markdown or plain text, English or Japanese, each as a slice of the original."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from sekisho.text.line_marks import LINE

# What holds a sentence: a paragraph, a list's item, either of them with nothing but links, a heading, a table's head or
# body row, or a line of anything else that is no running text (front matter, code, HTML).
Kind = Literal["prose", "item", "links", "heading", "head", "row", "line"]

_FENCE = re.compile(r"(?:---|\.\.\.)\s*\Z")
# Marks before a sentence's first word: heading, quote, bullet, table bar; before a block's, a list's number too.
_LEAD = re.compile(r"(?:\s|#{1,6}(?=\s)|>|[-*+](?=\s)|\|)+")
_BLOCK_LEAD = re.compile(r"(?:\s|#{1,6}(?=\s)|>|[-*+](?=\s)|\d{1,3}[.)](?=\s))+")
# What closes the sentence before it although the segmenter leaves it to the next: emphasis, brackets, quotes.
_CLOSING = re.compile(r"(?:\*{1,3}|_{1,3}|[)\]」』）”])+(?=\s|\Z)")
# Abbreviations that never end a sentence, and those that stand before a number.
_BEFORE_WORDS = re.compile(r"\b(?:e\.g|i\.e|cf|vs|viz|incl|esp)\.\s*\Z", re.IGNORECASE)
# A unit's full stop may end a sentence, which the segmenter takes for an abbreviation's: `18 m. Then`.
_AFTER_UNIT = re.compile(r"(?:(?<=\d)|(?<=\d[ \u00a0]))[a-z]{1,2}\.(?=\s+[A-Z][a-z])")
_BEFORE_NUMBER = re.compile(r"\b(?:[Aa]pprox|[Cc]a|[Ee]st|[Mm]ax|[Mm]in|Nos?|Nr|Vol|vol|p|pp)\.\s*\Z")
# The segmenter takes `no.` for `number`: behind a label it is an answer, unless a number follows.
_AFTER_ANSWER = re.compile(
    r"(?:\w[*_`]{0,3}[:=][*_`]{0,3}|\s[-–—|])\s+[*_`]{0,3}(?i:no|yes|none|n/a|tb[acd]|unknown|[✓✔✗✘])[*_`]{0,3}\.[*_`]{0,3}\s+"
    r"(?=[*_`]{0,3}[A-Z][a-z])"
)
_TAIL = 30
_STOPS_OR_BRACKET = re.compile("[「『（(【」』）)】]|[。!?！？]+")
_BRACKETED = 300
# What the segmenter gets at once: on a unit without an end its time is quadratic.
_WINDOW = 4000
_SURROGATE = re.compile("[\ud800-\udfff]")
# A sentence that ends in an address, a file's name or a unit: the segmenter takes `gov.`, `m.` for abbreviations.
_AFTER_NAME = re.compile(
    r"(?:\betc|\w[\w@-]\.[a-z]{2,6}|\d\s?[A-Za-zµ°%Ω]{1,4}(?:/[A-Za-z]{1,4})?[²³]?)\.\s+(?=[A-Z][a-z'-]*\s)"
)
# A letter or short word that the segmenter takes for an initial or an abbreviation (`plan A. Plan B`, `pH. Contrary`):
# it ends a sentence before a word that is no name, and a letter that names a thing does before any.
_OPENERS = (
    "The|This|That|These|Those|It|He|She|We|They|You|There|Here|An?|In|On|At|For|From|With|By|To|As|After|Before|"
    "During|Since|Until|Under|If|When|While|Where|Although|Because|But|And|However|Contrary|Instead|Moreover|Therefore|"
    "Thus|Then|Also|Both|Each|Every|All|Some|Most|Many|No|None|Nothing|Nobody|Neither|Not|Its|His|Her|Their|Our|My|Your|"
    "Please|Do|Does|Is|Are|Can|What|Who|Why|How"
)
_NAMED = (
    "plan|plans|appendix|annex|exhibit|schedule|option|vitamin|type|grade|class|group|section|part|table|figure|building|"
    "hall|gate|team|version|step|level|zone|variant|hepatitis|point|category|column|row|case|phase|model|room|terminal"
)
_AFTER_LETTER = re.compile(
    rf"(?:(?<![.\w])(?!(?:e\.g|i\.e|cf|vs|viz|Dr|Mrs?|Ms|Prof|St|No)\.)[A-Za-z]{{1,6}}[.]\s+(?=(?:{_OPENERS})\s)|"
    rf"\b(?i:{_NAMED})\s[A-Z]\.\s+(?=[A-Z][a-z]*\s))"
)
# What ends a sentence and the segmenter does not know: footnotes' marks behind the stop, a note of music, a laugh.
_AFTER_SIGN = re.compile(
    r"(?<=[^\W\d])[.!?][\"')]*(?:\[\d{1,3}\]|[\u00b2\u00b3\u00b9\u2070-\u2079])+\s+(?=[A-Z\"'(])|[♪♬]+\s*|"
    r"(?<=[\u3041-\u30ff\u4e00-\u9fff])(?:w{2,}|[(（]笑[)）])(?:\s+|(?=[\u3041-\u30ff\u4e00-\u9fff]))"
)
_AFTER = (_AFTER_NAME, _AFTER_LETTER, _AFTER_SIGN, _AFTER_ANSWER)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch `text[start:end]` of the original, without white space or block marks at its ends."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The words themselves."""
        return text[self.start : self.end]


def sentences(text: str) -> list[Span]:
    """The sentences in order; they never overlap, never cross a block, and leave out only white space and marks.

    A heading, a table's row, a line of code and a line of front matter are sentences of their own; a hard-wrapped
    sentence keeps its line breaks.
    """
    return [span for span, _ in kinded_sentences(text)]


def kinded_sentences(text: str) -> list[tuple[Span, Kind]]:
    """The sentences in order, each with what holds it."""
    found: list[tuple[Span, Kind]] = []
    for block, kind in _blocks(text):
        is_running = kind not in ("head", "row", "line")
        found += ((span, kind) for span in (_split(text, block) if is_running else _trimmed(text, [block])))
    return found


def sentence_starts(words: str) -> list[int]:
    """Where the sentences of one block begin; `words` are its words without marks."""
    starts = {span.start for span in _joined(words, _closed(words, _bounds(words)))}
    # It also cuts `sys.Path`, where nothing shows that a sentence ends.
    starts = {at for at in starts if not at or words[at - 1].isspace() or not words[at - 1].isascii()}
    known = (match.end() for pattern in _AFTER for match in pattern.finditer(words))
    return sorted(starts | {at for at in known if at < len(words)} | set(_after_stops(words)))


def _after_stops(words: str) -> Iterator[int]:
    """The places behind a 。 outside of brackets; the segmenter sees none where Latin letters follow."""
    opened: list[int] = []
    for match in _STOPS_OR_BRACKET.finditer(words):
        after = words[match.end() : match.end() + 1]
        if match[0] in "「『（(【":
            opened.append(match.start())
        elif match[0] in "」』）)】":
            del opened[-1:]
        elif not after or after in "」』）)】" or ("。" not in match[0] and after.isascii()):
            continue
        elif not opened or match.start() - opened[-1] > _BRACKETED:
            opened.clear()
            yield match.end()


def _bounds(words: str) -> list[tuple[int, int]]:
    """Where the segmenter sees sentences; it is asked for a stretch at a time, and each goes on from its last one."""
    from sentencex import get_sentence_boundaries  # late: it loads its tables of abbreviations

    words = _SURROGATE.sub("\ufffd", words)
    found: list[tuple[int, int]] = []
    at, held = 0, 0  # the stretch's beginning, and that of a sentence which is longer than a stretch
    while at < len(words):
        pieces = get_sentence_boundaries("en", words[at : at + _WINDOW])
        spans = [(at + piece["start_index"], at + piece["end_index"]) for piece in pieces]
        if held < at:
            spans[:1] = [(held, spans[0][1] if spans else at)]
        is_last = at + _WINDOW >= len(words)
        found += spans if is_last else spans[:-1]
        if len(spans) > 1:
            held = at = spans[-1][0]
        else:
            at += _WINDOW
        if is_last:
            break
    return found


def _blocks(text: str) -> Iterator[tuple[Span, Kind]]:
    """The blocks in order; what the parser sees no running text in comes line by line."""
    lines = [Span(m.start(), m.end()) for m in LINE.finditer(text) if m.end() > m.start()]
    head = _front_matter(text, lines)
    body = "".join(re.sub(r"[\r\n\0]", "", line.of(text)) + "\n" for line in lines[head:])
    tokens = _parser().parse(body)
    rows = {number + head: kind for number, kind in _rows(tokens)}
    at = 0
    for first, last, kind in _ranges(tokens):
        first, last = first + head, min(last + head, len(lines))
        yield from ((lines[number], rows.get(number, "line")) for number in range(at, first))
        if last > first:
            yield Span(lines[first].start, lines[last - 1].end), kind
        at = max(at, last)
    yield from ((lines[number], rows.get(number, "line")) for number in range(at, len(lines)))


def _front_matter(text: str, lines: list[Span]) -> int:
    """How many lines the YAML between two `---` takes, both included."""
    if not lines or lines[0].of(text).rstrip() != "---":
        return 0
    ends = (number for number, line in enumerate(lines[1:], start=2) if _FENCE.match(line.of(text)))
    return next(ends, 0)


def _ranges(tokens: Sequence[Token]) -> Iterator[tuple[int, int, Kind]]:
    """Line ranges of running text; rows of tables and lines of code are left out, for they stand alone."""
    in_table, lists = False, 0
    for before, token in zip((None, *tokens), tokens, strict=False):
        lists += token.nesting if "_list_" in token.type else 0
        if token.type in ("table_open", "table_close"):
            in_table = token.type == "table_open"
        elif token.type == "inline" and token.map and not in_table:
            kind: Kind = "links" if _is_links(token.children or ()) else "item" if lists else "prose"
            yield token.map[0], token.map[1], "heading" if before and before.type == "heading_open" else kind


def _is_links(parts: Sequence[Token]) -> bool:
    inside, outside, links = 0, "", 0
    for part in parts:
        inside += part.nesting if part.type in ("link_open", "link_close") else 0
        links += part.type == "link_open"
        outside += "" if inside else part.content
    return links > 0 and not any(char.isalnum() for char in outside)


def _rows(tokens: Sequence[Token]) -> Iterator[tuple[int, Kind]]:
    """The rows of tables, which parse as single lines."""
    row: Kind = "head"
    for token in tokens:
        if token.type in ("thead_open", "tbody_open"):
            row = "head" if token.type == "thead_open" else "row"
        elif token.type == "tr_open" and token.map:
            yield from ((number, row) for number in range(*token.map))


def _split(text: str, block: Span) -> Iterator[Span]:
    lead = _BLOCK_LEAD.match(text, block.start, block.end)
    start = lead.end() if lead else block.start
    bounds = [(start + first, start + last) for first, last in _bounds(text[start : block.end])]
    bounds = [part for bound in bounds for part in _parted(text, *bound)]
    yield from _trimmed(text, _joined(text, _closed(text, bounds)))


def _trimmed(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """The spans without marks and white space around them; those without a letter or digit are left out."""
    for span in spans:
        lead = _LEAD.match(text, span.start, span.end)
        start = lead.end() if lead else span.start
        end = start + len(text[start : span.end].rstrip().removesuffix("|").rstrip())
        if any(char.isalnum() for char in text[start:end]):
            yield Span(start, end)


def _closed(text: str, bounds: list[tuple[int, int]]) -> Iterator[Span]:
    """The bounds moved behind closing marks."""
    shift = 0
    for number, (start, end) in enumerate(bounds):
        start += shift
        closing = _CLOSING.match(text, end) if number + 1 < len(bounds) and not text[end - 1].isspace() else None
        shift = closing.end() - end if closing else 0
        if end + shift > start:
            yield Span(start, end + shift)


def _parted(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    found = (one.end() for pattern in (_AFTER_UNIT, _AFTER_ANSWER) for one in pattern.finditer(text, start, end))
    for at in sorted({at for at in found if at < end}):
        yield start, at
        start = at
    yield start, end


def _joined(text: str, spans: Iterator[Span]) -> Iterator[Span]:
    """Spans that one sentence was cut into: `approx. | 5 m`, 「…」 | と書いてある."""
    held: Span | None = None
    for span in spans:
        if held is not None and _goes_on(text[max(held.start, held.end - _TAIL) : held.end], text[span.start]):
            held = Span(held.start, span.end)
            continue
        if held is not None:
            yield held
        held = span
    if held is not None:
        yield held


def _goes_on(before: str, after: str) -> bool:
    if before.endswith(("」", "』")):
        return "\u3041" <= after <= "\u309f"
    if _BEFORE_WORDS.search(before):
        return True
    return bool(_BEFORE_NUMBER.search(before)) and after.isdigit()


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.parse("a")  # it compiles its rules at the first use, which two threads must not do at once
    return parser
