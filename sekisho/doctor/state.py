"""The state folder: can it be written, is anybody writing, does what lies in it still say something?"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sekisho.agents.store import damaged_replies, unreadable_replies
from sekisho.alerts import AlertBook
from sekisho.doctor.diagnosis import Check, Diagnosis, ok, warn, wrong
from sekisho.errors import WarehouseBusy
from sekisho.layout import misplaced
from sekisho.overview import read_overview
from sekisho.rundb import damaged_databases
from sekisho.settings import Settings
from sekisho.warehouse import lock_holder, run_lock_is_free
from sekisho.warehouse.connection import log_of
from sekisho.warehouse.mend import read_through

_FEW_BYTES, _LITTLE_SPACE = 200 * 2**20, 2 * 2**30
_WRITABLE = "set SEKISHO_STATE to a folder that you may write"
_NAMED = 3


def state_checks(settings: Settings) -> list[tuple[str, Check]]:
    """Whether a run could use the state folder, and what of it cannot be read; nothing is left behind in it."""
    checks: list[tuple[str, Check]] = [
        ("folder", lambda: _writable(settings.state)),
        ("space", lambda: _space(settings.state)),
    ]
    if settings.state.is_dir():
        checks += [
            ("lock", lambda: _lock(settings.state)),
            ("kinds", lambda: _kinds(settings)),
            ("contents", lambda: _contents(settings)),
            ("blocks", lambda: _blocks(settings)),
            ("databases", lambda: _databases(settings.dagster_path)),
            ("damaged", lambda: _damaged(settings)),
            ("replies", lambda: _replies(settings.calls_path)),
            ("outbox", lambda: _outbox(settings.state)),
        ]
    return checks


def _writable(state: Path) -> Iterator[Diagnosis]:
    if not _standing(state).is_dir():
        yield wrong("state", "folder", f"not a folder: {_standing(state)}", _WRITABLE)
        return
    try:
        with tempfile.TemporaryFile(dir=_standing(state)):
            pass
    except OSError as error:
        yield wrong("state", "folder", f"{state} cannot be written: {error.strerror}", _WRITABLE)
        return
    yield ok("state", "folder", f"{state}{'' if state.is_dir() else ', made by the first run'}")


def _space(state: Path) -> Iterator[Diagnosis]:
    free = shutil.disk_usage(_standing(state)).free
    told = f"{free / 2**30:.1f} GiB free"
    if free < _FEW_BYTES:
        yield wrong("state", "space", told, "make room, or move the state with SEKISHO_STATE")
    elif free < _LITTLE_SPACE:
        yield warn("state", "space", told, "make room before it is needed")
    else:
        yield ok("state", "space", told)


def _standing(path: Path) -> Path:
    """The path itself, or the nearest above it that is there."""
    return next(above for above in (path, *path.parents) if above.exists())


def _lock(state: Path) -> Iterator[Diagnosis]:
    if not (state / "run.lock").exists() or run_lock_is_free(state):
        yield ok("state", "lock", "no run is writing")
    else:
        yield warn("state", "lock", f"{lock_holder(state)} holds run.lock", "wait for it, or end it if it is stuck")


def _kinds(settings: Settings) -> Iterator[Diagnosis]:
    for path, kind in misplaced(settings).items():
        yield wrong("state", path.name, f"{path} is no {kind}", "`sekisho repair` sets it aside")
    log = log_of(settings.warehouse_path)
    if log.exists() and not settings.warehouse_path.exists():
        told = "is there without its warehouse, whose last commit it holds"
        remedy = "restore the warehouse from a backup; else `sekisho repair` sets it aside, then `sekisho run`"
        yield wrong("state", log.name, told, remedy)


def _contents(settings: Settings) -> Iterator[Diagnosis]:
    """What `sekisho status` says of warehouse, index, documents and bill."""
    view = read_overview(settings)
    for remark in view.problems:
        told = warn if remark.passes or remark.what in ("index", "spend") else wrong
        yield told("state", remark.what, remark.told, remark.remedy)
    for remark in view.stale:
        yield warn("state", remark.what, f"behind: {remark.told}", remark.remedy)
    if view.generation and not view.problems:
        counts = ", ".join(f"{name}: {count}" for name, count in view.counts.items() if count)
        yield ok("state", "warehouse", f"generation {view.generation}, {counts}")


def _blocks(settings: Settings) -> Iterator[Diagnosis]:
    """Every block of the warehouse is read, since DuckDB compares the checksums of those that it reads."""
    if settings.warehouse_path.exists():
        with suppress(WarehouseBusy):  # told with the contents
            read_through(settings.warehouse_path, settings.lock_wait)
            yield ok("state", "blocks", "every row of the warehouse was read, and every checksum holds")


def _databases(home: Path) -> Iterator[Diagnosis]:
    """Every page of Dagster's own record; nothing where there is none."""
    for path, reason in damaged_databases(home, thorough=True).items():
        yield wrong("state", path.name, f"{path} is damaged: {reason}", "`sekisho repair` sets it aside")


def _damaged(settings: Settings) -> Iterator[Diagnosis]:
    aside = [*sorted((settings.damaged_path).glob("*")), *damaged_replies(settings.calls_path)]
    for path in aside[:_NAMED]:
        told = f"{path.name} was damaged, and was set aside"
        yield warn("state", "damaged", told, f"look at {path} and at the disk, then remove it")
    if len(aside) > _NAMED:
        told = f"damaged files that were set aside: {len(aside)}"
        yield warn("state", "damaged", told, f"look at {aside[-1].parent} and at the disk, then remove them")


def _replies(folder: Path) -> Iterator[Diagnosis]:
    if not folder.is_dir():
        return
    count, bad = unreadable_replies(folder)
    if bad:
        named = ", ".join(path.name for path in bad[:_NAMED])
        told = f"stored replies that cannot be read: {len(bad)} of {count} ({named})"
        yield warn(
            "state",
            "replies",
            told,
            "restore them from a backup; else `sekisho repair` sets them aside and they are asked, and paid, again",
        )
    else:
        yield ok("state", "replies", f"stored replies: {count}")


def _outbox(state: Path) -> Iterator[Diagnosis]:
    book = AlertBook(state)
    bad = book.unreadable()
    for path, reason in bad.items():
        yield warn("state", path.name, reason, "it is set aside with the next alert; look at it, or move it away")
    for path in book.outbox.aside():
        yield warn("state", path.name, "could not be read, and was set aside", f"look at {path}, then remove it")
    waiting = len(book.outbox.letters())
    if waiting:
        yield warn("state", "outbox", f"alerts waiting: {waiting}", "sekisho status names them; check the channels")
    elif not bad:
        yield ok("state", "outbox", "no alert waits")
