"""One writing run at a time: without it, a run's checks could judge the rows of another."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from sekisho.errors import WarehouseBusy, WarehouseError


@contextmanager
def run_lock(state: Path, *, wait: float) -> Iterator[None]:
    """Hold `<state>/run.lock`; `WarehouseBusy` names the process that holds it after `wait` seconds.

    The thread that holds it may take it again. The lock is the operating system's: it ends with its process, however
    that ends.
    """
    path = state / "run.lock"
    holder = state / "run.pid"
    try:
        state.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path, timeout=wait, is_singleton=True)
        lock.acquire()
    except Timeout:
        raise WarehouseBusy(
            f"{lock_holder(state)} holds run.lock", file=state, remedy="wait for it, or raise SEKISHO_LOCK_WAIT"
        ) from None
    except OSError as error:
        raise WarehouseError(f"cannot be locked: {error.strerror}", file=path, remedy="check its rights") from None
    try:
        holder.write_text(f"{os.getpid()}\n", encoding="ascii")
        yield
    finally:
        if lock.lock_counter == 1:
            holder.unlink(missing_ok=True)  # its number may soon be another process's
        lock.release()


def run_lock_is_free(state: Path) -> bool:
    """Whether no run writes to a state folder at this moment; False where that cannot be told."""
    lock = FileLock(state / "run.lock", timeout=0)
    try:
        lock.acquire()
    except (Timeout, OSError):
        return False
    lock.release()
    return True


def lock_holder(state: Path) -> str:
    """Who holds the lock, in words: a run with its process where that lives, else whoever may."""
    try:
        pid = int((state / "run.pid").read_text(encoding="ascii"))
        os.kill(pid, 0)
    except PermissionError:
        pass  # it lives, and is another user's
    except (OSError, ValueError, OverflowError):
        return "another process, a backup perhaps,"
    return f"another run (process {pid})"
