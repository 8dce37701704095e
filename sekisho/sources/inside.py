"""Links in a data folder: what leads out of it is never opened."""

from __future__ import annotations

from pathlib import Path

from sekisho.errors import InputError


def kept_inside(path: Path, folder: Path) -> Path:
    """The path itself, there or not; `InputError` where it is a link out of the folder, or one that leads nowhere."""
    try:
        is_inside = path.resolve().is_relative_to(folder.resolve())
        is_broken = path.is_symlink() and not path.exists()
    except RuntimeError:  # a circle of links
        is_inside, is_broken = True, True
    except OSError:  # whoever opens it says why it cannot be looked at
        return path
    if not is_inside:
        remedy = "put what it leads to here itself, or name another SEKISHO_DATA"
        raise InputError("a link that leads out of the data folder", file=path, remedy=remedy)
    if is_broken:
        raise InputError("a link that leads nowhere", file=path, remedy="repair it, or take it away")
    return path
