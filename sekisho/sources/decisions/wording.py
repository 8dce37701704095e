"""The words in which records tell their status, in English and Japanese: about seventy were met in the wild."""

from __future__ import annotations

import re

from sekisho.decision import DecisionStatus

# The first that matches the beginning of a wording decides: negations and parts come before what they negate.
_WORDINGS: tuple[tuple[DecisionStatus, tuple[str, ...]], ...] = (
    (
        "superseded_in_part",
        (
            r"(?:partially|partly|in part|mostly)[ -]+(?:superseded|superceded|replaced|obsolete|deprecated)",
            r"(?:superseded|superceded|replaced)[ ,(-]+(?:in part|partially|partly)",
            r"一部(?:置換|置き換え|廃止|改訂|差し替え|非推奨)",
        ),
    ),
    (
        "rejected",
        (
            r"(?:reject|declin|withdraw|abandon|cancel|discard|drop|retract|abort|dismiss|refus|veto)\w*|den(?:y|ied)",
            r"not (?:accepted|adopted|approved)|won.?t (?:do|fix)|wontfix|no-?go|closed without|unsuccessful",
            r"不採用|却下|棄却|否決|撤回|取り?下げ|見送り|破棄|採用しない|中止|キャンセル",
        ),
    ),
    (
        "superseded",
        (
            r"supersed(?:ed|es? by)|superce(?:ded|ed)|superseeded|replaced|supplanted|overridden|overtaken",
            r"obsoleted by|置換|置き?換え|差し?替え|上書き|後継|廃止・置換",
        ),
    ),
    (
        "deprecated",
        (
            r"deprecat\w*|obsolet\w*|retired?|outdated|out of date|archived?|expired|histor(?:ic|ical)|legacy|inactive",
            r"decommissioned|removed|sunset\w*|invalid(?:ated)?|stale|unused|discontinued|no longer \w+",
            r"not (?:relevant|valid|in use) any ?more|非推奨|廃止|失効|無効|廃版|旧版|陳腐化",
        ),
    ),
    (
        "proposed",
        (
            r"propos(?:ed|al|ing)|draft\w*|wip|work in progress|in[ -]?(?:progress|review|discussion|development)",
            r"(?:under|for|pending|ready for|awaiting|needs|to be) \w+|under|pending|awaiting|open|rfc|idea|initial",
            r"new|request for comments?|undecided|unapproved|unaccepted|unreviewed|incomplete|ongoing|on[ -]hold",
            r"not (?:yet|implemented|decided|started)|defer\w*|postpon\w*|parked|discuss\w*|considering|exploring",
            r"evaluat\w*|investigat\w*|review(?:ing)?|provisional|planned|suggest\w*|experiment\w*|trial|candidate",
            r"submitted|last call|tentative|partial draft",
            r"試行|未承認|未採用|未決|未定|未実装|起案|起票|提案|検討|レビュー|下書き|ドラフト|草案|保留|議論中|審議中",
            r"承認待ち|作成中|延期",
        ),
    ),
    (
        "accepted",
        (
            r"accept\w*|approv\w*|adopt\w*|agreed|active|applied|done|final|finali[sz]ed|ratified|decided",
            r"decision made|(?:partially |partly |mostly |fully |already )?implement\w*|resolved|complete\w*|in effect",
            r"enacted|valid|current|live|in (?:use|production|force|place)|merged|signed off|confirmed|chosen|selected",
            r"effective|deployed|shipped|released|amended|updated|revised|closed|yes|endorsed|recommended|stable|published",
            r"maintained|ok|binding|settled|standard",
            r"採用|承認|決定|採択|確定|合意|有効|実装|完了|適用|可決|運用中|施行|済|決裁|改訂|改定",
        ),
    ),
)
_PATTERNS = [(status, re.compile(rf"(?:{'|'.join(words)})(?![a-z])")) for status, words in _WORDINGS]
# What may stand before the word itself: marks, emoji, `status:`, `this decision is`.
_LEAD = re.compile(
    r"(?::\w+:|[\W_]|(?:adr |current )?status\b|ステータス|状態|this (?:adr|decision|record|document)\b|本 ?adr"
    r"|(?:is|was|has been|now|currently|marked as)\b|は)+"
)
# Words that are a status in whatever line of a status section, not only in its first.
_SURELY = re.compile(
    r"(?:partially |partly )?(?:super[sc]eded|deprecated|obsolete|rejected|withdrawn|accepted|approved|adopted|proposed"
    r"|implemented)(?![a-z])|replaced by|採用|承認|却下|廃止|置換|非推奨|撤回"
)


def begins_with_status(text: str) -> DecisionStatus | None:
    """The status that a folded wording begins with, behind marks and `status:`; None where it is no word for one."""
    at = _after_lead(text)
    return next((status for status, pattern in _PATTERNS if pattern.match(text, at)), None)


def is_surely_status(text: str) -> bool:
    """Whether a folded line begins with a word that means nothing else."""
    return bool(_SURELY.match(text, _after_lead(text)))


def _after_lead(text: str) -> int:
    lead = _LEAD.match(text)
    return lead.end() if lead else 0
