"""What the local agent gets right, leaves out and gets wrong: `python -m benchmarks.local_agent [--json] [--tune]`.

Thresholds were tuned on notes with odd numbers; docs/local.md says what was seen of those with even numbers.
A foreign field is one of another domain's schema, asked of a note that does not say it: only abstaining is right.
`--tune` prints, for each kind, the threshold that is best on the odd ones (a wrong value costs two right ones).
"""

from __future__ import annotations

import argparse
import difflib
import json
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.labelled import Domain, benchmark, half_of, sample
from sekisho.agents.local.agent import THRESHOLDS, LocalAgent, kind
from sekisho.agents.local.document import read_document
from sekisho.agents.local.fields import Wanted
from sekisho.agents.local.found import Found
from sekisho.agents.local.memory import RememberingEncoder
from sekisho.gates import Sources
from sekisho.retrieval.encoder import SentenceEncoder
from sekisho.text import fold_needle

_WRONG_COSTS = 2


@dataclass(frozen=True)
class Row:
    """One field of one note: the gold, the best candidate, and how sure it is."""

    domain: str
    half: str
    source: str
    wanted: Wanted
    gold: Any
    right: bool
    score: float | None
    overlaps: bool

    @property
    def answered(self) -> bool:
        return self.score is not None and self.score >= THRESHOLDS[kind(self.wanted)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--tune", action="store_true")
    options = parser.parse_args()
    encoder = RememberingEncoder(SentenceEncoder())
    encoder.encode(["loads the model, which is not measured"])
    agent = LocalAgent(encoder, model=SentenceEncoder().fingerprint)
    domains = [benchmark("trails"), benchmark("equipment"), sample()]
    rows, seconds = _extract(agent, encoder, domains)
    foreign = _foreign(agent, encoder, domains)
    result = {
        "fields": _fields(rows),
        "total": _total(rows),
        "notes": _notes(rows),
        "foreign": _kinds(foreign),
        "questions": [row for domain in domains for row in _questions(agent, domain, domains)],
        "seconds_per_note": {name: round(took, 2) for name, took in seconds.items()},
        "fingerprint": agent.fingerprint,
    }
    if options.tune:
        result["tuned_on_odd"] = _tune([row for row in [*rows, *foreign] if row.half == "odd"])
    print(json.dumps(result, ensure_ascii=False, indent=1) if options.json else _as_text(result))


def _extract(
    agent: LocalAgent, encoder: RememberingEncoder, domains: Sequence[Domain]
) -> tuple[list[Row], dict[str, float]]:
    rows: list[Row] = []
    seconds: dict[str, float] = {}
    for domain in domains:
        started = time.perf_counter()
        for source, text in domain.texts.items():
            document = read_document(source, text, encoder)
            rows += [_row(domain, source, wanted, found) for wanted, found in agent.find(document, domain.fields)]
        seconds[domain.name] = (time.perf_counter() - started) / len(domain.texts)
    return rows, seconds


def _row(domain: Domain, source: str, wanted: Wanted, found: Found | None) -> Row:
    text, label, half = domain.texts[source], domain.labels[source], half_of(domain.name, source)
    if found is None:
        return Row(domain.name, half, source, wanted, label["fields"][wanted.name], False, None, False)
    gold, evidence = label["fields"][wanted.name], label["evidence"].get(wanted.name) or ""
    quote = found.evidence.of(text)
    assert Sources({source: text}).check(source, quote).accepted, quote
    overlaps = overlap(quote, evidence) >= 0.5
    free = kind(wanted) == "text"
    right = gold is not None and (overlaps if free else _same(found.value, gold))
    return Row(domain.name, half, source, wanted, gold, right, found.score, overlaps)


def _foreign(agent: LocalAgent, encoder: RememberingEncoder, domains: Sequence[Domain]) -> list[Row]:
    """Fields that a note does not say: those of the other domains' schemas, without names that its own has too."""
    rows: list[Row] = []
    for domain in domains:
        own = {wanted.name for wanted in domain.fields}
        fields = [wanted for other in domains for wanted in other.fields if wanted.name not in own]
        for source, text in domain.texts.items():
            for wanted, found in agent.find(read_document(source, text, encoder), fields):
                score = None if found is None else found.score
                half = half_of(domain.name, source)
                rows.append(Row(domain.name, half, source, wanted, None, False, score, False))
    return rows


def _same(value: Any, gold: Any) -> bool:
    if isinstance(gold, list):
        return sorted(map(fold_needle, value)) == sorted(map(fold_needle, gold))
    if isinstance(gold, bool) or not isinstance(gold, int | float):
        return fold_needle(str(value)).casefold() == fold_needle(str(gold)).casefold()
    return abs(value - gold) < 1e-9


def overlap(quote: str, evidence: str) -> float:
    """The share of the gold evidence that stands unbroken in the quote."""
    ours, gold = fold_needle(quote), fold_needle(evidence)
    match = difflib.SequenceMatcher(None, ours, gold, autojunk=False).find_longest_match()
    return match.size / max(1, min(len(gold), len(ours)))


def _groups(rows: Iterable[Row]) -> Iterator[tuple[tuple[str, str, str], list[Row]]]:
    groups: defaultdict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.domain, row.half, row.wanted.name].append(row)
    yield from groups.items()


