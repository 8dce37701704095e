"""`sekisho init`: a data folder of one's own, from answers on a terminal or from options."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dagster_project.cli.console import print_json, safe, stderr, stdout
from dagster_project.cli.options import Json
from dagster_project.cli.progress import working

if TYPE_CHECKING:
    from sekisho.starter import Starter, Wishes

_LEFT_OUT_SHOWN = 20


def init(
    folder: Annotated[Path, typer.Argument(help="The new data folder; its own notes are used where it has some.")],
    notes: Annotated[Path | None, typer.Option(help="A folder of documents, copied.")] = None,
    schema: Annotated[Path | None, typer.Option(help="A notes.schema.yaml, copied.")] = None,
    questions: Annotated[Path | None, typer.Option(help="A questions.yaml, copied.")] = None,
    decisions: Annotated[Path | None, typer.Option(help="A folder of past decisions (ADRs), copied.")] = None,
    catalogue: Annotated[Path | None, typer.Option(help="A TSV or CSV file of terms, copied.")] = None,
    encoding: Annotated[
        list[str] | None, typer.Option(help="An encoding of documents that are not UTF-8; may be repeated.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Write a commented data folder that runs as it is; asks on a terminal where no option is given."""
    from sekisho.starter import Wishes

    wishes = Wishes(folder, notes, schema, questions, decisions, catalogue, encodings=tuple(encoding or ()))
    starter = init_folder(wishes, ask=not yes and not as_json)
    if as_json:
        print_json(as_dict(starter))
    else:
        show_starter(starter)


def init_folder(wishes: Wishes, *, ask: bool) -> Starter:
    """Ask where that is wanted and there is a terminal, then write the folder; `InputError` before anything is."""
    from sekisho.starter import Wishes, plan_starter, write_starter

    nothing_named = wishes == Wishes(wishes.folder)
    if ask and nothing_named and sys.stdin is not None and sys.stdin.isatty() and stderr.is_terminal:
        wishes = _asked(wishes)
    with working("reading what you have"):
        starter = plan_starter(wishes)
    with working("writing"):
        write_starter(starter)
    return starter


def as_dict(starter: Starter) -> dict[str, Any]:
    """What was written as plain JSON values."""
    return {
        "folder": str(starter.folder),
        "written": sorted([*starter.texts, *starter.copies]),
        "notes": starter.notes,
        "left_out": [asdict(one) for one in starter.left_out],
        "next": _next(starter),
    }


def show_starter(starter: Starter) -> None:
    """Print what was written and left out, and what to do next."""
    stdout.print("written:", safe(str(starter.folder), "bold"))
    for name in starter.texts:
        stdout.print("  ", safe(name), sep="")
    folders = Counter(name.split("/")[0] for name in starter.copies)
    for name, count in sorted(folders.items()):
        stdout.print("  ", safe(f"{name}/ (copies: {count})" if (starter.folder / name).is_dir() else name), sep="")
    stdout.print(safe(_about_notes(starter)))
    for one in starter.left_out[:_LEFT_OUT_SHOWN]:
        stdout.print("  left out:", safe(one.path, "bold"), safe(one.reason, "yellow"))
    if len(starter.left_out) > _LEFT_OUT_SHOWN:
        stdout.print(f"  and {len(starter.left_out) - _LEFT_OUT_SHOWN} more (all of them: --json)")
    stdout.print("next:", style="bold")
    for command in _next(starter):
        stdout.print("  ", safe(command), sep="")


def _about_notes(starter: Starter) -> str:
    if not starter.notes:
        return f"notes: none yet; put yours into {starter.folder / 'notes'}"
    if starter.example:
        return f"notes: {starter.notes}, an example of ours; put your own in their place"
    return f"notes: {starter.notes}, {'where they lie' if starter.in_place else 'copied'}"


def _next(starter: Starter) -> list[str]:
    """The lines of a shell that come next; what a person has to do between them is a comment."""
    folder, program = starter.folder, _program()
    lines = [f". {shlex.quote(str(folder / 'env.sh'))}", f"{program} run"]
    if starter.notes and not starter.example:
        schema, questions = (shlex.quote(str(folder / name)) for name in ("notes.schema.yaml", "questions.yaml"))
        if "notes.schema.yaml" in starter.texts:
            lines.insert(1, f"# edit {schema}: what you want to know of each note; its fields are examples")
        if "questions.yaml" in starter.texts:
            lines.append(f"# edit {questions}: what you want to ask of all of them, then run again")
    if starter.draft:
        draft = shlex.quote(str(folder / starter.draft))
        lines += [f"# edit {draft}: the decision that is to be made", f"{program} recall {draft}"]
    return lines


def _program() -> str:
    """What a shell calls this program: its name where that is on the path, else where it lies."""
    beside = Path(sys.executable).with_name("sekisho")
    found = shutil.which("sekisho") or not beside.exists()
    return "sekisho" if found else shlex.quote(str(beside))


def _asked(wishes: Wishes) -> Wishes:
    """The same with what a person answers; an empty answer leaves a thing out.

    The notes come after the rest, which decides what is done without any.
    """
    from sekisho.starter import holds_files

    decisions = _path("A folder with past decisions (empty: none)")
    catalogue = _path("A file of terms, TSV or CSV (empty: none)")
    own = wishes.folder.expanduser().absolute() / "notes"
    without = "none" if decisions or catalogue else "an example is written"
    notes = _path(f"A folder with your notes (empty: {f'those in {own}' if holds_files(own) else without})")
    question = typer.prompt("A question about them (empty: none)", default="", show_default=False, err=True)
    asked = (question.strip(),) if question.strip() else ()
    return replace(wishes, notes=notes, asked=asked, decisions=decisions, catalogue=catalogue)


def _path(question: str) -> Path | None:
    text = str(typer.prompt(question, default="", show_default=False, err=True)).strip()
    return Path(text).expanduser() if text else None
