"""Loading the notes: every file below a folder is read, empty, or named with the reason why it cannot be read."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

from sekisho.errors import InputError
from sekisho.hashing import sha256_text
from sekisho.records import Note
from sekisho.sources import documents
from sekisho.text import is_blank, printable
from sekisho.yamlio import parse_yaml

TEXT_SUFFIXES = frozenset({".md", ".markdown", ".mdx", ".txt", ".text", ".rst"})


class Unreadable(Exception):
    """One file cannot be used; its message is the reason and the remedy."""


def load_notes(
    folder: Path,
    *,
    encodings: tuple[str, ...] = ("utf-8",),
    excluded: Callable[[Path], bool] = lambda _: False,
) -> list[Note]:
    """All notes below a folder, ordered by path; none when the folder is missing.

    A bad file never raises and never hides another: it becomes a note with status `unreadable`.
    Files whose name begins with a dot, or that `excluded` names, are left out.
    """
    if not folder.is_dir():
        return []
    notes = [_load(path, folder, encodings) for path in walk(folder) if not excluded(path)]
    return sorted(notes, key=lambda note: note.path)


def source_ids(folder: Path, excluded: Callable[[Path], bool] = lambda _: False) -> frozenset[str]:
    """The ids of all files below a folder by their names alone; nothing is opened."""
    paths = walk(folder) if folder.is_dir() else ()
    return frozenset(source_of(shown_path(path, folder)) for path in paths if not excluded(path))


def split_front_matter(text: str) -> tuple[str, str]:
    """The YAML between a first line `---` and the next line `---` or `...`, and the rest; no YAML without both.

    Our own, for python-frontmatter strips the body, and offsets into the original must hold.
    """
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].rstrip() != "---":
        return "", text
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() in ("---", "..."):
            return "".join(lines[1:number]), "".join(lines[number + 1 :])
    return "", text


def decode(raw: bytes, encodings: tuple[str, ...]) -> str:
    """Decode strictly as UTF-8 (a BOM is dropped), else as the first configured encoding that fits.

    Raises `Unreadable` where none fits or the bytes are no text.
    """
    for encoding in ("utf-8-sig", *encodings):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    at = _first_bad_byte(raw)
    if at is None:
        raise Unreadable("holds NUL characters: exclude it in sekisho.yaml, or name its encoding there")
    tried = ", ".join(dict.fromkeys(("utf-8", *encodings)))
    raise Unreadable(f"not {tried} (byte {at}): name its encoding under `encodings` in sekisho.yaml")


def walk(folder: Path) -> Iterator[Path]:
    """Every path below a folder to be read, or told why not: files, linked and unlistable folders; none hidden."""
    refused: list[Path] = []  # folders that cannot be listed are told like files that cannot be read
    for parent, folders, files in os.walk(folder, onerror=lambda error: refused.append(Path(error.filename))):
        folders.sort()
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        folders[:] = [name for name in folders if not name.startswith(".") and name not in links]
        yield from (Path(parent) / name for name in sorted([*files, *links]) if not name.startswith("."))
    yield from refused


def shown_path(path: Path, folder: Path) -> str:
    """The path below a folder, with `/`, bytes that are no UTF-8 as escapes."""
    return path.relative_to(folder).as_posix().encode("utf-8", "backslashreplace").decode("utf-8")


def source_of(shown: str) -> str:
    """The id of a file: its path without suffix, in NFC."""
    suffix = Path(shown).suffix
    return unicodedata.normalize("NFC", shown.removesuffix(suffix) if suffix else shown)


def read_file(
    path: Path, folder: Path, encodings: tuple[str, ...], *, also: frozenset[str] = frozenset()
) -> tuple[str, str]:
    """The text of a file below a folder, and the reader that extracted it where it is no text itself.

    `also` are further suffixes of text files. Raises `Unreadable`.
    """
    relative = path.relative_to(folder).as_posix()
    if printable(relative) != relative:
        raise Unreadable("its name holds control or undecodable characters: rename it")
    _check_readable(path, folder, path.suffix, TEXT_SUFFIXES | documents.SUFFIXES | also)
    return _text_of(path, path.suffix, encodings)


def _load(path: Path, folder: Path, encodings: tuple[str, ...]) -> Note:
    shown = shown_path(path, folder)
    source = source_of(shown)
    try:
        text, reader = read_file(path, folder, encodings)
        title, body = _title_and_body(text, path)
    except Unreadable as error:
        return Note(path=shown, source=source, status="unreadable", problem=str(error))
    return Note(
        path=shown,
        source=source,
        status="empty" if is_blank(body) else "read",
        title=title,
        text=text,
        sha256=sha256_text(text),
        reader=reader,
    )


def _check_readable(path: Path, folder: Path, suffix: str, readable: frozenset[str]) -> None:
    """`Unreadable` where a path is no regular file inside the folder, or of a format that nobody here reads."""
    try:
        if path.is_dir():
            kind = (
                "a link to a folder, which is not followed" if path.is_symlink() else "a folder that cannot be listed"
            )
            raise Unreadable(f"{kind}: exclude it in sekisho.yaml, or check its rights")
        if suffix.lower() not in readable:
            raise Unreadable(f"no reader for {suffix or 'a name without a suffix'}: exclude it in sekisho.yaml")
        if not path.resolve(strict=True).is_relative_to(folder.resolve()):
            raise Unreadable("a link that leads out of the data folder: put the file itself here")
        if not stat.S_ISREG(path.stat().st_mode):
            raise Unreadable("not a regular file: exclude it in sekisho.yaml")
    except (OSError, RuntimeError) as error:
        raise _not_opened(error) from None


def _text_of(path: Path, suffix: str, encodings: tuple[str, ...]) -> tuple[str, str]:
    """The text of a file, and the reader that extracted it; no reader for what is text itself."""
    try:
        if suffix.lower() in documents.SUFFIXES:
            return documents.extract_text(path)
        return decode(path.read_bytes(), encodings), ""
    except documents.NoReader:
        raise Unreadable(f"no reader for {suffix} is installed: {documents.REMEDY}") from None
    except documents.BadDocument as error:
        raise Unreadable(f"{error}: exclude it in sekisho.yaml") from None
    except (OSError, RuntimeError) as error:
        raise _not_opened(error) from None


def _not_opened(error: Exception) -> Unreadable:
    return Unreadable(f"cannot be opened ({getattr(error, 'strerror', None) or error}): check the file and its rights")


def _title_and_body(text: str, path: Path) -> tuple[str, str]:
    front, body = split_front_matter(text)
    try:
        meta = parse_yaml(front, file=path, lines_before=1) if front else None
    except InputError as error:
        raise Unreadable(f"front matter: {error.message}: correct it") from None
    if front.strip() and not isinstance(meta, dict):
        meta, body = None, text
    if isinstance(meta, dict) and isinstance(meta.get("title"), str):
        return meta["title"].strip(), body
    heading = next((line for line in body.splitlines() if line.startswith("# ")), "")
    return heading.removeprefix("# ").strip(), body


def _first_bad_byte(raw: bytes) -> int | None:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return None
