"""The keys of front matter and the labels of fields that records use, as `folded_key` spells them."""

from __future__ import annotations

from sekisho.decision import LinkKind

STATUS_KEYS = ("status", "adrstatus", "decisionstatus", "state", "ステータス", "状態")
ID_KEYS = ("id", "adrid", "adr", "number", "adrnumber", "no", "番号")
TITLE_KEYS = ("title", "name", "タイトル", "件名")
SUMMARY_KEYS = ("summary", "tldr", "abstract", "description", "excerpt", "要約", "概要", "サマリ", "サマリー")
_DECIDED = ("date", "decisiondate", "dateofdecision", "decided", "decidedon", "datedecided", "決定日", "日付")
_ACCEPTED = ("accepted", "acceptedon", "accepteddate", "approved", "approvedon", "承認日")
_WRITTEN = (
    "created",
    "createdat",
    "createdon",
    "creationdate",
    "proposed",
    "proposedon",
    "startdate",
    "起票日",
    "作成日",
    "日時",
)
_TOUCHED = ("lastupdated", "updated", "lastmodified", "更新日")
# The date of the decision before that of its writing.
DATE_KEYS = (*_DECIDED, *_ACCEPTED, *_WRITTEN, *_TOUCHED)

_SUPERSEDES = ("supersedes", "supercedes", "replaces", "obsoletes", "置換対象", "置換元")
_SUPERSEDED_BY = ("supersededby", "supercededby", "replacedby", "obsoletedby", "置換先", "後継")
_AMENDS = ("amends", "revises", "modifies", "改訂対象", "改定対象")
_AMENDED_BY = ("amendedby", "revisedby", "partiallysupersededby", "改訂元")
_RELATED = ("relates", "relatesto", "related", "relatedto", "relatedadrs", "relateddecisions", "seealso")
_OTHER_LINKS = (
    "dependson",
    "refines",
    "extends",
    "links",
    "references",
    "関連",
    "関連adr",
    "関連する決定",
    "参照",
    "前提",
)
# What stands in a key is a link of this kind; the truth value says that it is about a part.
LINK_KEYS: dict[str, tuple[LinkKind, bool]] = {
    **dict.fromkeys(_SUPERSEDES, ("supersedes", False)),
    **dict.fromkeys(_AMENDS, ("supersedes", True)),
    **dict.fromkeys(_SUPERSEDED_BY, ("superseded_by", False)),
    **dict.fromkeys(_AMENDED_BY, ("superseded_by", True)),
    **dict.fromkeys((*_RELATED, *_OTHER_LINKS), ("relates", False)),
}
