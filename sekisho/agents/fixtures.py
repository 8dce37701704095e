"""The mock agent: replies from fixture files; no network, no key, the same every time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from sekisho.agents.base import Call, Reply
from sekisho.errors import AgentUnavailable, InputError
from sekisho.hashing import sha256_text
from sekisho.sources.inside import kept_inside
from sekisho.yamlio import load_yaml


class FixtureAgent:
    """Answers each call by its key; a list of replies is one per round, the last of them for all later rounds."""

    name = "mock"

    def __init__(self, replies: Mapping[str, Any], where: object = "data/fixtures") -> None:
        self._replies = replies
        self._where = where

    def propose(self, call: Call) -> Reply:
        """The fixture of this call's key, else what is passed through, else `AgentUnavailable`."""
        if call.key in self._replies:
            reply = self._replies[call.key]
            return Reply(reply[min(call.round, len(reply)) - 1] if isinstance(reply, list) and reply else reply)
        if call.pass_through is not None:
            return Reply(call.pass_through)
        raise AgentUnavailable(
            f"no fixture for {call.key}",
            file=self._where,
            remedy="add this key to a file there, or set IECQ_AGENT=local, which needs neither an API key nor a model",
        )

    @property
    def fingerprint(self) -> str:
        """The digest of all replies: other fixtures are other data."""
        return "mock:" + sha256_text(yaml.safe_dump(dict(sorted(self._replies.items())), allow_unicode=True))


def load_fixtures(folder: Path, overlay: Path | None = None) -> FixtureAgent:
    """The agent over all `*.yaml` below a folder; the keys of `overlay` (a file or folder) replace those found there.

    `InputError` where a file is no mapping or two files of one layer give the same key.
    """
    if overlay is not None and not overlay.exists():
        raise InputError("no such file or folder", file=overlay, remedy="correct --fixtures or SEKISHO_FIXTURES")
    kept_inside(folder, folder.parent)
    layers = [_load_layer(path) for path in (folder, overlay) if path is not None and path.exists()]
    return FixtureAgent({key: reply for layer in layers for key, reply in layer.items()}, folder)


def _load_layer(path: Path) -> dict[str, Any]:
    found_in: dict[str, Path] = {}
    replies: dict[str, Any] = {}
    for file in _yaml_files(path):
        content = load_yaml(file)
        if content is not None and not isinstance(content, dict):
            raise InputError("a mapping of keys to replies is expected", file=file, remedy="write `key: {...}` entries")
        for key, reply in (content or {}).items():
            if not isinstance(key, str):
                raise InputError("a key is text such as query:<id>", file=file, item=str(key), remedy="quote the key")
            if key in found_in:
                raise InputError(f"this key stands in {found_in[key]} as well", file=file, item=key, remedy="keep one")
            found_in[key], replies[key] = file, reply
    return replies


def _yaml_files(path: Path) -> Sequence[Path]:
    if not path.is_dir():
        return [path]
    return [kept_inside(file, path) for file in sorted([*path.rglob("*.yaml"), *path.rglob("*.yml")])]
