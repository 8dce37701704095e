"""Writes the labelled cases from the sources and their side files; the same texts give the same bytes.

`python -m benchmarks.gates.generate [FILE]` writes one JSON object a line: case, family, lang, source, quote, expect
(`accept`, `reject` or null where two readers might differ), why, and for what is accepted the offsets `start`, `end`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.gates import fragments, noise, wrong
from benchmarks.gates.making import ACCEPT, OPEN, REJECT, Case, case, dice, everywhere, sampled
from benchmarks.gates.reading import Sentence, sentences, texts, visible


def cases() -> list[Case]:
    """Every case, numbered; families in a fixed order."""
    known = sentences()
    made = [*_honest(known), *_false(known), *fragments.cases(known)]
    made = [case for case in _distinct(made) if _is_what_it_says(case)]
    return [{"case": f"g{number:05d}", **case} for number, case in enumerate(made)]


def _honest(known: dict[str, list[Sentence]]) -> Iterator[Case]:
    plain = list(everywhere(known))
    yield from sampled((case(one, "exact", one.raw, ACCEPT, "as it stands, byte for byte") for one in plain), "exact")
    rendered: dict[str, list[Case]] = {}
    for one in plain:
        if one.text != one.raw:
            family, why = _rendering(one)
            rendered.setdefault(family, []).append(case(one, family, one.text, ACCEPT, why))
    for family in sorted(rendered):
        yield from sampled(rendered[family], family)
    for family, change in noise.FAMILIES.items():
        changed = ((one, change(one.text, dice(family, one.source, one.number))) for one in plain)
        why = (change.__doc__ or "").strip().rstrip(".")
        yield from sampled((case(one, family, new, ACCEPT, why) for one, new in changed if new), family)
    for family, keys in (
        ("negated_sentence", {"cut_negation", "negdrop"}),
        ("conditional_sentence", {"cut_condition", "cut_exception"}),
    ):
        whole = (one for one in plain if keys & one.notes.keys())
        yield from sampled((case(one, family, one.text, ACCEPT, "quoted whole") for one in whole), family)
    for one in plain:
        for part in one.notes.get("clause", []):
            yield case(one, "independent_clause", part, ACCEPT, "a clause that stands by itself", part)
        if one.notes.get("again"):
            yield case(
                one, "stands_elsewhere", one.text, ACCEPT, "whole here, though cut or hedged earlier in the text"
            )


def _rendering(one: Sentence) -> tuple[str, str]:
    if re.search(r"[*`<\\]|\]\(|\[\^|&\w+;|\n *>", one.raw):
        return "markdown_stripped", "markup in the source, its text in the quote"
    if re.search(r"-\n", one.raw):
        return "hyphenated_break", "a word broken at a line's end in the source"
    if re.search("[\u00ad\ufb00-\ufb04]", one.raw):
        return "typeset_source", "soft hyphens or ligatures in the source"
    return "unwrapped", "lines are broken in the source, not in the quote"


def _false(known: dict[str, list[Sentence]]) -> Iterator[Case]:
    for listed in known.values():
        for one in listed:
            for family, quote, why in wrong.edited(one):
                yield case(one, family, quote, REJECT, why)
            for family, quote, why in wrong.cut(one):
                yield case(one, family, quote, REJECT, why)
            for quote in one.notes.get("open", []):
                yield case(one, "disputable_cut", quote, OPEN, "readers differ on whether this says something else")
    plain = list(everywhere(known))
    for family, change in wrong.FAMILIES.items():
        changed = ((one, change(one.text, dice(family, one.source, one.number))) for one in plain)
        why = (change.__doc__ or "").strip().rstrip(".")
        yield from sampled((case(one, family, new, REJECT, why) for one, new in changed if new), family)


def _distinct(made: Iterable[Case]) -> Iterator[Case]:
    seen = set()
    for one in made:
        key = (one["source"], one["quote"], one["family"])
        if key not in seen:
            seen.add(key)
            yield one


def _is_what_it_says(one: Case) -> bool:
    """Fails where a false quote that is no cut stands in its source after all, or a cut is a sentence elsewhere."""
    source = texts().get(one["source"])
    if one["expect"] != REJECT or source is None:
        return True
    if one["family"] in fragments.VERBATIM or one["family"].startswith("cut_") or one["family"] == "affix_cut":
        whole = {visible(other.text)[0] for other in sentences()[one["source"]] if "leadin" not in other.notes}
        if visible(one["quote"])[0] in whole:
            raise ValueError(f"{one['source']}: a whole sentence is labelled as a cut: {one['quote']!r}")
    elif one["quote"].strip(" 。.") and one["quote"] in source:
        raise ValueError(f"{one['source']}: labelled false but verbatim: {one['family']} {one['quote']!r}")
    return True


def main(path: str | None = None) -> None:
    """Writes the cases to a file, or to standard output."""
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in cases())
    if path is None:
        sys.stdout.write(text)
    else:
        Path(path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:2])
