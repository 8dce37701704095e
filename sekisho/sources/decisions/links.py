"""References resolved over the whole log, to links between ids."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from sekisho.decision import DecisionLink, LinkKind
from sekisho.sources.decisions.names import OwnId, own_id
from sekisho.sources.decisions.numbering import Claim
from sekisho.sources.decisions.references import Reference
from sekisho.text import shortened

_STRENGTH: dict[LinkKind, int] = {"superseded_by": 0, "supersedes": 1, "relates": 2}
_SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".txt", ".html", ".htm")
# The files that adr-tools and MADR begin every log with: a name in thousands of repositories says nothing.
_EVERYWHERE = re.compile(
    r"0*[01]-(?:record-(?:architecture-)?decisions|use-markdown-(?:architectural|any)-decision-records)\Z"
)


@dataclass(frozen=True, slots=True)
class _Known:
    path: str
    folder: str
    id: str


class Register:
    """The records of a log by path, name, number and category; what two of them share resolves to neither."""

    def __init__(self, claims: Sequence[Claim], ids: Mapping[str, str]) -> None:
        self._by_name: defaultdict[str, list[_Known]] = defaultdict(list)
        self._by_own: defaultdict[int | str, list[_Known]] = defaultdict(list)
        self._by_id: dict[str, _Known] = {}
        for claim in claims:
            if claim.path not in ids:
                continue
            known = _Known(claim.path, claim.folder, ids[claim.path])
            path = PurePosixPath(claim.path)
            names = {_folded(path.stem), _folded(claim.own.text)}
            if claim.is_folder:
                names = {_folded(path.parent.name)}
            for name in names:
                self._by_name[name].append(known)
            own: int | str | None = claim.own.category or claim.own.number
            if own is not None:
                self._by_own[own].append(known)
            self._by_id[known.id] = known

    def resolve(self, reference: Reference, path: str, folder: str) -> str | None:
        """The id of the record that a reference in the file at `path` means."""
        if reference.target:
            found = self._by_target(reference, path, folder)
        else:
            found = self._by_number(reference.category or reference.number, folder)
        return found.id if found else None

    def _by_target(self, reference: Reference, path: str, folder: str) -> _Known | None:
        """A link by the file it leads to; by that file's number where it lies in the same log and was renamed."""
        target = reference.target
        site, parts = _parts(target)
        name = _without_suffix(parts[-1]) if parts else ""
        if _folded(name) in ("readme", "index") and len(parts) > 1:
            name = parts[-2]
        if not name or (site and _EVERYWHERE.match(_folded(name))):
            return None
        named = self._by_name.get(_folded(name), [])
        if site:
            return named[0] if len(named) == 1 and not _is_bare(name) else None
        if len(named) > 1:
            named = [known for known in named if _ends_alike(known.path, target, path)] or named
        if named or reference.in_passing or not _leads_into_a_log(parts):
            return _one_of(named, folder)
        return self._by_number(_number(own_id(name)), folder)

    def _by_number(self, own: int | str | None, folder: str) -> _Known | None:
        if own is None:
            return None
        found = _one_of(self._by_own.get(own, []), folder)
        if found is None and own not in self._by_own and isinstance(own, int):
            return self._by_id.get(f"ADR-{own:04d}")
        return found


def resolved_links(
    references: Iterable[Reference], register: Register, claim: Claim, own: str
) -> tuple[list[DecisionLink], list[str]]:
    """One link per record referred to, the strongest kind said of it, by id; and what leads to no one record.

    Links to files and sites that are no records at all are not told.
    """
    best: dict[str, DecisionLink] = {}
    unresolved: dict[str, None] = {}
    for reference in references:
        target = register.resolve(reference, claim.path, claim.folder)
        if target is None:
            if not reference.in_passing and _is_owed(reference.target):
                unresolved[shortened(reference.shown, 80)] = None
        elif target != own:
            link = DecisionLink(kind=reference.kind, target=target, partial=reference.partial)
            best[target] = stronger(best[target], link) if target in best else link
    return [best[target] for target in sorted(best)], list(unresolved)


def stronger(one: DecisionLink, other: DecisionLink) -> DecisionLink:
    """Of two links to the same record the one that says more; of one kind, the one about a part."""
    if one.kind == other.kind:
        return one if one.partial else other
    return min(one, other, key=lambda link: _STRENGTH[link.kind])


def _one_of(found: list[_Known], folder: str) -> _Known | None:
    """The only one, or the only one in the folder of whoever refers to it."""
    near = [known for known in found if known.folder == folder]
    best = near if len(near) == 1 else found
    return best[0] if len(best) == 1 else None


def _number(own: OwnId) -> int | str | None:
    return own.category or own.number


def _is_bare(name: str) -> bool:
    """Whether a name is a number and nothing else: on another site it means another record."""
    return own_id(name).text == name and own_id(name).number is not None


def _parts(target: str) -> tuple[str, list[str]]:
    """The site of a link, if it names one, and the parts of its path."""
    try:
        url = urlsplit(target)
    except ValueError:
        return "", []
    return url.netloc, [part for part in PurePosixPath(unquote(url.path)).parts if part not in ("/", ".", "..")]


def _leads_into_a_log(parts: Sequence[str]) -> bool:
    """Whether a link of this path would lead to a decision, were it there: `0003-x.md`, `/adr/3`, not `/pull/631`."""
    in_log = any(re.fullmatch(r"adrs?|.*decisions?.*|rfcs?", _folded(part)) for part in parts[:-1])
    return in_log or (len(parts) == 1 and parts[0].casefold().endswith((".md", ".mdx", ".rst", ".html")))


def _is_owed(target: str) -> bool:
    """Whether a reference that found no record is one that should have: a mention, or a link into this log."""
    site, parts = _parts(target)
    if not target or site or not parts:
        return not target
    return _leads_into_a_log(parts) and _number(own_id(_without_suffix(parts[-1]))) is not None


def _ends_alike(known: str, target: str, path: str) -> bool:
    """Whether a relative link from a file leads to exactly this path."""
    parts: list[str] = list(PurePosixPath(path).parent.parts)
    for part in PurePosixPath(unquote(target.split("#")[0])).parts:
        if part == "..":
            parts = parts[:-1]
        elif part not in (".", "/"):
            parts.append(part)
    return _without_suffix("/".join(parts)) == _without_suffix(known)


def _without_suffix(name: str) -> str:
    return next((name[: -len(suffix)] for suffix in _SUFFIXES if name.casefold().endswith(suffix)), name)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
