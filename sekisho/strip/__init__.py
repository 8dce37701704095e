"""Stripping: a block that serves one machine only is left out of a YAML text, exactly, or the text passes unchanged."""

from sekisho.strip.rules import FallbackRule, StripRules
from sekisho.strip.sanitize import StripMethod, Stripped, sanitize_ai_purpose_for_chroma

__all__ = ["FallbackRule", "StripMethod", "StripRules", "Stripped", "sanitize_ai_purpose_for_chroma"]
