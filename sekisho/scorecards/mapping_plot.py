"""The picture of a mapping evaluation: per kind of query how often the record came first, was chosen, was there."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from sekisho.errors import InputError
from sekisho.scorecards.mapping import MappingScore, Rates

_FORMATS = (".png", ".svg")
_BARS = (
    ("hit_at_1", "first", "#7aa6c2"),
    ("hit_after_choice", "chosen", "#d98032"),
    ("hit_at_10", "among the ten", "#c9ced6"),
)


def plot_mapping(score: MappingScore, form: str = "png") -> bytes:
    """The picture's bytes, the same for the same figures and the same matplotlib; empty without a known record."""
    if score.rates is None:
        return b""
    import matplotlib  # late: it takes half a second
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows = [("all", score.rates), *score.by_kind.items()]
    bars = [bar for bar in _BARS if getattr(score.rates, bar[0]) is not None]
    with matplotlib.rc_context({"svg.hashsalt": "sekisho", "svg.fonttype": "path"}):
        figure = Figure(figsize=(7.5, 1.2 + 0.45 * len(rows)), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        height = 0.8 / len(bars)
        for at, (name, label, colour) in enumerate(bars):
            places = [row - 0.4 + height * (at + 0.5) for row in range(len(rows))]
            axes.barh(places, _values(rows, name), height=height, color=colour, label=label)
        axes.set_yticks(range(len(rows)), [f"{name} ({rates.count})" for name, rates in rows])
        axes.invert_yaxis()
        axes.set_xlim(0, 100)
        axes.set_xlabel("% of the queries whose record is known")
        figure.legend(loc="outside upper center", ncols=len(bars), frameon=False)
        out = io.BytesIO()
        figure.savefig(out, format=form, dpi=120, metadata={"Date": None} if form == "svg" else {"Software": None})
    return out.getvalue()


def check_plot(path: Path) -> str:
    """The format that a file's name asks for; `InputError` for another one, or where its folder is missing."""
    if path.suffix.lower() not in _FORMATS:
        raise InputError("a plot is PNG or SVG", file=path, item="--plot", remedy="end its name with .png or .svg")
    if not path.absolute().parent.is_dir():
        raise InputError("no such folder", file=path.absolute().parent, item="--plot", remedy="make it first")
    return path.suffix.lower()[1:]


def _values(rows: Sequence[tuple[str, Rates]], name: str) -> list[float]:
    return [100 * (getattr(rates, name) or 0.0) for _, rates in rows]
