"""Logs of decision records and drafts with what they should find, read from JSON lines."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from sekisho.decision import Decision
from sekisho.errors import InputError
from sekisho.sources.decisions import load_decisions
from sekisho.sources.decisions.page import read_page

_RECORD = ("repo", "id", "path", "title", "text")
_QUERY = ("qid", "repo", "adr_id", "title", "context", "options", "expected", "candidates")


@dataclass(frozen=True, slots=True)
class Query:
    """A draft made of a record: ids are `repo/ADR-nnnn`; `permitted` are those of its own log that it may find."""

    qid: str
    repo: str
    text: str
    expected: tuple[str, ...]
    permitted: frozenset[str]


def read_corpus(path: Path) -> dict[str, list[Decision]]:
    """The decisions of each repository, as the product's own loader reads their files, under the corpus' ids."""
    logs: dict[str, list[Mapping[str, Any]]] = {}
    for row in _rows(path, _RECORD):
        logs.setdefault(row["repo"], []).append(row)
    return {repo: _decisions(repo, rows) for repo, rows in sorted(logs.items())}


def read_queries(path: Path) -> list[Query]:
    """The drafts, in the file's order."""
    queries = []
    for row in _rows(path, _QUERY):
        own = f"{row['repo']}/"
        text = "\n\n".join(filter(None, (str(row[part] or "").strip() for part in ("title", "context", "options"))))
        expected = tuple(own + one for one in row["expected"])
        permitted = frozenset(own + one for one in row["candidates"])
        queries.append(Query(row["qid"], row["repo"], text, expected, permitted))
    return queries


def _decisions(repo: str, rows: Sequence[Mapping[str, Any]]) -> list[Decision]:
    with tempfile.TemporaryDirectory() as name:
        for row in rows:
            target = Path(name) / row["path"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(row["text"], encoding="utf-8")
        loaded = {one.path: one for one in load_decisions(Path(name))[0]}
    ids = {loaded[row["path"]].id: f"{repo}/{row['id']}" for row in rows if row["path"] in loaded}
    return [_renamed(loaded.get(row["path"]) or _plain(row), f"{repo}/{row['id']}", ids) for row in rows]


def _renamed(decision: Decision, name: str, ids: Mapping[str, str]) -> Decision:
    links = [link.model_copy(update={"target": ids[link.target]}) for link in decision.links if link.target in ids]
    return decision.model_copy(update={"id": name, "links": tuple(links)})


def _plain(row: Mapping[str, Any]) -> Decision:
    """A record that the loader took for something else, by its text alone."""
    body = read_page(row["text"]).body
    return Decision(
        id=row["id"], original_id=row["id"], path=row["path"], title=row["title"], body=body, text=row["text"]
    )


def _rows(path: Path, keys: Iterable[str]) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            missing = [key for key in keys if key not in row]
        except (ValueError, TypeError):
            raise InputError(
                "not a JSON object", file=path, item=f"line {number}", remedy="one object a line"
            ) from None
        where = PurePosixPath(row.get("path", ""))
        if missing or where.is_absolute() or ".." in where.parts:
            wrong = f"without {', '.join(missing)}" if missing else f"a path that leads outside: {where}"
            raise InputError(wrong, file=path, item=f"line {number}", remedy="mend the line")
        rows.append(row)
    return rows
