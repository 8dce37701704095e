"""The databases in which Dagster keeps its record of runs: SQLite files in the state, looked at without Dagster."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sekisho.publish import set_aside

_BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a file that is open, or was when it was killed


def damaged_databases(home: Path, *, thorough: bool) -> dict[Path, str]:
    """The databases below Dagster's home that are damaged, each with what SQLite says; nothing is written.

    `thorough` reads every page of each, else its head and its tables' names alone, and no database of a single run.
    """
    main = [home / name for name in ("history/runs.db", "history/runs/index.db", "schedules/schedules.db")]
    found = {path: _damage(path, thorough) for path in (sorted(home.rglob("*.db")) if thorough else main)}
    return {path: reason for path, reason in found.items() if reason}


def set_database_aside(path: Path, damaged: Path) -> Path:
    """Move a database and what SQLite keeps beside it, which fits no other file; where it is now."""
    aside = set_aside(path, damaged)
    for ending in _BESIDE:
        beside = path.with_name(path.name + ending)
        if beside.exists():
            set_aside(beside, damaged)
    return aside


def _damage(path: Path, thorough: bool) -> str:
    if not path.is_file():
        return ""
    # Nobody has it open where it has no log; only then may SQLite be told so, and makes no files of its own beside it.
    in_use = any(path.with_name(path.name + ending).exists() for ending in _BESIDE)
    how = "mode=ro" if in_use else "immutable=1"
    query = "PRAGMA quick_check(1)" if thorough else "SELECT name FROM sqlite_master"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as one:
            rows = one.execute(query).fetchall()
    except sqlite3.OperationalError:  # held, or not to be read: no damage
        return ""
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if not thorough or rows == [("ok",)] else str(rows[0][0])
