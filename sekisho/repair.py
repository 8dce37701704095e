"""Repairing a state folder: what is damaged is named, set aside, and made again from what remains, without a model."""

from __future__ import annotations

from pathlib import Path

from sekisho.agents.store import CallStore, unreadable_replies
from sekisho.alerts import AlertBook
from sekisho.compiled import read_compiled, render_compiled, render_if_behind
from sekisho.events import EventLog
from sekisho.publish import set_aside
from sekisho.retrieval.encoder import encoder_of
from sekisho.retrieval.index import IndexBehind, IndexUnusable, open_index, update_index
from sekisho.retrieval.store import EmbeddingStore
from sekisho.settings import Settings
from sekisho.warehouse import Warehouse, run_lock
from sekisho.warehouse.mend import mend_warehouse


def repair_state(settings: Settings) -> list[str]:
    """Look at every file of a state folder that must not be damaged, mend it, and say what was done, a line each.

    `SekishoError` where another run holds the state, or the disk refuses.
    """
    with run_lock(settings.state, wait=settings.lock_wait):
        damaged = settings.state / "damaged"
        done = mend_warehouse(settings.warehouse_path, damaged, settings.lock_wait)
        done += _replies(settings.calls_path)
        done += _alerts(settings)
        if settings.warehouse_path.exists():
            done += _index(settings, damaged)
            done += _compiled(settings, damaged)
    return done


def _replies(folder: Path) -> list[str]:
    _, bad = unreadable_replies(folder)
    store = CallStore(folder)
    return [
        f"the stored reply {path.name} was damaged and set aside as {store.set_aside(path)}: it is asked again"
        for path in bad
    ]


def _alerts(settings: Settings) -> list[str]:
    book = AlertBook(settings.state, wait=settings.lock_wait)
    bad = book.unreadable()
    if not bad:
        return []
    events = EventLog(settings.log_path, run="repair")
    try:
        book.letters(events)  # it sets them aside
    finally:
        events.close()
    return [f"{path.name} was damaged and set aside below {book.outbox.broken}: {why}" for path, why in bad.items()]


def _index(settings: Settings, damaged: Path) -> list[str]:
    fingerprint = encoder_of(settings).fingerprint
    hashes, vectors = EmbeddingStore(settings.warehouse_path, wait=settings.lock_wait).vectors(fingerprint)
    try:
        open_index(settings.index_path, fingerprint, hashes)
    except IndexBehind:
        return []  # nothing is wrong with it: the next run brings it up to date
    except IndexUnusable as error:
        aside = set_aside(settings.index_path, damaged)
        update_index(settings.index_path, fingerprint, hashes, vectors)
        return [f"the index was damaged ({error}), set aside as {aside}, and made again from the vectors"]
    return []


def _compiled(settings: Settings, damaged: Path) -> list[str]:
    base = Warehouse(settings.warehouse_path, wait=settings.lock_wait).knowledge()
    path = settings.compiled_path
    if not base.generation or read_compiled(path) == render_compiled(base):
        return []
    aside = f" and set aside as {set_aside(path, damaged)}" if path.exists() else ""
    render_if_behind(base, path)
    return [f"{path.name} was not what was published{aside}; it was rendered again"]
