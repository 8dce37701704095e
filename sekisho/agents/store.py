"""The call store: every paid reply on disk the moment it arrives, so that no reply is paid for twice."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import BaseModel, ConfigDict

from sekisho.agents.base import Agent, AroundAgent, Call, Reply
from sekisho.agents.subagent import fits, parse_reply
from sekisho.digested import digested
from sekisho.errors import InvalidReply, SekishoError
from sekisho.hashing import sha256_json
from sekisho.publish import DAMAGED, opened_aside, remove_leftovers, set_aside, write_atomically

_DAY = 86_400.0  # seconds; no write takes as long


class _Record(BaseModel):
    """One stored reply; `sha256` is the digest of all the rest, empty where it was stored before there was one."""

    model_config = ConfigDict(extra="forbid")

    call: str
    key: str
    content: Any
    model: str
    usage: dict[str, float | None]
    params: dict[str, Any] = {}
    sha256: str = ""


class CallStore:
    """The replies under one folder, by what was asked of whom; what is damaged is moved to its `damaged`."""

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
        """The stored reply; None where there is none, or one that is damaged or no longer parses."""
        path = self.path(agent, call)
        record = _taken_up(path)
        try:
            record = record or _read(path)
            parse_reply(call.reply_type, record.content)
            return Reply(record.content, record.model, record.usage, record.params)
        except (FileNotFoundError, InvalidReply):
            return None
        except OSError:  # a folder in its place, say: writing will tell
            return None
        except ValueError:
            with suppress(SekishoError):  # then it stays, and is written over
                self.set_aside(path)
            return None

    def write(self, agent: str, call: Call, reply: Reply) -> None:
        """Store a reply; `SekishoError` where the disk refuses."""
        path = self.path(agent, call)
        write_atomically(path, _text(path, call, reply))

    @contextmanager
    def awaited(self, agent: str, call: Call) -> Iterator[Callable[[Reply], None]]:
        """Make a file for a reply before it is asked for; what is yielded writes it there, at once and in one write.

        So nothing lies between a reply's arrival and its being kept: a process that is killed later has left it whole,
        in its place or beside it, where `read` takes it up. `SekishoError` where the disk refuses.
        """
        path = self.path(agent, call)
        with opened_aside(path) as publish:
            yield lambda reply: publish(_text(path, call, reply))

    def set_aside(self, path: Path) -> Path:
        """Move a damaged reply out of the way; where it is now."""
        return set_aside(path, self._folder / DAMAGED)

    def tidy(self) -> None:
        """Remove what writers that were killed left half-written more than a day ago."""
        for folder in self._folder.glob("??"):
            for aside in folder.glob(".*.json.*"):
                _taken_up(folder / f"{aside.name[1:].partition('.')[0]}.json")
            remove_leftovers(folder, "*.json", time.time() - _DAY)


def _text(path: Path, call: Call, reply: Reply) -> str:
    record = {
        "call": path.stem,
        "key": call.key,
        "content": reply.content,
        "model": reply.model,
        "usage": dict(reply.usage),
        "params": dict(reply.params),
    }
    # Plain ASCII, so that whatever came can be stored: even what no parser will let pass.
    return json.dumps(digested(record), sort_keys=True) + "\n"


def _read(path: Path, name: str = "") -> _Record:
    """A file's record; `ValueError` where it is none, not the one that was written, or a reply to something else."""
    data = path.read_bytes()
    record = _Record.model_validate_json(data, strict=True)
    if record.call != (name or path.stem):
        raise ValueError("a reply to something else")
    if record.sha256 and digested(json.loads(data))["sha256"] != record.sha256:
        raise ValueError("not what was written")
    return record


def _taken_up(path: Path) -> _Record | None:
    """A reply that a killed process left whole beside its place, where that is empty: put there, and read."""
    if path.exists():
        return None
    for aside in sorted(path.parent.glob(f".{path.name}.*")):
        with suppress(OSError, ValueError):
            record = _read(aside, path.stem)
            aside.replace(path)
            return record
    return None


def stored_replies(folder: Path) -> dict[str, str]:
    """The key of each call whose reply lies whole below the folder of a store, by the digest of the call."""
    found = {}
    for path in [*folder.glob("??/*.json"), *folder.glob("??/.*.json.*")]:
        with suppress(OSError, ValueError):
            record = _read(path, path.name.removeprefix(".").partition(".")[0])
            found[record.call] = record.key
    return found


def unreadable_replies(folder: Path) -> tuple[int, list[Path]]:
    """How many replies lie below the folder of a store, and which of their files are none."""
    files = sorted(folder.glob("??/*.json"))
    return len(files), [path for path in files if not _is_reply(path)]


def damaged_replies(folder: Path) -> list[Path]:
    """The files that were set aside since they were no replies, or not the ones that had come."""
    return sorted((folder / DAMAGED).glob("*"))


def _is_reply(path: Path) -> bool:
    try:
        return bool(_read(path).call)
    except (OSError, ValueError):
        return False


class StoredAgent(AroundAgent):
    """Answers from the store where it can, else asks the inner agent and stores what comes.

    A stored reply that cannot be read or no longer parses is asked again. Where a later round asks again because of
    what a gate said, its reply has a place of its own, by the round and the reasons, and takes the first one's place
    too: from then on it is what the first round finds. Safe with several threads and processes: two writers of one key
    write the same question's answer.
    """

    def __init__(self, inner: Agent, folder: Path) -> None:
        super().__init__(inner)
        self._store = CallStore(folder)
        self._store.tidy()
        self._guard = Lock()
        self._locks: dict[str, Lock] = {}

    def propose(self, call: Call) -> Reply:
        """The stored reply to this very call, else a new one."""
        first = _unrepeated(call)
        with self._lock_of(self._store.path(self.name, first).stem):
            reply = self._store.read(self.name, call)
            if reply is None:
                reply = self._asked(call)
            good = first is not call and fits(call.reply_type, reply.content)
            if good and self._store.read(self.name, first) != reply:
                self._store.write(self.name, first, reply)
            return reply

    def _asked(self, call: Call) -> Reply:
        """A new reply, kept the moment it is here."""
        kept: list[Reply] = []
        with self._store.awaited(self.name, call) as write:

            def keep(reply: Reply) -> None:
                write(reply)
                kept.append(reply)

            reply = self._inner.propose(replace(call, keep=keep))
            if not kept:  # an agent that leaves it to the store
                write(reply)
        return reply

    def _lock_of(self, digest: str) -> Lock:
        """One lock per call: threads that ask the same wait for the one reply."""
        with self._guard:
            return self._locks.setdefault(digest, Lock())


def _unrepeated(call: Call) -> Call:
    """The call as it was before its reply was turned back."""
    return replace(call, prompt=replace(call.prompt, text=call.repeats), repeats="") if call.repeats else call
