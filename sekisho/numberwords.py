"""Number words as figures: English through `million`, kanji, and what other languages call small numbers."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import partial

# Digits in groups of three with spaces, else digits with signs between them; what they come to, `figures` says.
FIGURE = r"(?:\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,']\d+)*|(?<!\d)\.\d+)"
_SCALES = {
    **{
        "hundred": 2,
        "thousand": 3,
        "million": 6,
        "billion": 9,
        "trillion": 12,
        "mn": 6,
        "bn": 9,
        "k": 3,
        "m": 6,
        "b": 9,
    },
    **{"百": 2, "千": 3, "万": 4, "億": 8, "兆": 12},
}
_SCALE = re.compile(r"(?:hundred|thousand|million|billion|trillion)(?=s?\b)|[百千万億兆]+", re.IGNORECASE)
_SCALED = re.compile(
    rf"(?<![\d.,'])(?P<figure>{FIGURE})(?:(?:\s|-)?(?P<word>hundred|thousand|million|billion|trillion|mn|bn)s?\b|(?P<k>k)(?!\w))",
    re.IGNORECASE,
)
_MONEY = re.compile(rf"(?<=[$€£¥])\s?(?P<figure>{FIGURE})\s?(?P<word>[kKmMbB])\b")
_DIGITS = {digit: str(value) for value, digit in enumerate("〇一二三四五六七八九")} | {"零": "0"}
_SMALL = {"十": 10, "百": 100, "千": 1000}
# A number only before what is counted, a sign, a letter of another script or the end: 一般に and 三重県 hold none.
_KANJI_RUN = re.compile(
    r"(?<![〇零一二三四五六七八九十百千万億兆])(?!(?<=[統均同単随画])一)(?!十分[になでだ]|万が?一|一番(?!目)|一時[的停期])"
    r"(?:(?<![\d.,])\d+(?:[.,]\d+)*\s?(?=[十百千万億兆]))?"
    r"[〇零一二三四五六七八九十百千万億兆][〇零一二三四五六七八九十百千万億兆\d]*"
    r"(?=[枚台本個名匹頭羽人回度年月日週時分秒円歳才階件点組室社校冊杯着足倍割店種歩段基両棟戸席泊行頁面位等番号条章節項級世箇"
    r"食軒畳坪束袋箱缶皿玉株粒丁通品曲話巻次代列桁票隻艘膳滴升斗合尺寸里貫匁厘毛元弗㎏㎞㎡]|部屋|[^\u4e00-\u9fff〇]|\Z)"
)
# Some, and nobody says how many.
_VAGUE = re.compile(
    r"\b(?:several|many|a few|few|tens of|dozens of|hundreds of)\s(?:hundred|thousand|million|billion|dozen)s?\b"
    r"|\b(?:tens|dozens|scores|hundreds|thousands|millions|billions)(?= of\b)"
    r"|(?<![回個人件点日年総段部枚台本口指係])[数幾][十百千万億兆]+|[一二三四五六七八九十百千万\d]*[十百千万]数(?=\D)",
    re.IGNORECASE,
)
_ORDER = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "eighth": 8, "tenth": 10}
_WORDS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_SHARE = re.compile(
    rf"(?<!and )\b(?P<over>{'|'.join(_WORDS)}|[1-9])[ -](?P<under>{'|'.join(_ORDER)})s?\b(?! floor\b)",
    re.IGNORECASE,
)
_CLOCKED = re.compile(r"(?<![\w.,])(\d{1,2}) ?h ?(\d{2})(?![\w.,:])")  # 1h30
_DOZENS = re.compile(r"(?<![\d.,])(\d+) dozen\b", re.IGNORECASE)
_AND_HALF = re.compile(r"(?<![\d.,])(\d+)(年|時間|[かヶカヵケ箇]月|週間|日|分|倍)半(?![ばか期年])")
_TOGETHER = [
    (
        re.compile(rf"(?<![\d.,])(\d{{1,4}})\s?(?:{many})(?:,?\s(?:and\s)?)?(\d{{1,2}})\s?(?:{few})(?![A-Za-z])"),
        size,
        unit,
    )
    for many, few, size, unit in (
        ("時間|hours?|hrs?|h", "分|minutes?|mins?|m", 60, "min"),
        ("年|years?|yrs?", "[かヶカヵケ箇]月|months?", 12, " months"),
    )
]
_KANJI_PIECE = re.compile(
    r"(?P<figure>\d+(?:\.\d+)?)|(?P<digits>[〇零一二三四五六七八九]+)|(?P<small>[十百千])|[万億兆]"
)
_PARTS = re.compile(r"(?<!\d)(\d+)分の(\d+)")
_BEFORE = [
    (re.compile(r"\bhalf a dozen\b", re.IGNORECASE), "6"),
    (re.compile(r"\b(?:a|one|1) dozen\b", re.IGNORECASE), "12"),
    (re.compile(r"\ban? (?=(?:hundred|thousand|million|billion)\b)", re.IGNORECASE), "1 "),
]
_AFTER = [
    (re.compile(r"\b(?:twice|double|(?:a )?(?:pair|couple) of)\b", re.IGNORECASE), "2"),
    (re.compile(r"\bthrice\b", re.IGNORECASE), "3"),
    (re.compile(r"\b(?:once|single)\b", re.IGNORECASE), "1"),
    (re.compile(r"(?<=\d) and (?:a|one|1) half\b", re.IGNORECASE), ".5"),
    (re.compile(r"\bhalf (?:an?|of)\b|\bhalf(?= [a-z])", re.IGNORECASE), "0.5"),
]
_OTHERS = ("fr", "de", "es", "pt", "it", "nl")


def in_figures(text: str) -> str:
    """A folded text with its number words as figures.

    Other languages than English and Japanese are tried where it then has no figure at all.
    """
    from text_to_num import alpha2digit  # late: a compiled part that only typed numbers need

    text = _VAGUE.sub(" ", text.replace("零下", "マイナス"))
    text = _PARTS.sub(r"\2/\1", kanji_in_figures(text))
    text = _SHARE.sub(_share, text)
    for pattern, figure in _BEFORE:
        text = pattern.sub(figure, text)
    text = _SCALED.sub(_scaled, _MONEY.sub(_scaled, text))
    read = str(alpha2digit(text, "en", 0))
    for pattern, figure in _AFTER:
        read = pattern.sub(figure, read)
    read = _AND_HALF.sub(r"\1.5\2", _DOZENS.sub(lambda match: str(int(match[1]) * 12), read))
    read = _CLOCKED.sub(partial(_summed, 60, "min"), read)
    for together, size, unit in _TOGETHER:
        read = together.sub(partial(_summed, size, unit), read)
    if not any(map(str.isnumeric, read)):
        read = " ".join([read, *(str(alpha2digit(text, language, 0)) for language in _OTHERS)])
    return read


def kanji_in_figures(text: str) -> str:
    """A text with its kanji numerals as figures."""
    return _KANJI_RUN.sub(_kanji, text)


def figures(figure: str) -> frozenset[Decimal]:
    """Every number that digits with commas, stops, spaces or apostrophes between them may be; none for `1.2.3`."""
    figure = re.sub(r"(?<=\d)[ '](?=\d{3}(?!\d))", "", figure)
    signs, parts = re.findall(r"[.,']", figure), re.split(r"[.,']", figure)
    if not signs:
        return frozenset({Decimal(figure)})
    found = set()
    if len(signs) == 1:
        found.add(Decimal(f"{parts[0] or 0}.{parts[1]}"))
    if len(set(signs)) == 1 and _grouped(parts):
        found.add(Decimal("".join(parts)))
    if len(signs) > 1 and signs[-1] not in signs[:-1] and len(set(signs[:-1])) == 1 and _grouped(parts[:-1]):
        found.add(Decimal(f"{''.join(parts[:-1])}.{parts[-1]}"))
    if not found and set(signs) == {","}:
        found |= {Decimal(part) for part in parts}  # a list without spaces
    return frozenset(found)


def scale_of(unit: str) -> Decimal:
    """What a unit such as `million USD` or `万円` multiplies its numbers by."""
    found = _SCALE.match(unit.strip())
    if found is None:
        return Decimal(1)
    words = [found[0].lower()] if found[0].isascii() else list(found[0])
    return Decimal(10) ** sum(_SCALES[word] for word in words)


def _grouped(parts: list[str]) -> bool:
    """Whether digits are in groups of three, or as in India of two before the last; none begins with a nought."""
    head, *groups = parts
    sizes = [len(group) for group in groups]
    even = sizes[-1:] == [3] and (set(sizes[:-1]) <= {3} or set(sizes[:-1]) <= {2})
    return even and 1 <= len(head) <= 3 and not head.startswith("0")


def _scaled(match: re.Match[str]) -> str:
    size = Decimal(10) ** _SCALES[(match.groupdict().get("word") or "k").lower()]
    return " | ".join(format(value * size, "f") for value in sorted(figures(match["figure"]))) or match[0]


def _summed(size: int, unit: str, match: re.Match[str]) -> str:
    return f"{int(match[1]) * size + int(match[2])}{unit}"


def _share(match: re.Match[str]) -> str:
    over = _WORDS.get(match["over"].lower()) or match["over"]
    return f"{over}/{_ORDER[match['under'].lower()]}"


def _kanji(match: re.Match[str]) -> str:
    """A run of kanji numerals in figures: by place (二〇二四) or by size (三万五千, 3万5千)."""
    total, section, digit = Decimal(0), Decimal(0), Decimal(0)
    for piece in _KANJI_PIECE.finditer(re.sub(r"[,\s]", "", match[0])):
        if piece["figure"]:
            digit = Decimal(piece["figure"])
        elif piece["digits"]:
            digit = Decimal("".join(_DIGITS[char] for char in piece["digits"]))
        elif piece["small"]:
            section, digit = section + (digit or 1) * _SMALL[piece["small"]], Decimal(0)
        else:
            total += (section + digit or 1) * Decimal(10) ** _SCALES[piece[0]]
            section, digit = Decimal(0), Decimal(0)
    return format(total + section + digit, "f")
