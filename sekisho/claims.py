"""Claims from anywhere, one JSON object a line, each judged by the quote gate as it comes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from unicodedata import normalize

from sekisho.errors import InputError
from sekisho.gates.quotes import Sources
from sekisho.sources import documents
from sekisho.sources.notes import load_notes
from sekisho.text import printable

LONGEST_LINE = 1 << 20  # bytes; what is longer is told as that line's error, and never held whole
BAD_LINE = "bad_line"
GATE_FAILED = "gate_failed"
_FIELDS = ("id", "source", "quote")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one line: a verdict of the quote gate, or the `problem` of a line that could not be judged.

    `reason` is one of the gate's, `bad_line`, or `gate_failed` where the gate itself broke. `line` counts from 1. `id`
    and `source` are as given, None where the line has none that is text; `start` and `end` are offsets into the text of
    `source`, which for `misattributed` is the source that does hold the quote.
    """

    line: int
    id: str | None
    accepted: bool
    reason: str
    source: str | None = None
    start: int = 0
    end: int = 0
    hint: str = ""
    problem: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The verdict as plain JSON values; `hint` where there is one, `line` and `problem` for a line not judged."""
        told: dict[str, Any] = {"id": self.id, "accepted": self.accepted, "reason": self.reason}
        told |= {"source": self.source, "start": self.start, "end": self.end}
        if self.hint:
            told["hint"] = self.hint
        return told | {"line": self.line, "problem": self.problem} if self.problem else told

    def as_line(self) -> str:
        """The verdict as one line of ASCII: whatever an id holds, no terminal and no encoding is in its way."""
        return json.dumps(self.as_dict())


def load_sources(folder: Path) -> tuple[dict[str, str], list[str]]:
    """The texts below a folder by source id, as notes are read, and what was left out: one message for each file.

    Two files of one id are both left out, for no one can say which of them a claim means. `InputError` where there is
    no folder or nothing in it can be read.
    """
    if not folder.is_dir():
        reason = "a file, not a folder" if folder.exists() else "no such folder"
        raise InputError(reason, file=folder, remedy="name the folder of the sources with --sources")
    texts: dict[str, str] = {}
    paths: dict[str, list[str]] = {}
    problems = []
    for note in load_notes(folder):
        if note.status == "unreadable":
            # What follows the last colon is a remedy for notes, in a file that this folder need not have.
            reason, _, remedy = note.problem.rpartition(": ")
            extra = f" ({remedy.partition(',')[0]})" if remedy == documents.REMEDY else ""
            problems.append(f"{printable(note.path)}: left out: {reason or remedy}{extra}")
        else:
            texts[note.source] = note.text
            paths.setdefault(note.source, []).append(note.path)
    for source, found in paths.items():
        if len(found) > 1:
            del texts[source]
            problems.append(f"duplicate source: {printable(source)}: all left out: {', '.join(map(printable, found))}")
    if not texts:
        raise InputError("; ".join(["no source can be read here", *problems]), file=folder, remedy="put files into it")
    return texts, problems


def judge(stream: BinaryIO, sources: Sources) -> Iterator[Judged]:
    """One verdict for each line of a stream, in its order and as soon as the line is there.

    Never raises for what a line holds. Memory depends on the sources and `LONGEST_LINE`, not on the number of lines.
    """
    for number, raw in enumerate(_lines(stream), start=1):
        yield _judge_line(number, raw, sources)


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines without their ends; None for one that is longer than it may be."""
    while raw := stream.readline(LONGEST_LINE + 1):
        line = raw.removesuffix(b"\n")
        if len(line) <= LONGEST_LINE:
            yield line
            continue
        while raw and not raw.endswith(b"\n"):
            raw = stream.readline(LONGEST_LINE)
        yield None


def _judge_line(number: int, raw: bytes | None, sources: Sources) -> Judged:
    if raw is None:
        return _bad(number, f"longer than {LONGEST_LINE} bytes")
    try:
        claim = _parse(raw)
    except (ValueError, RecursionError) as error:
        return _bad(number, str(error))
    problem = _problem(claim)
    if problem:
        return _bad(number, problem, claim)
    try:
        # Ids are paths in NFC; a path that a Mac gave may be in NFD, which looks the same.
        source = claim["source"] if claim["source"] in sources else normalize("NFC", claim["source"])
        verdict = sources.check(source, claim["quote"])
    except Exception as error:  # a gate that cannot look does not pass, and the next line is judged all the same
        return _bad(number, f"the gate itself failed: {type(error).__name__}: {error}", claim, GATE_FAILED)
    place = (verdict.source, verdict.start, verdict.end)
    return Judged(number, claim["id"], verdict.accepted, verdict.reason, *place, verdict.hint)


def _parse(raw: bytes) -> dict[str, Any]:
    """The object on a line; `ValueError` says why there is none."""
    if raw.startswith(_BOM):
        raise ValueError("begins with a byte order mark: save the file as UTF-8 without one")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not utf-8 (byte {error.start})") from None
    if not text.strip():
        raise ValueError("blank line")
    try:
        # What the three keys do not hold is ignored, so doubled keys, NaN and endless numbers in it do no harm.
        claim = json.loads(text, object_pairs_hook=_Pairs, parse_int=_Odd, parse_float=_Odd, parse_constant=_Odd)
    except RecursionError:
        raise ValueError("not JSON: nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(claim, _Pairs):
        raise ValueError("no JSON object")
    twice = [name for name in _FIELDS if sum(name == one for one, _ in claim) > 1]
    if twice:
        raise ValueError(f"the key {json.dumps(twice[0])} stands twice")
    return dict(claim)


def _problem(claim: Mapping[str, Any]) -> str:
    missing = [name for name in _FIELDS if name not in claim]
    if missing:
        return f"missing: {', '.join(missing)}"
    other = [name for name in _FIELDS if not isinstance(claim[name], str)]
    return f"not text: {', '.join(other)}" if other else ""


def _bad(number: int, problem: str, claim: Mapping[str, Any] | None = None, reason: str = BAD_LINE) -> Judged:
    given = {name: value for name, value in (claim or {}).items() if name in _FIELDS and isinstance(value, str)}
    return Judged(number, given.get("id"), False, reason, given.get("source"), problem=problem)


class _Pairs(list[tuple[str, Any]]):
    """A JSON object with its keys as they stand, doubled ones too."""


class _Odd:
    """A number of a claim, which is never looked at: only its being no text counts."""

    def __init__(self, written: str) -> None:
        pass
