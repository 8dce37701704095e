"""How a state stands: what is published and since when, what is withheld, what is stale, and what cannot be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sekisho.bill import read_bill
from sekisho.compiled import read_compiled, render_compiled
from sekisho.errors import SekishoError
from sekisho.indexed import indexed_documents
from sekisho.records import Gap, KnowledgeBase
from sekisho.retrieval.encoder import encoder_of
from sekisho.retrieval.index import IndexBehind, IndexUnusable, open_index
from sekisho.retrieval.store import EmbeddingStore
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder
from sekisho.sources.inventory import Changes, read_ingested, take_inventory
from sekisho.text import printable, shortened
from sekisho.warehouse import Warehouse

# What is counted of the published rows, each by its table; one that is not there yet is left out.
PUBLISHED = {
    "facts": "knowledge_facts",
    "answers": "answers",
    "decisions": "decisions",
    "views": "portal_views",
    "recall": "recall_citations",
    "mappings": "term_mappings",
}
_PATHS_SHOWN = 5
_RUN = "sekisho run"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that is behind, or cannot be read: what it is, what is told of it, and what to do about it.

    `passes` says that the same look may succeed a little later.
    """

    what: str
    told: str
    remedy: str
    passes: bool = False


@dataclass(slots=True)
class Overview:
    """How a state stands; `counts` are rows by what they are, `since` is ISO 8601 in UTC, empty where it is not known.

    `month_usd` is what is known to be spent in `month` (UTC), with `month_unknown` attempts of unknown cost.
    """

    generation: str = ""
    since: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    withheld: list[Gap] = field(default_factory=list)
    stale: list[Remark] = field(default_factory=list)
    problems: list[Remark] = field(default_factory=list)
    month: str = ""
    month_usd: float = 0.0
    month_unknown: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The overview as plain JSON values."""
        return {
            "published": {"generation": self.generation, "since": self.since, **self.counts},
            "withheld": [gap.model_dump(mode="json") for gap in self.withheld],
            "stale": [asdict(remark) for remark in self.stale],
            "problems": [asdict(remark) for remark in self.problems],
            "spend": {"month": self.month, "usd": self.month_usd, "unknown_cost": self.month_unknown},
        }


def read_overview(settings: Settings, *, now: datetime | None = None) -> Overview:
    """Look at the state and the data folder; nothing is written, and what cannot be read is told and hides no other."""
    view = Overview(month=(now or datetime.now(UTC)).strftime("%Y-%m"))
    base = None
    if settings.warehouse_path.exists():
        base = _read_warehouse(settings, view)
    with _told(view, "documents", "set SEKISHO_DATA to your data folder"):
        _look_at_documents(settings, view)
    if base is not None:
        with _told(view, "index", _RUN):
            _look_at_index(settings, view)
    with _told(view, "spend", "check the file's rights"):
        _add_up(settings.spend_path, view)
    return view


def _read_warehouse(settings: Settings, view: Overview) -> KnowledgeBase | None:
    warehouse = Warehouse(settings.warehouse_path, wait=settings.lock_wait)
    base = None
    with _told(view, "warehouse", "move it aside and run `sekisho run`, or restore a backup (docs/operating.md)"):
        view.counts = warehouse.counts(PUBLISHED)
        base = warehouse.knowledge()
        view.generation = base.generation
        view.withheld = warehouse.gaps()
    if base is not None and base.generation:
        view.since = published_since(settings.log_path, base.generation) or _modified(settings.compiled_path)
        if read_compiled(settings.compiled_path) != render_compiled(base):
            view.stale.append(Remark("compiled.json", "it is not what was published", _RUN))
    return base


def published_since(log: Path, generation: str) -> str:
    """When a generation was published and stayed, by the event log; empty where the log does not say."""
    last, since = "", ""
    for event in _compiled(log):
        if event.get("ok") and event.get("generation") != last:
            last, since = str(event.get("generation")), str(event.get("at"))
    return since if last == generation else ""


def _compiled(log: Path) -> Iterator[dict[str, Any]]:
    try:
        with log.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith('{"event": "compile"'):
                    with suppress(ValueError, RecursionError):
                        yield json.loads(line)
    except OSError:
        return


def _look_at_documents(settings: Settings, view: Overview) -> None:
    before = read_ingested(settings.inventory_path)
    if not before:  # nothing was ever read: there is nothing to be behind
        return
    changes = take_inventory(DataFolder(settings.data).present()).changes_since(before)
    if changes:
        view.stale.append(Remark("documents", _changed(changes), _RUN))


def _look_at_index(settings: Settings, view: Overview) -> None:
    store = EmbeddingStore(settings.warehouse_path, wait=settings.lock_wait)
    documents = indexed_documents(Warehouse(settings.warehouse_path, wait=settings.lock_wait))
    wanted = {(one.kind, one.source, one.sha256) for one in documents}
    have = {(chunk.kind, chunk.source, chunk.document_sha256) for chunk in store.chunks()}
    if not wanted and not have:
        return
    if missing := len(wanted - have):
        view.stale.append(Remark("index", f"texts that are not indexed: {missing}", _RUN))
    encoder = encoder_of(settings)
    hashes = store.hashes(encoder.fingerprint)
    try:
        if hashes or not missing:
            open_index(settings.index_path, encoder.fingerprint, hashes)
    except IndexBehind as error:
        view.stale.append(Remark("index", str(error), _RUN))
    except IndexUnusable as error:
        view.problems.append(Remark("index", f"{error}; searches are exact meanwhile", f"{_RUN} makes it anew"))


def _add_up(ledger: Path, view: Overview) -> None:
    bill = read_bill(ledger)
    rows = [row for row in bill.rows if row.month == view.month]
    view.month_usd = round(sum(row.known_usd for row in rows), 9)
    view.month_unknown = sum(row.unknown_cost for row in rows)
    if bill.problem:
        view.problems.append(
            Remark("spend", f"{ledger.name}: {bill.problem}", "look at these lines; they are not counted")
        )


def _changed(changes: Changes) -> str:
    kinds = {"new": changes.new, "changed": changes.changed, "removed": changes.removed}
    told = ", ".join(f"{len(paths)} {kind}" for kind, paths in kinds.items() if paths)
    paths = [path for group in kinds.values() for path in group]
    shown = [shortened(printable(path), 60) for path in paths[:_PATHS_SHOWN]]
    return f"{told} ({', '.join(shown)}{', …' if len(paths) > _PATHS_SHOWN else ''}) since they were read"


@contextmanager
def _told(view: Overview, what: str, remedy: str) -> Iterator[None]:
    """What cannot be read becomes a problem of its own, with the error's remedy where it has one."""
    try:
        yield
    except SekishoError as error:
        told = f"{error.file}: {error.message}" if error.file else error.message
        view.problems.append(Remark(what, printable(told), error.remedy or remedy, passes=error.retryable))
    except ValidationError as error:
        first = error.errors()[0]
        told = f"a row is no {error.title}: {'.'.join(map(str, first['loc']))}: {first['msg']}"
        view.problems.append(Remark(what, printable(told), remedy))
    except (OSError, ValueError) as error:
        view.problems.append(Remark(what, printable(f"{type(error).__name__}: {error}"), remedy))


def _modified(path: Path) -> str:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    except OSError:
        return ""
