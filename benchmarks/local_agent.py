"""What the local agent gets right, leaves out and gets wrong: `python -m benchmarks.local_agent [--json] [--tune]`.

Notes with odd numbers are what thresholds were tuned on, notes with even numbers were not looked at for it.
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
from pathlib import Path
from typing import Any

import yaml

from sekisho.agents.local.agent import THRESHOLDS, LocalAgent, folder_digest, kind
from sekisho.agents.local.document import read_document
from sekisho.agents.local.fields import Wanted, read_fields
from sekisho.agents.local.found import Found
from sekisho.agents.local.memory import RememberingEncoder
from sekisho.retrieval.encoder import SentenceEncoder, bundled_model
from sekisho.text import find_quote, fold, fold_needle

ROOT = Path(__file__).resolve().parent.parent
_WRONG_COSTS = 2


@dataclass(frozen=True)
class Domain:
    """Notes, what their schema asks, and what is known of them."""

    name: str
    fields: list[Wanted]
    texts: dict[str, str]
    labels: dict[str, dict[str, Any]]
    questions: list[dict[str, str]]
    gold: dict[str, dict[str, Any]]


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
    agent = LocalAgent(encoder, model=folder_digest(bundled_model()))
    domains = [_benchmark("trails"), _benchmark("equipment"), _sample()]
    rows, seconds = _extract(agent, encoder, domains)
    foreign = _foreign(agent, encoder, domains)
    result = {
        "fields": _fields(rows),
        "notes": _notes(rows),
        "foreign": _kinds(foreign),
        "questions": [row for domain in domains for row in _questions(agent, domain, domains)],
        "seconds_per_note": {name: round(took, 2) for name, took in seconds.items()},
        "fingerprint": agent.fingerprint,
    }
    if options.tune:
        result["tuned_on_odd"] = _tune([row for row in [*rows, *foreign] if row.half == "odd"])
    print(json.dumps(result, ensure_ascii=False, indent=1) if options.json else _as_text(result))


def _benchmark(name: str) -> Domain:
    root = ROOT / "benchmarks" / "local_notes" / name
    return _domain(name, root, _yaml(root / "labels.yaml"), _yaml(root / "gold.yaml"))


def _sample() -> Domain:
    """The sample data, whose fixtures say what is right."""
    fixtures = _yaml(ROOT / "data" / "fixtures" / "plants.yaml")
    labels = {key.removeprefix("extract:"): reply for key, reply in fixtures.items() if key.startswith("extract:")}
    gold = {key.removeprefix("query:"): reply for key, reply in fixtures.items() if key.startswith("query:")}
    return _domain("plants", ROOT / "data", labels, gold)


def _domain(name: str, root: Path, labels: Any, gold: Any) -> Domain:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((root / "notes").glob("*.md"))}
    schema = _yaml(root / "notes.schema.yaml")
    return Domain(name, read_fields(schema["fields"]), texts, labels, _yaml(root / "questions.yaml"), gold)


def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def _half(domain: str, source: str) -> str:
    return "all" if domain == "plants" else ("even", "odd")[int(source[:2]) % 2]


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
    text, label, half = domain.texts[source], domain.labels[source], _half(domain.name, source)
    if found is None:
        return Row(domain.name, half, source, wanted, label["fields"][wanted.name], False, None, False)
    gold, evidence = label["fields"][wanted.name], label["evidence"].get(wanted.name) or ""
    quote = found.evidence.of(text)
    assert find_quote(fold(text), quote) is not None
    overlaps = _overlap(quote, evidence) >= 0.5
    free = wanted.type == "str" and wanted.name != "name"
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
                half = _half(domain.name, source)
                rows.append(Row(domain.name, half, source, wanted, None, False, score, False))
    return rows


def _same(value: Any, gold: Any) -> bool:
    if isinstance(gold, list):
        return sorted(map(fold_needle, value)) == sorted(map(fold_needle, gold))
    if isinstance(gold, bool) or not isinstance(gold, int | float):
        return fold_needle(str(value)).casefold() == fold_needle(str(gold)).casefold()
    return abs(value - gold) < 1e-9


def _overlap(quote: str, evidence: str) -> float:
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
        halves[_half(domain.name, gold[0]) if gold else "all"].append(verdict)
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


def _tune(rows: Sequence[Row]) -> dict[str, float]:
    """The middle of the best range of thresholds, kind by kind."""
    chosen: dict[str, float] = {}
    for name in sorted({kind(row.wanted) for row in rows}):
        scored = [(row.score, row.right) for row in rows if kind(row.wanted) == name and row.score is not None]
        if not any(right for _, right in scored):
            continue
        cuts = sorted({score for score, _ in scored})
        gains = {cut: sum(1 if right else -_WRONG_COSTS for score, right in scored if score >= cut) for cut in cuts}
        best = max(gains.values())
        cut = next(cut for cut in cuts if gains[cut] == best)
        below = max((one for one in cuts if one < cut), default=cut)
        chosen[name] = round((cut + below) / 2, 3)
    return chosen


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def _as_text(result: dict[str, Any]) -> str:
    """The figures as Markdown tables."""
    blocks = [_table(result[name]) for name in ("fields", "notes", "foreign")]
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
