"""The marks at the start of a line: of a quotation, a heading, a list's item, a table, a fence, a link's target."""

from __future__ import annotations

import re

from sekisho.text.folding import fold_needle

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})[^`\r\n]*")
TILDES = re.compile(r"~{4,}[ \t]*")
# Possessive, so that a long run of blanks or dashes is read once.
RULE = re.compile(
    r"[ \t]*+(?:([=\-~^\"'`#*+_])\1{2,}+|[=\-+:|]{2,}+(?:[ \t]++[=\-+:|]{2,}+)++|([-*_])(?:[ \t]++\2){2,}+)[ \t]*+"
)
TABLE_RULE = re.compile(r"[ \t]*+\|?[ \t]*+:?-{2,}+:?[ \t]*+(?:\|[ \t]*+:?-{2,}+:?[ \t]*+)*+\|?[ \t]*+")
LABEL = re.compile(r"[ \t]{0,3}\[(\^?[^\[\]\r\n]{1,200})\]:[ \t]*")
QUOTE = re.compile(r"[ \t]{0,3}>(?:(?![>=\d]|\s*\d)|>(?=[ \t]*[^\W\d]))[ \t]?")
# The same beside another line of the quotation: what follows may be a figure.
QUOTED_ON = re.compile(r"[ \t]{0,3}>{1,2}(?![>=])[ \t]?")
QUOTED = re.compile(r"[ \t]{0,3}>{1,2}(?![>=])[ \t]*[^\s>]")
HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
HEADING_TAIL = re.compile(r"(?<!\s)(?:\s+#+)?(?:\s*\{#[\w.:-]+\})?\s*\Z")
ITEM = re.compile(
    r"[ \t]*(?:[-*+•‣◦▪●○][ \t\u3000]+(?:\[[xX]\][ \t]+)?|・[ \t\u3000]*|(?:(?:\d{1,3}|#)[.)]|[a-z]\))[ \t\u3000]+|"
    r"\d{1,3}[．）](?!\d)[ \t\u3000]*|[(（](?:\d{1,3}|[a-z]|[一二三四五六七八九十]{1,3})[)）][ \t\u3000]*|"
    r"[①-⑳][ \t\u3000]*|[一二三四五六七八九十]{1,3}[ \u3000])"
)
# What opens a paragraph of a Japanese text without a blank line: an indent, an article, a heading's sign.
OPENS = re.compile(r"\u3000|第[0-9０-９一二三四五六七八九十百]+[条章節項]|[■◆◇□▼▲※★☆【〔＜]")
ENDED = re.compile(r"[.:;!?。：；！？」』）)]\s*\Z")
# A line that is no longer than this may be what introduces a list of one item.
SHORT = 30
# A number of several levels opens a paragraph where its neighbour opens one too: 1.1 and 1.2, not `3.5 million`.
LEVELS = re.compile(r"[ \t]*(\d{1,2}(?:\.\d{1,2}){1,4})\.?[ \t\u3000]+(?=[A-Z][a-z ]|[^\x00-\x7f])")
YAML = re.compile(r"[^\S\r\n]|[#\-]|[\w\"'][^:\r\n]*:(?=\s|\Z)|\Z")
BARS = re.compile(r"(?<!\\)\|")


def number_of(mark: str) -> str:
    """The letters and digits of a list's mark: `7` of `7.`, `a` of `(a)`, nothing of a bullet."""
    return "".join(char for char in fold_needle(mark) if char.isalnum() or char == ".").strip(".")
