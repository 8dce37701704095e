"""The picture of the bill: what model calls cost by month, one colour a model."""

from __future__ import annotations

import io
from collections import defaultdict

from sekisho.bill import Bill
from sekisho.text import shortened

_MONTHS = 24  # the latest that have a bill
_MODELS = 6  # those that cost most; the others are one colour
_COLOURS = ("#3b6c8f", "#d98032", "#7aa6c2", "#8a6fae", "#6f9a5b", "#b8494b")
_OTHERS = "#c9ced6"


def plot_bill(bill: Bill) -> bytes:
    """The PNG's bytes, the same for the same bill and the same matplotlib; empty where no cost is known or all is free.

    US dollars that are known, by month (UTC); attempts of unknown cost are not in it.
    """
    months = sorted({row.month for row in bill.rows})[-_MONTHS:]
    by_model: dict[str, dict[str, float]] = defaultdict(lambda: dict.fromkeys(months, 0.0))
    for row in bill.rows:
        if row.month in months and row.known_usd:
            by_model[row.model][row.month] += row.known_usd
    if not by_model:
        return b""
    import matplotlib  # late: it takes half a second
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"text.parse_math": False}):  # a model's name is no formula
        figure = Figure(figsize=(7.5, 3.4), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        bottom = [0.0] * len(months)
        for (name, costs), colour in zip(_series(by_model, months), (*_COLOURS, _OTHERS), strict=False):
            axes.bar(range(len(months)), costs, bottom=bottom, width=0.7, color=colour, label=name)
            bottom = [low + cost for low, cost in zip(bottom, costs, strict=True)]
        axes.set_xticks(range(len(months)), months, rotation=45 if len(months) > 8 else 0)
        axes.set_xlim(-0.6, max(len(months), 4) - 0.4)
        axes.set_ylabel("US dollars")
        axes.spines[["top", "right"]].set_visible(False)
        figure.legend(loc="outside upper center", ncols=2, frameon=False)
        out = io.BytesIO()
        figure.savefig(out, format="png", dpi=120, metadata={"Software": None})
    return out.getvalue()


def _series(by_model: dict[str, dict[str, float]], months: list[str]) -> list[tuple[str, list[float]]]:
    """The costs by month of each model, the dearest first, those beyond `_MODELS` added up."""
    dearest = sorted(by_model, key=lambda model: (-sum(by_model[model].values()), model))
    own, rest = dearest[:_MODELS], dearest[_MODELS:]
    found = [(_label(model), [by_model[model][month] for month in months]) for model in own]
    if rest:
        others = [sum(by_model[model][month] for model in rest) for month in months]
        found.append((f"{len(rest)} others", others))
    return found


def _label(model: str) -> str:
    """A model's name for the legend, which leaves out what begins with `_`."""
    return shortened(model.lstrip("_"), 40) or "unnamed"
