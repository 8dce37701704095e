"""`sekisho doctor`: what could keep a run from its work, each finding with its remedy."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from dagster_project.cli.console import print_json, safe, stdout
from dagster_project.cli.options import Json
from dagster_project.cli.progress import working

if TYPE_CHECKING:
    from sekisho.doctor import Diagnosis
    from sekisho.doctor.diagnosis import Area, Check
    from sekisho.settings import Settings

_MARKS = {"ok": ("✓", "green"), "warn": ("!", "yellow"), "error": ("✗", "red")}


def doctor(
    online: Annotated[
        bool, typer.Option("--online", help="Ask the provider for its list of models, which costs nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Look at installation, settings, data, state and model; say what is wrong and what to do about it.

    Ends with 2 where settings, data or alerts are wrong, with 1 where something else is, else with 0.
    """
    from sekisho.doctor import exit_code

    found = []
    area = ""
    for one in diagnoses(online=online):
        found.append(one)
        if not as_json:
            if one.area != area:
                stdout.print(one.area, style="bold")
            area = one.area
            _show(one)
    code = exit_code(found)
    if as_json:
        print_json({"code": code, "findings": [asdict(one) for one in found]})
    else:
        counts = {level: sum(one.level == level for one in found) for level in _MARKS}
        stdout.print(f"in order: {counts['ok']}, warnings: {counts['warn']}, errors: {counts['error']}", style="bold")
    raise typer.Exit(code)


def diagnoses(*, online: bool = False, only: Collection[Area] = ()) -> Iterator[Diagnosis]:
    """Every finding, area by area as they are looked at, or of some areas `only`; nothing is written or spent."""
    from sekisho.doctor import examine
    from sekisho.doctor.data import data_checks
    from sekisho.doctor.environment import settings_checks
    from sekisho.doctor.installation import installation_checks
    from sekisho.doctor.model import alert_checks, model_checks
    from sekisho.doctor.state import state_checks
    from sekisho.settings import usable_settings

    settings, problems = usable_settings()
    schedules = [("schedules", lambda: _schedules(settings))]
    areas: list[tuple[Area, Callable[[], list[tuple[str, Check]]]]] = [
        ("installation", lambda: installation_checks(settings)),
        ("settings", lambda: [*settings_checks(settings, problems, os.environ), *schedules]),
        ("data", lambda: data_checks(settings)),
        ("state", lambda: state_checks(settings)),
        ("model", lambda: model_checks(settings, online=online)),
        ("alerts", lambda: alert_checks(settings)),
    ]
    for area, checks in areas:
        if only and area not in only:
            continue
        with working(f"examining: {area}"):
            told = list(examine(area, checks()))
        yield from told


def _schedules(settings: Settings) -> Iterator[Diagnosis]:
    """What only Dagster knows how to read: the crons, and its own settings."""
    from dagster_project.cli.home import instance_settings
    from dagster_project.cron import checked_cron
    from sekisho.doctor.diagnosis import of_error, ok
    from sekisho.errors import SettingsError
    from sekisho.settings import variables

    wrong = False
    for name, field in variables().items():
        if field.startswith("cron_"):
            try:
                checked_cron(getattr(settings, field), name)
            except SettingsError as error:
                wrong = True
                yield of_error("settings", name, error)
    instance_settings(settings.dagster_yaml)
    if not wrong:
        yield ok("settings", "schedules", "every cron is one, and dagster.yaml can be read")


def _show(one: Diagnosis) -> None:
    mark, style = _MARKS[one.level]
    stdout.print(" ", safe(mark, style), safe(one.name, "bold"), safe(one.told))
    if one.remedy:
        stdout.print("    →", safe(one.remedy, style))
