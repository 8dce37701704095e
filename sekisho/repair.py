"""Repairing a state folder: what is damaged is named, set aside, and made again from what remains, without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from sekisho.agents.store import CallStore, unreadable_replies
from sekisho.alerts import AlertBook
from sekisho.compiled import read_compiled, render_compiled, render_if_behind
from sekisho.errors import SekishoError
from sekisho.events import EventLog
from sekisho.layout import misplaced
from sekisho.publish import set_aside
from sekisho.retrieval.encoder import encoder_of
from sekisho.retrieval.index import IndexBehind, IndexUnusable, open_index, update_index
from sekisho.retrieval.store import EmbeddingStore
from sekisho.rundb import damaged_databases, set_database_aside
from sekisho.settings import Settings
from sekisho.warehouse import Warehouse, run_lock
from sekisho.warehouse.mend import mend_warehouse


@dataclass
class Repaired:
    """What was done to a state, and what could not be done, a line each, with file and remedy."""

    done: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def take(self, step: Callable[[], Iterator[str]]) -> None:
        """Make one step; where it fails, what it did is kept, and the others are made all the same."""
        try:
            for line in step():
                self.done.append(line)
        except SekishoError as error:
            self._add(error)
        except OSError as error:
            reason = f"cannot be looked at: {error.strerror or error}"
            self._add(SekishoError(reason, file=error.filename, remedy="check the rights of the state"))

    def _add(self, error: SekishoError) -> None:
        if str(error) not in self.failed:  # a warehouse that is held fails every step that reads it
            self.failed.append(str(error))


def repair_state(settings: Settings) -> Repaired:
    """Look at every file of a state folder that must not be damaged, and mend it.

    `SekishoError` where another run holds the state.
    """
    damaged = settings.damaged_path
    repaired = Repaired()
    with run_lock(settings.state, wait=settings.lock_wait):
        for path, kind in misplaced(settings).items():
            repaired.take(partial(_misplaced, path, kind, damaged))
        for step in (_warehouse, _replies, _alerts, _databases, _index, _compiled):
            repaired.take(partial(step, settings, damaged))
    return repaired


def _misplaced(path: Path, kind: str, damaged: Path) -> Iterator[str]:
    aside = set_aside(path, path.parent if path == damaged else damaged)
    yield f"{path.name} was no {kind} and was set aside as {aside}"


def _warehouse(settings: Settings, damaged: Path) -> Iterator[str]:
    yield from mend_warehouse(settings.warehouse_path, damaged, settings.lock_wait)


def _replies(settings: Settings, _damaged: Path) -> Iterator[str]:
    _, bad = unreadable_replies(settings.calls_path)
    store = CallStore(settings.calls_path)
    for path in bad:
        aside = store.set_aside(path)
        yield f"the stored reply {path.name} was damaged and set aside as {aside}: it is asked again"


def _alerts(settings: Settings, _damaged: Path) -> Iterator[str]:
    book = AlertBook(settings.state, wait=settings.lock_wait)
    bad = book.unreadable()
    if not bad:
        return
    with closing(EventLog(settings.log_path, run="repair")) as events:
        book.letters(events)  # it sets them aside
    for path, why in bad.items():
        if path.exists() and path in book.unreadable():
            raise SekishoError(f"cannot be set aside: {why}", file=path, remedy="move or mend it")
        yield f"{path.name} was damaged and set aside below {book.outbox.broken}: {why}"


def _databases(settings: Settings, damaged: Path) -> Iterator[str]:
    for path, reason in damaged_databases(settings.dagster_path, thorough=True).items():
        aside = set_database_aside(path, damaged)
        yield f"Dagster's {path.name} was damaged ({reason}) and set aside as {aside}: it begins anew"


def _index(settings: Settings, damaged: Path) -> Iterator[str]:
    if not settings.warehouse_path.exists():
        return
    fingerprint = encoder_of(settings).fingerprint
    hashes, vectors = EmbeddingStore(settings.warehouse_path, wait=settings.lock_wait).vectors(fingerprint)
    try:
        open_index(settings.index_path, fingerprint, hashes)
    except IndexBehind:
        return  # nothing is wrong with it: the next run brings it up to date
    except IndexUnusable as error:
        aside = set_aside(settings.index_path, damaged)
        update_index(settings.index_path, fingerprint, hashes, vectors)
        yield f"the index was damaged ({error}), set aside as {aside}, and made again from the vectors"


def _compiled(settings: Settings, damaged: Path) -> Iterator[str]:
    if not settings.warehouse_path.exists():
        return
    base = Warehouse(settings.warehouse_path, wait=settings.lock_wait).knowledge()
    path = settings.compiled_path
    if not base.generation or read_compiled(path) == render_compiled(base):
        return
    aside = f" and set aside as {set_aside(path, damaged)}" if path.exists() else ""
    render_if_behind(base, path)
    yield f"{path.name} was not what was published{aside}; it was rendered again"
