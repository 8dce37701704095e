"""A decision record as text: its front matter, and its blocks with the section each stands in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from sekisho.sources.decisions.front import read_front
from sekisho.sources.decisions.headings import Section, section_of
from sekisho.sources.decisions.rst import as_markdown
from sekisho.sources.notes import split_front_matter

BlockKind = Literal["heading", "text", "item", "quote", "row"]
_BREAKS = ("softbreak", "hardbreak")
# The marks of an admonition, `:::warning Title` or `> [!NOTE]`; what is said in it stays.
_ADMONITION = re.compile(r"^[ \t]*(?::{3,}[ \t]*[\w-]*(?:\[|[ \t]|$)|!{3}[ \t]+\w+|\[![A-Z]+\])", re.MULTILINE)
_FIELD = re.compile(r"\W*(?:status|date|ステータス|日付)\W*[:：]", re.IGNORECASE)
_JSX = re.compile(r"\s*(?:</?[A-Z][\w.]*|\{/\*|(?:import|export)\s.*(?:from\s|=|\{))")
_COMMENT_OR_JSX = re.compile(r"\s*<(?:!--|/?[A-Z])")


@dataclass(frozen=True, slots=True)
class Ref:
    """A link in a block: `text[start:end]` leads to `target`."""

    start: int
    end: int
    target: str


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, paragraph, list item, quote or table row, as plain text: no markup, no comments, nothing struck out.

    `section` is what the nearest heading that we know says; `opening` whether no heading but the title came before.
    `lines` is its range in the Markdown, `code` are the stretches of the text that are code.
    """

    kind: BlockKind
    text: str
    refs: tuple[Ref, ...]
    lines: tuple[int, int]
    level: int = 0
    admonition: bool = False
    section: Section = ""
    opening: bool = False
    code: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """What is written in one file; `problem` says what was wrong with its front matter."""

    front: dict[str, Any]
    problem: str
    blocks: tuple[Block, ...]
    lines: tuple[str, ...]

    @property
    def body(self) -> str:
        """The Markdown without front matter, change log, comments and JSX."""
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self.lines)).strip() + "\n"

    def lines_by_section(self) -> Iterator[tuple[Section, str]]:
        """Each line of the body, and the section it stands in."""
        begins = {block.lines[0]: block.section for block in reversed(self.blocks)}
        section: Section = ""
        for number, line in enumerate(self.lines):
            section = begins.get(number, section)
            yield section, line


def read_page(text: str, suffix: str = ".md") -> Page:
    """The front matter and blocks of a Markdown, MDX, reStructuredText or plain text file; never raises."""
    front_text, rest = split_front_matter(text)
    front, problem = read_front(front_text)
    if front is None:
        front, rest = {}, text
    source = as_markdown(rest) if suffix.lower() == ".rst" else rest
    tokens = _parser().parse(source)
    blocks = tuple(_placed(_blocks(tokens)))
    return Page(front=front, problem=problem, blocks=blocks, lines=_told(source, tokens, blocks))


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    """The blocks in order; code, HTML and JSX are none."""
    depth = {"list_item": 0, "blockquote": 0}
    row: list[Token] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        name, _, edge = token.type.rpartition("_")
        if name in depth:
            depth[name] += 1 if edge == "open" else -1
        if token.type == "tr_open":
            row = [token]
        elif token.type == "tr_close":
            yield _row(row)
            row = []
        elif token.type == "inline" and row:
            row.append(token)
        elif token.type == "inline" and not _JSX.match(token.content):
            heading = (
                before is not None and before.type == "heading_open" and not _is_underlined_by_mistake(before, token)
            )
            kind: BlockKind = "item" if depth["list_item"] else "quote" if depth["blockquote"] else "text"
            text, refs, code = _plain(token.children or [], keep_struck=heading)
            shown = _ADMONITION.sub(lambda mark: " " * len(mark[0]), text)
            yield Block(
                kind="heading" if heading else kind,
                text=shown,
                refs=refs,
                code=code,
                lines=_lines(token),
                level=int(before.tag[1]) if heading and before else 0,
                admonition=shown != text,
            )


def _is_underlined_by_mistake(opening: Token, inline: Token) -> bool:
    """Whether a rule below `Status: accepted` made a heading of it."""
    return opening.markup in ("-", "=") and bool("\n" in inline.content or _FIELD.match(inline.content))


def _row(tokens: Sequence[Token]) -> Block:
    """One row of a table, its cells apart by ` | `."""
    text, refs = "", []
    for cell in tokens[1:]:
        shown, found, _ = _plain(cell.children or [])
        text += " | " if text else ""
        refs += [Ref(ref.start + len(text), ref.end + len(text), ref.target) for ref in found]
        text += shown.replace("\n", " ")
    return Block(kind="row", text=text, refs=tuple(refs), lines=_lines(tokens[0]))


def _plain(
    children: Iterable[Token], *, keep_struck: bool = False
) -> tuple[str, tuple[Ref, ...], tuple[tuple[int, int], ...]]:
    """Inline Markdown as plain text, and where its links and its code stand in that."""
    text, struck = "", 0
    opened: list[tuple[int, str]] = []
    refs: list[Ref] = []
    code: list[tuple[int, int]] = []
    for child in children:
        if child.type in ("s_open", "s_close"):
            struck += 1 if child.type == "s_open" else -1
        elif child.type == "link_open":
            opened.append((len(text), str(child.attrs.get("href", ""))))
        elif child.type == "link_close" and opened:
            start, target = opened.pop()
            refs += [Ref(start, len(text), target)] if len(text) > start else []
        elif struck and not keep_struck:
            continue
        elif child.type in ("text", "code_inline"):
            text += child.content
            code += [(len(text) - len(child.content), len(text))] if child.type == "code_inline" else []
        elif child.type in _BREAKS or (child.type == "html_inline" and child.content.lower().startswith("<br")):
            text += "\n"
    return text, tuple(refs), tuple(code)


def _lines(token: Token) -> tuple[int, int]:
    return (token.map[0], token.map[1]) if token.map else (0, 0)


def _placed(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks, each told its section: that of the nearest heading above that we know."""
    above: list[tuple[int, Section]] = []
    first, opening = True, True
    for block in blocks:
        if block.kind == "heading":
            while above and above[-1][0] >= block.level:
                above.pop()
            known = section_of(block.text, whole=first)
            above.append((block.level, known or (above[-1][1] if above else "")))
            opening = opening and first and not known
            first = False
        yield replace(block, section=above[-1][1] if above else "", opening=opening)


def _told(source: str, tokens: Iterable[Token], blocks: Iterable[Block]) -> tuple[str, ...]:
    """The lines, those of change log, HTML comments and JSX empty: noise to whoever compares records by their words."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    noise = {"html_block": _COMMENT_OR_JSX, "inline": _JSX}
    dropped = [_lines(token) for token in tokens if token.type in noise and noise[token.type].match(token.content)]
    dropped += [block.lines for block in blocks if block.section == "changelog"]
    for start, end in dropped:
        lines[start:end] = [""] * (end - start)
    return tuple(lines)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.parse("a ~~b~~")  # it compiles its rules at the first use, which two threads must not do at once
    return parser
