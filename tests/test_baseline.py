"""The committed baseline of an evaluation: read, written, and what counts as worse."""

import os
from pathlib import Path

import pytest

from sekisho.errors import InputError
from sekisho.scorecards.baseline import Baseline, read_baseline, regressions, stale_inputs, write_baseline

BASELINE = Baseline(inputs={"prompt": "a", "filter": "b"}, figures={"recall@5": 0.6, "invented": 0.1, "per draft": 2.0})


def test_a_baseline_is_read_as_it_was_written_and_the_same_one_is_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "one.json"
    write_baseline(path, BASELINE)
    again = Baseline(dict(reversed(BASELINE.inputs.items())), dict(reversed(BASELINE.figures.items())))
    first = path.read_bytes()
    write_baseline(path, again)
    assert path.read_bytes() == first
    assert read_baseline(path) == BASELINE


def test_without_a_file_there_is_no_baseline(tmp_path: Path) -> None:
    assert read_baseline(tmp_path / "one.json") is None


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("", ""),
        ("[]", ""),
        ("{}", "inputs: "),
        ('{"inputs": {}, "figures": {"a": NaN}}', r"figures\.a: "),
        ('{"inputs": {}, "figures":', ""),
    ],
)
def test_a_broken_baseline_is_an_input_error_that_names_the_file(text: str, item: str, tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=rf"one\.json: {item}not what --write-baseline writes \(restore it"):
        read_baseline(path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "one.json")
    with pytest.raises(InputError, match=r"one\.json: not a regular file"):
        read_baseline(tmp_path / "one.json")


def test_a_link_out_of_the_data_folder_is_neither_read_nor_written_through(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write_baseline(outside / "one.json", BASELINE)
    golden = tmp_path / "data" / "golden"
    golden.mkdir(parents=True)
    (golden / "baselines").symlink_to(outside)
    before = (outside / "one.json").read_bytes()
    with pytest.raises(InputError, match="leads out of the data folder"):
        read_baseline(golden / "baselines" / "one.json")
    with pytest.raises(InputError, match="leads out of the data folder"):
        write_baseline(golden / "baselines" / "one.json", Baseline({}, {}))
    assert (outside / "one.json").read_bytes() == before


def test_a_figure_that_is_no_number_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        write_baseline(tmp_path / "one.json", Baseline({}, {"a": float("nan")}))
    assert not (tmp_path / "one.json").exists()


def judged(figures: dict[str, float], tolerance: float = 0.02) -> list[str]:
    found = regressions(
        figures, BASELINE, higher_is_better={"recall@5"}, lower_is_better={"invented"}, tolerance=tolerance
    )
    return [finding.message for finding in found]


def test_what_is_worse_by_more_than_the_tolerance_is_a_finding() -> None:
    assert judged({"recall@5": 0.58, "invented": 0.12, "per draft": 0.0}) == []
    assert judged({"recall@5": 0.9, "invented": 0.0, "new": 1.0}) == []
    assert judged({"recall@5": 0.57, "invented": 0.13}) == [
        "invented 0.130, the baseline has 0.100",
        "recall@5 0.570, the baseline has 0.600",
    ]


def test_a_figure_that_is_gone_or_no_number_is_a_finding() -> None:
    assert judged({"invented": 0.1}) == ["recall@5 was not measured; the baseline has 0.600"]
    assert judged({"invented": 0.1, "recall@5": float("nan")}) == ["recall@5 nan, the baseline has 0.600"]


def test_inputs_that_changed_came_or_went_are_stale() -> None:
    assert stale_inputs({"prompt": "a", "filter": "b"}, BASELINE) == []
    assert stale_inputs({"prompt": "A", "schema": "c"}, BASELINE) == ["filter", "prompt", "schema"]
