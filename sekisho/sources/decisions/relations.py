"""What the words around a reference say of it: superseded by it, superseding it, in part, or just related."""

from __future__ import annotations

import re

from sekisho.decision import LinkKind

# Before the reference. The nearest decides; the truth value says that it is about a part.
_BEFORE: tuple[tuple[LinkKind, bool, str], ...] = (
    ("superseded_by", False, r"super[sc]ee?ded|replaced (?:by|with)|supplanted by|overridden by|obsoleted by"),
    ("superseded_by", False, r"(?:deprecated|obsolete|removed|retired) (?:by|in favou?r of|since)"),
    ("superseded_by", False, r"置換先|後継|置き換え先"),
    ("superseded_by", True, r"(?:amended|revised|modified|updated) (?:by|in)\b|改訂元|改定元"),
    ("supersedes", False, r"super[sc]edes?\b|super[sc]eding|replaces|obsoletes|overrides|supplants"),
    ("supersedes", False, r"置換対象|置換元|旧版"),
    ("supersedes", True, r"\bamends|\brevises|\bmodifies|改訂対象|改定対象|一部改訂"),
    ("relates", False, r"relate[sd]?\b|see also\b|refines|extends|clarifie[sd]|complements|\brefs?\b"),
    ("relates", False, r"depends on|builds on|based on|influence|enable|require|関連|参照|前提|依存|補完"),
)
# Right behind it, as Japanese has it, perhaps after a section: `ADR-0027 §2 を改訂する`.
_BEHIND: tuple[tuple[LinkKind, bool, str], ...] = (
    ("superseded_by", True, r"(?:に|によって|により)\s*(?:より)?\s*(?:一部|改訂|改定)"),
    ("superseded_by", False, r"(?:に|で|によって|により|へ)\s*(?:より)?\s*(?:置換|置き?換|差し?替|廃止)"),
    ("supersedes", True, r"を\s*(?:一部|部分的|改訂|改定)"),
    ("supersedes", False, r"を\s*(?:置換|置き?換|差し?替|廃止|破棄|上書き)"),
    ("superseded_by", False, r"(?:supersedes|replaces|obsoletes) this"),
)
# Further behind, where nothing stands before it.
_FURTHER: tuple[tuple[LinkKind, bool, str], ...] = (
    ("supersedes", False, r"[^.\n]{0,20}which (?:this|it) (?:decision |adr |record )?(?:supersedes|replaces)"),
    ("superseded_by", False, r"[^.\n]{0,60}(?<!is )(?<!was )\bsuperseded\b"),
)
_SECTION_BETWEEN = r"[^\S\n]*(?:の?\s*§?[\d.章節項一部]+)?[」』）)]?\s*"
_PART = re.compile(
    r"\b(?:partial(?:ly)?|partly|in part|parts? of|portions? of|(?:some|aspects) of|the rest|remainder)\b"
    r"|\bstill (?:valid|appl\w+)|\bparts?\s*(?:is|are|was|were)\b"
    r"|\b(?:sections?|components?|items?|points?|parts?|steps?|clauses?|chapters?)\s+[\dA-D]\b"
    r"|§|一部|部分的|[\d一二三]\s*(?:節|項|章)",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(
    r"\b(?:this|the present)\s+(?:(?:part|section|aspect|portion)s?\s+of\s+(?:this|the)\s+)?"
    r"(?:adr|decision|record|document|proposal|design|approach|part|section)\b"
    r"|\bwe (?:hereby )?(?:supersede|replace)|\bit (?:also )?supersedes"
    r"|本\s*(?:adr|決定|書|文書|記録)|この\s*(?:adr|決定|記録)",
    re.IGNORECASE,
)


_Patterns = list[tuple[LinkKind, bool, re.Pattern[str]]]


def _compiled(table: tuple[tuple[LinkKind, bool, str], ...], lead: str = "") -> _Patterns:
    return [(kind, part, re.compile(lead + f"(?:{pattern})", re.IGNORECASE)) for kind, part, pattern in table]


_NEAR = 300  # characters before a reference in which its word is looked for
_BEFORE_PATTERNS = _compiled(_BEFORE)
_BEHIND_PATTERNS = _compiled(_BEHIND, _SECTION_BETWEEN)
_FURTHER_PATTERNS = _compiled(_FURTHER)


class Sentence:
    """A sentence, in which the references themselves are made blank."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._partial = bool(_PART.search(text))
        self._of_itself = bool(_OF_ITSELF.search(text))

    def says(self, start: int, end: int, default: LinkKind | None) -> tuple[LinkKind, bool]:
        """What is said of the reference at `start` to `end`, and whether of a part; `default` where nothing is."""
        said = self._behind(_BEHIND_PATTERNS, end) or self._before(start) or self._behind(_FURTHER_PATTERNS, end)
        kind, part = said or (default or "relates", False)
        return kind, part or self._partial

    def speaks_of_itself(self, kind: LinkKind, *, another_before: bool) -> bool:
        """Whether running text says it of its own record; `ADR-9 supersedes ADR-5` says it of another."""
        if kind == "supersedes" and not another_before and re.search(r"\bsuper[sc]edes\b", self._text):
            return True
        return self._of_itself

    def _behind(self, patterns: _Patterns, end: int) -> tuple[LinkKind, bool] | None:
        return next(((kind, part) for kind, part, pattern in patterns if pattern.match(self._text, end)), None)

    def _before(self, start: int) -> tuple[LinkKind, bool] | None:
        found = [
            (m.start(), kind, part)
            for kind, part, pattern in _BEFORE_PATTERNS
            for m in pattern.finditer(self._text, max(0, start - _NEAR), start)
        ]
        return max(found)[1:] if found else None


def announced(text: str) -> LinkKind | None:
    """The kind that a label or heading announces for what stands under it."""
    return next((kind for kind, _, pattern in _BEFORE_PATTERNS if pattern.search(text)), None)
