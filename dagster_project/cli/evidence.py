"""`sekisho report`: the evidence report of the state as it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dagster_project.cli.console import print_json, safe, stdout
from dagster_project.cli.options import Json
from dagster_project.cli.progress import working
from sekisho.errors import InputError
from sekisho.publish import is_no_file

if TYPE_CHECKING:
    from sekisho.evidence.report import Report
    from sekisho.settings import Settings


def report(
    out: Annotated[
        Path | None, typer.Option(help="Where the page goes; without it to report.html in the state folder.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write one page with all that is published, each quote marked in its source, and what was turned back and why."""
    with working("writing the report"):
        made = write_report(out)
    if as_json:
        print_json(_as_dict(made))
    else:
        counts = made.page.counts
        told = f"answers: {counts['answers']}, facts: {counts['facts']}, turned back: {counts['withheld']}"
        stdout.print(safe(f"{made.path} ({told}, {made.size / 1000:,.0f} kB)"))


def write_report(out: Path | None = None) -> Report:
    """Write the page of the state as it is, while no run writes to it; nothing is asked and nothing published.

    `InputError` where there is no state, or `out` is what must not be replaced; `GateRefused` where the page would not
    show what is published.
    """
    from sekisho.settings import load_settings  # late, as all that follows: other commands start without it

    settings = load_settings()
    if not settings.warehouse_path.exists():
        raise InputError("nothing is there to report on", file=settings.state, remedy="run `sekisho run` first")
    target = _checked(out, settings) if out is not None else None
    from assets._gates import gates_said  # Dagster takes seconds: bad input is told before
    from dagster_project.cli.home import open_instance, prepare_home
    from dagster_project.definitions import defs
    from sekisho.evidence.report import publish_report
    from sekisho.warehouse import Warehouse, run_lock

    warehouse = Warehouse(settings.warehouse_path, wait=settings.lock_wait)
    with run_lock(settings.state, wait=settings.lock_wait):
        prepare_home(settings)
        with open_instance(settings) as instance:
            said, run = gates_said(instance, defs.resolve_asset_graph())
        return publish_report(settings, warehouse, said, run, path=target)


def _checked(out: Path, settings: Settings) -> Path:
    """The absolute path of a page; `InputError` where it would replace no file, or a file of Sekisho's own."""
    path = out.absolute()
    if is_no_file(path):
        raise InputError("not a regular file", file=path, item="--out", remedy="name a file")
    place = path.parent.resolve() / path.name
    if place != settings.report_path.parent.resolve() / settings.report_path.name:
        for folder, whose in ((settings.state, "state"), (settings.data, "data")):
            if place.is_relative_to(folder.resolve()):
                raise InputError(f"within the {whose} folder", file=path, item="--out", remedy="name a file elsewhere")
    return path


def _as_dict(made: Report) -> dict[str, Any]:
    page = made.page
    return {
        "report": str(made.path),
        "bytes": made.size,
        "generation": page.generation,
        "run": page.run,
        **page.counts,
        "quotes": len(page.places),
        "gates": len(page.gates),
        "failed_gates": page.failed_gates,
        "warning_gates": page.warning_gates,
    }
