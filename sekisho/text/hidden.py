"""What a page does not show or crosses out: comments, scripts, styles, hidden elements, deleted words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

# A stretch of the original.
Stretch = tuple[int, int]

_TAG = re.compile(
    r"(?P<fence>(?m:^) {0,3}(?:`{3,}|~{3,}))|(?P<ticks>`+)|"
    r"<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*)(?P<attributes>(?:\s[^<>]*)?)>"
)
_UNSEEN = frozenset({"script", "style", "template"})
_DELETED = frozenset({"del", "s", "strike"})
_VALUE = re.compile(r"\"[^\"]*\"|'[^']*'")
_HIDDEN = re.compile(r"\shidden(?![\w-])", re.IGNORECASE)
_STYLE = re.compile(r"\sstyle\s*=\s*[\"']?[^\"']*\b(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
# A code span is looked for this far: the marks within it are shown.
_SPAN = 2000


def unseen(text: str) -> tuple[list[Stretch], list[Stretch]]:
    """What no reader sees and what is crossed out by tags, each in order and without overlaps; time is linear.

    An element that is not closed hides nothing: a text may name `<script>` without meaning it.
    """
    opened: defaultdict[str, list[tuple[int, bool]]] = defaultdict(list)
    hidden, struck = [*_comments(text)], []
    for tag in _tags(text) if "</" in text else ():
        name = tag["name"].lower()
        if not tag["close"]:
            opened[name].append((tag.start(), name in _UNSEEN or _hides(tag["attributes"])))
        elif opened[name]:
            start, hides = opened[name].pop()
            if hides:
                hidden.append((start, tag.end()))
            elif name in _DELETED:
                struck.append((start, tag.end()))
    return merged(hidden), merged(struck)


def merged(stretches: Iterable[Stretch]) -> list[Stretch]:
    """The stretches in order, those that overlap as one."""
    found: list[Stretch] = []
    for start, end in sorted(stretches):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _tags(text: str) -> Iterator[re.Match[str]]:
    """The tags outside of code."""
    at, fence = 0, ""
    while found := _TAG.search(text, at):
        at = found.end()
        if found["fence"]:
            mark = found["fence"].strip()
            fence = mark if not fence else "" if mark.startswith(fence) else fence
        elif fence:
            continue
        elif ticks := found["ticks"]:
            close = re.compile(f"(?<!`){ticks}(?!`)").search(text, at, at + _SPAN) if len(ticks) < 9 else None
            at = close.end() if close else at
        else:
            yield found


def _hides(attributes: str) -> bool:
    if not attributes:
        return False
    return _HIDDEN.search(_VALUE.sub("''", attributes)) is not None or _STYLE.search(attributes) is not None


def _comments(text: str) -> Iterator[Stretch]:
    at = text.find("<!--")
    while at >= 0:
        end = text.find("-->", at)
        if end < 0:
            return
        yield at, end + 3
        at = text.find("<!--", end)
