"""What lies in a state folder: which of its names are files and which are folders, and which are neither."""

from __future__ import annotations

import os
from pathlib import Path

from sekisho.alerts import AlertBook
from sekisho.publish import DAMAGED
from sekisho.settings import Settings
from sekisho.warehouse.connection import log_of


def misplaced(settings: Settings) -> dict[Path, str]:
    """What lies where a file (or a folder) belongs and is none, each with what belongs there, `folder` or `file`.

    Links count as what they lead to. The folder for damaged files comes first: the others are moved there.
    """
    book, calls, dagster = AlertBook(settings.state), settings.calls_path, settings.dagster_path
    folders = [settings.damaged_path, settings.index_path, settings.catalogue_path, dagster]
    folders += [book.outbox.folder, book.outbox.broken, calls, *sorted(calls.glob("??")), calls / DAMAGED]
    files = [settings.warehouse_path, log_of(settings.warehouse_path), settings.inventory_path]
    files += [settings.compiled_path, settings.gaps_path, settings.report_path]
    files += [settings.spend_path, settings.log_path, book.path, dagster / "dagster.yaml"]
    found = {path: "folder" for path in folders if os.path.lexists(path) and not path.is_dir()}
    return found | {path: "file" for path in files if os.path.lexists(path) and not path.is_file()}
