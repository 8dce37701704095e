"""Publishing files: written aside, flushed to disk, renamed; a reader sees the old one or the new one, whole."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sekisho.errors import SekishoError

DAMAGED = "damaged"  # the folder for what is set aside, in the one where it lay


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace a file's content in one step; `SekishoError` names the file where the disk refuses.

    So it does where something else than a file is there: a device, a pipe or a folder is not replaced.
    """
    with opened_aside(path) as publish:
        publish(content)


@contextmanager
def opened_aside(path: Path) -> Iterator[Callable[[str | bytes], None]]:
    """Make a file beside one that is to be replaced; what is yielded gives it its content and puts it into place.

    It may be called once. Nothing is left where it is not called, or fails. `SekishoError` as in `write_atomically`.
    """
    with _named(path):
        if is_no_file(path):
            raise SekishoError("cannot be written: not a regular file", file=path, remedy="move it away")
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{_short(path.name)}.")
    aside = Path(name)
    placed = False

    def publish(content: str | bytes) -> None:
        nonlocal placed
        with _named(path):
            data = memoryview(content.encode("utf-8") if isinstance(content, str) else content)
            while data:  # one write for all but gigabytes: who is killed behind it has left the whole text
                data = data[os.write(handle, data) :]
            os.fsync(handle)
            os.fchmod(handle, 0o644)
            try:
                aside.replace(path)
            except FileNotFoundError:
                if not path.exists():  # another process may have found it whole, and put it there
                    raise
            placed = True

    try:
        yield publish
    finally:
        os.close(handle)
        if not placed:
            aside.unlink(missing_ok=True)


def _short(name: str) -> str:
    """As much of a file's name as leaves room for a dozen more bytes: 255 are the most that a file system takes."""
    return name.encode("utf-8", "surrogateescape")[:240].decode("utf-8", "ignore") if len(name) > 60 else name


def is_no_file(path: Path) -> bool:
    """Whether something else than a regular file is there: a device, a pipe, a folder; a link counts as its target."""
    return path.exists() and not path.is_file()


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
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


def set_aside(path: Path, folder: Path) -> Path:
    """Move a file or folder into a folder under a name that is free there, and return where it is now."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        remedy = "move what lies there, or check the rights of the folder above"
        raise SekishoError(f"cannot be made: {error.strerror}", file=folder, remedy=remedy) from None
    try:
        number, target = 1, folder / path.name
        while target.exists():
            number += 1
            target = folder / f"{path.stem}-{number}{path.suffix}"
        path.rename(target)
    except OSError as error:
        raise SekishoError(f"cannot be set aside: {error.strerror}", file=path, remedy="move or mend it") from None
    return target


def remove_leftovers(folder: Path, name: str, before: float) -> None:
    """Remove what dead writers of files so named (a glob) left, folders too, before a moment, in seconds since 1970."""
    for aside in folder.glob(f".{name}.*"):
        with suppress(OSError):  # gone meanwhile, or of somebody else: it does no harm
            if aside.stat().st_mtime < before:
                shutil.rmtree(aside) if aside.is_dir() else aside.unlink()
