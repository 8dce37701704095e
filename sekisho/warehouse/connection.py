"""Short connections to the DuckDB file: a bounded wait for its lock, one transaction each, a checkpoint at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from sekisho.errors import WarehouseBusy, WarehouseError
from sekisho.warehouse.migrations import SCHEMA_VERSION, TABLES, migrate

_RETRY_EVERY = 0.05  # seconds


@contextmanager
def reading(path: Path, wait: float) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to read from; other readers may hold the file at the same time, and nothing is written to it.

    A file that is missing reads as empty tables, one of an earlier version as a copy in memory, brought up to date.
    """
    connection = _open_to_read(path, wait)
    try:
        _check_version(connection, path)
        yield connection
    except duckdb.Error as error:
        raise _unusable(error, path) from error
    finally:
        connection.close()


def _open_to_read(path: Path, wait: float) -> duckdb.DuckDBPyConnection:
    """A read-only connection to the file, or one to tables in memory where its own are missing or older."""
    if not path.exists():
        return _in_memory(path)
    connection = _open(path, wait, read_only=True)
    try:
        version = _version(connection)
        tables = version is not None or bool(_tables(connection))
    except duckdb.Error as error:
        connection.close()
        raise _unusable(error, path) from error
    if tables and not _is_older(version):
        return connection
    connection.close()
    return _in_memory(path, copy=tables, wait=wait)


def _in_memory(path: Path, *, copy: bool = False, wait: float = 0.0) -> duckdb.DuckDBPyConnection:
    """The tables as they are now, empty or with a copy of what stands in an older file."""
    connection = duckdb.connect()
    try:
        if copy:
            literal = str(path).replace("'", "''")
            _patiently(lambda: connection.execute(f"ATTACH '{literal}' AS older (READ_ONLY)"), path, wait)
            connection.execute("COPY FROM DATABASE older TO memory")
            connection.execute("DETACH older")
        _prepare(connection, path)
    except BaseException as error:
        connection.close()
        if isinstance(error, duckdb.Error):
            raise _unusable(error, path) from error
        raise
    return connection


@contextmanager
def writing(path: Path, wait: float) -> Iterator[duckdb.DuckDBPyConnection]:
    """One transaction: committed and checkpointed at the end, rolled back whole when anything raises."""
    _make_folder(path)
    connection = _open(path, wait, read_only=False)
    try:
        connection.begin()
        try:
            _prepare(connection, path)
            yield connection
            connection.commit()
        except BaseException:
            connection.rollback()
            raise
        connection.execute("CHECKPOINT")
    except duckdb.Error as error:
        raise _unusable(error, path) from error
    finally:
        connection.close()


def _open(path: Path, wait: float, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    return _patiently(lambda: duckdb.connect(str(path), read_only=read_only), path, wait)


def _patiently(connect: Callable[[], duckdb.DuckDBPyConnection], path: Path, wait: float) -> duckdb.DuckDBPyConnection:
    deadline = time.monotonic() + wait
    while True:
        try:
            return connect()
        except duckdb.Error as error:
            message = str(error)
            if not _is_busy(message):
                raise _unusable(error, path) from None
            if time.monotonic() >= deadline:
                raise WarehouseBusy(
                    f"held by another process for more than {wait:g} s: {message.splitlines()[0]}",
                    file=path,
                    remedy="wait for the other run, or raise SEKISHO_LOCK_WAIT",
                ) from None
        time.sleep(_RETRY_EVERY)


def _is_busy(message: str) -> bool:
    # Another process holds the lock; or, in this process, another thread has it open the other way.
    return "lock on file" in message or "different configuration" in message or "already attached" in message


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WarehouseError(
            f"cannot be made: {error.strerror}",
            file=path.parent,
            remedy="set SEKISHO_STATE to a folder you may write",
        ) from None


def _unusable(error: duckdb.Error, path: Path) -> WarehouseError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return WarehouseError(reason, file=path, remedy="check the file's rights, or move it aside and run again")


def _prepare(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    if not _tables(connection):
        connection.execute(TABLES)
        connection.execute("INSERT INTO warehouse_schema VALUES (?)", [SCHEMA_VERSION])
    version = _version(connection)
    if version is not None and _is_older(version):
        migrate(connection, version)
    _check_version(connection, path)


def _check_version(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    version = _version(connection)
    if version != SCHEMA_VERSION:
        raise WarehouseError(
            f"its schema is version {'unknown' if version is None else version}, this program's is {SCHEMA_VERSION}",
            file=path,
            remedy="use the matching version of sekisho, or move the file aside and run again",
        )


def _version(connection: duckdb.DuckDBPyConnection) -> int | None:
    """The version of the tables; None where they are not ours."""
    try:
        rows = connection.execute("SELECT version FROM warehouse_schema").fetchall()
    except (duckdb.CatalogException, duckdb.BinderException):  # no such table, or no such column
        return None
    return int(rows[0][0]) if len(rows) == 1 else None


def _is_older(version: int | None) -> bool:
    return version is not None and 1 <= version < SCHEMA_VERSION


def _tables(connection: duckdb.DuckDBPyConnection) -> list[str]:
    # All rows are fetched, always: DuckDB 2 refuses other work on a connection with an unfinished result.
    return [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
