"""`make soak`: kill at least 200 real runs at seeded points, and say what they left behind."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from tests.crash.kills import soak
from tests.crash.world import World


def main() -> int:
    """Print the tally; 1 where anything was not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=10)
    wanted = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        try:
            tally = None
            for tally in soak(world, wanted.seed, wanted.kills):
                print(f"{sum(tally.kills.values())} kills, {len(tally.wrong)} wrong", file=sys.stderr, flush=True)
        finally:
            world.close()
    assert tally is not None
    for name, value in asdict(tally).items():
        print(f"{name}: {dict(value) if isinstance(value, dict) else value}")
    print(f"seed {wanted.seed}, {world.steps} steps a run, {time.monotonic() - began:.0f} s")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
