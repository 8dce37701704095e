"""The data folder and the prompts: does each file load?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sekisho.agents.fixtures import load_fixtures
from sekisho.agents.prompts import load_prompt
from sekisho.doctor.diagnosis import Check, Diagnosis, ok, warn, wrong
from sekisho.errors import InputError
from sekisho.mapping.files import read_golden_queries
from sekisho.scorecards.measure import read_golden_drafts
from sekisho.scorecards.measure_answers import read_golden_answers
from sekisho.settings import Settings
from sekisho.sources.decisions import load_decisions, load_drafts
from sekisho.sources.folder import DataFolder
from sekisho.sources.notes import load_notes
from sekisho.sources.portal_views import load_views
from sekisho.units import canonical

_NAMED = 20  # findings of one kind that are listed one by one


def data_checks(settings: Settings) -> list[tuple[str, Check]]:
    """Whether the folder is there and each of its files can be used; a new kind of document is one line more."""
    folder = DataFolder(settings.data)
    if not folder.root.is_dir():
        return [("folder", lambda: _folder(folder))]
    return [
        ("folder", lambda: _folder(folder)),
        ("sekisho.yaml", lambda: _configuration(folder)),
        ("notes.schema.yaml", lambda: _schema(folder)),
        ("questions.yaml", lambda: _questions(folder)),
        ("notes", lambda: _notes(folder)),
        ("decisions", lambda: _decisions(folder)),
        ("portal_views", lambda: _views(folder, settings)),
        ("catalogue", lambda: _catalogue(folder)),
        ("golden", lambda: _golden(settings)),
        ("fixtures", lambda: _fixtures(settings)),
        ("prompts", lambda: _prompts(settings)),
    ]


def _folder(folder: DataFolder) -> Iterator[Diagnosis]:
    if folder.root.is_dir():
        folder.present()
        yield ok("data", "folder", str(folder.root))
    else:
        remedy = "set SEKISHO_DATA to your data folder, or make one: sekisho init DIR"
        yield wrong("data", "folder", f"no such folder: {folder.root}", remedy)


def _configuration(folder: DataFolder) -> Iterator[Diagnosis]:
    config = folder.config
    told = f"patterns left out: {len(config.exclude)}, encodings: {', '.join(config.encodings)}, {config.timezone}"
    yield ok("data", "sekisho.yaml", told)


def _schema(folder: DataFolder) -> Iterator[Diagnosis]:
    fields = folder.notes_schema.fields
    counted = [f"{name} in {spec.unit!r}" for name, spec in fields.items() if spec.unit and not canonical(spec.unit)]
    told = f"; no units that are known, so taken for things counted: {', '.join(counted)}" if counted else ""
    yield ok("data", "notes.schema.yaml", f"fields: {', '.join(fields) or 'none, and no notes'}{told}")


def _questions(folder: DataFolder) -> Iterator[Diagnosis]:
    yield ok("data", "questions.yaml", f"questions: {len(folder.questions)}")


def _notes(folder: DataFolder) -> Iterator[Diagnosis]:
    notes = load_notes(folder.below("notes"), encodings=folder.config.encodings, excluded=folder.excluded)
    bad = [(note.path, note.problem) for note in notes if note.status == "unreadable"]
    for path, problem in bad[:_NAMED]:
        reason, _, remedy = problem.rpartition(": ")
        yield wrong("data", f"notes/{path}", reason or problem, remedy)
    sources = Counter(note.source for note in notes if note.is_document)
    doubled = [source for source, count in sources.items() if count > 1]
    for source in doubled[:_NAMED]:
        paths = ", ".join(note.path for note in notes if note.source == source)
        yield wrong("data", f"notes/{source}", f"duplicate source: {paths}", "rename or exclude one of them")
    if more := max(0, len(bad) - _NAMED) + max(0, len(doubled) - _NAMED):
        yield wrong("data", "notes", f"and {more} more", "as above")
    counts = Counter(note.status for note in notes)
    if not counts["read"]:
        yield warn("data", "notes", "no document is read", f"put documents into {folder.root / 'notes'}")
    elif not bad and not doubled:
        yield ok("data", "notes", f"read: {counts['read']}, empty: {counts['empty']}")


def _decisions(folder: DataFolder) -> Iterator[Diagnosis]:
    for name, load in (("decisions", load_decisions), ("drafts", load_drafts)):
        found, files = load(folder.below(name), encodings=folder.config.encodings, excluded=folder.excluded)
        faults = [file for file in files if file.is_fault]
        for file in faults[:_NAMED]:
            yield warn("data", f"{name}/{file.path}", file.message, "correct the file, or exclude it in sekisho.yaml")
        if not faults and (found or files):
            yield ok("data", name, f"read: {len(found)}")


def _views(folder: DataFolder, settings: Settings) -> Iterator[Diagnosis]:
    views, problems = load_views(folder, settings.strip_rules)
    for one in problems[:_NAMED]:
        name = ": ".join(part for part in (f"portal_views/{one.path}", one.item) if part)
        yield warn("data", name, one.message, "correct it, or exclude the file in sekisho.yaml")
    if views and not problems:
        yield ok("data", "portal_views", f"read: {len(views)}")


def _catalogue(folder: DataFolder) -> Iterator[Diagnosis]:
    if not (folder.root / "catalogue").exists():
        return
    catalogue, queries, faults = read_golden_queries(folder)
    for one in faults[:_NAMED]:
        name = ": ".join(part for part in (f"catalogue/{one.path}", one.item) if part)
        yield warn("data", name, one.message, "correct this row; the others are read")
    if catalogue is None:
        return
    told = f"terms: {len(catalogue.terms)}, queries: {len(queries)}"
    if faults:
        yield warn("data", "catalogue", f"{told}, faults: {len(faults)}", "see docs/mapping.md")
    else:
        yield ok("data", "catalogue", told)


def _golden(settings: Settings) -> Iterator[Diagnosis]:
    """The golden sets of answers and recall, whose mistakes a run gets along with."""
    counts: dict[str, int] = {}
    for name, read in (("answers", read_golden_answers), ("recall", read_golden_drafts)):
        try:
            counts[name] = len(read(settings))
        except InputError as error:
            told = ": ".join(part for part in (error.item, error.message) if part)
            yield warn("data", f"golden/{name}.yaml", told, error.remedy or "see docs/evaluation.md")
    if any(counts.values()):
        yield ok("data", "golden", ", ".join(f"{name}: {count}" for name, count in counts.items()))


def _fixtures(settings: Settings) -> Iterator[Diagnosis]:
    if settings.agent != "mock":
        return
    load_fixtures(settings.data / "fixtures", settings.fixtures)
    if settings.fixtures is None and not (settings.data / "fixtures").is_dir():
        told = "IECQ_AGENT=mock answers from fixtures alone, and there are none"
        yield warn("data", "fixtures", told, "set IECQ_AGENT=local, claude or a provider string")
    else:
        yield ok("data", "fixtures", "replies load")


def _prompts(settings: Settings) -> Iterator[Diagnosis]:
    names = sorted(path.parent.name for path in (settings.prompts / "production").glob("*/prompt.md"))
    missing = [name for name in ("ingest", "extract", "query") if name not in names]
    for name in sorted({*names, *missing}):
        load_prompt(settings.prompts, name)
    yield ok("data", "prompts", ", ".join(names))
