"""The pictures of the evaluations: mapping by kind of query, answers and recall beside their baseline."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sekisho.scorecards import answers, recall
from sekisho.scorecards.bars import Series, draw_bars
from sekisho.scorecards.baseline import Baseline
from sekisho.scorecards.mapping import MappingScore

_BLUE, _ORANGE, _GREY = "#7aa6c2", "#d98032", "#c9ced6"
_RATES = (("hit_at_1", "first", _BLUE), ("hit_after_choice", "chosen", _ORANGE), ("hit_at_10", "among the ten", _GREY))
_STAGES = {"production": _BLUE, "candidate": _ORANGE}


def plot_mapping(score: MappingScore, form: str = "png") -> bytes:
    """Per kind of query how often the record came first, was chosen, was there; empty without a known record."""
    if score.rates is None:
        return b""
    rows = {"all": score.rates, **score.by_kind}
    series = [
        Series(label, colour, [getattr(rates, name) for rates in rows.values()])
        for name, label, colour in _RATES
        if getattr(score.rates, name) is not None
    ]
    names = [f"{name} ({rates.count})" for name, rates in rows.items()]
    return draw_bars(names, series, xlabel="% of the queries whose record is known", form=form)


def plot_answers(figures: Mapping[str, float], baseline: Baseline | None, form: str = "png") -> bytes:
    """Each judged figure of the answers beside the baseline's; empty without figures."""
    judged = answers.HIGHER_IS_BETTER | answers.LOWER_IS_BETTER
    return _plot({"now": figures}, baseline, judged, "% of what is expected, or of the questions", form)


def plot_recall(stages: Mapping[str, Mapping[str, float]], baseline: Baseline | None, form: str = "png") -> bytes:
    """Each judged figure of recall, by the stage of the prompt, beside the baseline's; empty without figures."""
    judged = recall.HIGHER_IS_BETTER | recall.LOWER_IS_BETTER
    return _plot(stages, baseline, judged, "% of what is expected, or of what was returned", form)


def _plot(
    measured: Mapping[str, Mapping[str, float]],
    baseline: Baseline | None,
    judged: Collection[str],
    xlabel: str,
    form: str,
) -> bytes:
    """Bars for the judged figures in the order in which they were measured."""
    first = next(iter(measured.values()), {})
    names = [name for name in first if name in judged]
    known = {"baseline": baseline.figures} if baseline is not None else {}
    series = [
        Series(label, _GREY if label == "baseline" else _STAGES.get(label, _BLUE), [figures.get(n) for n in names])
        for label, figures in {**known, **measured}.items()
    ]
    return draw_bars(names, series, xlabel=xlabel, form=form)
