"""The options of `sekisho map`; what they do is in `map`, which is imported when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dagster_project.cli.options import Ai


def map_names(
    queries: Annotated[
        list[str] | None, typer.Argument(metavar="[QUERY]...", help="Names or abbreviations.", show_default=False)
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="TSV or CSV with a column `query`, or one name a line; - is standard input.")
    ] = None,
    catalogue: Annotated[
        Path | None, typer.Option(help="Another catalogue than data/catalogue; the state is left alone.")
    ] = None,
    ai: Ai = None,
    top_k: Annotated[int, typer.Option(help="How many candidates.", min=1, max=100)] = 10,
    context: Annotated[str, typer.Option(help="What the text is about; only the model reads it.")] = "",
    sssom: Annotated[Path | None, typer.Option(help="Write the mappings to this file, as SSSOM TSV.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line, one for each query.")] = False,
) -> None:
    """Map names and abbreviations to records of the catalogue: ten candidates each and, with --ai, a model's choice.

    Ends with 0 whatever the model did, with 2 where a row of the file cannot be mapped; the others are.
    """
    from dagster_project.cli.map import MapRequest, run_map

    request = MapRequest(tuple(queries or ()), file, catalogue, ai, top_k, context, sssom, as_json)
    raise typer.Exit(run_map(request))
