"""What a record decided, in its own words: the text that a reader, and a gate, takes for its summary."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sekisho.sentences import sentences
from sekisho.sources.decisions.dates import find_date
from sekisho.sources.decisions.front import first_of
from sekisho.sources.decisions.keys import SUMMARY_KEYS
from sekisho.sources.decisions.page import Block

SUMMARY_SIZE = 600  # characters: a paragraph or two
_ENOUGH = 160
_LONGEST_DATE_LINE = 80
_PROSE = ("", "context", "options", "consequences", "links")
_CHOICE = re.compile(r"[\[<][^\[\]<>]*(?:\.\.\.|…|\|)[^\[\]<>]*[\]>]")
_TEMPLATE = re.compile(
    r"(?:what is the (?:issue|change|status|problem)|the (?:issue|change) (?:motivating|that we)"
    r"|what becomes (?:easier|more)|this section describes|(?:in|use) this section"
    r"|(?:describe|explain|provide|write|list|state) (?:here|the (?:context|problem|decision|forces|architectur|issue"
    r"|response|change|option))|your (?:text|decision|context)|lorem ipsum|fill (?:in|this)"
    r"|(?:title|name) of (?:the )?option|to be (?:written|completed|added|determined|decided)|coming soon"
    r"|(?:ここに|この(?:節|項|欄|セクション)に).*(?:記述|記載|記入|書く)"
    r"|[^。]{0,30}を(?:記述|記載|記入)(?:する|してください)。?\Z)",
    re.IGNORECASE,
)
_LINE_IN_JAPANESE = re.compile(
    r"(?<=[\u3001-\u30ff\u3400-\u9fff\uff01-\uff60])\s*\n\s*(?=[\u3001-\u30ff\u3400-\u9fff])"
)
_NOTHING = re.compile(
    r"(?:tbd|todo|wip|n/?a|none|nothing|未定|未記入|なし|特になし|記載なし|\[?_?toc_?\]?)?\W*", re.IGNORECASE
)
_FIELD = re.compile(r"[\w /-]{2,30}[ \t]*[:：][ \t]*\S.{0,100}\Z", re.MULTILINE)
_Y_STATEMENT = re.compile(
    r"in the context of\b.{1,1000}\bdecided\b|の文脈(?:に|で).{1,500}(?:決定|選択|採用)", re.IGNORECASE | re.DOTALL
)


def summarise(front: Mapping[str, Any], blocks: Sequence[Block], title: str) -> str:
    """What was decided, at most `SUMMARY_SIZE` characters of plain text that stand in the record.

    From the front matter; a section that is called a summary; a Y-statement; the decision section; the first real
    paragraph; the title. A change log, a list of fields, a template's words and comments are none of these.
    """
    given = first_of(front, SUMMARY_KEYS)
    if given and not is_placeholder(given):
        return _cut(given)
    body = [block for block in blocks if block.kind == "heading" or _is_prose(block)]
    for chosen in (
        (block for block in body if block.section == "summary"),
        (block for block in body if block.kind != "heading" and _Y_STATEMENT.search(block.text)),
        (block for block in body if block.section == "decision"),
        _decision_or_context(body),
    ):
        if text := _gathered(chosen):
            return text
    return title


def is_placeholder(text: str) -> bool:
    """Whether a text is what a template has in its place, or says nothing."""
    text = unicodedata.normalize("NFKC", text).strip(" \t\r\n*_`>\"'")
    if _NOTHING.fullmatch(text) or _TEMPLATE.match(text):
        return True
    return _braced(text) * 2 >= len(text)


def _braced(text: str) -> int:
    """How many characters stand in braces, or in brackets that hold a choice."""
    count = depth = 0
    for char in _CHOICE.sub(lambda m: "{" * len(m[0]) + "}" * len(m[0]), text):
        depth += (char == "{") - (char == "}" and depth > 0)
        count += depth > 0
    return count


def _decision_or_context(body: Sequence[Block]) -> Iterator[Block]:
    """The first paragraph of running text, and what follows it in its section."""
    first = next((block for block in body if block.section in _PROSE and block.kind in ("text", "quote")), None)
    first = first or next((block for block in body if block.section in _PROSE and block.kind != "heading"), None)
    if first is not None:
        at = body.index(first)
        yield from (block for block in body[at:] if block.section == first.section)


def _is_prose(block: Block) -> bool:
    """Whether a block says something: no field, date, bare link or placeholder, and no row of a table."""
    text = block.text.strip()
    if block.kind == "row" or is_placeholder(text):
        return False
    if block.opening and len(text) < _LONGEST_DATE_LINE and find_date(text, day_first=True):
        return False
    linked = sum(ref.end - ref.start for ref in block.refs)
    if linked * 10 >= len(text) * 8:
        return False
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return not (block.opening and all(_FIELD.match(line) for line in lines))


def _gathered(blocks: Iterable[Block]) -> str:
    """Blocks joined until they say enough or a heading comes; one that ends in a colon takes what it announces."""
    text = ""
    for block in blocks:
        if block.kind == "heading":
            if text and not text.endswith((":", "：")):
                break
            continue
        more = re.sub(r"\s+", " ", _LINE_IN_JAPANESE.sub("", block.text)).strip()
        text = f"{text}\n{more}" if text else more
        if len(text) >= SUMMARY_SIZE or (len(text) >= _ENOUGH and not text.endswith((":", "："))):
            break
    return _cut(text)


def _cut(text: str) -> str:
    """A text of at most `SUMMARY_SIZE` characters, cut behind its last whole sentence where it has one."""
    text = text.strip()
    if len(text) <= SUMMARY_SIZE:
        return text
    ends = [span.end for span in sentences(text) if span.end <= SUMMARY_SIZE]
    return text[: ends[-1] if ends and ends[-1] >= _ENOUGH else SUMMARY_SIZE].rstrip()
