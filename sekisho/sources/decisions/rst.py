"""reStructuredText as Markdown, as far as a decision record needs it: headings, fields, links, notes.

Docutils would read the whole language; it also follows `include` to other files, and needs a tree walk to come back
to text. Records use little more than headings, so those lines are rewritten and one reader of Markdown does the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*\Z")
_FIELD = re.compile(r":(?P<name>[^:\s][^:]*):\s+(?P<value>\S.*)\Z")
_NOTE = re.compile(r"\.\.\s+(?:note|warning|attention|important|caution|danger|tip|hint|admonition)::\s*(?P<text>.*)\Z")
_EXPLICIT = re.compile(r"\.\.(?:\s|\Z)")
_TARGET = re.compile(r"\.\.\s+_(?P<name>[^:`]+):\s+(?P<url>\S+)\s*\Z")
_LINK = re.compile(r"`(?P<text>[^`<>]+?)\s*<(?P<url>[^`<>]+)>`__?")
_ROLE = re.compile(r":(?:doc|ref|download):`(?:(?P<text>[^`<>]+?)\s*<(?P<url>[^`<>]+)>|(?P<bare>[^`<>]+))`")
_NAMED = re.compile(r"`(?P<text>[^`<>]+)`_(?!_)")


def as_markdown(text: str) -> str:
    """The text with its headings, field lists, links and notes written as Markdown has them."""
    lines = text.splitlines()
    targets = {m["name"].strip().casefold(): m["url"] for line in lines if (m := _TARGET.match(line))}
    return "\n".join(_with_links(line, targets) for line in _with_notes(_with_headings(lines)))


def _with_headings(lines: list[str]) -> Iterator[str]:
    """Each underlined title as `#`s; a rule's level is the order in which it first came, over- and underlined apart."""
    levels: dict[tuple[str, bool], int] = {}
    at = 0
    while at < len(lines):
        over = _is_rule(lines, at) and _is_title(lines, at + 1) and _is_rule(lines, at + 2)
        over = over and lines[at].rstrip() == lines[at + 2].rstrip()
        title = at + 1 if over else at
        if over or (_is_title(lines, title) and _is_rule(lines, title + 1) and not _is_rule(lines, title)):
            level = levels.setdefault((lines[title + 1][0], over), len(levels) + 1)
            yield from ("", "#" * min(level, 6) + " " + lines[title].strip(), "")
            at = title + 2
        else:
            yield "" if _is_rule(lines, at) else lines[at]
            at += 1


def _is_title(lines: list[str], at: int) -> bool:
    return at < len(lines) and bool(lines[at].strip()) and not lines[at].startswith("..")


def _is_rule(lines: list[str], at: int) -> bool:
    return at < len(lines) and bool(_RULE.match(lines[at]))


def _with_notes(lines: Iterator[str]) -> Iterator[str]:
    """Notes as paragraphs; other directives, comments and link targets left out with what is indented below them."""
    kept = dropping = False
    for line in lines:
        if line.strip() and not line[0].isspace():
            kept = dropping = False
        if note := _NOTE.match(line):
            kept = True
            yield from ("", note["text"])
        elif _EXPLICIT.match(line):
            dropping = True
            yield ""
        elif field := _FIELD.match(line):
            yield f"- {field['name']}: {field['value']}"
        elif kept:
            yield line.strip() if not line.strip().startswith(":class:") else ""
        elif not dropping:
            yield line


def _with_links(line: str, targets: dict[str, str]) -> str:
    line = _LINK.sub(lambda m: f"[{m['text']}]({m['url']})", line)
    line = _ROLE.sub(lambda m: f"[{m['text'] or m['bare']}]({m['url'] or m['bare']})", line)
    return _NAMED.sub(lambda m: _to_target(m["text"], targets), line)


def _to_target(text: str, targets: dict[str, str]) -> str:
    url = targets.get(text.strip().casefold())
    return f"[{text}]({url})" if url else text
