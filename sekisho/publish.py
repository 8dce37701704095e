"""Publishing files: written aside, flushed to disk, renamed; a reader sees the old one or the new one, whole."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from sekisho.errors import SekishoError
from sekisho.records import KnowledgeBase


def write_atomically(path: Path, text: str) -> None:
    """Replace a file's content in one step; `SekishoError` names the file where the disk refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(aside).chmod(0o644)
            Path(aside).replace(path)
        except BaseException:
            Path(aside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise SekishoError(
            f"cannot be written: {error.strerror}",
            file=path,
            remedy="check the folder's rights and free space",
        ) from None


def render_compiled(base: KnowledgeBase) -> str:
    """`compiled.json`: the generation and, in source order, each fact with its evidence."""
    facts = [{"source": fact.source, "fields": fact.fields, "evidence": fact.evidence} for fact in base.facts]
    return json.dumps({"generation": base.generation, "facts": facts}, ensure_ascii=False, indent=2) + "\n"


def rendered_generation(path: Path) -> str:
    """The generation that a `compiled.json` says it is of; empty where there is none to read."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    generation = content.get("generation") if isinstance(content, dict) else None
    return generation if isinstance(generation, str) else ""
