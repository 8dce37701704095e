"""A page's own digest, in its last line: whoever changes the page and not the digest is found out."""

from __future__ import annotations

from sekisho.hashing import sha256_text

_BEFORE, _AFTER = "<!-- SHA-256 of all above: ", " -->\n"


def with_digest(page: str) -> str:
    """The page with one line more, a comment that has the digest of all before it."""
    body = f"{page}\n"
    return f"{body}{_BEFORE}{sha256_text(body)}{_AFTER}"


def has_its_digest(page: str) -> bool:
    """Whether a page is, to the byte, as `with_digest` made it; no signature: anybody can make a digest."""
    body, _, _ = page.rpartition(_BEFORE)
    return bool(body) and page == with_digest(body.removesuffix("\n"))
