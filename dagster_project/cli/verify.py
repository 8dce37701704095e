"""`sekisho verify`: everything published, derived again without a model, against the notes as they are now."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from dagster_project.cli.console import safe, stdout
from sekisho.compiled import read_compiled
from sekisho.errors import InputError, WarehouseBusy, WarehouseDamaged, WarehouseError
from sekisho.receipts import QuoteNow, Status, Verified, notes_beside, verify_published
from sekisho.settings import Settings, load_settings
from sekisho.sources.folder import DataFolder
from sekisho.sources.notes import load_notes
from sekisho.text import first_of
from sekisho.warehouse import Published, Warehouse

_STYLES: dict[Status, str] = {
    "holds": "green",
    "source changed": "yellow",
    "source gone": "yellow",
    "receipt broken": "red",
}
_PATHS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of it for each published item, and the paths of notes that nothing published rests on."""

    items: list[Verified]
    beside: list[str]

    @property
    def holds(self) -> bool:
        """Whether all that is published holds."""
        return all(item.status == "holds" for item in self.items)

    def as_dict(self) -> dict[str, Any]:
        """The outcome as plain JSON values."""
        return {"holds": self.holds, "items": [asdict(item) for item in self.items], "beside": self.beside}


def verify(settings: Settings | None = None) -> Verification:
    """Verify what the state holds against the data folder; nothing is written and no model asked.

    `InputError` where there is no data folder, nothing is published, or the warehouse cannot be read.
    """
    settings = settings or load_settings()
    folder = DataFolder(settings.data)
    if not folder.root.is_dir():
        raise InputError("no such folder", file=folder.root, remedy="set SEKISHO_DATA to your data folder")
    warehouse = Warehouse(settings.warehouse_path, wait=settings.lock_wait)
    published = _published(warehouse) if settings.warehouse_path.exists() else None
    if published is None or not published.base.generation:
        raise InputError("nothing is published", file=settings.state, remedy="run `sekisho run` first")
    notes = load_notes(folder.below("notes"), encodings=folder.config.encodings, excluded=folder.excluded)
    items = verify_published(published, notes, read_compiled(settings.compiled_path))
    return Verification(items, notes_beside(published, notes))


def _published(warehouse: Warehouse) -> Published:
    """What is on record; `InputError` where the file as a whole cannot be read, so that nothing can be derived."""
    try:
        return warehouse.published()
    except WarehouseBusy:
        raise
    except WarehouseError as error:
        reason = f"what was published cannot be read, so nothing of it can be verified: {error.message}"
        remedy = (
            error.remedy
            if isinstance(error, WarehouseDamaged)
            else "restore the state folder, or move it aside and run"
        )
        raise InputError(reason, file=error.file, remedy=remedy) from error


def show_verified(found: Verification) -> None:
    """Print a line for each item, with what is wrong with it, how many there are of each status, and what is beside."""
    for item in found.items:
        mark = "✓" if item.status == "holds" else "✗"
        stdout.print(mark, item.kind, safe(item.id, "bold"), safe(item.status, _STYLES[item.status]))
        for reason in item.reasons:
            stdout.print("   ", safe(reason))
        for quote in item.quotes:
            stdout.print("    “", safe(quote.text, "italic"), "” ", safe(_now(quote)), sep="")
    counts = Counter(item.status for item in found.items)
    stdout.print(", ".join(f"{status}: {counts[status]}" for status in _STYLES if counts[status]), style="bold")
    if found.beside:
        told = f"not in what is published: {first_of(found.beside, _PATHS_SHOWN)}: sekisho run"
        stdout.print(safe(told, "yellow"))


def _now(quote: QuoteNow) -> str:
    where = f"{quote.found_in} {quote.start}-{quote.end}" if quote.found_in else ""
    if quote.stands:
        return f"still stands: {where}"
    return f"no longer stands ({quote.reason}{f': {where}' if where else ''})"
