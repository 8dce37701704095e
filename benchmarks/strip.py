"""How stripping grows with its input, method by method, and how fast it is beside plain `yaml.safe_load`.

    python -m benchmarks.strip [--json] [--case NAME]

Per adversarial input the processor's time at n and at 2n bytes and their ratio, which is at most 2.3 where time is
linear. Figures are noisy: the sizes take turns, and the best of up to three rounds counts.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

import yaml

from sekisho.strip import StripRules, sanitize_ai_purpose_for_chroma
from sekisho.strip.markers import BEGIN, END

RULES = StripRules(enabled=True, fallback="regex")
LIMIT = 2.3
MB = 1_000_000
_BROKEN = "t: **bold**\n"
_QUOTES = "[''a, 'it''s', \"a\\\"b\": 'x' "
_ROUNDS = 3
_ENOUGH = 20.0  # seconds for all rounds of one case


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


def _beside_blocks(size: int) -> str:
    """Markers that only YAML's parser can tell from a block scalar's content."""
    item = f"- a: |\n    text\n  {BEGIN}\n  {END}\n"
    return item * (size // len(item))


def _merges(size: int) -> str:
    count = size // 30
    names = "".join(f"m{number}: &m{number} {{a{number}: 1}}\n" for number in range(count))
    return f"{names}all: {{<<: [{', '.join(f'*m{number}' for number in range(count))}]}}\n"


CASES: dict[str, tuple[str, Callable[[int], str], tuple[int, ...]]] = {
    "marker, newlines": ("marker", _marked("\n"), (1, 2, 4, 8, 16)),
    "marker, block scalars": ("marker", _marked("n: |\n  text\n"), (1, 2, 4, 8, 16)),
    "marker, open quotes": ("marker", _marked("a: don't, 'x\n  y'\n"), (1, 2, 4, 8, 16)),
    "marker, pairs": ("marker", lambda n: f"{BEGIN}\nx\n{END}\n" * (n // 56), (1, 2, 4, 8, 16)),
    "marker, anchors": ("marker", lambda n: f"{'- &' * (n // 3)}\n{BEGIN}\n{END}\n", (1, 2, 4, 8, 16)),
    "marker, quotes": ("marker", lambda n: f"{_QUOTES * (n // len(_QUOTES))}\n{BEGIN}\n{END}\n", (1, 2, 4, 8, 16)),
    "marker, beside a block": ("marker", _beside_blocks, (1, 2, 4)),
    "marker, one line": ("marker", lambda n: f"a: {'x ' * (n // 2)}\n{BEGIN}\n{END}\n", (1, 5)),
    "regex, newlines": ("regex", _broken("\n"), (1, 2, 4, 8, 16)),
    "regex, blanks": ("regex", _broken(" \t\n"), (1, 2, 4, 8, 16)),
    "regex, keys": ("regex", _broken("decikg:\n"), (1, 2, 4, 8, 16)),
    "regex, one line": ("regex", lambda n: f"{_BROKEN}{' ' * n}x\ndecikg:\n  a: 1\n", (1, 5)),
    "yaml, newlines": ("yaml", _yaml(lambda n: "\n" * n + "b: 1\n"), (1, 2, 4)),
    "yaml, small maps": ("yaml", _yaml(lambda n: "l:\n" + "- {a: 1, b: 2}\n" * (n // 15)), (1, 2, 4)),
    "yaml, nesting": ("yaml", _yaml(_nested), (1, 2, 4)),
    "yaml, aliases": ("yaml", _yaml(_aliases), (1, 2, 4)),
    "yaml, merges": ("yaml", _yaml(_merges), (1, 2, 4)),
    "yaml, number keys": ("yaml", _yaml(lambda n: "".join(f"{k}: 1\n" for k in range(n // 10))), (1, 2, 4)),
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


def measure(cases: dict[str, tuple[str, Callable[[int], str], tuple[int, ...]]]) -> Iterator[Row]:
    """The cases in order; an input that is not stripped by its own method is an error."""
    for case, (method, make, sizes) in cases.items():
        texts = {size: make(size * MB) for size in sizes}
        for size in sizes[:1]:
            done = sanitize_ai_purpose_for_chroma(texts[size], RULES)
            assert done.method == method, (case, done.method, done.error)
        best = _best(texts)
        for size, text in texts.items():
            length, half = len(text.encode()) / MB, best.get(size // 2 if size % 2 == 0 else 0)
            plain = _seconds(lambda text=text: yaml.safe_load(text)) if method == "yaml" and size <= 1 else None
            ratios = (round(best[size] / other, 2) if other else None for other in (half, plain))
            yield Row(case, round(length, 2), round(best[size], 4), round(length / best[size], 1), *ratios)


def _best(texts: dict[int, str]) -> dict[int, float]:
    """The least processor time for each size; the sizes take turns, so that a slow spell meets them all."""
    best: dict[int, float] = {}
    begun = time.process_time()
    for _ in range(_ROUNDS):
        for size, text in texts.items():
            seconds = _seconds(lambda text=text: sanitize_ai_purpose_for_chroma(text, RULES))
            best[size] = min(seconds, best.get(size, seconds))
        if time.process_time() - begun > _ENOUGH:
            break
    return best


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print the table, and whether every doubling stayed within the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    parser.add_argument("--case", default="", help="only the inputs whose name holds this")
    arguments = parser.parse_args()
    rows = measure({name: case for name, case in CASES.items() if arguments.case in name})
    if arguments.json:
        for row in rows:
            print(json.dumps(asdict(row)), flush=True)
        return
    print(f"{'input':24}{'MB':>7}{'s':>9}{'MB/s':>8}{'t(2n)/t(n)':>12}{'x safe_load':>12}")
    worst = 0.0
    for row in rows:
        ratio = "" if row.ratio_to_half is None else f"{row.ratio_to_half:.2f}"
        beside = "" if row.ratio_to_safe_load is None else f"{row.ratio_to_safe_load:.2f}"
        print(
            f"{row.case:24}{row.megabytes:7}{row.seconds:9}{row.megabytes_per_second:8}{ratio:>12}{beside:>12}",
            flush=True,
        )
        worst = max(worst, row.ratio_to_half or 0.0)
    print(f"largest ratio {worst:.2f}, limit {LIMIT}: {'held' if worst <= LIMIT else 'NOT HELD'}")


if __name__ == "__main__":
    main()
