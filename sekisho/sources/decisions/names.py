"""What the name of a file or folder says: its own number, category or date, and whether it is a decision at all."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath

from sekisho.sources.decisions.dates import find_date

# Prefixes that name the kind of document; any other before a number is a category, in which numbers begin anew.
_KINDS = r"adr|madr|adl|edr|tdr|dr|dec|decision|rfc"
_DATED = re.compile(r"(?P<date>(?:19|20)\d\d([-_.]?)\d\d\2\d\d)(?!\d)")
_AFTER_DATE = re.compile(
    rf"(?:_|[-. ](?=0)|[-_. ]?(?:{_KINDS})[-_. ]?)(?P<number>\d{{1,4}})(?![0-9A-Za-z])", re.IGNORECASE
)
_CATEGORY = re.compile(
    r"(?:ADR[-_ ])?(?P<category>[A-Z][A-Z0-9]*(?:[-_][A-Z][A-Z0-9]*)*)[-_](?P<number>\d{1,4})(?![0-9A-Za-z])"
    r"|adr[-_](?P<lower>[a-z][a-z0-9]*)[-_](?P<padded>0\d{1,3})(?![0-9A-Za-z])"
)
_PLAIN = re.compile(rf"(?:(?:{_KINDS})[-_ .#]*)?(?P<number>\d{{1,4}})(?![0-9A-Za-z])", re.IGNORECASE)
_HEADED = re.compile(
    rf"\W*(?:(?:{_KINDS})[-_ .#]*(?P<named>\d{{1,4}})(?![0-9A-Za-z])"
    r"|(?P<bare>\d{1,4})(?:[.:)：](?!\d)|\s+[-–—|](?=\s)))",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"(?:M?ADR|(?:Architectur(?:e|al) )?Decision(?: Record)?)\s*(?:[:：]|\s[-–—])\s*(?=\S)", re.IGNORECASE
)
_INDEX_WORDS = re.compile(
    r"readme|_?index|_?toc|table[-_ ]of[-_ ]contents|summary|process|glossary|changelog|contributing|code_of_conduct"
    r"|licen[cs]e|(?:adr|adrs|decision|decisions)[-_ ]?(?:log|index|list|overview)?|_category_|目次|一覧"
)
_TEMPLATE_WORDS = frozenset(
    (
        *("adr", "madr", "edr", "decision", "decisions", "record", "records", "architecture", "architectural"),
        *("nygard", "short", "long", "full", "minimal", "bare", "default", "basic", "simple", "lightweight"),
        *("y", "statement", "the", "our", "example", "md", "en", "ja", "v1", "v2", "v3", "v4", "copy", "new"),
    )
)
_TEMPLATE = frozenset({"template", "templates", "tmpl", "テンプレート", "雛形", "ひな形"})
_RECORD_IN_FOLDER = frozenset({"readme", "index", "adr", "decision", "record"})


@dataclass(frozen=True, slots=True)
class OwnId:
    """What a record is called by its own log: `text` as written, a plain number or a category's id, a date."""

    text: str
    number: int | None = None
    category: str = ""
    date: str = ""


def own_id(name: str) -> OwnId:
    """What a name without suffix says; its whole text where it begins with neither number, category nor date."""
    name = unicodedata.normalize("NFKC", name).strip()
    if (m := _DATED.match(name)) and (day := find_date(m["date"].replace("_", "-"))):
        if number := _AFTER_DATE.match(name, m.end()):
            return OwnId(name[: number.end()], int(number["number"]), date=day)
        return OwnId(name, date=day)
    if m := _CATEGORY.match(name):
        category = m["category"] or m["lower"].upper()
        if not re.fullmatch(_KINDS, category, re.IGNORECASE):
            return OwnId(m[0], category=f"{category.replace('_', '-')}-{int(m['number'] or m['padded'])}")
    if m := _PLAIN.match(name):
        return OwnId(m[0], int(m["number"]))
    return OwnId(name)


def own_id_in_heading(heading: str) -> tuple[OwnId, int] | None:
    """The id that a title begins with, `ADR 9: ...`, `12. ...`, `ADR-CICD-001 ...`, and where it ends."""
    if (m := _CATEGORY.match(heading)) and m["category"] and m[0].startswith("ADR"):
        own = own_id(m[0])
        if own.category:
            return own, m.end()
    if m := _HEADED.match(heading):
        written = m[0].strip(" [(") if m["named"] else m["bare"]
        return OwnId(written, int(m["named"] or m["bare"])), m.end()
    return None


def without_id(title: str, own: OwnId) -> str:
    """A title without the id it begins with; a bare number goes where it is the record's own."""
    title = title.strip()
    found = own_id_in_heading(title)
    bare = re.match(r"(\d{1,4})\s+(?=\S)", title)
    end = found[1] if found else 0
    if bare and own.number is not None and int(bare[1]) == own.number:
        end = bare.end()
    rest = title[end:] if end else _GENERIC.sub("", title)
    return re.sub(r"^(?:[\s\]):：|–—-]|\.(?!\w))+", "", rest).strip() if end else rest.strip()


def words_of(name: str, own: OwnId) -> str:
    """A name as a title: without its id, its dashes spaces."""
    name = unicodedata.normalize("NFKC", name)
    if own.text != name and name.startswith(own.text):
        name = name[len(own.text) :]
    elif own.date:
        name = re.sub(_DATED, "", name, count=1)
    return re.sub(r"[-_\s]+", " ", name).strip(" .") or own.text


def is_template(path: str) -> bool:
    """Whether a path is that of a template: nothing but words of that kind, or a folder of them."""
    pure = PurePosixPath(unicodedata.normalize("NFKC", path).casefold())
    if any(part.strip("_.") in _TEMPLATE for part in pure.parts[:-1]):
        return True
    words = [word for word in re.split(r"[-_. ]+", pure.stem) if word]
    return bool(_TEMPLATE & set(words)) and all(
        word in _TEMPLATE or word in _TEMPLATE_WORDS or re.fullmatch(r"\d+|x+|n+", word) for word in words
    )


def is_index(stem: str) -> bool:
    """Whether a name is that of a listing or of another file that such folders have."""
    return bool(_INDEX_WORDS.fullmatch(unicodedata.normalize("NFKC", stem).casefold()))


def names_its_folder(stem: str) -> bool:
    """Whether a file of this name is the record that its folder is named for."""
    return stem.casefold() in _RECORD_IN_FOLDER
