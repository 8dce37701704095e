"""The picture of the bill: the same bytes for the same ledger, nothing where nothing was paid, names as text."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from sekisho.bill import read_bill
from sekisho.bill_plot import plot_bill
from tests.test_spend import ledger, line


def pixels(png: bytes) -> np.ndarray:
    from matplotlib.image import imread

    return (imread(io.BytesIO(png), format="png")[..., :3] * 255).round().astype(int)


def area(png: bytes, colour: str) -> int:
    """How many pixels have a colour; bars have whole ones, letters hardly any."""
    wanted = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return int((pixels(png) == wanted).all(axis=-1).sum())


def test_the_same_ledger_gives_the_same_bytes_and_a_dearer_model_more_area(tmp_path: Path) -> None:
    lines = [line(model="openai/x"), line(model="anthropic/y", cost_usd=0.75), line("2026-11-01T00:00:00+00:00")]
    bill = read_bill(ledger(tmp_path, *lines))
    png = plot_bill(bill)
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and png == plot_bill(bill)
    dearest, second = area(png, "#3b6c8f"), area(png, "#d98032")
    assert 1.3 < dearest / second < 1.7, "0.75 dollars beside 0.25 and 0.25"


@pytest.mark.parametrize("lines", [[], [line(cost_usd=None)], [line(cost_usd=0)]], ids=["no call", "unknown", "free"])
def test_where_no_cost_is_known_there_is_no_picture(tmp_path: Path, lines: list[str]) -> None:
    assert plot_bill(read_bill(ledger(tmp_path, *lines))) == b""


def test_only_the_latest_two_years_are_drawn(tmp_path: Path) -> None:
    old = [line(f"2020-{month:02}-01T00:00:00+00:00", cost_usd=9) for month in range(1, 13)]
    new = [line(f"{year}-{month:02}-01T00:00:00+00:00") for year in (2025, 2026) for month in range(1, 13)]
    assert plot_bill(read_bill(ledger(tmp_path, *old, *new))) == plot_bill(read_bill(ledger(tmp_path, *new)))


def test_models_beyond_six_are_one_grey_part_of_the_bar(tmp_path: Path) -> None:
    six = [line(model=f"m{number}", cost_usd=9 - number) for number in range(6)]
    assert area(plot_bill(read_bill(ledger(tmp_path, *six))), "#c9ced6") == 0
    more = [line(model=f"n{number}", cost_usd=1) for number in range(3)]
    assert area(plot_bill(read_bill(ledger(tmp_path, *six, *more))), "#c9ced6") > 1000


def test_a_models_name_is_drawn_as_text_whatever_it_is(tmp_path: Path) -> None:
    names = ["$\\frac{1", "_hidden", "___", "a\nb", "x" * 500]
    png = plot_bill(
        read_bill(ledger(tmp_path, *(line(model=name, cost_usd=1 / (1 + at)) for at, name in enumerate(names))))
    )
    assert area(png, "#d98032") > 1000 and pixels(png).shape == (408, 900, 3)
