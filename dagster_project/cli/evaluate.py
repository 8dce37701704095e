"""`sekisho eval`: what golden sets say of a stage, beside the committed baseline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from dagster_project.cli.console import print_json
from dagster_project.cli.options import Ai, Json

app = typer.Typer(no_args_is_help=True, help="Measure a stage on the data folder's golden set.")


Plot = Annotated[Path | None, typer.Option(help="Write a plot to this file (PNG or SVG).")]
WriteBaseline = Annotated[
    bool, typer.Option("--write-baseline", help="Make these figures the baseline of the data folder.")
]


@app.command()
def answers(plot: Plot = None, write_baseline: WriteBaseline = False, as_json: Json = False) -> None:
    """Hold the published answers against data/golden/answers.yaml; no model is asked."""
    from dagster_project.cli.evaluate_answers import evaluate_answers

    evaluate_answers(plot=plot, write=write_baseline, as_json=as_json)


@app.command()
def recall(
    stage: Annotated[
        Literal["production", "candidate"], typer.Option(help="Whose prompt; a candidate is shown beside production.")
    ] = "production",
    plot: Plot = None,
    write_baseline: WriteBaseline = False,
    as_json: Json = False,
) -> None:
    """Recall the drafts of data/golden/recall.yaml and say how much of what should be found is."""
    from dagster_project.cli.evaluate_recall import evaluate_recall

    evaluate_recall(stage, plot=plot, write=write_baseline, as_json=as_json)


@app.command()
def mapping(
    ai: Ai = None,
    plot: Plot = None,
    write_baseline: WriteBaseline = False,
    as_json: Json = False,
) -> None:
    """Map the queries of data/catalogue/queries.tsv and hold the records against the expected ones."""
    from dagster_project.cli.evaluate_mapping import evaluate_mapping, show_evaluation

    found = evaluate_mapping(ai=ai, plot=plot, write=write_baseline)
    if as_json:
        print_json(found.as_dict())
    else:
        show_evaluation(found)
