"""A damaged warehouse: found by reading and writing all of it, kept as far as it can be read, else set aside."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from sekisho.errors import WarehouseDamaged
from sekisho.publish import set_aside
from sekisho.warehouse.connection import copy_rows, log_of, opened, table_names


def read_through(path: Path, wait: float) -> None:
    """Read every row of every table, so that DuckDB compares every checksum; `WarehouseDamaged` where one is wrong."""
    with opened(path, wait, read_only=True) as connection:
        for table in table_names(connection):
            connection.execute(f'SELECT bit_xor(hash(one)) FROM "{table}" AS one').fetchall()


def mend_warehouse(path: Path, damaged: Path, wait: float) -> list[str]:
    """Make a warehouse usable again, and say what was done; nothing where it is whole.

    What is damaged is moved to the folder `damaged`. A log that cannot be replayed is left out: the last commit is lost
    with it, whole. So is one without its warehouse, beside which no other could be opened. Where only an index is
    damaged every row is kept. Of a file whose rows are damaged none is, since those that can be read need not fit
    together; all of it can be made again from documents and stored replies.
    """
    done: list[str] = []
    log = log_of(path)
    if not path.exists():
        if log.exists():
            done.append(f"{log.name} was there without its warehouse and was set aside as {set_aside(log, damaged)}")
        return done
    problem = _problem(path, wait)
    if problem and "replaying WAL" in problem and log.exists():
        done.append(f"{log.name} was damaged and set aside as {set_aside(log, damaged)}: its last commit is lost")
        problem = _problem(path, wait)
    if problem:
        aside = _set_both_aside(path, damaged)
        return [*done, f"{path.name} was damaged and set aside as {aside}: `sekisho run` makes it again"]
    with TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        trial, fresh = Path(folder) / "trial.duckdb", Path(folder) / "fresh.duckdb"
        try:
            with opened(path, wait, read_only=False):
                pass  # what a killed process left in the log is in the file now
            shutil.copyfile(path, trial)
            _write_through(trial)
            return done
        except WarehouseDamaged:
            with opened(path, wait, read_only=True) as old, opened(fresh, 0, read_only=False) as new:
                copy_rows(old, new)
                new.execute("CHECKPOINT")
            aside = _set_both_aside(path, damaged)
            os.replace(fresh, path)  # noqa: PTH105
    return [*done, f"{path.name} had a damaged index and was set aside as {aside}: all rows were kept"]


def _set_both_aside(path: Path, damaged: Path) -> Path:
    """Move the file, and its log where there is one: it fits no other file."""
    aside = set_aside(path, damaged)
    if log_of(path).exists():
        set_aside(log_of(path), damaged)
    return aside


def _problem(path: Path, wait: float) -> str:
    try:
        read_through(path, wait)
    except WarehouseDamaged as error:
        return error.message
    return ""


def _write_through(path: Path) -> None:
    """Write every row anew, in a copy that is thrown away: a damaged index shows in no other way."""
    with opened(path, 0, read_only=False) as connection:
        for table in table_names(connection):
            connection.execute(f'CREATE TEMP TABLE "rows of {table}" AS SELECT * FROM "{table}"')
            connection.execute(f'DELETE FROM "{table}"')
            connection.execute(f'INSERT INTO "{table}" SELECT * FROM "rows of {table}"')
        connection.execute("CHECKPOINT")
