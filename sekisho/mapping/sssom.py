"""Mappings as SSSOM TSV, the Simple Standard for Sharing Ontological Mappings (mapping-commons, version 1.0).

The subject is a text, `rdfs literal`, and has no id. What a model chose is justified by composite matching, for it
chose among candidates found by comparing letters; what no model looked at, by lexical matching alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from sekisho.catalogue import Catalogue
from sekisho.hashing import sha256_json
from sekisho.mapping.mapped import Mapped
from sekisho.mapping.match import Candidate
from sekisho.mapping.policy import only_exact
from sekisho.text import printable, shortened

COLUMNS = (
    "subject_label",
    "subject_type",
    "predicate_id",
    "object_id",
    "object_label",
    "mapping_justification",
    "mapping_tool",
    "mapping_tool_version",
    "confidence",
    "similarity_score",
    "similarity_measure",
    "comment",
)
NO_TERM = "sssom:NoTermFound"
PREDICATES = {"match": "skos:exactMatch", "larger": "skos:broadMatch", "smaller": "skos:narrowMatch"}
_KNOWN = {
    "semapv": "https://w3id.org/semapv/vocab/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "sssom": "https://w3id.org/sssom/",
}
# Full-width ones too: spreadsheets in Japanese take them for the same.
_FORMULA = tuple("=+-@＝＋－＠")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", re.ASCII)
_OWN_PREFIX = "record"  # of ids that are no CURIEs
_CURIE = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*):([^\s:/][^\s]*)")


def to_sssom(mapped: Iterable[Mapped], catalogue: Catalogue, *, version: str) -> str:
    """One row for each query, in order, below the metadata that the standard asks for; the same rows, the same bytes.

    The relation decides the predicate; `different`, and a query without candidates, is a row whose object is
    `sssom:NoTermFound`. Where no model's word stands, an exact hit that no other record shares is an exact match and
    any other first candidate a close match.
    """
    rows = [_row(one, version) for one in mapped]
    prefixes = {prefix for prefix, _ in (_curie(row["object_id"]) for row in rows)} - {"sssom"}
    head: dict[str, str | Mapping[str, str]] = {
        "curie_map": {**_KNOWN, **{prefix: _expansion(prefix, catalogue) for prefix in sorted(prefixes)}},
        "license": "https://w3id.org/sssom/license/unspecified",
        "mapping_set_id": f"https://w3id.org/sssom/mappings/{sha256_json([rows, catalogue.sha256])}",
        "object_source_version": catalogue.sha256,
    }
    lines = [f"#{line}" for line in _yaml(head)]
    lines += ["\t".join(COLUMNS), *("\t".join(_cell(row[name]) for name in COLUMNS) for row in rows)]
    return "\n".join(lines) + "\n"


def _row(one: Mapped, version: str) -> dict[str, str]:
    chosen, ai = one.best, one.ai
    by_model = ai is not None and ai.relation is not None
    found = one.fits and not (ai is not None and ai.relation == "different")
    row = dict.fromkeys(COLUMNS, "") | {
        "subject_label": one.asked.query,
        "subject_type": "rdfs literal",
        "predicate_id": _predicate(one, chosen),
        "object_id": NO_TERM,
        "mapping_justification": "semapv:CompositeMatching" if by_model else "semapv:LexicalMatching",
        "mapping_tool": "sekisho",
        "mapping_tool_version": version,
    }
    if found and chosen is not None:
        curie = ":".join(_curie(chosen.id))
        row |= {"object_id": curie, "object_label": chosen.name, "similarity_score": f"{_within(chosen.score):.4f}"}
        row["similarity_measure"] = "sekisho first stage"
    if ai is not None and ai.confidence is not None:
        row["confidence"] = f"{ai.confidence:g}"
    row["comment"] = shortened(" ".join(filter(None, _comments(one))), 500)
    return row


def _predicate(one: Mapped, chosen: Candidate | None) -> str:
    if one.ai is not None and one.ai.relation is not None:
        return PREDICATES.get(one.ai.relation, "skos:exactMatch")
    if chosen is None or not one.fits:
        return "skos:exactMatch"
    # What was left out of the query, `left` say, the record does not say.
    return "skos:exactMatch" if only_exact(one.candidates) == chosen.id and not one.removed else "skos:closeMatch"


def _comments(one: Mapped) -> list[str]:
    ai = one.ai
    nearest = f"nearest: {ai.best_id} {ai.best_name}." if ai is not None and ai.relation == "different" else ""
    told = [nearest, ai.reason if ai is not None else "", (ai.error or "") if ai is not None else "", one.ambiguous]
    return [*told, f"left out: {one.left_out}." if one.removed else ""]


def _curie(id: str) -> tuple[str, str]:
    """Prefix and local part of an id; one that is no CURIE, or takes a prefix of the standard, gets one of ours."""
    found = _CURIE.fullmatch(id)
    if found and (found[1] not in _KNOWN or id == NO_TERM):
        return found[1], quote(found[2], safe="!$&'()*+,;=:@/?#~._-")
    return _OWN_PREFIX, quote(id, safe="~._-")


def _expansion(prefix: str, catalogue: Catalogue) -> str:
    """Where ids of a prefix lead: the registry of prefixes, or for ids without one a name of this very catalogue."""
    return f"urn:sha256:{catalogue.sha256}:" if prefix == _OWN_PREFIX else f"https://bioregistry.io/{prefix}:"


def _yaml(head: Mapping[str, str | Mapping[str, str]]) -> Sequence[str]:
    lines = []
    for name, value in head.items():
        if isinstance(value, str):
            lines.append(f"{name}: {json.dumps(value)}")
        else:
            lines += [f"{name}:", *(f"  {key}: {json.dumps(text)}" for key, text in value.items())]
    return lines


def _cell(text: str) -> str:
    """A cell as TSV readers take it: on one line, in quotes where it holds one, and no formula of a spreadsheet's.

    What a spreadsheet would reckon with gets an apostrophe before it, which makes it text there; a number stays one.
    """
    flat = printable(" ".join(text.split()))
    flat = f"'{flat}" if flat.startswith(_FORMULA) and not _NUMBER.fullmatch(flat) else flat
    return '"' + flat.replace('"', '""') + '"' if '"' in flat else flat


def _within(score: float) -> float:
    return min(max(score, 0.0), 1.0)
