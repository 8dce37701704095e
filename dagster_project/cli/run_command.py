"""The options of `sekisho run`; what they do is in `run`, `loop` and `dry_run`, each imported when it is needed."""

from __future__ import annotations

from typing import Annotated

import typer

from dagster_project.cli.console import print_json
from dagster_project.cli.options import Fixtures, Json, overlay
from dagster_project.cli.progress import working
from sekisho.errors import InputError


def run(
    as_json: Json = False,
    fixtures: Fixtures = None,
    until_done: Annotated[
        bool, typer.Option("--until-done", help="Ask again about what was turned back, round after round.")
    ] = False,
    max_rounds: Annotated[int | None, typer.Option(help="The most rounds, the first included.", min=1, max=100)] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Say which model calls it would make and what they cost; ask and write nothing."
        ),
    ] = False,
) -> None:
    """Materialise the whole graph: read the notes, extract, compile, answer, and report what the gates said."""
    if max_rounds is not None and not until_done:
        raise InputError("it counts the rounds of --until-done", item="--max-rounds", remedy="add --until-done")
    overlay(fixtures)
    if dry_run:
        return _forecast(as_json)
    if until_done:
        raise typer.Exit(_run_until_done(max_rounds, as_json))
    from dagster_project.cli.report import show_report
    from dagster_project.cli.run import run_pipeline

    report = run_pipeline(progress=not as_json)
    if as_json:
        print_json(report.as_dict())
    else:
        show_report(report)
    raise typer.Exit(0 if report.passed else 1)


def _forecast(as_json: bool) -> None:
    from dagster_project.cli.dry_run import show_forecast
    from dagster_project.cli.run import check_input
    from sekisho.forecast import forecast_run
    from sekisho.settings import load_settings

    settings = load_settings()
    check_input(settings)
    import dagster_project.definitions  # noqa: F401  # late, as in a run: it looks at the crons

    with working("going through the run"):
        forecast = forecast_run(settings)
    if as_json:
        print_json(forecast.as_dict())
    else:
        show_forecast(forecast)


def _run_until_done(max_rounds: int | None, as_json: bool) -> int:
    """Run the loop and show what came of it; the exit code."""
    from dagster_project.cli.loop import run_until_done, show_loop

    loop = run_until_done(max_rounds, progress=not as_json)
    if as_json:
        print_json(loop.as_dict())
    else:
        show_loop(loop)
    return 0 if loop.done else 1
