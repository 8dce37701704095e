"""Dagster's home under the state folder, so that the command line and the UI see the same runs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sekisho.errors import SekishoError, SettingsError
from sekisho.publish import write_atomically
from sekisho.rundb import damaged_databases
from sekisho.settings import Settings, project_root
from sekisho.text import shortened

if TYPE_CHECKING:
    import dagster as dg

_LEAST_ROOM = 2**20  # bytes; less than a run writes
_WITHOUT_A_CHECKOUT = "telemetry:\n  enabled: false\n"


def prepare_home(settings: Settings) -> Path:
    """Make `<state>/dagster`, put the instance settings there, and set DAGSTER_HOME to it."""
    home = settings.dagster_path
    text = instance_settings(settings.dagster_yaml)
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"cannot be made: {error.strerror}"
        raise SettingsError(reason, file=home, item="SEKISHO_STATE", remedy="name a folder you may write") from None
    check_room(settings)
    written = home / "dagster.yaml"
    if not written.is_file() or written.read_text(encoding="utf-8") != text:
        write_atomically(written, text)
    os.environ["DAGSTER_HOME"] = str(home)
    return home


def check_room(settings: Settings) -> None:
    """`SekishoError` where the disk of the state is full: SQLite would only say that it cannot write."""
    free = shutil.disk_usage(settings.state).free
    if free < _LEAST_ROOM:
        reason = f"No space left on device: {free // 1024} KiB are free"
        raise SekishoError(reason, file=settings.state, remedy="make room, or move the state with SEKISHO_STATE")


@contextmanager
def open_instance(settings: Settings) -> Iterator[dg.DagsterInstance]:
    """Dagster's instance of a home that is prepared; `SettingsError` where its settings cannot be used.

    `SekishoError` where a database of its own is damaged.
    """
    import dagster as dg

    _check_record(settings, thorough=False)  # of one of them Dagster would tell only in the middle of a run
    try:
        instance = dg.DagsterInstance.get()
    except Exception as error:  # of Dagster, of YAML, of a database's driver: it is what the file says
        _check_record(settings, thorough=True)
        reason = f"Dagster cannot use it: {shortened(' '.join(str(error).split()), 300)}"
        raise SettingsError(reason, file=settings.dagster_yaml, remedy="correct it, or what it names") from None
    with instance:
        yield instance


def _check_record(settings: Settings, *, thorough: bool) -> None:
    for path, reason in damaged_databases(settings.dagster_path, thorough=thorough).items():
        told = f"Dagster's database is damaged: {reason}"
        raise SekishoError(told, file=path, remedy="`sekisho repair` sets it aside; then run again")


def instance_settings(path: Path) -> str:
    """The text of the instance's settings; `SettingsError` where the file cannot be read."""
    if path == project_root() / "dagster.yaml" and not path.is_file():
        return _WITHOUT_A_CHECKOUT
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = f"cannot be read: {getattr(error, 'strerror', None) or error}"
        raise SettingsError(reason, file=path, item="SEKISHO_DAGSTER_YAML", remedy="name a dagster.yaml") from None
