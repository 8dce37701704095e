"""`compiled.json`: the published facts for whoever reads no DuckDB; rendered from the warehouse, never read back."""

from __future__ import annotations

from pathlib import Path

from sekisho.publish import text_on_disk, write_atomically
from sekisho.records import Fact, KnowledgeBase
from sekisho.text import json_text


def render_compiled(base: KnowledgeBase) -> str:
    """The generation and, in source order, each fact with its evidence and its receipt.

    A receipt has the digests of note, prompt and reply, and for each field the verdict on its evidence with the place.
    Who was asked and in which round is not in it: the same reply gives the same bytes.
    """
    facts = [
        {"source": fact.source, "fields": fact.fields, "evidence": fact.evidence, "receipt": _receipt(fact)}
        for fact in base.facts
    ]
    return json_text({"generation": base.generation, "facts": facts}, indent=2) + "\n"


def _receipt(fact: Fact) -> dict[str, object]:
    return {
        "note_sha256": fact.note_sha256,
        "prompt_sha256": fact.provenance.prompt_sha256,
        "reply_sha256": fact.provenance.reply_sha256,
        "evidence": {name: place.model_dump() for name, place in fact.places.items()},
    }


def read_compiled(path: Path) -> str:
    """The file's text; empty where there is none to read."""
    return text_on_disk(path)


def render_if_behind(base: KnowledgeBase, path: Path) -> None:
    """Write `compiled.json` where it is not what was published: the DuckDB commit is the truth."""
    text = render_compiled(base)
    if base.generation and read_compiled(path) != text:
        write_atomically(path, text)
