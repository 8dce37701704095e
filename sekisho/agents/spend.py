"""The ledger of model calls: one line per attempt, when it ends; under a budget one more, when it begins."""

from __future__ import annotations

import os
import threading
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import uuid4

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from sekisho.agents.prices import MOST_DOLLARS, MOST_TOKENS, Spent
from sekisho.errors import SekishoError
from sekisho.text import json_text

Outcome = Literal["ok", "invalid", "length", "refusal", "rate_limited", "failed"]
_Tokens = Annotated[int, Field(ge=0, le=MOST_TOKENS)] | None
_Dollars = Annotated[float, Field(ge=0, le=MOST_DOLLARS)] | None


def _in_utc(at: datetime) -> datetime:
    try:
        return at.astimezone(UTC)
    except OverflowError:
        raise ValueError("no time that UTC has") from None


class LedgerLine(BaseModel):
    """One line of the ledger.

    `started` opens an attempt and says what was put aside for it; the line that ends it has the same `attempt`.
    `over_budget` is no attempt: the budget had no room for one. `root` names the first of several runs that belong
    together, where this run is not that one.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    at: Annotated[AwareDatetime, AfterValidator(_in_utc)]
    key: str
    prompt: str
    model: str
    outcome: Outcome | Literal["started", "over_budget"]
    input_tokens: _Tokens = None
    output_tokens: _Tokens = None
    cost_usd: _Dollars = None
    reserved_usd: _Dollars = None
    attempt: str = ""
    run: str | None = None
    root: str | None = None

    @property
    def scope(self) -> str | None:
        """The run that a budget is for: the first of those that belong together."""
        return self.root or self.run

    @property
    def month(self) -> str:
        """Year and month in UTC, such as 2026-11."""
        return self.at.strftime("%Y-%m")


class SpendLedger:
    """Appends one JSON line at a time to a file; safe with several threads and processes.

    It holds no prompt, no reply and no key. `run` is on every line, `root` where it is another run.
    """

    def __init__(self, path: Path, run: str | None = None, root: str | None = None) -> None:
        self.path = path
        self.scope = root or run
        self._names = {"run": run, "root": root if root != run else None}
        self._lock = threading.Lock()

    def begin(self, *, key: str, prompt: str, model: str, reserved: float) -> str:
        """Write that an attempt begins, and the most it may cost in US dollars; the attempt's id."""
        attempt = uuid4().hex
        about = {"key": key, "prompt": prompt, "model": model, "attempt": attempt}
        self._append(about | {"outcome": "started", "reserved_usd": reserved})
        return attempt

    def refuse(self, *, key: str, prompt: str, model: str, reserved: float) -> None:
        """Write that an attempt was not made, for the budget had no room for what it may cost."""
        about = {"key": key, "prompt": prompt, "model": model}
        self._append(about | {"outcome": "over_budget", "reserved_usd": reserved})

    def book(
        self, *, key: str, prompt: str, model: str, outcome: Outcome, spent: Spent, attempt: str | None = None
    ) -> None:
        """Write how an attempt ended; `SekishoError` where the disk takes none or only a part of it."""
        line = {"key": key, "prompt": prompt, "model": model, "outcome": outcome, **asdict(spent)}
        self._append(line | ({"attempt": attempt} if attempt else {}))

    def _append(self, fields: dict[str, Any]) -> None:
        line = {"at": datetime.now(UTC).isoformat(timespec="milliseconds"), **fields}
        line |= {name: value for name, value in self._names.items() if value is not None}
        data = (json_text(line, sort_keys=True, separators=(",", ":"), allow_nan=False) + "\n").encode("utf-8")
        try:
            with self._lock:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
                try:
                    # One write in append mode: lines of two processes do not mix, and half a line spoils no other.
                    data = data if _ends_a_line(handle) else b"\n" + data
                    written = os.write(handle, data)
                finally:
                    os.close(handle)
        except OSError as error:
            raise SekishoError(
                f"cannot be written: {error.strerror}", file=self.path, remedy="check the folder's rights"
            ) from None
        if written < len(data):  # a second write could stand behind the line of another process
            told = f"only {written} of the {len(data)} bytes of a line could be written"
            raise SekishoError(told, file=self.path, remedy="make room on the disk")


def _ends_a_line(handle: int) -> bool:
    size = os.fstat(handle).st_size
    return size == 0 or os.pread(handle, 1, size - 1) == b"\n"


class LedgerReader:
    """Reads a ledger bit by bit: each call gives what was appended since the last one.

    `malformed` has the numbers of the lines, from 1, that are none of the ledger.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0
        self._count = 0
        self.malformed: list[int] = []

    def new_lines(self, *, unfinished: bool = False) -> list[LedgerLine]:
        """The new lines in order; a last one without its end waits for the next call, unless `unfinished` ones count.

        A missing ledger has none; `SekishoError` where it cannot be read.
        """
        found = []
        for raw in self._appended(unfinished):
            self._count += 1
            try:
                found.append(LedgerLine.model_validate_json(raw))
            except ValidationError:
                self.malformed.append(self._count)
        return found

    def _appended(self, unfinished: bool) -> list[bytes]:
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                data = file.read()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise SekishoError(
                f"cannot be read: {error.strerror}", file=self._path, remedy="check the file's rights"
            ) from None
        if not unfinished:
            data = data[: data.rfind(b"\n") + 1]
        self._offset += len(data)
        return data.removesuffix(b"\n").split(b"\n") if data else []
