"""The sample catalogue is sound by itself, and the cases that mapping is known for stand in its queries."""

from __future__ import annotations

import re
from collections import Counter

import pytest
import yaml

from tests.conftest import ROOT

FOLDER = ROOT / "data" / "catalogue"
COLUMNS = {
    "terms": ["id", "name", "acronym", "synonyms", "parent_id"],
    "queries": ["query", "expected_id", "kind", "difficulty", "relation"],
    "aliases": ["text", "id", "note"],
    "abbreviations": ["text", "id", "expansion", "note"],
    "tokens": ["text", "kind", "note"],
}


def rows(name: str) -> list[dict[str, str]]:
    """A table, read as plainly as its README says: lines, tabs, no quotes."""
    text = (FOLDER / f"{name}.tsv").read_text(encoding="utf-8")
    assert '"' not in text and text.endswith("\n")
    header, *lines = [line.split("\t") for line in text.removesuffix("\n").split("\n")]
    assert header == COLUMNS[name]
    assert all(len(line) == len(header) and all(cell == cell.strip() for cell in line) for line in lines)
    return [dict(zip(header, line, strict=True)) for line in lines]


TERMS = {row["id"]: row for row in rows("terms")}
QUERIES = {row["query"]: row for row in rows("queries")}


def before_brackets(name: str) -> str:
    return re.sub(r" [(\[].*$", "", name)


def labels(row: dict[str, str]) -> set[str]:
    """Every name of a record, the alternates in its brackets too."""
    inside = re.findall(r"[(\[](.+?)[)\]]", row["name"])
    names = [row["name"], before_brackets(row["name"]), *inside, *filter(None, row["synonyms"].split("|"))]
    return {name.casefold() for name in names}


def test_ids_differ_every_record_has_a_name_and_a_name_or_acronym_means_one_record() -> None:
    assert len(TERMS) == len(rows("terms")) >= 250
    assert all(re.fullmatch(r"BR:\d{4}", id) and row["name"] for id, row in TERMS.items())
    acronyms = [row["acronym"] for row in TERMS.values() if row["acronym"]]
    assert len(set(acronyms)) == len(acronyms)
    owners = Counter(label for row in TERMS.values() for label in labels(row))
    assert [label for label, count in owners.items() if count > 1] == []


def test_there_is_one_root_and_every_path_of_parents_ends_there() -> None:
    assert [id for id, row in TERMS.items() if not row["parent_id"]] == ["BR:0001"]
    for start in TERMS:
        at, seen = start, set[str]()
        while at != "BR:0001":
            assert at not in seen
            seen.add(at)
            at = TERMS[at]["parent_id"]


def test_the_names_are_such_as_atlases_have() -> None:
    named = [row["name"] for row in TERMS.values()]
    assert sum("(" in name for name in named) >= 10 and sum("[" in name for name in named) >= 10
    japanese = {word for row in TERMS.values() for word in row["synonyms"].split("|")}
    assert {"海馬", "扁桃体", "視床", "小脳", "黒質"} <= japanese
    assert {row["acronym"] for row in TERMS.values()} >= {"IC", "ic", "CG", "Cg"}  # case is a signal


def test_m8_eight_queries_have_no_expected_record_and_the_others_one_that_exists() -> None:
    assert len(QUERIES) == len(rows("queries")) >= 60
    without = [row for row in QUERIES.values() if not row["expected_id"]]
    assert len(without) == 8 and all(row["kind"] == "none" and row["relation"] != "match" for row in without)
    answerable = [row for row in QUERIES.values() if row["expected_id"]]
    assert all(row["expected_id"] in TERMS and row["relation"] != "different" for row in answerable)
    assert {row["difficulty"] for row in QUERIES.values()} == {"easy", "medium", "hard"}


def test_m4_every_relation_is_among_the_queries() -> None:
    assert {row["relation"] for row in QUERIES.values()} == {"match", "larger", "smaller", "different"}


