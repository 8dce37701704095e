"""The index of a catalogue: kept on disk, and read without torch."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from sekisho.catalogue import Catalogue, Term
from sekisho.mapping.match import Matcher, open_matcher
from sekisho.mapping.store import save_index
from tests.conftest import ROOT
from tests.matching import CATALOGUE, MATCHER, names


def test_m5_the_first_stage_needs_no_torch_and_no_model() -> None:
    code = (
        "import sys; from tests.matching import MATCHER; MATCHER.match('MGB');"
        "print([name for name in ('torch', 'sklearn', 'openai', 'instructor', 'dagster') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_a_kept_index_gives_the_same_and_a_damaged_or_foreign_one_is_built_again(tmp_path: Path) -> None:
    asked = ["MGB", "CA1", "dorsal raphe", "海馬"]
    fresh = MATCHER.match_all(asked)
    assert open_matcher(CATALOGUE, tmp_path).match_all(asked) == fresh
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    assert open_matcher(CATALOGUE, tmp_path).match_all(asked) == fresh
    assert kept.read_bytes() == whole
    for damaged in (b"", whole[: len(whole) // 2], whole.replace(b"cerebellar", b"cerebe??ar", 1)):
        kept.write_bytes(damaged)
        assert open_matcher(CATALOGUE, tmp_path).match_all(asked) == fresh
        assert kept.read_bytes() == whole
    other = Catalogue.of([Term(id="A", name="wall")])
    save_index(tmp_path / "foreign", other, Matcher.build(other).index)
    (foreign,) = (tmp_path / "foreign").iterdir()
    foreign.replace(kept)
    (tmp_path / "foreign").rmdir()
    assert open_matcher(CATALOGUE, tmp_path).match_all(asked) == fresh
    assert names(open_matcher(other, tmp_path).match("MGB")) == ["wall"]
    assert len(list(tmp_path.iterdir())) == 2


def test_the_last_eight_indexes_of_a_folder_are_kept(tmp_path: Path) -> None:
    made = [Catalogue.of([Term(id="A", name=f"wall {number}")]) for number in range(10)]
    for number, catalogue in enumerate(made):
        open_matcher(catalogue, tmp_path)
        for path in tmp_path.iterdir():
            if path.stat().st_mtime > 100:
                os.utime(path, (number, number))
    kept = {path.stat().st_mtime for path in tmp_path.iterdir()}
    assert kept == {float(number) for number in range(2, 10)}


def test_a_folder_that_cannot_be_written_to_costs_no_more_than_the_cache(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert open_matcher(CATALOGUE, tmp_path / "file").match("MGB") == MATCHER.match("MGB")


class _Letters:
    """An encoder of texts by their letters: real arithmetic without a model."""

    def encode(self, texts: list[str] | tuple[str, ...]) -> np.ndarray:
        rows = np.array([[text.count(chr(97 + at)) for at in range(26)] for text in texts], dtype=np.float32) + 0.01
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def test_the_signal_of_meaning_is_there_only_with_an_encoder() -> None:
    query = "capsule, extremal"
    with_meaning = Matcher.build(CATALOGUE, _Letters()).match(query).candidates
    assert all("meaning" in candidate.signals for candidate in with_meaning)
    without = MATCHER.match(query).candidates
    assert not any("meaning" in candidate.signals for candidate in without)
    assert with_meaning[0].name == without[0].name == "external capsule"
    assert with_meaning[0].score > without[0].score
