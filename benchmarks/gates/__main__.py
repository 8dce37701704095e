"""Leak and over-block of quote checkers, per family, and their speed, in one run.

    python -m benchmarks.gates [--public DIR] [--json] [--disagreements] [--seconds 2]

`--public` adds a folder with `public.jsonl` and `sources/` of the same form. `--disagreements` lists instead every case
on which Sekisho and the label differ.
"""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path
from typing import Any

from benchmarks.gates import generate, measure, reading, rivals
from benchmarks.gates.making import ACCEPT, OPEN, Case


def main() -> None:
    """Measures everything and prints it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gates", description=__doc__)
    parser.add_argument("--public", type=Path, help="a folder with public.jsonl and sources/")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--disagreements", action="store_true")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time per speed measurement")
    arguments = parser.parse_args()
    sets = {"own": (reading.texts(), generate.cases())}
    if arguments.public:
        sets["public"] = public(arguments.public)
    if arguments.disagreements:
        for name, (texts, cases) in sets.items():
            disagreements(name, texts, cases)
        return
    found = {name: rated(texts, cases) for name, (texts, cases) in sets.items()}
    report = {"sets": found, "offsets": places(*sets["own"]), "speed": speeds(arguments.seconds)}
    report["growth"] = measure.growth(rivals.sekisho)
    if arguments.json:
        print(json.dumps(report, ensure_ascii=False, indent=1))
    else:
        show(report)


def public(folder: Path) -> tuple[dict[str, str], list[Case]]:
    """The texts and cases of a set kept elsewhere; its language is that of the source's letters."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((folder / "sources").iterdir())}
    lines = (folder / "public.jsonl").read_text(encoding="utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line.strip()]
    for case in cases:
        text = texts.get(case["source"], case["quote"])
        case["lang"] = "ja" if sum("\u3041" <= char <= "\u30ff" for char in text) > len(text) / 10 else "en"
    return texts, cases


def rated(texts: dict[str, str], cases: list[Case]) -> dict[str, Any]:
    """The rates of every checker on one set; a rival that cannot be imported says so."""
    found: dict[str, Any] = {}
    for name, prepare in rivals.CHECKERS.items():
        try:
            check = prepare(texts)
        except ImportError:
            found[name] = "not installed"
            continue
        found[name] = measure.rates(cases, measure.answers(check, cases))
    return found


def speeds(seconds: float) -> dict[str, dict[str, float]]:
    """Checks a second of every installed checker on sources of 1,000 words, for all cases and for honest quotes."""
    cases = [case for case in generate.cases() if case["expect"] is not OPEN]
    langs = {source: listed[0].lang for source, listed in reading.sentences().items()}
    texts, moved = measure.thousand_words(reading.texts(), langs, cases)
    honest = [case for case in moved if case["expect"] == ACCEPT]
    found = {}
    for name, prepare in rivals.CHECKERS.items():
        try:
            check = prepare(texts)
        except ImportError:
            continue
        found[name] = {"all": measure.speed(check, moved, seconds), "honest": measure.speed(check, honest, seconds)}
    return found


def places(texts: dict[str, str], cases: list[Case]) -> dict[str, int]:
    """How many accepted honest quotes come with offsets that hold what the label's offsets hold."""
    sources = importlib.import_module("sekisho.gates.quotes").Sources(texts)
    verdicts = [(case, sources.check(case["source"], case["quote"])) for case in cases if case["expect"] == ACCEPT]
    accepted = [(case, one) for case, one in verdicts if one.accepted]
    same = sum(measure.same_place(texts[case["source"]], case, one.start, one.end) for case, one in accepted)
    return {"accepted": len(accepted), "same": same}


def disagreements(name: str, texts: dict[str, str], cases: list[Case]) -> None:
    """One line for each case on which Sekisho and the label differ."""
    sources = importlib.import_module("sekisho.gates.quotes").Sources(texts)
    for case in cases:
        verdict = sources.check(case["source"], case["quote"])
        if case["expect"] is not OPEN and verdict.accepted != (case["expect"] == ACCEPT):
            told = {"set": name, **case, "said": str(verdict.reason)}
            print(json.dumps(told, ensure_ascii=False))


def show(report: dict[str, Any]) -> None:
    """The report as tables."""
    for name, found in report["sets"].items():
        _show_set(name, found)
    offsets = report["offsets"]
    print(f"\nOffsets of accepted quotes that hold what the label's hold: {offsets['same']} of {offsets['accepted']}")
    print("\nChecks a second, one core, sources of 1,000 words (Japanese: 2,500 characters)")
    print(f"  {'':18} {'all cases':>12} {'honest ones':>12}")
    for checker, rate in report["speed"].items():
        print(f"  {checker:18} {rate['all']:12,.0f} {rate['honest']:12,.0f}")
    print("\nSekisho by length of source\n         bytes   prepare s   honest check s   false check s")
    for row in report["growth"]:
        print(f"  {row['bytes']:12,} {row['prepare']:11.4f} {row['honest']:16.7f} {row['false']:15.7f}")


def _show_set(name: str, found: dict[str, Any]) -> None:
    measured = {checker: rates for checker, rates in found.items() if not isinstance(rates, str)}
    first = next(iter(measured.values()))
    print(f"\n{name}: {first['honest']} honest and {first['false']} false quotes")
    print(f"  {'':18} {'leak':>7} {'over-block':>11}   leak/over-block by language")
    for checker, rates in found.items():
        if isinstance(rates, str):
            print(f"  {checker:18} {rates}")
            continue
        langs = "   ".join(f"{lang} {_leak(one)}/{_block(one)}" for lang, one in sorted(rates["lang"].items()))
        print(f"  {checker:18} {_leak(rates):>7} {_block(rates):>11}   {langs}")
    print(f"\n{name}, wrong answers per family (in per cent; - none)")
    print(f"  {'family':24} {'cases':>5} {'':6} " + " ".join(f"{checker:>16}" for checker in measured))
    for family in first["family"]:
        for kind, size, wrong in (("false", "false", "leaked"), ("honest", "honest", "blocked")):
            if count := first["family"][family][size]:
                cells = [_percent(rates["family"][family][wrong], count) for rates in measured.values()]
                print(f"  {family:24} {count:>5} {kind:6} " + " ".join(f"{cell:>16}" for cell in cells))


def _leak(rates: dict[str, int]) -> str:
    return _percent(rates["leaked"], rates["false"], none="0") + " %"


def _block(rates: dict[str, int]) -> str:
    return _percent(rates["blocked"], rates["honest"], none="0") + " %"


def _percent(part: int, whole: int, none: str = "-") -> str:
    return f"{100 * part / whole:.1f}" if part and whole else none


if __name__ == "__main__":
    main()
