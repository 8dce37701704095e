"""The commands and what their exit codes mean: 0 done, 1 a gate said no, 2 bad input or settings."""

from __future__ import annotations

import io
import sys
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer

from dagster_project.cli import check, doctor, evaluate, evidence, init, map_command, repair, run_command
from dagster_project.cli.console import print_json, stderr
from dagster_project.cli.options import Fixtures, Json, overlay
from dagster_project.cli.program import Program, print_json_error
from dagster_project.cli.progress import working
from sekisho.errors import InputError, SekishoError
from sekisho.text import printable

app = typer.Typer(
    cls=Program,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A checkpoint for language models that read your documents: a model proposes, code decides.",
    epilog="Exit codes: 0 done, 1 a gate said no, the budget was reached or the run could not be made, 2 bad input or "
    "settings. Settings are listed in docs/settings.md.",
)
app.add_typer(check.app, name="check")
app.add_typer(evaluate.app, name="eval")
app.command(name="map")(map_command.map_names)
app.command()(init.init)
app.command()(doctor.doctor)
app.command()(evidence.report)
app.command()(repair.repair)
app.command()(run_command.run)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"sekisho {metadata.version('sekisho')}")
        raise typer.Exit()


@app.callback(invoke_without_command=False)
def program(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """A checkpoint for language models that read your documents: a model proposes, code decides."""


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question, in quotes.")],
    as_json: Json = False,
    fixtures: Fixtures = None,
) -> None:
    """Answer one question from the published knowledge base with verified citations, or say why not."""
    from dagster_project.cli.ask import answer_question, show_outcome

    overlay(fixtures)
    with working("answering"):
        outcome = answer_question(question)
    if as_json:
        print_json(outcome.as_dict())
    else:
        show_outcome(outcome)
    raise typer.Exit(0 if outcome.answer else 1)


@app.command()
def search(
    text: Annotated[str, typer.Argument(help="What to look for, in quotes.")],
    k: Annotated[
        int | None, typer.Option("-k", help="How many; else five, and none below average.", min=1, max=1000)
    ] = None,
    as_json: Json = False,
) -> None:
    """Find the passages of notes, views and decisions that a text is about: by meaning and by words."""
    from dagster_project.cli.search import find_passages, show_passages

    with working("searching"):
        found = find_passages(text, k)
    if as_json:
        print_json([asdict(passage) for passage in found])
    else:
        show_passages(found, text)


@app.command()
def recall(
    draft: Annotated[str, typer.Argument(help="A draft, Markdown or YAML; - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the JSON object for the next node.")] = False,
    fixtures: Fixtures = None,
) -> None:
    """Name up to five related past decisions for a draft; ends with 0 whatever the model did."""
    from dagster_project.cli import recall as recalling
    from sekisho.recall.records import as_state

    overlay(fixtures)
    found = recalling.recall_draft(draft)
    if as_json:
        print_json(as_state(found.citations))
        recalling.tell_trouble(found, json=True)
    else:
        recalling.show_recall(found)


@app.command()
def strip(
    file: Annotated[
        Path | None,
        typer.Argument(help="A YAML text; without one, or `-`: standard input.", show_default=False),
    ] = None,
) -> None:
    """Take the machine-only block out of a YAML text, where CHROMA_STRIP_DECIKG=1 says so; what was done to stderr."""
    from dagster_project.cli.strip import strip_file

    strip_file(file)


@app.command()
def spend(as_json: Json = False) -> None:
    """Print what model calls cost, by month, prompt and model, with rejected output apart."""
    from dagster_project.cli.spend import show_bill, the_bill

    bill = the_bill()
    if as_json:
        print_json(bill.as_dict())
    else:
        show_bill(bill)


@app.command()
def status(as_json: Json = False) -> None:
    """Say what is published since when, withheld, stale, what fails since when, which alerts wait, and what was spent.

    Ends with 2 where something of the state cannot be read.
    """
    from dagster_project.cli.status import read_status, show_status

    with working("looking"):
        found = read_status()
    if as_json:
        print_json(found.as_dict())
    else:
        show_status(found)
    raise typer.Exit(found.code)


@app.command()
def verify(as_json: Json = False) -> None:
    """Derive all that is published again, without a model, and hold it against the notes as they are now."""
    from dagster_project.cli import verify as verifying

    with working("verifying"):
        found = verifying.verify()
    if as_json:
        print_json(found.as_dict())
    else:
        verifying.show_verified(found)
    raise typer.Exit(0 if found.holds else 1)


@app.command()
def dev(
    port: Annotated[int, typer.Option(help="Where the UI listens.", min=1, max=65535)] = 3000,
    host: Annotated[str, typer.Option(help="On which address; the UI asks nobody who they are.")] = "127.0.0.1",
) -> None:
    """Start Dagster's UI and daemon on this project's state; runs of `sekisho run` are seen there too."""
    from dagster_project.cli.dev import run_dev

    run_dev(host, port)


def main() -> None:
    """Run the command line; an error of ours ends it with its message and the right exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a character gets its escape
    try:
        app()
    except (SekishoError, OSError) as error:
        from sekisho.agents.secrets import scrub  # late, as all that a command needs

        told = scrub(str(error) if isinstance(error, SekishoError) else f"{error.filename}: {error.strerror}")
        print_json_error(told)
        stderr.print(f"error: {printable(told)}", markup=False, highlight=False, style="red", soft_wrap=True)
        sys.exit(1 if isinstance(error, SekishoError) and not isinstance(error, InputError) else 2)
