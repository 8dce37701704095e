"""The console blocks of a page of the docs: what is typed, and what is shown under it."""

from __future__ import annotations

import re
from pathlib import Path

_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def steps(page: Path) -> list[tuple[str, list[str]]]:
    """The commands of a page in order, each with the lines shown under it."""
    found: list[tuple[str, list[str]]] = []
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line.rstrip())
    return found
