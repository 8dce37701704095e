"""`make soak`: kill 200 real runs at seeded points, then let eight readers and a writer at one file for two minutes."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.crash.kills import Tally, soak
from tests.crash.readers import FINE, at_once
from tests.crash.world import World


def main() -> int:
    """Print the tally; 1 where anything was not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=10)
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=120.0)
    wanted = parser.parse_args()
    began = time.monotonic()
    wrong = _read_and_write(wanted.readers, wanted.seconds)
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        tally = Tally()
        try:
            for tally in soak(world, wanted.seed, wanted.kills):
                print(f"{sum(tally.kills.values())} kills: {tally}", file=sys.stderr, flush=True)
        finally:
            world.close()
    for name, value in vars(tally).items():
        print(f"{name}: {dict(value) if isinstance(value, Counter) else value}")
    print(f"seed {wanted.seed}, {world.steps} steps a run, {time.monotonic() - began:.0f} s")
    return 1 if tally.wrong or wrong else 0


def _read_and_write(readers: int, seconds: float) -> bool:
    """Print what readers and a writer counted; whether that is anything but work and waiting."""
    with tempfile.TemporaryDirectory() as folder:
        writer, *others = at_once(Path(folder) / "warehouse.duckdb", readers, seconds, wait=10.0)
    print(f"writer: {dict(writer)}")
    print(
        f"{readers} readers: {dict(sum(others, Counter()))}, longest {max(one['longest wait, ms'] for one in others)}"
    )
    return any(one.keys() - FINE for one in (writer, *others))


if __name__ == "__main__":
    sys.exit(main())
