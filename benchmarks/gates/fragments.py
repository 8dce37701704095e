"""Cases about where a quote begins, ends and comes from: joins, elisions, lists, tables, sources, nothing."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from benchmarks.gates import noise, wrong
from benchmarks.gates.making import ACCEPT, OPEN, REJECT, Case, case, dice, everywhere, sampled
from benchmarks.gates.reading import Sentence

Known = dict[str, list[Sentence]]
# Families whose false quotes do stand, letter by letter, in their source.
VERBATIM = {"leadin_cut", "decorated_cut", "too_short", "punctuation_only", "empty", "malformed_id", "unknown_id"}


def cases(known: Known) -> Iterator[Case]:
    """All families of this module, in a fixed order."""
    for family in (_adjacent, _lists, _tables, _stitched, _stitched_sources, _elided, _decorated, _wrong_source):
        yield from family(known)
    for family in (_ids, _nothing, _short, _disputable):
        yield from family(known)


def _joined(one: Sentence) -> bool:
    """Whether a sentence follows the one before it in the same paragraph."""
    return one.gap.strip("*_ \t\n") == "" and "\n\n" not in one.gap


def _adjacent(known: Known) -> Iterator[Case]:
    made = []
    for listed in known.values():
        for first, second in itertools.pairwise(listed):
            if _joined(second):
                between = "" if first.lang == "ja" else " "
                one = case(first, "adjacent_sentences", first.text + between + second.text, ACCEPT, "two in a row")
                made.append(one | {"end": second.end})
    yield from sampled(made, "adjacent_sentences")


def _lists(known: Known) -> Iterator[Case]:
    for listed in known.values():
        for first, second in itertools.pairwise(listed):
            listed_too = {"item", "leadin_open"} & first.notes.keys()
            if listed_too and re.fullmatch(r"\s*\n\s*[-*+] ", second.gap):
                yield from _two_items(first, second)
        for one in listed:
            yield from _item(one)


def _two_items(first: Sentence, second: Sentence) -> Iterator[Case]:
    expect = ACCEPT if "item" in first.notes and "item" in second.notes else OPEN
    for quote, why in (
        (f"{first.text}\n{second.text}", "two items, bullets dropped"),
        (f"- {first.text} - {second.text}", "two items on one line, bullets kept"),
    ):
        made = case(first, "list_items", quote, expect, why)
        yield made | {"end": second.end} if expect == ACCEPT else made


def _item(one: Sentence) -> Iterator[Case]:
    if "leadin" in one.notes:
        yield case(one, "leadin_cut", one.text, REJECT, "the line that forbids the items is left outside")
        if lead := re.search(r"([^\n]+)\n\n\s*[-*] $", one.gap):
            quote = f"{lead[1]} {one.text}"
            whole = case(one, "list_with_leadin", quote, ACCEPT, "with the line that governs it")
            yield whole | {"start": one.start - len(lead[0])}
    elif "leadin_open" in one.notes:
        yield case(one, "disputable_cut", one.text, OPEN, "a list item without the line that governs it")
    elif "item" in one.notes:
        yield case(one, "list_item", one.text, ACCEPT, "an item that says something by itself")


def _tables(known: Known) -> Iterator[Case]:
    for listed in known.values():
        for one in listed:
            for row in one.notes.get("row", []):
                yield case(one, "table_row", row, ACCEPT, "the cells of one row in order, bars dropped")
                yield case(one, "table_row", one.notes["s"], ACCEPT, "the row as it stands")


def _stitched(known: Known) -> Iterator[Case]:
    apart, skipped, halves = [], [], []
    for source, listed in known.items():
        plain = [one for one in listed if "row" not in one.notes]
        between = "" if plain[0].lang == "ja" else " "
        for at, first in enumerate(plain):
            if at + 2 < len(plain):
                quote = first.text + between + plain[at + 2].text
                skipped.append(case(first, "sentence_skipped", quote, REJECT, "the sentence between is left out"))
            other = plain[(at + dice("stitch", source, at).randrange(4, len(plain) - 3)) % len(plain)]
            quote = other.text + between + first.text
            apart.append(case(first, "stitched_same_source", quote, REJECT, "two distant sentences as if in a row"))
            head, tail = _half(first.text)[0], _half(other.text)[1]
            if head and tail:
                halves.append(case(first, "stitched_halves", head + tail, REJECT, "half of one, half of another"))
    yield from sampled(skipped, "sentence_skipped")
    yield from sampled(apart, "stitched_same_source")
    yield from sampled(halves, "stitched_halves")


def _half(text: str) -> tuple[str, str]:
    """A text in two at a space or a comma near its middle; two empty ones where there is none."""
    places = [match.end() for match in re.finditer("[ 、はがを]", text) if 6 < match.end() < len(text) - 6]
    if not places:
        return "", ""
    at = min(places, key=lambda place: abs(place - len(text) // 2))
    return text[:at], text[at:]


def _stitched_sources(known: Known) -> Iterator[Case]:
    plain = list(everywhere(known))
    made = []
    for one in plain:
        others = [other for other in plain if other.lang == one.lang and other.source != one.source]
        other = dice("sources", one.source, one.number).choice(others)
        quote = one.text + ("" if one.lang == "ja" else " ") + other.text
        made.append(case(one, "stitched_sources", quote, REJECT, f"the second sentence is from {other.source}"))
    yield from sampled(made, "stitched_sources")


def _elided(known: Known) -> Iterator[Case]:
    hidden, open_ones = [], []
    for one in everywhere(known):
        mark = dice("mark", one.source, one.number).choice(["…", "...", " […] ", " [...] ", "……"])
        for quote in one.notes.get("elide", []):
            hidden.append(case(one, "elision_hides", quote, REJECT, "an ellipsis stands for what changes the sentence"))
        for key, why in wrong.CUTS.items():
            for part in one.notes.get(key, []) if key.startswith("cut_") and key != "cut_number" else []:
                quote = part.rstrip(".。") + mark if one.text.startswith(part) else mark.strip() + " " + part
                hidden.append(case(one, "elision_hides", quote.strip(), REJECT, f"behind an ellipsis {why}"))
        words = one.text.split(" ")
        if one.lang == "en" and len(words) > 9 and not wrong.CUTS.keys() & one.notes.keys():
            quote = " ".join([*words[:3], "…", *words[6:]])
            open_ones.append(case(one, "elision_marked", quote, OPEN, "a marked elision of what may be harmless"))
    yield from sampled(hidden, "elision_hides")
    yield from sampled(open_ones, "elision_marked")


def _decorated(known: Known) -> Iterator[Case]:
    cuts, changes = [], []
    for one in everywhere(known):
        rolls = dice("decorated", one.source, one.number)
        stop = "。" if one.lang == "ja" else "."
        for _, part, why in wrong.cut(one):
            quote = part if part[-1] in ".。" else part + stop
            quote = rolls.choice([noise.outer_quotes, noise.zero_width, noise.edge_spaces])(quote, rolls) or quote
            cuts.append(case(one, "decorated_cut", quote, REJECT, f"{why}; dressed up as a sentence"))
        for family, changed, why in wrong.edited(one):
            if family not in ("superscript_changed", "case_meaning", "cells_mixed"):
                new = rolls.choice([noise.other_width, noise.reflowed, noise.soft_hyphens])(changed, rolls) or changed
                changes.append(case(one, "decorated_change", new, REJECT, f"{why}; with harmless differences"))
    yield from sampled(cuts, "decorated_cut")
    yield from sampled(changes, "decorated_change")


def _wrong_source(known: Known) -> Iterator[Case]:
    made = []
    for one in everywhere(known):
        others = [source for source, listed in known.items() if source != one.source]
        other = dice("wrong", one.source, one.number).choice(others)
        made.append(case(one, "wrong_source", one.text, REJECT, f"stands in {one.source}") | {"source": other})
    yield from sampled(made, "wrong_source")


def _ids(known: Known) -> Iterator[Case]:
    for source, listed in known.items():
        one = next(first for first in listed if "row" not in first.notes)
        variants = [source.upper(), f"{source}.md", f"{source}#3", f"{source}-chunk-1", f"{source} ", f"[{source}]"]
        variants += [source.replace("-", "_"), source.replace("-", "–"), f"./{source}", f"{source},", source[:-1]]
        for new in dice("ids", source).sample(variants, 4):
            yield case(one, "malformed_id", one.text, REJECT, f"not the id {source!r}") | {"source": new}
        unknown = dice("unknown", source).choice(["source-1", "doc_7", "", "unknown", "harbour-guide", "資料３"])
        yield case(one, "unknown_id", one.text, REJECT, "no such source") | {"source": unknown}


def _nothing(known: Known) -> Iterator[Case]:
    empty = ["", " ", "\n\n", "\u3000", "\u200b", "“”", "「」", "\u00ad\u00ad", "''", "\ufeff"]
    marks = [".", "。", "…", "、", "—", "!?", "()", "「」。", "***", "- -", "・", "|", "##", "''.", "[...]"]
    for at, listed in enumerate(known.values()):
        one = listed[0]
        for family, pool in (("empty", empty), ("punctuation_only", marks)):
            for step in (0, 1):
                quote = pool[(2 * at + step) % len(pool)]
                yield case(one, family, quote, REJECT, "nothing is said")


def _short(known: Known) -> Iterator[Case]:
    for listed in known.values():
        words = ["the", "is", "of", "and"] if listed[0].lang == "en" else ["ます", "は", "する", "の"]
        for word in [*words[:2], words[2 + len(listed) % 2]]:
            yield case(listed[0], "too_short", word, REJECT, "says nothing by itself")


def _disputable(known: Known) -> Iterator[Case]:
    letters, heads, spaces = [], [], []
    for one in everywhere(known):
        if one.lang == "en" and "o" in one.text:
            new = one.text.replace("o", "\u043e", 1)
            letters.append(case(one, "look_alikes", new, OPEN, "a Cyrillic letter that looks the same"))
            heads.append(
                case(one, "first_letter_case", one.text[0].swapcase() + one.text[1:], OPEN, "the first letter's case")
            )
        apart = re.sub("(?<=[\u3041-\u30ff\u4e00-\u9fff])(?=[A-Za-z0-9])", " ", one.text)
        if one.lang == "ja" and apart != one.text:
            spaces.append(case(one, "script_spacing", apart, OPEN, "spaces between Japanese and Latin letters"))
    for family, made in (("look_alikes", letters), ("first_letter_case", heads), ("script_spacing", spaces)):
        yield from sampled(made[:: max(1, len(made) // 40)], family)
