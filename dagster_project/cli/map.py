"""`sekisho map`: names and abbreviations to records of a catalogue, one or many, with or without a model."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from dagster_project.cli.console import print_json, safe, stderr, written
from dagster_project.cli.map_show import MapProgress, show_line, show_mapped
from sekisho.agents.backends import check_backend, make_agent
from sekisho.catalogue import Catalogue, MapQuery
from sekisho.errors import InputError
from sekisho.events import EventLog
from sekisho.mapping.choice import Chooser
from sekisho.mapping.mapped import Mapped
from sekisho.mapping.match import open_matcher
from sekisho.mapping.nightly import embedder_of, make_chooser
from sekisho.mapping.rows import BadRow, as_query, read_rows
from sekisho.mapping.sssom import to_sssom
from sekisho.mapping.stream import map_queries
from sekisho.publish import is_no_file, write_atomically
from sekisho.settings import Settings, load_settings
from sekisho.sources.catalogue.load import load_catalogue
from sekisho.sources.folder import DataFolder


@dataclass(frozen=True, slots=True)
class MapRequest:
    """What the command line asks for; `ai` is None where it does not say, `file` may be `-`."""

    queries: Sequence[str] = ()
    file: Path | None = None
    catalogue: Path | None = None
    ai: bool | None = None
    top_k: int = 10
    context: str = ""
    sssom: Path | None = None
    as_json: bool = False


def run_map(request: MapRequest) -> int:
    """Map all that is asked and print it as it comes; the exit code: 2 where a row was bad, else 0."""
    settings = load_settings()
    if not request.queries and request.file is None:
        remedy = 'map like this: sekisho map "Dorsal raphe nucleus", or --file FILE'
        raise InputError("there is nothing to map", remedy=remedy)
    if request.sssom is not None and not request.sssom.absolute().parent.is_dir():
        raise InputError("no such folder", file=request.sssom.absolute().parent, item="--sssom", remedy="make it first")
    if request.sssom is not None and is_no_file(request.sssom):
        raise InputError("not a regular file", file=request.sssom, item="--sssom", remedy="name another")
    catalogue = _catalogue(request, settings)
    use_ai = settings.map_use_ai if request.ai is None else request.ai
    kept: list[Mapped] = []
    bad = 0
    folder = settings.catalogue_path if request.catalogue is None else settings.cache / "catalogue"
    with _chooser(settings, catalogue, use_ai) as chooser:
        with stderr.status("opening the catalogue"):  # on a terminal; tens of seconds for the first use of a large one
            matcher = open_matcher(catalogue, folder, embedder_of(settings))
        with _items(request) as (items, progress):
            one_by_one = request.file is None or str(request.file) == "-"
            at_once = 1 if one_by_one else 64
            for answer in map_queries(items, matcher, chooser, top_k=request.top_k, at_once=at_once):
                bad += isinstance(answer, BadRow)
                _print(answer, request, progress)
                if request.sssom is not None and isinstance(answer, Mapped):
                    kept.append(answer)
    if request.sssom is not None:
        write_atomically(request.sssom, to_sssom(kept, catalogue, version=metadata.version("sekisho")))
    return 2 if bad else 0


def _catalogue(request: MapRequest, settings: Settings) -> Catalogue:
    path = request.catalogue or DataFolder(settings.data).below("catalogue")
    if not path.exists():
        remedy = "put terms.tsv into it, or name a catalogue with --catalogue"
        raise InputError("there is no catalogue", file=path, remedy=remedy)
    catalogue, problems = load_catalogue(path)
    for problem in problems[:10]:
        told = ": ".join(filter(None, (problem.path, problem.item, problem.message)))
        stderr.print(safe(told, "yellow"))
    if len(problems) > 10:
        stderr.print(safe(f"and {len(problems) - 10} more problems of the catalogue", "yellow"))
    return catalogue


@contextmanager
def _chooser(settings: Settings, catalogue: Catalogue, use_ai: bool) -> Iterator[Chooser | None]:
    """What asks the model; with it the state gets its replies, its costs and its events, else nothing is written."""
    if not use_ai:
        yield None
        return
    check_backend(settings)
    run = f"map:{uuid4().hex[:8]}"
    agent = make_agent(settings, run=run)
    with closing(EventLog(settings.log_path, run=run)) as events:
        yield make_chooser(catalogue, settings, agent, events)


@contextmanager
def _items(request: MapRequest) -> Iterator[tuple[Iterable[MapQuery | BadRow], MapProgress]]:
    """The queries of the command line, then those of the file, and what shows how far they are."""
    given = [as_query(_text(query), context=_text(request.context)) for query in request.queries]
    with _opened(request.file) as (stream, size), MapProgress(size, hidden=request.file is None) as progress:
        rows = _rows(progress.through(stream), request.file) if stream is not None and request.file else iter(())
        yield chain(given, (_in_context(row, request.context) for row in rows)), progress


def _rows(stream: Iterable[bytes], file: Path) -> Iterator[MapQuery | BadRow]:
    """The rows of a file; where there is none, that is said."""
    name = "standard input" if str(file) == "-" else str(file)
    row = None
    for row in read_rows(stream, name, lambda told: stderr.print(safe(f"{name}: {told}", "yellow"))):
        yield row
    if row is None:
        stderr.print(safe(f"{name}: holds no query", "yellow"))


@contextmanager
def _opened(file: Path | None) -> Iterator[tuple[BinaryIO | None, int | None]]:
    if file is None:
        yield None, None
    elif str(file) == "-":
        if sys.stdin is None:
            raise InputError("it is closed", item="standard input", remedy="name a file of queries, or pipe them in")
        yield sys.stdin.buffer, None
    elif file.is_dir():
        raise InputError("is a folder", file=file, remedy="name a file of queries, or - for standard input")
    elif not file.is_file() and not file.is_fifo():
        raise InputError("no such file", file=file, remedy="name a file of queries, or - for standard input")
    else:
        with file.open("rb") as stream:
            yield stream, file.stat().st_size if file.is_file() else None


def _in_context(row: MapQuery | BadRow, context: str) -> MapQuery | BadRow:
    if isinstance(row, BadRow) or row.context or not context:
        return row
    return row.model_copy(update={"context": _text(context)})


def _text(argument: str) -> str:
    return argument.encode("utf-8", "replace").decode("utf-8")  # an argument need not be UTF-8


def _print(answer: Mapped | BadRow, request: MapRequest, progress: MapProgress) -> None:
    with progress.aside(), written():
        if request.as_json:
            print_json(answer.as_reply(), indent=None)
            sys.stdout.flush()
        elif request.file is None:
            show_mapped(answer)
        else:
            show_line(answer)
    progress.count(answer)
