"""`sekisho search`: passages of the published notes, views and decisions, by meaning and by words."""

from __future__ import annotations

from collections.abc import Sequence

from dagster_project.cli.console import safe, stderr, stdout
from sekisho.errors import InputError
from sekisho.indexed import indexed_documents
from sekisho.retrieval.encoder import encoder_of
from sekisho.retrieval.searcher import Passage, Searcher, excerpt
from sekisho.retrieval.store import EmbeddingStore
from sekisho.settings import load_settings
from sekisho.text import is_blank, shortened
from sekisho.warehouse import Warehouse

_SHOWN = 5


def find_passages(text: str, k: int | None) -> list[Passage]:
    """The k best passages; else five, none of them worse than the average of what was looked at.

    `InputError` where nothing is asked or published. Says so where no passage has a word of it, and where
    exact search stands in.
    """
    settings = load_settings()
    text = text.encode("utf-8", "replace").decode("utf-8")  # an argument need not be UTF-8
    if is_blank(text):
        raise InputError("there is nothing to look for", remedy='look like this: sekisho search "shade"')
    if not settings.warehouse_path.exists():
        raise InputError("nothing is published yet", file=settings.warehouse_path, remedy="run `sekisho run` first")
    warehouse = Warehouse(settings.warehouse_path, wait=settings.lock_wait)
    store = EmbeddingStore(settings.warehouse_path, wait=settings.lock_wait)
    documents = indexed_documents(warehouse)
    if not documents:
        reason = "no note, view or decision with text was published"
        raise InputError(reason, file=settings.data, remedy="write some, then `sekisho run`")
    searcher = Searcher(documents, store, encoder_of(settings), settings.index_path)
    found = searcher.search(text, k=k or _SHOWN)
    if not found:
        raise InputError("nothing is indexed", file=settings.index_path, remedy="run `sekisho run` first")
    if not searcher.has_words_of(text):
        stderr.print("no passage has these words; nearest by meaning:")
    if isinstance(searcher.index, str):
        stderr.print(safe(f"exact search, since {searcher.index}"), style="yellow")
    return found if k else [passage for passage in found if round(passage.score, 2) >= 0]


def show_passages(found: Sequence[Passage], query: str) -> None:
    """Print each passage with its source, place and score, from the sentence on that has most of the query's words."""
    for passage in found:
        stdout.print(safe(_name(passage), "bold cyan"), f"{passage.start}-{passage.end}", f"{passage.score:.2f}")
        stdout.print("  ", safe(shortened(" ".join(excerpt(passage.text, query).split()), 300)), sep="")


def _name(passage: Passage) -> str:
    """The source, with its kind where it is no note."""
    return passage.source if passage.kind == "note" else f"{passage.kind} {passage.source}"
