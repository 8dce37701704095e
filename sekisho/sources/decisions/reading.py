"""What one record says of itself: title, id, status, date."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from sekisho.decision import DecisionStatus
from sekisho.sources.decisions.dates import find_date
from sekisho.sources.decisions.front import as_text, first_of, folded_key
from sekisho.sources.decisions.headings import section_of
from sekisho.sources.decisions.keys import DATE_KEYS, ID_KEYS, STATUS_KEYS, TITLE_KEYS
from sekisho.sources.decisions.names import OwnId, own_id, own_id_in_heading, without_id, words_of
from sekisho.sources.decisions.page import Block, Page
from sekisho.sources.decisions.status import ENDED, is_choice, status_of, status_of_lines
from sekisho.sources.decisions.summary import is_placeholder

_LABEL = re.compile(r"[\s>*_#-]*(?P<label>[^\W\d][\w /-]{0,30}?)\s*(?::|：|\s\|\s|\s-\s)\s*(?P<value>.*)", re.DOTALL)
_FOLDER_STATUS: dict[str, DecisionStatus] = {
    **dict.fromkeys(("superseded", "replaced"), "superseded"),
    **dict.fromkeys(("deprecated", "obsolete", "archive", "archived", "retired"), "deprecated"),
    **dict.fromkeys(("rejected", "declined", "withdrawn"), "rejected"),
    **dict.fromkeys(("proposed", "proposals", "draft", "drafts"), "proposed"),
    **dict.fromkeys(("accepted", "approved"), "accepted"),
}
_LONGEST_END = 100  # characters
_END_ALONE = re.compile(
    r"[\W_]*(?:this (?:adr|decision|record) (?:is|was|has been) )?(?:partially |partly )?"
    r"(?:super[sc]eded|deprecated|obsolete|rejected|withdrawn|replaced by|非推奨|廃止|撤回|置換)(?![a-z])",
    re.IGNORECASE,
)
_IN_TITLE = re.compile(
    r"\W*[\[(（【]?(?P<status>super[sc]eded|deprecated|rejected|withdrawn|obsolete|廃止|非推奨)[\])）】:：]",
    re.IGNORECASE,
)


def title_of(page: Page, name: str, own: OwnId) -> str:
    """The title: the first heading, where that is no section; the front matter's; the name; without the record's id."""
    headings = [block for block in page.blocks if block.kind == "heading"]
    sections = (at for at, block in enumerate(headings) if section_of(block.text, whole=True))
    before = headings[: next(sections, len(headings))]
    top = [block.text for block in before if block.level == 1] or [block.text for block in before[:1]]
    given = first_of(page.front, TITLE_KEYS).splitlines()
    for text in [*top[:1], *given[:1], *_fields(page.blocks, TITLE_KEYS)]:
        title = without_id(re.sub(r"\s+", " ", text), own)
        if title and not is_placeholder(title):
            return title
    return words_of(name, own)


def own_id_of(page: Page, name: str) -> OwnId:
    """What the record is called: by its file's or folder's name, else its front matter, else its heading."""
    own = own_id(name)
    if own.number is None and not own.category:
        given = own_id(first_of(page.front, ID_KEYS))
        heading = next((block.text for block in page.blocks if block.kind == "heading"), "")
        headed = own_id_in_heading(heading)
        if given.number is not None or given.category:
            return OwnId(given.text, given.number, given.category, own.date)
        if headed is not None and not own.date:
            return headed[0]
    return own


def status_in(page: Page, path: str, title: str) -> tuple[DecisionStatus, str]:
    """The status and its wording: front matter, status section, field, tag, admonition or title.

    A folder such as `_superseded/` is the status where nothing else is, and where what is written has been overtaken.
    """
    status, wording = next((found for found in _statuses(page, title) if found[0] != "unstated"), ("unstated", ""))
    for part in reversed(PurePosixPath(path).parts[:-1]):
        moved = _FOLDER_STATUS.get(part.strip("_.").casefold())
        overtaken = moved in ENDED and part.strip("_.").casefold() == moved and status not in ENDED
        if moved and (status == "unstated" or overtaken):
            return moved, wording or part
    return status, wording


def _statuses(page: Page, title: str) -> Iterator[tuple[DecisionStatus, str]]:
    given = first_of(page.front, STATUS_KEYS)
    given = given.strip("{} ") if given.startswith("{") and not is_choice(given) else given
    yield status_of(given), given
    section = [block for block in page.blocks if block.section == "status"]
    lines = [line.strip() for block in section for line in _status_lines(block)]
    if not is_choice(" ".join(lines)[:200]) or len(lines) > 3:
        yield status_of_lines(filter(None, lines))
    for value in _fields(page.blocks, STATUS_KEYS):
        yield status_of(value), value
    tags = page.front.get("tags")
    for tag in tags if isinstance(tags, list) else [tags] if tags else []:
        if status_of(as_text(tag)) != "other" and len(as_text(tag)) < 20:
            yield status_of(as_text(tag)), as_text(tag)
    for block in page.blocks:
        if block.kind != "heading" and (block.opening or block.admonition):
            for line in block.text.splitlines():
                if _END_ALONE.match(line) and len(line) < _LONGEST_END:
                    yield status_of(line), line.strip()
    heading = next((block.text for block in page.blocks if block.kind == "heading"), title)
    if m := _IN_TITLE.search(heading):
        yield status_of(m["status"]), m["status"]


def _status_lines(block: Block) -> list[str]:
    """The lines of a block of the status section; of a heading `Status: accepted`, what stands behind the colon."""
    if block.kind == "heading":
        m = _LABEL.match(block.text)
        return [m["value"]] if m and section_of(m["label"]) == "status" else []
    if block.kind == "row":
        return block.text.split(" | ")
    return block.text.splitlines()


def date_texts(page: Page, own: OwnId) -> list[str]:
    """The wordings that may hold the record's date, the likeliest first."""
    front = [as_text(page.front[key]) for key in DATE_KEYS if page.front.get(key)]
    fields = list(_fields(page.blocks, DATE_KEYS))
    section = [block.text for block in page.blocks if block.section == "date" and block.kind != "heading"]
    opening = [
        block.text for block in page.blocks if block.opening and block.kind != "heading" and len(block.text) < 80
    ]
    status = [block.text for block in page.blocks if block.section == "status" and block.kind != "heading"]
    likely = [*front, *fields, *section, *opening, *(text for text in status if len(text) < 200)]
    return [*filter(None, map(str.strip, likely)), *([own.date] if own.date else [])]


