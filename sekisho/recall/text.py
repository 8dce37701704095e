"""The two texts of recall: what candidates are looked for with, and how a reason is compared with what it quotes."""

from __future__ import annotations

import unicodedata


def normalize_for_citation_match(text: str) -> str:
    """A text as reasons are compared: NFKC, white space folded into single spaces and off both ends, nothing more."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def build_recall_query_text(title: str, context: str, options: str) -> str:
    """One text of a draft's parts, a blank line between them; empty where none of them says anything."""
    return "\n\n".join(part.strip() for part in (title, context, options) if part.strip())
