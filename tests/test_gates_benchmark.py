"""The labelled set of quotes: the same bytes each time, and what it is made of."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.gates import __main__ as benchmark
from benchmarks.gates import generate, measure, reading, rivals
from benchmarks.gates.making import ACCEPT, OPEN, REJECT

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("seed", ["0", "77"])
def test_another_process_generates_the_same_bytes(tmp_path: Path, seed: str) -> None:
    made = tmp_path / "cases.jsonl"
    command = [sys.executable, "-m", "benchmarks.gates.generate", str(made)]
    subprocess.run(command, check=True, cwd=ROOT, env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)})
    here = "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in generate.cases())
    assert hashlib.sha256(made.read_bytes()).hexdigest() == hashlib.sha256(here.encode()).hexdigest()


def test_the_set_is_as_large_and_as_varied_as_it_says() -> None:
    cases = generate.cases()
    langs = {source: listed[0].lang for source, listed in reading.sentences().items()}
    assert len(cases) == 4065
    assert Counter(langs.values()) == {"en": 16, "ja": 16}
    assert Counter(case["expect"] for case in cases) == {REJECT: 2752, ACCEPT: 1165, OPEN: 148}
    families = {lang: {case["family"] for case in cases if case["lang"] == lang} for lang in ("en", "ja")}
    assert len(families["en"] & families["ja"]) >= 68
    assert len({case["case"] for case in cases}) == len(cases)


def test_every_annotated_part_stands_in_its_sentence() -> None:
    for listed in reading.sentences().values():
        for sentence in listed:
            start, end = sentence.at(sentence.text)
            assert sentence.start <= start < end <= sentence.end
            for part in sentence.notes.get("clause", []):
                assert reading.texts()[sentence.source][slice(*sentence.at(part))]


def test_the_labelled_offsets_of_an_exact_quote_slice_the_source_to_it() -> None:
    exact = [case for case in generate.cases() if case["family"] == "exact"]
    assert exact
    assert all(reading.texts()[case["source"]][case["start"] : case["end"]] == case["quote"] for case in exact)


def test_a_false_quote_counts_as_a_leak_and_an_honest_one_turned_back_as_over_block() -> None:
    texts = {"a": "Ten boats raced. None sank."}
    cases = [
        {"family": "f", "lang": "en", "source": "a", "quote": "Ten boats raced.", "expect": ACCEPT},
        {"family": "f", "lang": "en", "source": "a", "quote": "None  sank.", "expect": ACCEPT},
        {"family": "g", "lang": "en", "source": "a", "quote": "boats", "expect": REJECT},
        {"family": "g", "lang": "en", "source": "b", "quote": "None sank.", "expect": REJECT},
        {"family": "g", "lang": "en", "source": "a", "quote": "Ten", "expect": OPEN},
    ]
    found = measure.rates(cases, measure.answers(rivals.substring(texts), cases))
    assert {key: found[key] for key in ("honest", "blocked", "false", "leaked")} == {
        "honest": 2,
        "blocked": 1,
        "false": 2,
        "leaked": 1,
    }


def test_a_rival_that_is_not_there_is_named_and_costs_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "quotegate", None)
    monkeypatch.setattr(rivals, "CHECKERS", {"quotegate": rivals.quotegate, "substring": rivals.substring})
    found = benchmark.rated(reading.texts(), generate.cases()[:20])
    assert found["quotegate"] == "not installed"
    assert found["substring"]["honest"] == 20


def test_a_case_file_elsewhere_is_read_whole_whatever_separators_its_quotes_hold(tmp_path: Path) -> None:
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "ひ.txt").write_text("これは、ひとつの文です。", encoding="utf-8")
    case = {"case": "p0", "family": "f", "source": "ひ", "quote": "これは、\u2028ひとつ", "expect": None, "why": ""}
    lines = json.dumps(case, ensure_ascii=False) + "\n"
    (tmp_path / "public.jsonl").write_text(lines, encoding="utf-8")
    texts, cases = benchmark.public(tmp_path)
    assert list(texts) == ["ひ"]
    assert cases == [case | {"lang": "ja"}]