@pytest.mark.parametrize(
    ("query", "expected", "relation"),
    [
        ("ACC", "Anterior cingulate cortex", "match"),
        ("EC", "Entorhinal cortex", "match"),
        ("MGB", "Medial geniculate body", "match"),
        ("PAG", "Midbrain central gray", "match"),
        ("Dorsal raphe nucleus", "Dorsal nucleus of the raphe", "match"),
        ("BLA", "Basolateral amygdaloid nucleus", "match"),
        ("LH", "Lateral hypothalamic area", "match"),
        ("Cerebral hemisphere", "Telencephalon", "larger"),
        ("Medial hypothalamus", "Hypothalamus", "larger"),
        ("Auditory cortex", "Primary auditory cortex", "smaller"),
        ("Brainstem", "", "smaller"),
        ("Septum", "", "different"),
    ],
)
def test_m9_the_hard_cases_are_there(query: str, expected: str, relation: str) -> None:
    row = QUERIES[query]
    found = before_brackets(TERMS[row["expected_id"]]["name"]) if row["expected_id"] else ""
    assert (found, row["relation"], row["difficulty"]) == (expected, relation, "hard")


@pytest.mark.parametrize(
    ("query", "rivals"),
    [
        ("ACC", {"Anterior cingulate cortex, dorsal division", "Subgenual cingulate region", "Nucleus accumbens"}),
        ("EC", {"Entorhinal cortex, lateral part", "External capsule", "Ectorhinal cortex"}),
        ("MGB", {"Medial geniculate body, ventral division", "Medial geniculate body, dorsal division"}),
        ("PAG", {"Periaqueductal gray, ventrolateral column", "Supraoculomotor periaqueductal region"}),
        ("Dorsal raphe nucleus", {"Dorsal raphe nucleus, dorsal division", "Median raphe nucleus"}),
        ("BLA", {"Basolateral amygdaloid complex", "Basolateral amygdaloid nucleus, anterior part"}),
        ("LH", {"Lateral habenula"}),
        ("Septum", {"Septum pellucidum", "Septohypothalamic nucleus"}),
        ("Cerebral hemisphere", {"Cerebellar hemisphere"}),
    ],
)
def test_m9_the_rivals_of_the_hard_cases_are_there(query: str, rivals: set[str]) -> None:
    assert query in QUERIES
    assert rivals <= {before_brackets(row["name"]) for row in TERMS.values()}


def test_m9_no_hard_case_is_given_away_by_a_name_or_acronym_of_the_catalogue() -> None:
    written = {text for row in TERMS.values() for text in (row["acronym"], *row["synonyms"].split("|"))}
    assert not written & {"ACC", "EC", "MGB", "PAG", "LH"}
    known = {label for row in TERMS.values() for label in labels(row)}
    absent = ["Dorsal raphe nucleus", "Cerebral hemisphere", "Medial hypothalamus", "Auditory cortex", "Brainstem"]
    assert not known & {name.casefold() for name in [*absent, "Septum"]}


def test_what_curators_wrote_points_to_records_and_repeats_nothing() -> None:
    names = {label for row in TERMS.values() for label in labels(row)}
    aliases, short = rows("aliases"), rows("abbreviations")
    assert all(row["id"] in TERMS and row["text"].casefold() not in names for row in aliases)
    assert all(bool(row["id"]) != bool(row["expansion"]) for row in short)
    assert all(row["id"] in TERMS for row in short if row["id"])
    assert {row["kind"] for row in rows("tokens")} == {"stop", "side", "modifier"}
    for table in (aliases, short, rows("tokens")):
        assert len({row["text"] for row in table}) == len(table)


def test_m3_the_fixtures_choose_a_record_for_every_query_in_batches_of_eight_and_two_choices_are_wrong() -> None:
    replies = yaml.safe_load((ROOT / "data" / "fixtures" / "mapping.yaml").read_text(encoding="utf-8"))
    queries = list(QUERIES.values())
    assert list(replies) == [f"rerank:{number}" for number in range(1, -(-len(queries) // 8) + 1)]
    wrong, related = [], Counter[str]()
    for number, reply in enumerate(replies.values()):
        batch = queries[8 * number : 8 * number + 8]
        assert [choice["query"] for choice in reply["choices"]] == list(range(1, len(batch) + 1))
        for row, choice in zip(batch, reply["choices"], strict=True):
            assert choice["best_id"] in TERMS and 0 < choice["confidence"] < 1 and choice["reason"]
            related[choice["relation"]] += choice["relation"] == row["relation"]
            wrong += [row["query"]] if row["expected_id"] not in ("", choice["best_id"]) else []
    assert wrong == ["BLA", "CA1 pyramidal neurons"]
    assert set(related) == {"match", "larger", "smaller", "different"} and related.total() == len(queries) - 1


def test_words_that_tell_a_part_from_its_whole_are_no_tokens() -> None:
    assert not {row["text"] for row in rows("tokens")} & {"part", "pars", "division", "layer", "limb", "column", "部"}
