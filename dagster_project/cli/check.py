"""`sekisho check quotes`: the quote gate over claims from anywhere."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from dagster_project.cli.console import safe, stderr, stdout, written
from dagster_project.cli.progress import counting, working
from sekisho.errors import InputError

if TYPE_CHECKING:
    from sekisho.claims import Judged

_HINTS = {"unknown_source": "nearest known", "truncated": "left out", "stitched": "left out"}

app = typer.Typer(no_args_is_help=True, help="Hold what any model said against your own documents.")


@app.callback()
def check() -> None:
    """Hold what any model said against your own documents."""


@app.command()
def quotes(
    sources: Annotated[Path, typer.Option(help="The folder of the sources; an id is a path in it, without suffix.")],
    claims: Annotated[Path, typer.Argument(help="The claims, one JSON object a line; - is standard input.")] = Path(
        "-"
    ),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON lines on a terminal too, and no summary.")
    ] = False,
) -> None:
    """Judge {"id", "source", "quote"} lines: one verdict a line, in their order and as they come.

    A verdict has id, accepted, reason, source, start and end, and hint where there is one; a line that could not be
    judged has line and problem. Ends with 0 where all were accepted, with 1 where any was turned back or could not be
    judged or the output's reader stopped early, and with 2 where the folder, file or a stream cannot be used.
    """
    from sekisho.claims import judge, load_sources
    from sekisho.gates.quotes import Sources

    if sys.stdout is None:
        raise InputError("it is closed", item="standard output", remedy="open it, or send it to a file")
    with working("reading the sources"):
        texts, problems = load_sources(sources)
    with _said_if_possible():
        for problem in problems:
            stderr.print(safe(problem, "yellow"))
    reasons: Counter[tuple[bool, str]] = Counter()
    as_lines = as_json or not sys.stdout.isatty()
    with _opened(claims) as stream, _counted(claims, to_file=not sys.stdout.isatty()) as advance:
        for judged in judge(stream, Sources(texts)):
            reasons[judged.accepted, judged.reason] += 1
            advance(stream)
            with written():
                if as_lines:
                    print(judged.as_line(), flush=True)
                else:
                    _show(judged)
    if not as_json:
        with _said_if_possible():
            _summarise(reasons)
    raise typer.Exit(0 if all(accepted for accepted, _ in reasons) else 1)


@contextmanager
def _said_if_possible() -> Iterator[None]:
    """What goes to standard error is for people: where nobody can read it, the verdicts are given all the same."""
    try:
        yield
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


@contextmanager
def _counted(claims: Path, *, to_file: bool) -> Iterator[Callable[[BinaryIO], None]]:
    """A bar over the bytes of a file of claims, where its verdicts are not themselves shown on the terminal."""
    if not (to_file and claims.is_file()):
        yield lambda stream: None
        return
    with counting("judging", claims.stat().st_size) as done:
        yield lambda stream: done(stream.tell())


@contextmanager
def _opened(claims: Path) -> Iterator[BinaryIO]:
    if str(claims) == "-":
        if sys.stdin is None:
            raise InputError("it is closed", item="standard input", remedy="name a file of claims, or pipe them in")
        yield sys.stdin.buffer
        return
    if not claims.is_file() and not claims.is_fifo():
        reason = "a folder, not a file" if claims.is_dir() else "no such file"
        raise InputError(reason, file=claims, remedy="name a file of claims, or - for standard input")
    with claims.open("rb") as stream:
        yield stream


def _show(judged: Judged) -> None:
    mark = "[green]✓[/green]" if judged.accepted else "[red]✗[/red]"
    name = f"line {judged.line}" if judged.id is None else judged.id
    found = f"{judged.start}-{judged.end}" if judged.end else ""
    hint = f"({_HINTS.get(judged.reason, 'hint')}: {judged.hint})" if judged.hint else ""
    told = " ".join(part for part in (judged.source or "", found, hint, judged.problem) if part)
    stdout.print(mark, safe(name, "bold"), safe(judged.reason, "" if judged.accepted else "red"), safe(told, "dim"))


def _summarise(reasons: Counter[tuple[bool, str]]) -> None:
    accepted = sum(count for (good, _), count in reasons.items() if good)
    stderr.print(f"accepted: {accepted} of {reasons.total()}")
    for (good, reason), count in sorted(reasons.items(), key=lambda one: (not one[0][0], -one[1], one[0][1])):
        stderr.print(f"  {'✓' if good else '✗'} {reason}: {count}")
