"""How stripping grows with its input, method by method, and how fast it is beside plain `yaml.safe_load`.

    python -m benchmarks.strip [--json]

Per adversarial input the time at n and at 2n bytes and their ratio, which is at most 2.3 where time is linear. The
best of three counts, for figures are noisy.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import yaml

from sekisho.strip import StripRules, sanitize_ai_purpose_for_chroma
from sekisho.strip.markers import BEGIN, END

RULES = StripRules(enabled=True, fallback="regex")
LIMIT = 2.3
MB = 1_000_000
_BROKEN = "t: **bold**\n"


def _marked(filler: str) -> Callable[[int], str]:
    def make(size: int) -> str:
        half = filler * (size // 2 // len(filler))
        return f"{half}{BEGIN}\ndecikg:\n  a: 1\n{END}\n{half}"

    return make


def _broken(filler: str) -> Callable[[int], str]:
    def make(size: int) -> str:
        return f"{_BROKEN}{filler * (size // len(filler))}decikg:\n  a: 1\nz: 1\n"

    return make


def _yaml(filler: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: f"decikg:\n  a: 1\n{filler(size)}"


def _nested(size: int) -> str:
    levels = "[" * 60 + "x" + "]" * 60
    return "".join(f"k{number}: {levels}\n" for number in range(size // 130))


def _aliases(size: int) -> str:
    names = [f"a{number}: &a{number} [x]\n" for number in range(100)]
    return "".join(names) + "l:\n" + "".join(f"- [*a{number % 100}, *a{number % 7}]\n" for number in range(size // 14))


CASES: dict[str, tuple[str, Callable[[int], str], tuple[int, ...]]] = {
    "marker, newlines": ("marker", _marked("\n"), (1, 2, 4, 8, 16)),
    "marker, block scalars": ("marker", _marked("n: |\n  text\n"), (1, 2, 4, 8, 16)),
    "marker, open quotes": ("marker", _marked("a: don't, 'x\n  y'\n"), (1, 2, 4, 8, 16)),
    "marker, pairs": ("marker", lambda n: f"{BEGIN}\nx\n{END}\n" * (n // 56), (1, 2, 4, 8, 16)),
    "marker, one line": ("marker", lambda n: f"a: {'x ' * (n // 2)}\n{BEGIN}\n{END}\n", (1, 5)),
    "regex, newlines": ("regex", _broken("\n"), (1, 2, 4, 8, 16)),
    "regex, blanks": ("regex", _broken(" \t\n"), (1, 2, 4, 8, 16)),
    "regex, keys": ("regex", _broken("decikg:\n"), (1, 2, 4, 8, 16)),
    "regex, one line": ("regex", lambda n: f"{_BROKEN}{' ' * n}x\ndecikg:\n  a: 1\n", (1, 5)),
    "yaml, newlines": ("yaml", _yaml(lambda n: "\n" * n + "b: 1\n"), (1, 2, 4)),
    "yaml, small maps": ("yaml", _yaml(lambda n: "l:\n" + "- {a: 1, b: 2}\n" * (n // 15)), (1, 2, 4)),
    "yaml, nesting": ("yaml", _yaml(_nested), (1, 2, 4)),
    "yaml, aliases": ("yaml", _yaml(_aliases), (1, 2, 4)),
    "yaml, one line": ("yaml", _yaml(lambda n: f"a: {'word ' * (n // 5)}x\n"), (1, 2, 4)),
    "yaml, text blocks": ("yaml", _yaml(lambda n: "l:\n" + "- |\n  two\n  lines\n" * (n // 18)), (1, 2, 4)),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One input at one size: seconds, bytes a second, and the time beside that of half the size and of safe_load."""

    case: str
    megabytes: float
    seconds: float
    megabytes_per_second: float
    ratio_to_half: float | None
    ratio_to_safe_load: float | None


def measure() -> list[Row]:
    """All cases, in order; an input that is not stripped by its own method is an error."""
    rows: list[Row] = []
    for case, (method, make, sizes) in CASES.items():
        before: tuple[int, float] | None = None
        for size in sizes:
            text = make(size * MB)
            done = sanitize_ai_purpose_for_chroma(text, RULES)
            assert done.method == method, (case, done.method, done.error)
            seconds = _best(lambda text=text: sanitize_ai_purpose_for_chroma(text, RULES))
            plain = _best(lambda text=text: yaml.safe_load(text)) if method == "yaml" and size <= 2 else None
            doubled = before is not None and size == 2 * before[0]
            rows.append(
                Row(
                    case,
                    round(len(text.encode()) / MB, 2),
                    round(seconds, 4),
                    round(len(text.encode()) / MB / seconds, 1),
                    round(seconds / before[1], 2) if doubled and before else None,
                    round(seconds / plain, 2) if plain else None,
                )
            )
            before = (size, seconds)
    return rows


def _best(work: Callable[[], object]) -> float:
    times: list[float] = []
    while len(times) < 3 and sum(times) < 20:  # a long one is measured once
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Print the table, and whether every doubling stayed within the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    as_json = parser.parse_args().json
    rows = measure()
    if as_json:
        for row in rows:
            print(json.dumps(asdict(row)))
        return
    print(f"{'input':24}{'MB':>7}{'s':>9}{'MB/s':>8}{'t(2n)/t(n)':>12}{'x safe_load':>12}")
    for row in rows:
        ratio = "" if row.ratio_to_half is None else f"{row.ratio_to_half:.2f}"
        beside = "" if row.ratio_to_safe_load is None else f"{row.ratio_to_safe_load:.2f}"
        print(f"{row.case:24}{row.megabytes:7}{row.seconds:9}{row.megabytes_per_second:8}{ratio:>12}{beside:>12}")
    worst = max(row.ratio_to_half for row in rows if row.ratio_to_half is not None)
    print(f"largest ratio {worst:.2f}, limit {LIMIT}: {'held' if worst <= LIMIT else 'NOT HELD'}")


if __name__ == "__main__":
    main()
