"""Dagster's home under the state folder, so that the command line and the UI see the same runs."""

from __future__ import annotations

import os
from pathlib import Path

from sekisho.errors import SettingsError
from sekisho.publish import write_atomically
from sekisho.settings import Settings, project_root


def prepare_home(settings: Settings) -> Path:
    """Make `<state>/dagster`, put the project's dagster.yaml there, and set DAGSTER_HOME to it."""
    home = settings.state / "dagster"
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"cannot be made: {error.strerror}"
        raise SettingsError(reason, file=home, item="SEKISHO_STATE", remedy="name a folder you may write") from None
    ours = project_root() / "dagster.yaml"
    text = ours.read_text(encoding="utf-8") if ours.is_file() else "telemetry:\n  enabled: false\n"
    written = home / "dagster.yaml"
    if not written.is_file() or written.read_text(encoding="utf-8") != text:
        write_atomically(written, text)
    os.environ["DAGSTER_HOME"] = str(home)
    return home
