"""What the headings of decision records mean, in English and Japanese."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

Section = Literal[
    "",
    "status",
    "date",
    "people",
    "changelog",
    "context",
    "decision",
    "options",
    "consequences",
    "links",
    "supersedes",
    "superseded_by",
    "summary",
]

_NAMES: dict[Section, str] = {
    "status": r"(?:adr |current )?(?:status|state)|ステータス|状態",
    "date": r"(?:decision |creation )?dates?|日付|決定日|日時",
    "people": r"(?:authors?|deciders?|decision[- ]makers?|participants?|stakeholders?|owners?|consulted|informed)"
    r"(?: (?:&|and) \w+)?|決定者|作成者|関係者|承認者",
    "changelog": r"change ?log|changes|(?:change |revision |document |version )?history|revisions?|amendments?"
    r"|(?:変更|改訂|改定|更新|改版)?履歴",
    "context": r"(?:context|problem|background|motivation|issue|introduction|intro|overview|situation)s?"
    r"(?: (?:and|&) (?:problem(?: statement)?|context|motivation|background))?|problem statement"
    r"|(?:背景|コンテキスト|文脈|課題|経緯|問題|目的|現状|状況|概況|動機)(?:(?:と|及び|および|・)(?:課題|問題|目的|背景|問題提起))?",
    "decision": r"(?:the |our |final |proposed )?(?:decisions?|resolution|outcome|solution)"
    r"(?: outcomes?| made| taken| statement| summary| details?)?|conclusions?|chosen (?:option|solution|approach)"
    r"|proposals?|what.?s proposed|y[- ]statement|(?:最終)?(?:決定|結論|採用)(?:事項|内容|結果|案|方針)?|意思決定|決断",
    "options": r"(?:considered |alternative |possible |available )?(?:options?|alternatives?|solutions)(?: considered)?"
    r"|pros and cons(?: of the (?:options|alternatives))?"
    r"|(?:検討した|検討|考慮した)?(?:代替案|選択肢|候補|案)(?:の検討|の比較)?|比較",
    "consequences": r"(?:positive |negative |neutral )?(?:consequences?|implications?|impacts?|results?|trade-?offs?)"
    r"|(?:影響|結果|帰結|トレードオフ|メリット|デメリット)(?:と\w+)?",
    "links": r"links?|(?:related|relevant|linked)(?: \w+)?|relat(?:ions|es)(?: to)?|references?|see also"
    r"|more info(?:rmation)?|further reading|appendix|notes?"
    r"|関連(?:する)?(?:adr|決定|文書|資料|リンク|情報|ドキュメント)*|参照|参考(?:文献|資料|情報|リンク)?|リンク|備考",
    "supersedes": r"supersedes|replaces",
    "superseded_by": r"superseded(?: by)?|replaced by",
    "summary": r"(?:executive )?summary|tl;?dr|abstract|synopsis|要約|サマリー?|概要",
}
_PATTERNS = [(section, re.compile(pattern)) for section, pattern in _NAMES.items()]
_LEAD = re.compile(r"^(?:\W|_|\d{1,2}[.)]\s|第\d+[章節])+")


@lru_cache(maxsize=4096)
def section_of(heading: str, whole: bool = False) -> Section:
    """What a heading says its section is, with `whole` by all of its words; nothing where it says something else."""
    text = unicodedata.normalize("NFKC", heading).replace("’", "'").casefold().strip()
    inside = re.findall(r"\(([^()]*)\)", text)
    text = re.sub(r"\([^()]*\)", " ", text)
    for part in [text] if whole else [text, *re.split(r"[/|:]", text), *inside]:
        name = _LEAD.sub("", part).strip(" .:*_`-")
        name = re.sub(r"\s+", " ", name)
        for section, pattern in _PATTERNS:
            if pattern.fullmatch(name):
                return section
    return ""
