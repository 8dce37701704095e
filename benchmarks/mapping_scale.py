"""How long a large catalogue takes: to read, to index once, to open from the cache, and per query.

    python -m benchmarks.mapping_scale [--records 50000] [--json]

The records are made: names of two to six words of a made vocabulary, a synonym for every other one. Seconds are those
of the processor.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sekisho.mapping.match import open_matcher
from sekisho.sources.catalogue import load_catalogue

_SEED = 20261130
_PARTS = "ba ce di fo gu la me ni ro su ta ve xi zo pra ste cho tri glo nth".split()  # noqa: SIM905


def write_catalogue(path: Path, records: int) -> list[str]:
    """Write made records as TSV; their names."""
    draw = random.Random(_SEED)
    words = ["".join(draw.choices(_PARTS, k=draw.randint(2, 4))) for _ in range(max(200, records // 10))]
    names = []
    lines = ["id\tname\tacronym\tsynonyms\tparent_id"]
    for at in range(records):
        name = " ".join(draw.choices(words, k=draw.randint(2, 6)))
        synonym = " ".join(draw.choices(words, k=3)) if at % 2 else ""
        lines.append(f"M:{at:06}\t{name}\t{name[:3].upper()}\t{synonym}\t{f'M:{at // 7:06}' if at else ''}")
        names.append(name)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return names


def measure(records: int) -> dict[str, float]:
    """Seconds of each step, and milliseconds a query."""
    seconds: dict[str, float] = {}

    def timed(name: str, step: Callable[[], Any]) -> Any:
        begun = time.process_time()
        result = step()
        seconds[name] = round(time.process_time() - begun, 3)
        return result

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "terms.tsv"
        names = write_catalogue(path, records)
        catalogue, _ = timed("read", lambda: load_catalogue(path))
        timed("index", lambda: open_matcher(catalogue, Path(folder) / "cache"))
        matcher = timed("open", lambda: open_matcher(catalogue, Path(folder) / "cache"))
        timed("first query", lambda: matcher.match(names[0][1:]))
        asked = [name[:-1] for name in names[: 200 * 7 : 7]]
        timed("200 queries", lambda: matcher.match_all(asked))
        kept = sum(file.stat().st_size for file in (Path(folder) / "cache").iterdir())
    return {"records": records, **seconds, "cache MB": round(kept / 1e6, 1)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=50_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measure(options.records)
    print(json.dumps(report) if options.json else "\n".join(f"{name:12} {value:10}" for name, value in report.items()))


if __name__ == "__main__":
    main()
