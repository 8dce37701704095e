"""`sekisho recall`: the related past decisions for one draft, with or without a table around them."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from uuid import uuid4

from rich import box
from rich.table import Table

from dagster_project.cli.console import safe, stderr, stdout
from dagster_project.cli.progress import working
from sekisho.agents.backends import check_backend, make_agent
from sekisho.decision import DraftDecision
from sekisho.errors import InputError
from sekisho.events import EventLog
from sekisho.recall.published import check_ingested, make_node, published_finder
from sekisho.recall.records import UNJUDGED, Recall, RecallCitation
from sekisho.settings import Settings, load_settings
from sekisho.sources.decisions import parse_draft
from sekisho.sources.folder import DataFolder
from sekisho.sources.notes import Unreadable, decode

_TABLE_WIDTH = 100  # columns; with fewer the reason has but a dozen
_WHY = {
    "disabled": "RECALL_ENABLED is false",
    "empty": "the draft is empty",
    "needs_adr_false": "needs_adr is false: no record is to be written",
}


def recall_draft(file: str) -> Recall:
    """What recall says of one draft; `InputError` where the draft or a setting cannot be used, or nothing is ingested.

    Nothing of it is stored; a failure of the model, the vectors or a held warehouse gives an empty list.
    """
    settings = load_settings()
    draft = read_draft(file, settings)
    if not draft.needs_adr:
        return Recall(draft=draft.id, path=draft.path, title=draft.title, status="skipped", reason="needs_adr_false")
    check_backend(settings)
    run = f"recall:{draft.id}"
    agent = make_agent(settings, run=run, root=f"{run}:{uuid4().hex[:8]}")  # a budget of its own each time
    if settings.recall_enabled:
        check_ingested(settings)
    with closing(EventLog(settings.log_path, run=run)) as events, working("recalling"):
        return make_node(settings, published_finder(settings), agent, events).recall(draft)


def read_draft(file: str, settings: Settings) -> DraftDecision:
    """The draft in a file, or of standard input for `-`; one below the data folder's drafts has its id there."""
    folder = DataFolder(settings.data)
    encodings = folder.config.encodings if folder.root.is_dir() else ("utf-8",)
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except IsADirectoryError:
        raise InputError("is a folder", file=file, remedy="name one draft; all of them: sekisho run") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=file, remedy="check the path") from None
    try:
        text = decode(raw, encodings)
    except Unreadable as error:
        raise InputError(str(error), file=file, remedy="save it as UTF-8") from None
    return parse_draft(text, _shown(file, folder.root / "drafts"))


def _shown(file: str, drafts: Path) -> str:
    path = Path(file)
    if file == "-":
        return file
    inside = path.resolve().is_relative_to(drafts.resolve())
    name = path.resolve().relative_to(drafts.resolve()).as_posix() if inside else path.name
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def show_recall(recall: Recall) -> None:
    """Print each citation, as a row where the terminal is wide enough for its reason, or why there is none."""
    if not recall.citations:
        stdout.print("no related decision is named:", safe(why_empty(recall)))
    elif stdout.width < _TABLE_WIDTH:
        _show_blocks(recall)
    else:
        _show_table(recall)
    for dropped in recall.dropped:
        what = dropped.adr_id if dropped.times == 1 else f"{dropped.times} more"
        stdout.print(safe(f"dropped: {what}: {dropped.why.replace('_', ' ')}", "yellow"))
    tell_trouble(recall)


def _show_table(recall: Recall) -> None:
    judged = "rank" if recall.unjudged else "relevance"
    table = Table("id", "in the log", "title", "status", judged, box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("reason", overflow="fold")
    for one in recall.citations:
        cells = (one.adr_id, one.original_id, one.title, one.status.replace("_", " "), _weight(recall, one))
        table.add_row(*(safe(cell) for cell in cells), safe(_reason(one)))
    stdout.print(table)


def _show_blocks(recall: Recall) -> None:
    for one in recall.citations:
        cells = (one.original_id, one.status.replace("_", " "), _weight(recall, one))
        stdout.print(safe(one.adr_id, "bold"), safe(one.title))
        stdout.print("  ", safe(", ".join(filter(None, cells)), "dim"), sep="")
        stdout.print("  ", safe(_reason(one)), sep="")


def _weight(recall: Recall, one: RecallCitation) -> str:
    """How relevant a model says it is; where nobody judged, how far up among the candidates it stands."""
    if not recall.unjudged or one.adr_id not in recall.candidates:
        return one.relevance
    at = recall.candidates.index(one.adr_id) + 1
    ending = "th" if at % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(at % 10, "th")
    return f"{at}{ending} of {len(recall.candidates)}"


def _reason(one: RecallCitation) -> str:
    found = "" if one.stands_in == "own_summary" else f" ({_PLACES[one.stands_in]})"
    return f"“{' '.join(one.relevance_reason.split())}”{found}"


_PLACES = {"draft": "in the draft", "other_summary": "in another decision's summary"}


def tell_trouble(recall: Recall, *, json: bool = False) -> None:
    """Say on standard error what kept recall from looking or judging, or made it look with another prompt.

    With `json`, where nothing else is said of an empty list, also why it is empty.
    """
    if recall.failed:
        told = recall.problem.removeprefix(f"recall:{recall.draft}: ")  # the draft is known to whoever asked
        stderr.print(safe(f"recall could not look: {told}", "yellow"))
    elif json and not recall.citations:
        stderr.print(safe(f"no related decision is named: {why_empty(recall)}"))
    if recall.unjudged:
        stderr.print(safe(UNJUDGED, "yellow"))
    if recall.problem and not recall.failed:
        stderr.print(safe(recall.problem, "yellow"))
    if recall.prompt_problem:
        stderr.print(safe(f"the built-in prompt stood in: {recall.prompt_problem}", "yellow"))


def why_empty(recall: Recall) -> str:
    """Why the list is empty, in words."""
    if recall.failed:
        return f"{recall.status.replace('_', ' ')} ({recall.reason})"
    if recall.status == "skipped":
        return _WHY[recall.reason]
    if recall.status == "no_candidates":
        return "there are no past decisions to choose from"
    return "none of those named could be verified" if recall.returned else "the model found none related"
