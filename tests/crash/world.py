"""One small world before and after a document was changed and another one came, with a model behind HTTP.

`World.run` does a real run in a forked child, which may be killed; `World.look` says what is published after it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from sekisho.agents.store import stored_replies
from sekisho.answer import still_holding
from sekisho.compiled import render_compiled
from sekisho.hashing import canonical_json
from sekisho.overview import read_overview
from sekisho.receipts import verify_published
from sekisho.records import Answer, KnowledgeBase
from sekisho.retrieval import checks
from sekisho.retrieval.encoder import SentenceEncoder
from sekisho.retrieval.index import IndexBehind, open_index
from sekisho.retrieval.store import EmbeddingStore
from sekisho.settings import Settings, load_settings
from sekisho.sources.notes import load_notes
from sekisho.warehouse import Published, Warehouse
from tests.wire import ModelServer, asked_text, tool_call

ROOT = Path(__file__).resolve().parents[2]
_OURS = ("SEKISHO_", "IECQ_", "DAGSTER_", "RECALL_", "CHROMA_", "MAP_")
_YUCCA = "Yucca survives frost outdoors, down to -5 °C"
_WATER = "Water it every 20 days"
_NOTE = f"# Yucca\n\n{_YUCCA}. It is toxic to pets. {_WATER}. It likes bright light.\n"
_FACT = {
    "fields": {"name": "Yucca", "pet_safe": False, "light": ["bright"], "watering_interval": 20, "min_temperature": -5},
    "evidence": {"name": _YUCCA, "pet_safe": "It is toxic to pets", "light": "It likes bright light"}
    | {"watering_interval": _WATER, "min_temperature": _YUCCA},
}
_FROST = {
    "status": "answered",
    "answer": "Yucca does.",
    "citations": ["06-yucca"],
    "quotes": [{"source": "06-yucca", "text": _YUCCA}],
}
_QUESTIONS = {"Which plant is safe": "query:pet-safe-low-light", "Which plant can": "query:longest-between-waterings"}


@dataclass(frozen=True)
class End:
    """How a child ended: its exit code, negative for a signal, what it told, and after how many seconds."""

    code: int
    told: Mapping[str, Any]
    seconds: float

    @property
    def killed(self) -> bool:
        return self.code == -9


class World:
    """The folders, the model server and the warmed process; made once, used for many points."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.asked: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._http = HTTPServer(threaded=True)
        self._http.start()
        self._server = ModelServer(self._http)
        self._server.script(self._answer)
        self.before, self.after = root / "before", root / "after"
        self._make_data()
        self.fingerprint = SentenceEncoder().fingerprint
        self._warm = self._start()
        self.old, self.new = root / "old", root / "new"
        self.steps = 0
        self._reference()

    def close(self) -> None:
        """End the server and the warmed process."""
        assert self._warm.stdin is not None
        self._warm.stdin.close()
        self._warm.wait(10)
        self._http.stop()

    # What children do.

    def run(self, data: Path, state: Path, *, workers: int = 1, **order: Any) -> End:
        """One run in a child; `step` kills it right after so many changes to the state, `kill_after` after seconds."""
        told = self.root / "told.json"
        told.unlink(missing_ok=True)
        env = self._environment(data, state) | {"SEKISHO_WORKERS": str(workers)}
        files = {"told": str(told), "log": str(self.root / "children.log")}
        skip = str(state / "dagster") if order.pop("ours", True) else ""
        ended = self._order({"env": env, "below": str(state), "skip": skip, **files, **order})
        found = json.loads(told.read_text(encoding="utf-8")) if told.exists() else {}
        return End(int(ended["code"]), found, float(ended["seconds"]))

    @contextmanager
    def settings(self, data: Path, state: Path) -> Iterator[Settings]:
        """The settings that a run there has."""
        old = dict(os.environ)
        os.environ.update(self._environment(data, state))
        try:
            yield load_settings()
        finally:
            os.environ.clear()
            os.environ.update(old)

    def _environment(self, data: Path, state: Path) -> dict[str, str]:
        return {
            "SEKISHO_DATA": str(data),
            "SEKISHO_STATE": str(state),
            "IECQ_AGENT": "openai/gpt-4o-mini",
            "OPENAI_BASE_URL": self._server.url,
            "OPENAI_API_KEY": "none",
        }

    def _start(self) -> subprocess.Popen[str]:
        shim = self.root / "kill.so"
        source = Path(__file__).with_name("kill.c")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True)
        one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        clean = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        env = clean | one | {"LD_PRELOAD": str(shim), "TOKENIZERS_PARALLELISM": "false"}
        command = [sys.executable, "-m", "tests.crash.warm"]
        return subprocess.Popen(
            command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def _order(self, order: dict[str, Any]) -> dict[str, Any]:
        assert self._warm.stdin is not None and self._warm.stdout is not None
        self._warm.stdin.write(json.dumps(order) + "\n")
        line = self._warm.stdout.readline()
        assert line, f"the warmed process ended: see {self.root / 'children.log'}"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _reference(self) -> None:
        """Both states as unharmed runs leave them; they alone load the embedding model."""
        memo = str(self.root / "memo.pickle")
        for data, state in ((self.before, self.old), (self.after, self.new)):
            if state is self.new:
                shutil.copytree(self.old, self.new)
            end = self.run(data, state, memo=memo)
            assert end.told.get("passed"), end
            self._order({"learn": memo, "env": self._environment(data, state)})
            self.steps = int(end.told["steps"])

    # The documents and the model.

    def _make_data(self) -> None:
        kept = shutil.ignore_patterns("drafts", "golden", "demonstrations", "decisions", "portal_views", "catalogue")
        for folder in (self.before, self.after):
            shutil.copytree(ROOT / "data", folder, ignore=kept)
        calathea = self.after / "notes" / "04-calathea.md"
        calathea.write_text("Seen again.\n\n" + calathea.read_text(encoding="utf-8"), encoding="utf-8")
        (self.after / "notes" / "06-yucca.md").write_text(_NOTE, encoding="utf-8")
        fixtures = (ROOT / "data" / "fixtures" / "plants.yaml").read_text(encoding="utf-8")
        self._replies = yaml.safe_load(fixtures) | {"extract:06-yucca": _FACT}

    def _answer(self, request: Request) -> Response:
        prompt = asked_text(request).replace('\\"', '"')
        document = re.search(r'Document \("(.*?)"\)', prompt)
        question = re.search(r'Question:\\n"(.*?)"', prompt)
        key = f"extract:{document[1]}" if document else "query:frost"
        if question:
            key = next((key for start, key in _QUESTIONS.items() if question[1].startswith(start)), key)
        frost = key == "query:frost" and "06-yucca" in prompt
        with self._lock:
            self.asked[key] += 1
        return tool_call(_FROST if frost else self._replies[key])


@dataclass(frozen=True)
class Look:
    """What a state folder holds: digests of what is published, and everything that is wrong with it."""

    published: str
    compiled: bytes
    gaps: bytes
    index: str
    wrong: tuple[str, ...]


def look(world: World, data: Path, state: Path) -> Look:
    """Read all that is published as a reader would; whatever is not whole is named in `wrong`."""
    with world.settings(data, state) as settings:
        published = Warehouse(settings.warehouse_path).published()
        wrong = [f"a row cannot be read: {row}" for row in published.unreadable]
        index, problem = _index(settings, world.fingerprint)
        compiled = _bytes(settings.compiled_path)
        if published.base.generation:
            notes = load_notes(settings.data / "notes")
            items = verify_published(published, notes, render_compiled(published.base))
            wrong += [f"{item.kind} {item.id}: {item.reasons}" for item in items if item.status == "receipt broken"]
        gaps = _bytes(settings.gaps_path)
    return Look(dump(published.base, published.answers), compiled, gaps, index, (*wrong, *problem))


def agreement(world: World, data: Path, state: Path) -> list[str]:
    """What, after a run that passed, of index, vectors, chunks, files and documents does not agree."""
    with world.settings(data, state) as settings:
        store = EmbeddingStore(settings.warehouse_path)
        hashes, vectors = store.vectors(world.fingerprint)
        found = checks.vectors_match_chunks(store.chunks(), world.fingerprint, hashes, vectors)
        found += checks.index_finds_itself(settings.index_path, world.fingerprint, hashes, vectors)
        found += checks.index_is_fresh(settings.index_path, world.fingerprint, hashes)
        view = read_overview(settings)
    remarks = [f"{remark.what}: {remark.told}" for remark in (*view.problems, *view.stale)]
    return [finding.message for finding in found] + remarks


def dump(base: KnowledgeBase, answers: tuple[Answer, ...] | list[Answer]) -> str:
    """All that is published as one text."""
    return canonical_json([base.model_dump(mode="json"), [answer.model_dump(mode="json") for answer in answers]])


def between(old: Published, new: Published) -> str:
    """What is published once the new base is and its answers are not: the old answers that still hold."""
    return dump(new.base, still_holding(old.answers, new.base))


def arrived(state: Path) -> dict[str, str]:
    """The calls whose replies lie whole in the store, with their keys."""
    return stored_replies(state / "llm_calls")


def _index(settings: Settings, fingerprint: str) -> tuple[str, list[str]]:
    try:
        hashes = EmbeddingStore(settings.warehouse_path).hashes(fingerprint)
        return open_index(settings.index_path, fingerprint, hashes).manifest.model_dump_json(), []
    except IndexBehind as error:
        return str(error), []
    except Exception as error:
        return "", [f"index: {error}"]


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""
