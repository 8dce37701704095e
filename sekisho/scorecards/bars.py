"""Horizontal bars of shares: how every scorecard is drawn."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from sekisho.errors import InputError
from sekisho.publish import is_no_file

_FORMATS = (".png", ".svg")


@dataclass(frozen=True, slots=True)
class Series:
    """Bars of one colour, one for each row, with a share from 0 to 1 or None where there is none."""

    label: str
    colour: str
    values: Sequence[float | None]


def draw_bars(rows: Sequence[str], series: Sequence[Series], *, xlabel: str, form: str = "png") -> bytes:
    """A PNG or SVG with the rows from top to bottom, the same bytes for the same figures and the same matplotlib.

    Empty without rows or series.
    """
    if not rows or not series:
        return b""
    whole = tuple(Series(one.label, one.colour, tuple(one.values)) for one in series)
    return _drawn(tuple(rows), whole, xlabel, form)


@lru_cache(maxsize=32)  # an asset and the evidence report show the same
def _drawn(rows: tuple[str, ...], series: tuple[Series, ...], xlabel: str, form: str) -> bytes:
    import matplotlib  # late: it takes half a second
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "sekisho", "svg.fonttype": "path"}):
        figure = Figure(figsize=(7.5, 1.2 + 0.45 * len(rows)), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        height = 0.8 / len(series)
        for at, one in enumerate(series):
            places = [row - 0.4 + height * (at + 0.5) for row in range(len(rows))]
            widths = [100 * (value or 0.0) for value in one.values]
            axes.barh(places, widths, height=height, color=one.colour, label=one.label)
        axes.set_yticks(range(len(rows)), list(rows))
        axes.invert_yaxis()
        axes.set_xlim(0, 100)
        axes.set_xlabel(xlabel)
        figure.legend(loc="outside upper center", ncols=len(series), frameon=False)
        out = io.BytesIO()
        figure.savefig(out, format=form, dpi=120, metadata={"Date": None} if form == "svg" else {"Software": None})
    return out.getvalue()


def check_plot(path: Path) -> str:
    """The format that a file's name asks for; `InputError` for another one, or where nothing can be written."""
    if path.suffix.lower() not in _FORMATS:
        raise InputError("a plot is PNG or SVG", file=path, item="--plot", remedy="end its name with .png or .svg")
    if not path.absolute().parent.is_dir():
        raise InputError("no such folder", file=path.absolute().parent, item="--plot", remedy="make it first")
    if is_no_file(path):
        raise InputError("not a regular file", file=path, item="--plot", remedy="name another")
    return path.suffix.lower()[1:]
