"""The past decisions below a folder, each read for itself and all of them linked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sekisho.decision import Decision, DecisionFile, DecisionLink, DecisionStatus
from sekisho.hashing import sha256_text
from sekisho.sources.decisions import names
from sekisho.sources.decisions.dates import is_day_first
from sekisho.sources.decisions.links import Register, resolved_links, stronger
from sekisho.sources.decisions.numbering import Claim, assign_ids
from sekisho.sources.decisions.own_links import references_of
from sekisho.sources.decisions.page import Page, read_page
from sekisho.sources.decisions.reading import chosen_date, date_texts, own_id_of, status_in, title_of
from sekisho.sources.decisions.summary import summarise
from sekisho.sources.notes import TEXT_SUFFIXES, Unreadable, read_file, shown_path, walk
from sekisho.text import is_blank

# Formats in which people write decisions too, and that nobody here reads.
_PROSE = frozenset({".adoc", ".asciidoc", ".doc", ".odt", ".org", ".rtf", ".textile", ".wiki"})
_STANDING: frozenset[DecisionStatus] = frozenset({"accepted", "proposed", "unstated", "other"})


@dataclass(frozen=True, slots=True)
class _Found:
    """One file that holds a record; `name` is its own without suffix, or its folder's where that names it."""

    path: str
    name: str
    text: str
    page: Page

    @property
    def is_folder(self) -> bool:
        return self.name == PurePosixPath(self.path).parent.name != PurePosixPath(self.path).stem


def load_decisions(
    folder: Path,
    *,
    encodings: tuple[str, ...] = ("utf-8",),
    excluded: Callable[[Path], bool] = lambda _: False,
) -> tuple[list[Decision], list[DecisionFile]]:
    """All decisions below a folder, ordered by id, and what is to be told of its files, ordered by path.

    None of either where the folder is missing. A file that cannot be read is told and hides no other; templates,
    listings, attachments and empty files are told, and no fault. Hidden files and those that `excluded` names are left
    out.
    """
    if not folder.is_dir():
        return [], []
    found: list[_Found] = []
    told: list[DecisionFile] = []
    for path in sorted(path for path in walk(folder) if not excluded(path)):
        read = _read(path, folder, encodings)
        if isinstance(read, DecisionFile):
            told.append(read)
        else:
            found.append(read)
    records, besides = _without_attachments(found)
    decisions, doubled = _linked(records)
    told += [*besides, *doubled]
    if not decisions:
        reason = "no decision record: put Markdown or reStructuredText files here, one for each decision"
        told.append(DecisionFile(path=".", kind="no_records", message=reason))
    return decisions, sorted(told, key=lambda file: (file.path, file.kind))


def _read(path: Path, folder: Path, encodings: tuple[str, ...]) -> _Found | DecisionFile:
    """One file as a record, or what is to be told of it instead."""
    shown = shown_path(path, folder)
    suffix = path.suffix.lower()
    if suffix not in TEXT_SUFFIXES and not path.is_dir():
        if suffix in _PROSE:
            return DecisionFile(
                path=shown, kind="unreadable", message=f"no reader for {suffix}: save it as Markdown, or exclude it"
            )
        return _aside(shown, "no Markdown, reStructuredText or text")
    if names.is_template(shown):
        return _aside(shown, "a template")
    try:
        text, _ = read_file(path, folder, encodings)
    except Unreadable as error:
        return DecisionFile(path=shown, kind="unreadable", message=str(error))
    page = read_page(text, suffix)
    name = _name_of(PurePosixPath(shown), page)
    if name is None:
        return _aside(shown, "a listing")
    if is_blank(page.body) and not page.front:
        return DecisionFile(path=shown, kind="empty", message="holds no text")
    return _Found(shown, name, text, page)


def _name_of(path: PurePosixPath, page: Page) -> str | None:
    """The name that a record goes by, None for a listing of records."""
    if names.names_its_folder(path.stem) and len(path.parts) > 1:
        folder = path.parent.name
        own = names.own_id(folder)
        if own.number is not None or own.category or own.date:
            return folder
        if any(block.section == "decision" and block.kind != "heading" for block in page.blocks):
            return folder
    return None if names.is_index(path.stem) else path.stem


def _without_attachments(found: Sequence[_Found]) -> tuple[list[_Found], list[DecisionFile]]:
    """The records, and the files that only lie beside one: what has no id in the folder of a dated or numbered record.

    A folder of any other name is a record only where nothing else lies in it: else its README is the listing.
    """
    folders: defaultdict[str, list[_Found]] = defaultdict(list)
    for one in found:
        folders[str(PurePosixPath(one.path).parent)].append(one)
    records, besides = [], []
    for one in found:
        beside = folders[str(PurePosixPath(one.path).parent)]
        of_folder = next((other for other in beside if other.is_folder), None)
        if of_folder is None or len(beside) == 1:
            records.append(one)
        elif _has_id(of_folder.name) and one is not of_folder and not _has_id(one.name):
            besides.append(_aside(one.path, f"belongs to {of_folder.path}"))
        elif one is of_folder and not _has_id(one.name):
            besides.append(_aside(one.path, "a listing"))
        else:
            records.append(one)
    return records, besides


