"""The order of the methods and the rule that holds for all: what cannot be stripped passes unchanged, and says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sekisho.strip.document import CannotParse, strip_key
from sekisho.strip.markers import strip_markers
from sekisho.strip.pattern import strip_by_pattern
from sekisho.strip.rules import StripRules
from sekisho.text import shortened

StripMethod = Literal["marker", "yaml", "regex", "none", "failed"]


@dataclass(frozen=True, slots=True)
class Stripped:
    """A text after stripping; `error` is empty unless the method is `failed`, bytes are those of UTF-8."""

    text: str
    stripped: bool
    method: StripMethod
    error: str
    bytes_before: int
    bytes_after: int

    def diagnostics(self) -> dict[str, bool | int | str]:
        """What was done, as scalars under the names that metadata and log use."""
        return {
            "decikg_stripped": self.stripped,
            "decikg_strip_method": self.method,
            "decikg_strip_error": self.error,
            "decikg_bytes_before": self.bytes_before,
            "decikg_bytes_after": self.bytes_after,
        }


def sanitize_ai_purpose_for_chroma(text: str, rules: StripRules) -> Stripped:
    """The text without its `decikg` block: by markers, else as YAML, else by the fallback. It never raises.

    The same text and rules give the same result. With the rules off, or nothing to strip, the text is the very same.
    """
    if not rules.enabled:
        return _stripped(text, text, "none")
    try:
        return _strip(text, rules)
    except Exception as error:  # whatever it is, the pipeline goes on with the text as it came
        return _stripped(text, text, "failed", f"{type(error).__name__}: {error}")


def _strip(text: str, rules: StripRules) -> Stripped:
    without_marked = strip_markers(text)
    if without_marked is not None:
        return _stripped(text, without_marked, "marker")
    try:
        dumped = strip_key(text)
    except CannotParse as error:
        found = strip_by_pattern(text, rules.begin, rules.end) if rules.fallback == "regex" else None
        return _stripped(text, text, "failed", str(error)) if found is None else _stripped(text, found, "regex")
    except ValueError as error:
        return _stripped(text, text, "failed", str(error))
    return _stripped(text, text, "none") if dumped is None else _stripped(text, dumped, "yaml")


def _stripped(before: str, after: str, method: StripMethod, error: str = "") -> Stripped:
    sizes = (len(text.encode("utf-8", "surrogatepass")) for text in (before, after))
    return Stripped(after, method in ("marker", "yaml", "regex"), method, shortened(error, 120), *sizes)
