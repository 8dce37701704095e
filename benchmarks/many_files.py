"""Time and memory of reading a folder of very many tiny notes: `python -m benchmarks.many_files [20000]`."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from sekisho.sources.folder import DataFolder
from sekisho.sources.inventory import take_inventory
from sekisho.sources.notes import load_notes
from sekisho.warehouse import Warehouse


def main(count: int) -> None:
    """Print what listing, loading and storing so many files take."""
    with tempfile.TemporaryDirectory() as root:
        notes = Path(root) / "data" / "notes"
        for number in range(count):
            path = notes / f"{number % 100:02}" / f"{number:06}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# Row {number}\n\nRow {number} bears fruit.\n", encoding="utf-8")
        before = _megabytes()
        began = time.perf_counter()
        found = load_notes(notes)
        loaded = time.perf_counter()
        listed = take_inventory(DataFolder(Path(root) / "data"))
        seen = time.perf_counter()
        Warehouse(Path(root) / "warehouse.duckdb").replace_notes(found, [])
        stored = time.perf_counter()
    print(f"files: {len(found)}, listed: {len(listed.stamps)}")
    print(f"load {loaded - began:.1f} s, list {seen - loaded:.1f} s, store {stored - seen:.1f} s")
    print(f"peak memory: {before:.0f} MB before, {_megabytes():.0f} MB after")


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