def _has_id(name: str) -> bool:
    own = names.own_id(name)
    return own.number is not None or bool(own.category or own.date)


def _linked(found: Sequence[_Found]) -> tuple[list[Decision], list[DecisionFile]]:
    """The records with their ids and links, and what is to be told of ids that several claim and of front matter."""
    owns = [own_id_of(one.page, one.name) for one in found]
    dates = [date_texts(one.page, own) for one, own in zip(found, owns, strict=True)]
    day_first = is_day_first(text for texts in dates for text in texts[:1])
    dated = [chosen_date(texts, day_first) for texts in dates]
    claims = [Claim(one.path, own, day, one.is_folder) for one, own, (day, _) in zip(found, owns, dated, strict=True)]
    ids = assign_ids(claims)
    register = Register(claims, ids)
    decisions = [
        _decision(one, claim, ids[claim.path], told, register)
        for one, claim, told in zip(found, claims, dated, strict=True)
        if claim.path in ids
    ]
    told = [*_ids_told(claims, ids), *_front_matter_told(found)]
    return sorted(_both_ways(decisions), key=lambda decision: decision.id), told


def _decision(one: _Found, claim: Claim, id: str, dated: tuple[str, str], register: Register) -> Decision:
    title = title_of(one.page, one.name, claim.own)
    status, wording = status_in(one.page, one.path, title)
    links, unresolved = resolved_links(references_of(one.page, status), register, claim, id)
    return Decision(
        id=id,
        original_id=claim.own.text,
        path=one.path,
        title=title,
        status=status,
        status_text=wording,
        date=dated[0],
        date_text=dated[1],
        summary=summarise(one.page.front, one.page.blocks, title),
        body=one.page.body,
        text=one.text,
        sha256=sha256_text(one.text),
        links=tuple(links),
        unresolved=tuple(unresolved),
    )


def _both_ways(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions, each told of those that supersede it or are superseded by it, and its status settled by that."""
    links = {decision.id: {link.target: link for link in decision.links} for decision in decisions}
    for decision in decisions:
        for link in decision.links:
            if link.kind == "superseded_by":
                _add(links[link.target], DecisionLink(kind="supersedes", target=decision.id, partial=link.partial))
            elif link.kind == "supersedes" and decision.status not in ("proposed", "rejected"):
                _add(links[link.target], DecisionLink(kind="superseded_by", target=decision.id, partial=link.partial))
    return [
        decision.model_copy(
            update={
                "links": tuple(links[decision.id][target] for target in sorted(links[decision.id])),
                "status": _settled(decision.status, links[decision.id].values()),
            }
        )
        for decision in decisions
    ]


def _add(links: dict[str, DecisionLink], link: DecisionLink) -> None:
    links[link.target] = stronger(links[link.target], link) if link.target in links else link


def _settled(status: DecisionStatus, links: Iterable[DecisionLink]) -> DecisionStatus:
    """The status, where a successor has the last word; a part taken over leaves the rest standing."""
    parts = [link.partial for link in links if link.kind == "superseded_by"]
    if not parts or status not in {*_STANDING, "superseded"}:
        return status
    return "superseded_in_part" if all(parts) else "superseded"


def _ids_told(claims: Sequence[Claim], ids: dict[str, str]) -> list[DecisionFile]:
    first: dict[str, Claim] = {}
    told = []
    for claim in sorted(claims, key=lambda claim: claim.order):
        holder = first.setdefault(claim.key, claim)
        if claim.path not in ids:
            reason = "no id is left: ten thousand records are the most; exclude some in sekisho.yaml"
            told.append(DecisionFile(path=claim.path, kind="unreadable", message=reason))
        elif holder is not claim:
            same = any(o.key == claim.key and o.folder == claim.folder and o.order < claim.order for o in claims)
            reason = f"{claim.own.text} is also the id of {holder.path}: known as {ids[claim.path]} here"
            remedy = "; give one of them a number of its own" if same else ""
            kind = "doubled_number" if same else "renumbered"
            told.append(DecisionFile.model_validate({"path": claim.path, "kind": kind, "message": reason + remedy}))
    return told


def _front_matter_told(found: Iterable[_Found]) -> list[DecisionFile]:
    return [
        DecisionFile(path=one.path, kind="front_matter", message=one.page.problem) for one in found if one.page.problem
    ]


def _aside(path: str, why: str) -> DecisionFile:
    return DecisionFile(path=path, kind="not_a_decision", message=f"not read as a decision: {why}")
