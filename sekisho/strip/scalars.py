"""Scalars that go on over a line's end: told from the line alone where it must, by YAML's parser where it can."""

from __future__ import annotations

import re
from collections.abc import Sequence

import yaml

from sekisho.strip.document import LOADER

# None gives back what it took, and none begins to read where another has read on: a line is read once, however long.
_VALUE = re.compile(
    r"[ \t]*+(?:(?P<comment>(?<![^ \t])#)|(?P<quote>[\"'])|(?P<block>[|>](?:[1-9][+-]?|[+-][1-9]?)?[ \t]*+(?:#.*)?\Z)"
    r"|---(?=[ \t])|[?:-](?=[ \t]|\Z)|[&!][^ \t]*+|[,\[{])"
)
_REST = re.compile(r"(?P<comment>(?<![^ \t])#)|[,\[{]|:(?=[ \t]|\Z)")
_COLON = re.compile(r"[ \t]*+:")
_INNER = {'"': re.compile(r'(?:[^"\\]++|\\.)*+(")?'), "'": re.compile(r"(?:[^']++|'')*+(')?")}
_OTHER_BREAKS = ("\x85", "\u2028", "\u2029")  # lines to PyYAML, none here


def past_quote(line: str, at: int, quote: str) -> int | None:
    """Where the quoted scalar that is open at `at` is closed, one past its quote; None where it goes on."""
    found = _INNER[quote].match(line, at)
    return found.end() if found is not None and found[1] else None


def left_open(line: str, at: int = 0) -> str:
    """What a line, read from `at` on, leaves open at its end: a quote, `|` for a block scalar's header, or nothing.

    A quote and a header count only where a value may begin: at the line's start, after `- `, `? `, `: `, an anchor or a
    tag, and after `,`, `[` and `{`.
    """
    if not any(sign in line for sign in "\"'|>"):
        return ""
    begins = True
    while True:
        found = _VALUE.match(line, at) if begins else None
        found = found or _REST.search(line, at)
        if found is None:
            return ""
        kind, at = found.lastgroup, found.end()
        if kind == "comment":
            return ""
        if kind == "block":
            return "|"
        begins = kind != "quote"
        if kind == "quote":
            closed = past_quote(line, at, line[at - 1])
            if closed is None:
                return line[at - 1]
            colon = _COLON.match(line, closed)
            begins, at = colon is not None, colon.end() if colon else closed


def all_are_comments(lines: Sequence[str], pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether the text is YAML and no first or last line of a pair, `(first, after the last)`, lies in a scalar.

    What stands between the two need not be YAML and is not looked at.
    """
    left: list[str] = []
    marks: list[int] = []
    at = 0
    for first, after in pairs:
        left += [*lines[at:first], lines[first], lines[after - 1]]
        marks += [len(left) - 2, len(left) - 1]
        at = after
    left += lines[at:]
    text = "".join(left)
    if any(sign in text for sign in _OTHER_BREAKS):
        return False
    try:
        return not _inside_scalars(text, left).intersection(marks)
    except Exception:  # whatever the parser says, the text is none that it can answer for
        return False


def _inside_scalars(text: str, lines: Sequence[str]) -> set[int]:
    """The lines that begin within a scalar."""
    inside: set[int] = set()
    for event in yaml.parse(text, Loader=LOADER):
        if not isinstance(event, yaml.ScalarEvent) or event.start_mark is None or event.end_mark is None:
            continue
        if not event.style:  # a plain scalar holds no comment; an empty one has its marks where it was missed
            continue
        first, last = event.start_mark.line, event.end_mark.line
        inside.update(range(first + 1, last))
        # A block scalar's end is where the next token begins, unless the text ends without a break.
        if first < last < len(lines) and event.end_mark.column > indent(lines[last]):
            inside.add(last)
    return inside


def indent(line: str) -> int:
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip(" "))
