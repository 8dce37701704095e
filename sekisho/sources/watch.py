"""Watching the data folder: a change counts once the folder has been quiet from one look to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from sekisho.errors import InputError
from sekisho.records import Record
from sekisho.sources.folder import DataFolder
from sekisho.sources.inventory import Changes, read_ingested, take_inventory
from sekisho.text import printable

_NONE = Changes()
_SHOWN = 200  # characters of the paths in a tag


class Cursor(Record):
    """What is remembered from look to look; `settled` where nothing is left to do about this listing."""

    listing: str = ""
    settled: bool = False
    launches: int = 0

    @classmethod
    def read(cls, text: str | None) -> Cursor:
        """The cursor as it was written; a new one where there is none, or where it cannot be read."""
        try:
            return cls.model_validate_json(text or "{}")
        except ValidationError:
            return cls()

    def launched(self) -> Cursor:
        """The cursor once a run was asked for."""
        return self.model_copy(update={"settled": True, "launches": self.launches + 1})


@dataclass(frozen=True, slots=True)
class Look:
    """What one look came to: the next cursor, the changes that are ready for a run, and what there is to say."""

    cursor: Cursor
    told: str
    ready: Changes = _NONE

    @property
    def run_key(self) -> str:
        """One key for one change of the folder, however often it is asked for."""
        return f"documents-{self.cursor.launches}-{self.cursor.listing[:16]}"


def look(root: Path, ingested: Path, cursor: Cursor) -> Look:
    """Compare a data folder with what the last ingest found; never raises for what lies in it."""
    try:
        inventory = take_inventory(DataFolder(root).present())
    except (InputError, OSError) as error:
        return Look(cursor, f"the data folder cannot be looked at: {error}")
    listing = inventory.digest
    if cursor.settled and cursor.listing == listing:
        return Look(cursor, "nothing has changed since the last look")
    seen = Cursor(listing=listing, launches=cursor.launches)
    changes = inventory.changes_since(read_ingested(ingested))
    if not changes:
        return Look(seen.model_copy(update={"settled": True}), "nothing has changed since the last ingest")
    if emptied := inventory.emptied(changes.removed):
        gone = f"every document of {', '.join(emptied)} is gone"
        return Look(seen, f"{gone}: put them back, or launch the pipeline by hand if that is meant")
    if cursor.listing != listing:
        return Look(seen, f"waiting until nothing moves: {_told(changes)}")
    return Look(seen, _told(changes), changes)


def tags_of(changes: Changes) -> dict[str, str]:
    """What changed, as short tags of a run: how many and the first paths of each kind."""
    kinds = {"new": changes.new, "changed": changes.changed, "removed": changes.removed}
    return {f"sekisho/documents_{kind}": _listed(paths) for kind, paths in kinds.items() if paths}


def _listed(paths: Sequence[str]) -> str:
    text = printable(", ".join(paths[:_SHOWN]))
    return f"{len(paths)}: {text if len(text) <= _SHOWN else text[:_SHOWN] + '…'}"


def _told(changes: Changes) -> str:
    return f"{len(changes.new)} new, {len(changes.changed)} changed, {len(changes.removed)} removed"
