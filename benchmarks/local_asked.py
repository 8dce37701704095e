"""Whether `local` answers what a fact states: `python -m benchmarks.local_asked [--show]`.

For each note of `benchmarks/local_notes` and of the sample data, and each value that it states, one question names the
note's subject and the field: `What is the length of Otter Weir Loop?`. All notes are shown, with the gold fields as
their facts. Right is a sentence of that note that holds the labelled evidence, or half of it; `--show` prints what else
is answered on odd notes.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from typing import Any

from benchmarks.labelled import Domain, benchmark, half_of, sample
from benchmarks.local_agent import overlap
from sekisho.agents.local.agent import LocalAgent
from sekisho.agents.local.fields import Wanted
from sekisho.retrieval.encoder import SentenceEncoder
from sekisho.units import canonical


def main() -> None:
    """Measure and print, per half and type of field."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true")
    show = parser.parse_args().show
    agent = LocalAgent(SentenceEncoder())
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for domain in (benchmark("trails"), benchmark("equipment"), sample()):
        shown = [
            {"source": source, "fields": domain.labels[source]["fields"], "passages": [text]}
            for source, text in domain.texts.items()
        ]
        for source in domain.texts:
            half = half_of(domain.name, source)
            for wanted in domain.fields:
                question = _question(domain, source, wanted)
                if question is None:
                    continue
                reply = agent.answer(question, shown)
                verdict = _verdict(reply, source, domain.labels[source]["evidence"].get(wanted.name) or "")
                counts[half, wanted.type][verdict] += 1
                if show and verdict == "wrong" and half != "even":
                    print(question, reply["citations"], reply["answer"], sep=" | ")
    print("| half | type | right | wrong | abstained |\n| --- | --- | --- | --- | --- |")
    for (half, kind), verdicts in sorted(counts.items()):
        print(f"| {half} | {kind} | {verdicts['right']} | {verdicts['wrong']} | {verdicts['abstained']} |")


def _question(domain: Domain, source: str, wanted: Wanted) -> str | None:
    """None where the note does not say it, or it is the name itself."""
    fields: dict[str, Any] = domain.labels[source]["fields"]
    value, name = fields[wanted.name], fields["name"]
    if value in (None, [], "") or wanted.name == "name":
        return None
    title = " ".join(word for word in wanted.title.split() if canonical(word) is None)
    if wanted.type == "date":
        return f"When was {name} {title}?"
    return f"Is {name} {title}?" if wanted.type == "bool" else f"What is the {title} of {name}?"


def _verdict(reply: dict[str, Any], source: str, evidence: str) -> str:
    if reply["status"] != "answered":
        return "abstained"
    return "right" if reply["citations"] == [source] and overlap(reply["answer"], evidence) >= 0.5 else "wrong"


if __name__ == "__main__":
    main()
