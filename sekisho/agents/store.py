"""The call store: every paid reply on disk the moment it arrives, so that no reply is paid for twice."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from sekisho.agents.base import Agent, Call, Reply
from sekisho.agents.subagent import parse_reply
from sekisho.errors import InvalidReply
from sekisho.hashing import sha256_json
from sekisho.publish import remove_leftovers, write_atomically

_DAY = 86_400.0  # seconds; no write takes as long


class _Record(BaseModel):
    """One stored reply."""

    model_config = ConfigDict(extra="forbid")

    call: str
    key: str
    content: Any
    model: str
    usage: dict[str, float | None]
    params: dict[str, Any] = {}


class CallStore:
    """The replies under one folder, by what was asked of whom. Files are written aside and renamed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, agent: str, call: Call) -> Path:
        """Where the reply of an agent to this very call lies."""
        prompt = call.prompt
        identity: list[Any] = [agent, dict(prompt.params), prompt.sha256, dict(call.schema), prompt.text]
        identity += [call.round] if call.repeats else []
        digest = sha256_json(identity)
        return self._folder / digest[:2] / f"{digest}.json"

    def read(self, agent: str, call: Call) -> Reply | None:
        """The stored reply; None where there is none, or one that cannot be read or no longer parses."""
        path = self.path(agent, call)
        try:
            record = _Record.model_validate_json(path.read_bytes(), strict=True)
            if record.call != path.stem:
                return None  # a reply to something else
            parse_reply(call.reply_type, record.content)
            return Reply(record.content, record.model, record.usage, record.params)
        except (OSError, ValidationError, InvalidReply):
            return None

    def write(self, agent: str, call: Call, reply: Reply) -> None:
        """Store a reply; `SekishoError` where the disk refuses."""
        path = self.path(agent, call)
        record = {
            "call": path.stem,
            "key": call.key,
            "content": reply.content,
            "model": reply.model,
            "usage": dict(reply.usage),
            "params": dict(reply.params),
        }
        # Plain ASCII, so that whatever came can be stored: even what no parser will let pass.
        write_atomically(path, json.dumps(record, sort_keys=True) + "\n")

    def tidy(self) -> None:
        """Remove what writers that were killed left half-written more than a day ago."""
        for folder in self._folder.glob("??"):
            remove_leftovers(folder, "*.json", time.time() - _DAY)


def unreadable_replies(folder: Path) -> tuple[int, list[Path]]:
    """How many replies lie below the folder of a store, and which of their files are none."""
    files = sorted(folder.glob("*/*.json"))
    return len(files), [path for path in files if not _is_reply(path)]


def _is_reply(path: Path) -> bool:
    try:
        return _Record.model_validate_json(path.read_bytes(), strict=True).call == path.stem
    except (OSError, ValidationError):
        return False


class StoredAgent:
    """Answers from the store where it can, else asks the inner agent and stores what comes.

    A stored reply that cannot be read or no longer parses is asked again. Where a later round asks again because of
    what a gate said, its reply has a place of its own, by the round and the reasons, and takes the first one's place
    too: from then on it is what the first round finds. Safe with several threads and processes: two writers of one key
    write the same question's answer.
    """

    def __init__(self, inner: Agent, folder: Path) -> None:
        self._inner = inner
        self._store = CallStore(folder)
        self._store.tidy()
        self._guard = Lock()
        self._locks: dict[str, Lock] = {}

    @property
    def name(self) -> str:
        """The name of the agent that was really asked."""
        return self._inner.name

    @property
    def fingerprint(self) -> str:
        """That of the agent that was really asked."""
        return self._inner.fingerprint

    def propose(self, call: Call) -> Reply:
        """The stored reply to this very call, else a new one."""
        first = _unrepeated(call)
        with self._lock_of(self._store.path(self.name, first).stem):
            reply = self._store.read(self.name, call)
            if reply is None:
                reply = self._inner.propose(call)
                self._store.write(self.name, call, reply)
            if first is not call and _parses(call, reply) and self._store.read(self.name, first) != reply:
                self._store.write(self.name, first, reply)
            return reply

    def _lock_of(self, digest: str) -> Lock:
        """One lock per call: threads that ask the same wait for the one reply."""
        with self._guard:
            return self._locks.setdefault(digest, Lock())


def _unrepeated(call: Call) -> Call:
    """The call as it was before its reply was turned back."""
    return replace(call, prompt=replace(call.prompt, text=call.repeats), repeats="") if call.repeats else call


def _parses(call: Call, reply: Reply) -> bool:
    try:
        parse_reply(call.reply_type, reply.content)
    except InvalidReply:
        return False
    return True
