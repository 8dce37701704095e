"""Publishing files: written aside, flushed to disk, renamed; a reader sees the old one or the new one, whole."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from sekisho.errors import SekishoError


def write_atomically(path: Path, text: str) -> None:
    """Replace a file's content in one step; `SekishoError` names the file where the disk refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(aside).chmod(0o644)
            Path(aside).replace(path)
        except BaseException:
            Path(aside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise SekishoError(
            f"cannot be written: {error.strerror}",
            file=path,
            remedy="check the folder's rights and free space",
        ) from None


def text_on_disk(path: Path) -> str:
    """A published file's text; empty where there is none to read."""
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def remove_leftovers(folder: Path, name: str, before: float) -> None:
    """Remove what dead writers of files so named (a glob) left before a moment, in seconds since the epoch."""
    for aside in folder.glob(f".{name}.*"):
        with suppress(OSError):  # gone meanwhile, or of somebody else: it does no harm
            if aside.is_file() and aside.stat().st_mtime < before:
                aside.unlink()
