"""Publishing files: the old one or the new one, whole, and nothing left beside it."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sekisho.compiled import read_compiled, render_compiled, render_if_behind
from sekisho.errors import SekishoError
from sekisho.publish import write_atomically
from sekisho.records import KnowledgeBase


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file may grow beyond `size` bytes: the kernel refuses the rest, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_and_its_folder_are_made_with_exactly_this_text(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.txt"
    write_atomically(path, "海\r\nline\n")
    assert path.read_bytes() == "海\r\nline\n".encode()
    assert names(path.parent) == ["file.txt"]


def test_an_older_file_is_replaced_and_its_open_readers_keep_the_old_text(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    write_atomically(path, "old")
    with path.open(encoding="utf-8") as reader:
        write_atomically(path, "new")
        assert reader.read() == "old"
    assert path.read_text(encoding="utf-8") == "new"
    assert names(tmp_path) == ["file.txt"]


def test_a_full_disk_keeps_the_old_file_leaves_nothing_behind_and_is_named(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    write_atomically(path, "old")
    with pytest.raises(SekishoError) as caught, full_disk(4096):
        write_atomically(path, "new" * 5000)
    assert caught.value.file == str(path)
    assert path.read_text(encoding="utf-8") == "old"
    assert names(tmp_path) == ["file.txt"]


def test_text_that_cannot_be_encoded_keeps_the_old_file_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    write_atomically(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "new \ud800")
    assert path.read_text(encoding="utf-8") == "old"
    assert names(tmp_path) == ["file.txt"]


def test_a_folder_in_the_files_place_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file.txt").mkdir()
    with pytest.raises(SekishoError, match=r"file\.txt: cannot be written"):
        write_atomically(tmp_path / "file.txt", "new")
    assert names(tmp_path) == ["file.txt"]


@pytest.mark.parametrize("name", ["x" * 255, "海" * 85])
def test_a_file_with_the_longest_name_is_written(name: str, tmp_path: Path) -> None:
    write_atomically(tmp_path / name, "new")
    assert names(tmp_path) == [name]


def test_a_pipe_or_a_device_is_not_replaced_not_even_behind_a_link(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/null")
    for name in ("pipe", "device"):
        with pytest.raises(SekishoError, match=f"{name}: cannot be written: not a regular file"):
            write_atomically(tmp_path / name, b"new")
    assert (
        names(tmp_path) == ["device", "pipe"] and (tmp_path / "pipe").is_fifo() and (tmp_path / "device").is_symlink()
    )


def test_a_file_in_the_folders_place_is_an_error_that_names_the_target(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file", encoding="utf-8")
    with pytest.raises(SekishoError, match=r"state/file\.txt: cannot be written"):
        write_atomically(tmp_path / "state" / "file.txt", "new")


BASE = KnowledgeBase(generation="abc", facts=(), sources=())


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"generation": "abc", "facts": [1]}', b"\xff\xfe", None])
def test_a_missing_tampered_or_broken_rendering_is_rendered_again(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "compiled.json"
    if content is not None:
        path.write_bytes(content)
    render_if_behind(BASE, path)
    assert read_compiled(path) == render_compiled(BASE)


def test_a_rendering_that_is_right_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "compiled.json"
    render_if_behind(BASE, path)
    before = path.stat().st_mtime_ns, path.stat().st_ino
    render_if_behind(BASE, path)
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == before