def chosen_date(texts: Iterable[str], day_first: bool | None) -> tuple[str, str]:
    """The first wording that is a date, as ISO 8601, and the wording; the first wording alone where none is."""
    told = list(texts)
    for text in told:
        if found := find_date(text, day_first):
            return found, text
    return "", next((text for text in told if any(char.isdigit() for char in text)), "")


def _is_label(cell: str) -> bool:
    """Whether a table's cell names a field; `Accepted` names one too, but tells a status."""
    return folded_key(cell) in (*STATUS_KEYS, *DATE_KEYS) and status_of(cell) in ("other", "unstated")


def _fields(blocks: Iterable[Block], keys: tuple[str, ...]) -> Iterator[str]:
    """The values of fields such as `Status: accepted` in the opening lines and the sections about the record itself."""
    found: dict[str, list[str]] = {}
    header: list[str] = []
    for block in blocks:
        if block.kind == "heading" or not (block.opening or block.section in ("status", "date", "people", "links")):
            continue
        cells = block.text.split(" | ") if block.kind == "row" else []
        if len(cells) > 1 and _is_label(cells[0]) and _is_label(cells[1]):
            header = [folded_key(cell) for cell in cells]
        elif cells and len(cells) == len(header):
            for name, cell in zip(header, cells, strict=True):
                found.setdefault(name, []).append(cell.strip())
        else:
            for line in block.text.splitlines():
                if m := _LABEL.match(line):
                    found.setdefault(folded_key(m["label"]), []).append(m["value"].strip())
    for key in keys:
        yield from filter(None, found.get(key, []))
