"""Past decisions (ADRs) in whatever form a log keeps them, and drafts of new ones."""

from sekisho.sources.decisions.drafts import load_drafts, parse_draft
from sekisho.sources.decisions.load import load_decisions

__all__ = ["load_decisions", "load_drafts", "parse_draft"]
