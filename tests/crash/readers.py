"""One process that reads or writes a warehouse over and over: `python -m tests.crash.readers read PATH SECONDS WAIT`.

A writer publishes a thousand facts that all name one number; a reader that ever sees another count, or two numbers, has
found a torn state. Nothing but `WarehouseBusy` may be raised.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from sekisho.errors import WarehouseBusy
from sekisho.records import Fact, KnowledgeBase, Provenance, SourceText
from sekisho.warehouse import Warehouse

FACTS = 1000
FINE = frozenset({"done", "told who holds it", "longest wait, ms"})  # all that may come of it
_ROOT = Path(__file__).resolve().parents[2]
_MADE_BY = Provenance(agent="mock", prompt_sha256="p", reply_sha256="r")


def base_of(number: int) -> KnowledgeBase:
    """A knowledge base of a thousand facts, each of which names the number."""
    names = [f"n{one:04}" for one in range(FACTS)]
    given = {"fields": {"n": number}, "evidence": {}, "note_sha256": "s", "provenance": _MADE_BY}
    facts = tuple(Fact(path=f"{name}.md", source=name, **given) for name in names)  # type: ignore[arg-type]
    sources = tuple(SourceText(source=name, path=f"{name}.md", text=f"{name} {number}", sha256="s") for name in names)
    return KnowledgeBase(generation=f"g{number}", facts=facts, sources=sources)


def numbers_in(base: KnowledgeBase) -> set[object]:
    """The numbers that the facts, texts and the generation name, and how many facts and sources there are."""
    named = {fact.fields["n"] for fact in base.facts} | {int(one.text.split()[1]) for one in base.sources}
    return {*named, int(base.generation[1:]), *({len(base.facts), len(base.sources)} - {FACTS})}


def main(role: str, path: Path, seconds: float, wait: float) -> Counter[str]:
    """Read or write until the time is over; counts of what came of it."""
    found: Counter[str] = Counter()
    warehouse = Warehouse(path, wait=wait)
    until = time.monotonic() + seconds
    number = 0
    while time.monotonic() < until:
        began = time.monotonic()
        try:
            if role == "write":
                warehouse.publish_knowledge(base_of(number := number + 1), [])
            elif len(seen := numbers_in(warehouse.knowledge())) != 1:
                found[f"torn: {seen}"] += 1
            found["done"] += 1
        except WarehouseBusy as error:
            found["told who holds it" if "PID" in str(error) else f"not told: {error}"] += 1
        except Exception as error:
            found[f"{type(error).__name__}: {error}"] += 1
        found["longest wait, ms"] = max(found["longest wait, ms"], int(1000 * (time.monotonic() - began)))
    return found


def at_once(path: Path, readers: int, seconds: float, wait: float) -> list[Counter[str]]:
    """What a writer and readers, each a process of its own, count in that time; the writer's first."""
    Warehouse(path).publish_knowledge(base_of(0), [])
    roles = ["write", *["read"] * readers]
    commands = [[sys.executable, "-m", "tests.crash.readers", role, path, str(seconds), str(wait)] for role in roles]
    running = [subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True) for command in commands]
    return [Counter(json.loads(one.communicate()[0])) for one in running]


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]))))
