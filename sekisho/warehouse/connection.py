"""Short connections to the DuckDB file: a bounded wait for its lock, one transaction each, a checkpoint at the end."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
from filelock import FileLock, Timeout

from sekisho.errors import WarehouseBusy, WarehouseDamaged, WarehouseError
from sekisho.publish import DAMAGED, remove_leftovers, set_aside
from sekisho.warehouse.attached import attached
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
    with ExitStack() as using:
        connection = using.enter_context(opened(path, wait, read_only=True)) if path.exists() else None
        if connection is None or not _is_current(connection):
            connection = using.enter_context(_in_memory(path, connection))
        _check_version(connection, path)
        yield connection


def _is_current(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether a file's tables can be read as they are, if only to be told that they are not ours."""
    version = _version(connection)
    return not _is_older(version) if version is not None else bool(table_names(connection))


@contextmanager
def _in_memory(path: Path, older: duckdb.DuckDBPyConnection | None) -> Iterator[duckdb.DuckDBPyConnection]:
    """The tables as they are now, empty or with a copy of what stands in an older file."""
    with _naming(path), attached(None, read_only=False) as connection:
        if older is not None:
            copy_rows(older, connection)
        _prepare(connection, path)
        yield connection


def copy_rows(old: duckdb.DuckDBPyConnection, new: duckdb.DuckDBPyConnection) -> None:
    """Copy all tables of one file, with their rows, to another without tables."""
    names = (one.execute("SELECT current_database()").fetchall()[0][0] for one in (old, new))
    new.execute("COPY FROM DATABASE {} TO {}".format(*names))


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
    with opened(path, wait, read_only=False, since=began) as connection:
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
def opened(
    path: Path, wait: float, *, read_only: bool, since: float | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to the file as it is, whatever tables it holds; the wait counts from the moment `since`, or now."""
    began = time.monotonic() if since is None else since
    if read_only:
        _let_writers_in(path, wait)
    with ExitStack() as using:
        connection = _patiently(lambda: using.enter_context(attached(path, read_only=read_only)), path, wait, began)
        with _naming(path):
            yield connection


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """An error of DuckDB comes out as one that names the file."""
    try:
        yield
    except duckdb.Error as error:
        raise unusable(error, path) from error


def _patiently(
    connect: Callable[[], duckdb.DuckDBPyConnection], path: Path, wait: float, began: float
) -> duckdb.DuckDBPyConnection:
    while True:
        try:
            return connect()
        except duckdb.Error as error:
            message = str(error)
            if not _is_busy(message):
                raise unusable(error, path) from None
            if time.monotonic() >= began + wait:
                raise WarehouseBusy(
                    f"held by another process for more than {wait:g} s: {message.splitlines()[0]}",
                    file=path,
                    remedy="wait for the other run, or raise SEKISHO_LOCK_WAIT",
                ) from None
        time.sleep(_RETRY_EVERY)


def _is_busy(message: str) -> bool:
    # Another process holds the lock; or, in this process, another thread has it open the other way.
    return "lock on file" in message or "already attached" in message


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
            with _naming(path), attached(aside, read_only=False) as connection:
                _prepare(connection, path)
                connection.execute("CHECKPOINT")
            if (log := log_of(path)).exists() and not path.exists():
                set_aside(log, path.parent / DAMAGED)  # of a warehouse that is gone: DuckDB would open no other
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
    if not table_names(connection):
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


def table_names(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The names of the file's own tables, sorted."""
    query = "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() ORDER BY ALL"
    # All rows are fetched, always: DuckDB 2 refuses other work on a connection with an unfinished result.
    return [str(name) for (name,) in connection.execute(query).fetchall()]
