"""The fallback for text that is no YAML: from a line that looks like the key to the next top-level line."""

from __future__ import annotations

import re

from sekisho.strip.lines import lines_of, without


def strip_by_pattern(text: str, begin: re.Pattern[str], end: re.Pattern[str]) -> str | None:
    """The text without each stretch from a line that `begin` matches up to the next line that `end` matches.

    None where no line matches `begin`. Best effort: it knows lines, not YAML. Line by line, for over a whole text the
    default patterns take quadratic time on runs of newlines.
    """
    lines = lines_of(text)
    gone: list[tuple[int, int]] = []
    first: int | None = None
    for number, line in enumerate(lines):
        bare = line.rstrip("\r\n").removeprefix("\ufeff" if number == 0 else "")
        if first is not None and end.search(bare):
            gone.append((first, number))
            first = None
        if first is None and begin.search(bare):
            first = number
    if first is not None:
        gone.append((first, len(lines)))
    return without(lines, gone) if gone else None
