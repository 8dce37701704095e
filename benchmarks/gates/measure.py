"""What is measured: leak and over-block on labelled cases, checks a second, and how time grows with a source."""

from __future__ import annotations

import itertools
import re
import time
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

from benchmarks.gates.making import ACCEPT, REJECT, Case
from benchmarks.gates.rivals import Check, Texts

_BATCH = 20
WORDS, CHARACTERS = 1000, 2500
_NOUNS = ("harbour", "lamp", "valve", "notice", "gate", "meadow", "signal", "ticket", "ladle", "quarry")
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)


def answers(check: Check, cases: Iterable[Case]) -> list[bool | None]:
    """Yes or no to each case; None where the checker raised."""

    def one(case: Case) -> bool | None:
        try:
            return check(case["source"], case["quote"])
        except Exception:
            return None

    return [one(case) for case in cases]


def rates(cases: list[Case], said: list[bool | None]) -> dict[str, Any]:
    """Leak (false quotes that pass) and over-block (honest ones turned back), in all, by language and by family."""
    groups: dict[str, dict[str, list[tuple[Case, bool | None]]]] = {"all": {}, "lang": {}, "family": {}}
    for case, answer in zip(cases, said, strict=True):
        for group, key in (("all", "all"), ("lang", case.get("lang", "?")), ("family", case["family"])):
            groups[group].setdefault(key, []).append((case, answer))
    counted = {group: {key: _rate(pairs) for key, pairs in keys.items()} for group, keys in groups.items()}
    return {**counted.pop("all")["all"], **counted, "errors": sum(answer is None for answer in said)}


def _rate(pairs: list[tuple[Case, bool | None]]) -> dict[str, int]:
    honest = [answer for case, answer in pairs if case["expect"] == ACCEPT]
    false = [answer for case, answer in pairs if case["expect"] == REJECT]
    return {
        "honest": len(honest),
        "blocked": sum(not answer for answer in honest),
        "false": len(false),
        "leaked": sum(bool(answer) for answer in false),
    }


def thousand_words(texts: Texts, langs: Mapping[str, str], cases: list[Case]) -> tuple[dict[str, str], list[Case]]:
    """Sources joined until each has 1,000 words (2,500 characters of Japanese), and the cases moved to them."""
    joined: dict[str, str] = {}
    home: dict[str, str] = {}
    current: dict[str, str] = {}
    for source, text in sorted(texts.items()):
        lang = langs[source]
        name = current.get(lang) or f"{lang}-{len(joined)}"
        joined[name] = joined.get(name, "") + text + "\n\n"
        home[source] = name
        full = len(joined[name]) >= CHARACTERS if lang == "ja" else len(joined[name].split()) >= WORDS
        current[lang] = "" if full else name
    return joined, [case | {"source": home[case["source"]]} for case in cases if case["source"] in home]


def speed(check: Check, cases: list[Case], seconds: float) -> float:
    """Checks a second of one thread's processor time, over the cases in a fixed mixed order; preparing not counted."""
    mixed = list(cases)
    Random(7).shuffle(mixed)
    answers(check, {case["source"]: case for case in mixed}.values())
    batches = itertools.cycle([mixed[at : at + _BATCH] for at in range(0, len(mixed), _BATCH)])
    done, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        done += len(answers(check, next(batches)))
    return done / spent


def growth(prepare: Callable[[Texts], Check], sizes: Iterable[int] = SIZES) -> list[dict[str, float]]:
    """For sources of growing size: seconds to prepare one, and seconds for an honest and for a false check."""
    rows = []
    for size in sizes:
        text, quotes = _long_text(size)
        began = time.process_time()
        check = prepare({"long": text})
        check("long", quotes[0])  # whoever prepares at the first check pays for it here
        prepared = time.process_time() - began
        honest = _mean(check, quotes)
        false = _mean(check, [quote.replace("marker", "market") for quote in quotes])
        rows.append({"bytes": len(text.encode()), "prepare": prepared, "honest": honest, "false": false})
    return rows


def _mean(check: Check, quotes: list[str]) -> float:
    began = time.process_time()
    for quote in quotes:
        check("long", quote)
    return (time.process_time() - began) / len(quotes)


def _long_text(size: int) -> tuple[str, list[str]]:
    """A text of about `size` characters of numbered sentences, and twenty of them spread over it."""
    rolls = Random(3)
    lines, length = [], 0
    while length < size:
        chosen = " ".join(rolls.choice(_NOUNS) for _ in range(rolls.randrange(6, 14)))
        lines.append(f"The marker {len(lines)} of the {chosen} is not moved before {rolls.randrange(1900, 2100)}.")
        length += len(lines[-1]) + 1
    step = max(1, len(lines) // 20)
    return "\n".join(lines), lines[::step][:20]


def same_place(text: str, case: Case, start: int | None, end: int | None) -> bool:
    """Whether the offsets of a verdict hold what the labelled ones hold, counted in letters and digits."""
    if start is None or end is None:
        return False

    def told(piece: str) -> str:
        shown = re.sub(r"\]\((?:[^()]|\([^()]*\))*\)|\[\^\w+\]|&\w+;", "", piece)
        return "".join(char for char in unicodedata.normalize("NFKC", shown) if char.isalnum())

    return told(text[start:end]) == told(text[case["start"] : case["end"]])
