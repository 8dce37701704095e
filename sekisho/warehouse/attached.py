"""Files attached for moments to one DuckDB instance, which lives as long as its process.

An instance for each opening cost 15 ms of processor, nearly all of it DuckDB's own catalogue of functions; `ATTACH` and
`DETACH` cost one.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Lock

import duckdb


@dataclass(eq=False, slots=True)
class _Held:
    """A file under its name in an instance; all who have it open in this process share it.

    A second handle to the file would, once it is closed, take away the lock that the first holds (POSIX).
    """

    instance: duckdb.DuckDBPyConnection
    name: str
    key: tuple[str, bool]
    users: int = 0


_lock = Lock()
_numbers = count(1)
_instance: duckdb.DuckDBPyConnection | None = None
_held: dict[tuple[str, bool], _Held] = {}


@contextmanager
def attached(path: Path | None, *, read_only: bool) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a file, or with None to empty tables in memory; DuckDB's own error where there can be none."""
    held = _hold(path, read_only)
    try:
        with closing(held.instance.cursor()) as connection:
            connection.execute(f"USE {held.name}")
            yield connection
    finally:
        _let_go(held)


def _hold(path: Path | None, read_only: bool) -> _Held:
    global _instance
    with _lock:
        name = f"warehouse_{next(_numbers)}"
        key = (str(path.absolute()) if path else name, read_only)
        if (held := _held.get(key)) is None:
            if _instance is None:  # without threads of its own, that would idle between two openings
                _instance = duckdb.connect(config={"threads": 1, "async_threads": 0})
            held = _Held(_instance, name, key)
            literal = key[0].replace("'", "''") if path else ":memory:"
            try:
                _instance.execute(f"ATTACH '{literal}' AS {name}{' (READ_ONLY)' if read_only else ''}")
            except BaseException:
                _close(held)
                raise
            _held[key] = held
        held.users += 1
        return held


def _let_go(held: _Held) -> None:
    with _lock:
        held.users -= 1
        if not held.users and _held.get(held.key) is held:  # else it is a parent's, who forked meanwhile
            del _held[held.key]
            _close(held)


def _close(held: _Held) -> None:
    global _instance
    try:
        held.instance.execute(f"DETACH DATABASE IF EXISTS {held.name}")
    except BaseException as error:
        held.instance.close()  # a signal, or a fatal error before: this lets go of all files
        _instance = None
        if not isinstance(error, duckdb.Error):
            raise


def _after_fork() -> None:
    """A child begins anew; what its parent has open it never closes, for that would write to the parent's files."""
    global _lock, _held, _instance
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_instance))
    _lock, _held, _instance = Lock(), {}, None


os.register_at_fork(after_in_child=_after_fork)
