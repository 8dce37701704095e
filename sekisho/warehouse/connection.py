"""Short connections to the DuckDB file: a bounded wait for its lock, one transaction each, a checkpoint at the end."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
from filelock import FileLock, Timeout

from sekisho.errors import WarehouseBusy, WarehouseDamaged, WarehouseError
from sekisho.publish import remove_leftovers, set_aside
from sekisho.warehouse.migrations import SCHEMA_VERSION, TABLES, migrate

REPAIR = "`sekisho repair` sets it aside and keeps what can be read, then `sekisho run`"
_RETRY_EVERY = 0.05  # seconds
# How DuckDB says that a block's checksum, a header or the log is not what it wrote; it checks each block it reads.
_DAMAGE = ("Corrupt", "not a valid DuckDB database", "read enough bytes", "replaying WAL", "Failed to deserialize")
_DAY = 86_400.0  # seconds; nobody takes as long to make a file


@contextmanager
def reading(path: Path, wait: float) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to read from; other readers may hold the file at the same time, and nothing is written to it.

    A file that is missing reads as empty tables, one of an earlier version as a copy in memory, brought up to date.
    """
    with used(_open_to_read(path, wait), path) as connection:
        _check_version(connection, path)
        yield connection


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
        raise unusable(error, path) from error
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
            raise unusable(error, path) from error
        raise
    return connection


@contextmanager
def writing(path: Path, wait: float) -> Iterator[duckdb.DuckDBPyConnection]:
    """One transaction: committed and checkpointed at the end, rolled back whole when anything raises."""
    _make_folder(path)
    began = time.monotonic()
    with _turn(path, wait):
        if not path.exists():
            _make_file(path)
        yield from _transaction(path, wait, began)


def _transaction(path: Path, wait: float, began: float) -> Iterator[duckdb.DuckDBPyConnection]:
    with used(_open(path, wait, read_only=False, since=began), path) as connection:
        connection.begin()
        try:
            _prepare(connection, path)
            yield connection
            connection.commit()
        except BaseException:
            connection.rollback()
            raise
        connection.execute("CHECKPOINT")


@contextmanager
def opened(path: Path, wait: float, *, read_only: bool) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to the file as it is, whatever tables it holds."""
    with used(_open(path, wait, read_only=read_only), path) as connection:
        yield connection


@contextmanager
def used(connection: duckdb.DuckDBPyConnection, path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that is closed at the end; an error of DuckDB comes out as one that names the file."""
    try:
        yield connection
    except duckdb.Error as error:
        raise unusable(error, path) from error
    finally:
        connection.close()


def _open(path: Path, wait: float, *, read_only: bool, since: float | None = None) -> duckdb.DuckDBPyConnection:
    began = time.monotonic() if since is None else since
    if read_only:
        _let_writers_in(path, wait)
    return _patiently(lambda: duckdb.connect(str(path), read_only=read_only), path, wait, began)


def _patiently(
    connect: Callable[[], duckdb.DuckDBPyConnection], path: Path, wait: float, began: float | None = None
) -> duckdb.DuckDBPyConnection:
    deadline = (time.monotonic() if began is None else began) + wait
    while True:
        try:
            return connect()
        except duckdb.Error as error:
            message = str(error)
            if not _is_busy(message):
                raise unusable(error, path) from None
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


@contextmanager
def _turn(path: Path, wait: float) -> Iterator[None]:
    """A writer's turn: readers that come later wait for it, or with enough of them it would never come."""
    lock = FileLock(_turn_file(path), timeout=wait, poll_interval=_RETRY_EVERY)
    with suppress(Timeout, OSError):  # then the file itself says who holds it, or what is wrong
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _let_writers_in(path: Path, wait: float) -> None:
    """Wait for a writer whose turn it is; nothing where none ever wrote, or nothing may be written."""
    with suppress(Timeout, OSError):
        if _turn_file(path).exists():
            FileLock(_turn_file(path), timeout=wait, poll_interval=_RETRY_EVERY).acquire().lock.release()


def log_of(path: Path) -> Path:
    """The log that DuckDB keeps beside its file, there only after a kill."""
    return path.with_name(f"{path.name}.wal")


def _turn_file(path: Path) -> Path:
    return path.with_suffix(".lock")


def _make_file(path: Path) -> None:
    """An empty warehouse, made aside and then put into place: no process that is killed leaves half a file there."""
    remove_leftovers(path.parent, path.name, time.time() - _DAY)
    try:
        with TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
            aside = Path(folder) / path.name
            with used(duckdb.connect(str(aside)), path) as connection:
                _prepare(connection, path)
                connection.execute("CHECKPOINT")
            if (log := log_of(path)).exists() and not path.exists():
                set_aside(log, path.parent / "damaged")  # of a warehouse that is gone: DuckDB would open no other
            try:
                os.link(aside, path)
            except FileExistsError:
                pass  # another process has made it meanwhile
            except OSError:  # a file system without hard links
                aside.rename(path)
    except duckdb.Error as error:
        raise unusable(error, path) from error
    except OSError as error:
        raise WarehouseError(
            f"cannot be made: {error.strerror}", file=path, remedy="check the folder's rights and free space"
        ) from None


def unusable(error: duckdb.Error, path: Path) -> WarehouseError:
    """What an error of DuckDB is to us; `WarehouseDamaged` where the file is not what was written."""
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    if any(sign in reason for sign in _DAMAGE):
        return WarehouseDamaged(f"it is damaged: {reason}", file=path, remedy=REPAIR)
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