def _fields(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One line per domain, half and field."""
    lines = []
    for (domain, half, name), group in _groups(rows):
        answered = [row for row in group if row.answered]
        stated = [row for row in group if row.gold is not None]
        null = [row for row in group if row.gold is None]
        hit = [row for row in answered if row.right]
        lines.append(
            {
                "domain": domain,
                "half": half,
                "field": name,
                "notes": len(group),
                "accuracy_on_answered": _share(len(hit), len(answered)),
                "coverage": _share(sum(row.answered for row in stated), len(stated)),
                "wrong_and_published": _share(len(answered) - len(hit), len(group)),
                "null_abstained": _share(sum(not row.answered for row in null), len(null)),
                "evidence_overlap": _share(sum(row.overlaps for row in hit), len(hit)),
            }
        )
    return lines


def _total(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """All fields of a half taken together."""
    lines = []
    for half in ("odd", "even", "all"):
        group = [row for row in rows if row.half == half]
        answered = [row for row in group if row.answered]
        right = sum(row.right for row in answered)
        silent = [row for row in group if not row.answered]
        well = sum(row.gold is None for row in silent)
        counts = {"right": right, "wrong": len(answered) - right, "rightly_null": well, "missed": len(silent) - well}
        lines.append({"half": half, "values": len(group), **counts})
    return lines


def _notes(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Per domain and half: how many notes become a fact, and how many of these hold a wrong value."""
    notes: defaultdict[tuple[str, str], defaultdict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        notes[row.domain, row.half][row.source].append(row)
    lines = []
    for (domain, half), sources in notes.items():
        facts = [group for group in sources.values() if all(row.answered or not row.wanted.required for row in group)]
        wrong = sum(any(row.answered and not row.right for row in group) for group in facts)
        lines.append({"domain": domain, "half": half, "notes": len(sources), "facts": len(facts), "with_wrong": wrong})
    return lines


def _kinds(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Per half and kind of field: how many foreign fields were rightly left out."""
    groups: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.half, kind(row.wanted)].append(row)
    return [
        {
            "half": half,
            "kind": name,
            "asked": len(group),
            "abstained": _share(sum(not row.answered for row in group), len(group)),
        }
        for (half, name), group in sorted(groups.items())
    ]


def _questions(agent: LocalAgent, domain: Domain, domains: Sequence[Domain]) -> list[dict[str, Any]]:
    """Citation accuracy per half, and how often questions of the other domains were answered from this one."""
    shown = [{"source": source, "passages": [text]} for source, text in domain.texts.items()]
    halves: defaultdict[str, list[str]] = defaultdict(list)
    for question in domain.questions:
        gold = domain.gold[question["id"]]["citations"]
        reply = agent.answer(question["question"], shown)
        verdict = "right" if reply["citations"] == gold else "wrong" if reply["citations"] else "abstained"
        halves[half_of(domain.name, gold[0]) if gold else "all"].append(verdict)
    others = [question["question"] for other in domains if other is not domain for question in other.questions]
    foreign = sum(agent.answer(question, shown)["status"] == "answered" for question in others)
    lines = [
        {
            "domain": domain.name,
            "half": half,
            **{word: verdicts.count(word) for word in ("right", "wrong", "abstained")},
        }
        for half, verdicts in sorted(halves.items())
    ]
    return [*lines, {"domain": domain.name, "half": "foreign", "asked": len(others), "answered": foreign}]


def _tune(rows: Sequence[Row]) -> dict[str, tuple[float, float]]:
    """The range of best thresholds, kind by kind: above the first figure, up to the second."""
    chosen: dict[str, tuple[float, float]] = {}
    for name in sorted({kind(row.wanted) for row in rows}):
        scored = [(row.score, row.right) for row in rows if kind(row.wanted) == name and row.score is not None]
        if not any(right for _, right in scored):
            continue
        cuts = sorted({score for score, _ in scored})
        gains = {cut: sum(1 if right else -_WRONG_COSTS for score, right in scored if score >= cut) for cut in cuts}
        cut = max(cuts, key=lambda one: (gains[one], -one))
        chosen[name] = round(max((one for one in cuts if one < cut), default=0.0), 3), round(cut, 3)
    return chosen


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def _as_text(result: dict[str, Any]) -> str:
    """The figures as Markdown tables."""
    blocks = [_table(result[name]) for name in ("fields", "total", "notes", "foreign")]
    asked = [line for line in result["questions"] if "right" in line]
    blocks += [_table(asked), _table([line for line in result["questions"] if "right" not in line])]
    blocks += [f"{name}: {value}" for name, value in result.items() if not isinstance(value, list)]
    return "\n\n".join(blocks)


def _table(lines: Sequence[dict[str, Any]]) -> str:
    head = list(lines[0])
    rows = [head, ["---"] * len(head), *[["-" if v is None else str(v) for v in line.values()] for line in lines]]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


if __name__ == "__main__":
    main()
