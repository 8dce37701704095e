"""What an ontology names without declaring it: pronto refuses such a file as a whole, so it is declared, empty."""

from __future__ import annotations

import re
from collections.abc import Iterable

_STANZA = re.compile(rb"(?m)^\[(Term|Typedef)\][^\n]*\n((?:(?!\[).*(?:\n|\Z))*)")
_TAG = re.compile(rb"(?m)^(id|is_a|relationship):[ \t]*([^\s{!]+)(?:[ \t]+([^\s{!]+))?")
_RESOURCE = re.compile(
    rb"<rdfs:subClassOf\s+rdf:resource\s*=\s*\"([^\"]+)\""
    rb"|<(?:owl:)?Class\s+rdf:about\s*=\s*\"([^\"]+)\""
)
_CLASS = (
    b'<owl:Class xmlns:owl="http://www.w3.org/2002/07/owl#" '
    b'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about="%s"/>\n'
)


def declared_obo(content: bytes) -> tuple[bytes, set[str]]:
    """An OBO file with a stanza for every term and relation that it only refers to, and the ids of these terms."""
    known: dict[bytes, set[bytes]] = {b"Term": set(), b"Typedef": set()}
    named: dict[bytes, set[bytes]] = {b"Term": set(), b"Typedef": set()}
    for kind, body in _STANZA.findall(content.replace(b"\r\n", b"\n")):
        for tag, first, second in _TAG.findall(body):
            if tag == b"id":
                known[kind].add(first)
            elif tag == b"is_a":
                named[kind].add(first)
            elif kind == b"Term" and second:
                named[b"Typedef"].add(first)
                named[kind].add(second)
    missing = {kind: sorted(named[kind] - known[kind]) for kind in known}
    added = [b"\n[%s]\nid: %s\n" % (kind, id) for kind, ids in missing.items() for id in ids]
    return content + b"\n".join([b"", *added] if added else []), _texts(missing[b"Term"])


def declared_owl(content: bytes) -> tuple[bytes, set[str]]:
    """An OWL file with a class for every one that others are only said to be a kind of, and the ends of their names."""
    found = _RESOURCE.findall(content)
    missing = sorted({parent for parent, _ in found if parent} - {own for _, own in found})
    before, end, after = content.rpartition(b"</rdf:RDF>")
    if not (end and missing):
        return content, set()
    stubs = b"".join(_CLASS % parent for parent in missing)
    return before + stubs + end + after, _texts(re.split(rb"[/#;]", parent)[-1] for parent in missing)


def _texts(ids: Iterable[bytes]) -> set[str]:
    return {id.decode("utf-8", "replace") for id in ids}
