"""Drafts of decisions that somebody is about to write: Markdown with or without front matter, or YAML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from sekisho.decision import DecisionFile, DraftDecision
from sekisho.errors import InputError
from sekisho.hashing import sha256_text
from sekisho.sources.decisions.front import READ_BY_LINE, as_text, folded_key
from sekisho.sources.decisions.headings import section_of
from sekisho.sources.decisions.names import is_index, is_template, own_id
from sekisho.sources.decisions.page import Block, read_page
from sekisho.sources.decisions.reading import title_of
from sekisho.sources.notes import TEXT_SUFFIXES, Unreadable, read_file, shown_path, source_of, walk
from sekisho.yamlio import parse_yaml

_YAML = frozenset({".yaml", ".yml"})
_KEYS = ("title", "context", "options", "needs_adr", "adr_id")
_REMEDY = "a draft is Markdown, or YAML with title, context, options, needs_adr"


def load_drafts(
    folder: Path,
    *,
    encodings: tuple[str, ...] = ("utf-8",),
    excluded: Callable[[Path], bool] = lambda _: False,
) -> tuple[list[DraftDecision], list[DecisionFile]]:
    """All drafts below a folder, ordered by path, and what is to be told of its files; none where it is missing."""
    if not folder.is_dir():
        return [], []
    drafts: list[DraftDecision] = []
    told: list[DecisionFile] = []
    for path in sorted(path for path in walk(folder) if not excluded(path)):
        shown = shown_path(path, folder)
        if not path.is_dir() and (path.suffix.lower() not in _YAML | TEXT_SUFFIXES or _is_aside(shown)):
            message = "not read as a draft: a template, a listing, or neither Markdown nor YAML"
            told.append(DecisionFile(path=shown, kind="not_a_decision", message=message))
            continue
        try:
            drafts.append(parse_draft(read_file(path, folder, encodings, also=_YAML)[0], shown))
        except Unreadable as error:
            told.append(DecisionFile(path=shown, kind="unreadable", message=str(error)))
        except InputError as error:
            told.append(DecisionFile(path=shown, kind="unreadable", message=f"{error.message}: {error.remedy}"))
    return drafts, [*told, *_shared_ids(drafts)]


def parse_draft(text: str, path: str = "-") -> DraftDecision:
    """One draft from its text; the suffix of `path` says whether it is YAML, without one its content does.

    Of Markdown, the section of options is the options and all else that stands there the context, unless the front
    matter has them. Raises `InputError` where YAML cannot be read or a value is not of its kind.
    """
    suffix = PurePosixPath(path).suffix.lower()
    given: Mapping[str, Any]
    if suffix in _YAML or (suffix not in TEXT_SUFFIXES and _is_yaml(text)):
        given = _mapping(text, path)
    else:
        given = _from_markdown(text, path, suffix or ".md")
    return DraftDecision(
        id=source_of(path),
        path=path,
        title=as_text(given.get("title")),
        context=_joined(given.get("context")),
        options=_joined(given.get("options")),
        needs_adr=_truth(given.get("needs_adr"), path),
        adr_id=as_text(given.get("adr_id")),
        sha256=sha256_text(text),
    )


def _from_markdown(text: str, path: str, suffix: str) -> Mapping[str, Any]:
    page = read_page(text, suffix)
    if page.problem:
        raise InputError(page.problem.removesuffix(READ_BY_LINE), file=path, remedy="correct it")
    title = title_of(page, "", own_id(""))
    said = {number for block in page.blocks if _says_no_more(block, title) for number in range(*block.lines)}
    parts: dict[str, list[str]] = {"options": [], "context": []}
    for number, (section, line) in enumerate(page.lines_by_section()):
        if number not in said:
            parts["options" if section == "options" else "context"].append(line)
    found: dict[str, Any] = {name: _without_gaps(lines) for name, lines in parts.items()} | {"title": title}
    given = {name: page.front.get(folded_key(name)) for name in _KEYS}
    return found | {name: value for name, value in given.items() if value not in (None, "")}


def _says_no_more(block: Block, title: str) -> bool:
    """Whether a heading is the title, or the name of the part that it begins."""
    named = section_of(block.text, whole=True) in ("context", "options")
    return block.kind == "heading" and (named or block.text.strip() == title)


def _without_gaps(lines: Iterable[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _is_yaml(text: str) -> bool:
    """Whether a text of unknown format is a mapping with one of our keys."""
    try:
        value = parse_yaml(text, file="-", plain=True)
    except InputError:
        return False
    return isinstance(value, Mapping) and any(name in value for name in _KEYS)


def _mapping(text: str, path: str) -> Mapping[str, Any]:
    value = parse_yaml(text, file=path, plain=True)
    if value is not None and value != "" and not isinstance(value, Mapping):
        raise InputError("not a mapping", file=path, remedy=_REMEDY)
    return value or {}


def _joined(value: Any) -> str:
    """A text as it is; a list with a dash before each item."""
    if isinstance(value, list | tuple):
        return "\n".join(f"- {as_text(item)}" for item in value)
    return as_text(value)


def _truth(value: Any, path: str) -> bool:
    given = as_text(value).casefold()
    if given in ("", "true", "yes", "on", "1"):
        return True
    if given in ("false", "no", "off", "0"):
        return False
    raise InputError(f"needs_adr is {given!r}", file=path, item="needs_adr", remedy="write true or false")


def _is_aside(shown: str) -> bool:
    return is_template(shown) or is_index(PurePosixPath(shown).stem)


def _shared_ids(drafts: Iterable[DraftDecision]) -> list[DecisionFile]:
    first: dict[str, str] = {}
    told = []
    for draft in drafts:
        other = first.setdefault(draft.id, draft.path)
        if other != draft.path:
            message = f"the draft {draft.id} is also in {other}: rename one of them"
            told.append(DecisionFile(path=draft.path, kind="doubled_number", message=message))
    return told
