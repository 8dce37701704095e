"""Ingest: the notes as they lie on disk."""

import dagster as dg

from assets._results import check_result, preview
from sekisho.agents.base import Agent
from sekisho.events import EventLog
from sekisho.gates import every_file_was_read as find_unread_files
from sekisho.gates import guarded
from sekisho.ingest import ingest_notes, make_tidier
from sekisho.report import publish_gaps
from sekisho.rounds import Round
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder
from sekisho.sources.inventory import take_inventory
from sekisho.warehouse import Warehouse


@dg.asset(group_name="ingest", kinds={"file", "duckdb"})
def notes(
    settings: dg.ResourceParam[Settings],
    warehouse: dg.ResourceParam[Warehouse],
    agent: dg.ResourceParam[Agent],
    events: dg.ResourceParam[EventLog],
    this_round: dg.ResourceParam[Round],
) -> dg.MaterializeResult[None]:
    """Every file under data/notes, read, decoded, its source id fixed from its path."""
    tidier = make_tidier(agent, settings.prompts) if settings.normalise else None
    before = warehouse.notes() if this_round.number > 1 else ()
    folder, workers = DataFolder(settings.data).check(), settings.workers
    inventory = take_inventory(folder)  # before the reading, so that what changes meanwhile counts as changed
    found, gaps = ingest_notes(folder, events, tidier=tidier, workers=workers, read_before=before)
    warehouse.replace_notes(found, gaps)
    inventory.write(settings.inventory_path)
    publish_gaps(warehouse.gaps(), settings.gaps_path, this_round.limit)
    rows = [{"source": n.source, "status": n.status, "title": n.title, "characters": len(n.text)} for n in found]
    counts = {status: sum(n.status == status for n in found) for status in ("read", "empty", "unreadable")}
    return dg.MaterializeResult(metadata={"dagster/row_count": len(found), **counts, "preview": preview(rows)})


@dg.asset_check(asset=notes, blocking=True)
def every_file_was_read(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """No file under data/notes is unreadable; empty ones are listed and not expected, excluded ones left out."""
    found = warehouse.notes()
    return check_result(guarded("every_file_was_read", find_unread_files, found), looked_at=len(found))
