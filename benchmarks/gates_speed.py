"""How many quotes a second the quote gate judges, and how its time grows with the source.

    python -m benchmarks.gates_speed

The sources are the notes of the local agent's benchmark, joined up to 1,000 words each; the quotes are all sentences of
the first, whole, with a word changed, and cut behind their first half.
"""

from __future__ import annotations

import time

from benchmarks.labelled import ROOT
from sekisho.gates import Sources
from sekisho.sentences import sentences

_WORDS = 1_000
_SECONDS = 2.0
_SIZES = (10_000, 100_000, 1_000_000, 10_000_000)


def main() -> None:
    """Measure and print."""
    texts = _sources()
    one = texts["s0"]
    whole = [span.of(one) for span in sentences(one) if len(span.of(one).split()) > 5]
    changed = [f"{words.rpartition(' ')[0]} zebras." for words in whole]
    halves = [" ".join(words.split()[: len(words.split()) // 2]) for words in whole]
    for name, quotes in (("whole sentences", whole), ("a word changed", changed), ("halves", halves)):
        print(f"{name:16} {_rate(Sources(texts), quotes):9,.0f} checks a second")
    for size in _SIZES:
        text = (one + "\n\n") * (size // len(one) + 1)
        sources = Sources({"s": f"{text[:size]}\n\nThe very last words stand here."})
        begun = time.process_time()
        assert sources.check("s", "The very last words stand here.").accepted
        made = time.process_time()
        sources.check("s", "The very last words stand here.")
        print(f"{size:12,} characters: {made - begun:7.3f} s at first, {time.process_time() - made:8.5f} s again")


def _sources() -> dict[str, str]:
    texts: list[str] = [""]
    for path in sorted((ROOT / "benchmarks/local_notes").glob("*/notes/*.md")):
        if len(texts[-1].split()) >= _WORDS:
            texts.append("")
        texts[-1] += path.read_text(encoding="utf-8") + "\n\n"
    return {f"s{number}": text for number, text in enumerate(texts)}


def _rate(sources: Sources, quotes: list[str]) -> float:
    for quote in quotes:
        sources.check("s0", quote)
    done, begun = 0, time.process_time()
    while time.process_time() - begun < _SECONDS:
        for quote in quotes:
            sources.check("s0", quote)
        done += len(quotes)
    return done / (time.process_time() - begun)


if __name__ == "__main__":
    main()
