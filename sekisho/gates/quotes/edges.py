"""Whether a quote begins or ends inside a word, a number, a date or a quantity."""

from __future__ import annotations

import re

from sekisho.gates.quotes.prepared import Prepared
from sekisho.text.folding import is_cjk

_JOINTS = "-'./_@:,&+#^"
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]")
# 無効, 不可, 未承認, 非公開; not 有無, 皆無, 是非.
_DENYING = re.compile("(?<![有皆絶虚是])[無不未非反否]\\Z")
# What stands before a word and makes another one of it, in Japanese: 副|部長, 反|ワクチン.
_PREFIX = re.compile("(?<![\u4e00-\u9fff々ヶ0-9])[副前元旧新準反非脱仮偽故超再最全総両半無未不東西南北]\\Z")
_PREFIXED = re.compile("[\u4e00-\u9fff\u30a1-\u30fa]")
# Han words that are followed by another one without a particle between them: times, counted things, conjunctions.
_FREE = re.compile(
    "(?:[昨来去今毎翌同当先前次](?:年度?|月|週|日|朝|夜|晩|春|夏|秋|冬|期|回|年中)|今日|本日|明日|昨日|現在|当時|当初|"
    "以前|以後|以降|以来|最近|近年|先日|通常|普段|平日|休日|原則|一般|例年|毎時|常時|随時|適宜|午前|午後|"
    "[0-9〇一二三四五六七八九十百千万億数][年月日時分秒回度人名円個件枚本台歳割倍点部]間?|[0-9]|全部|全員|各自|"
    "前後|程度|以上|以下|以内|未満|等|他|後|前|中|時|際|上|間|毎|頃)\\Z"
)
_HAN = re.compile("[\u4e00-\u9fff\u3400-\u4dbf々]")
_RUN = re.compile(f"{_HAN.pattern}+\\Z")
_RUN_ON = re.compile(f"{_HAN.pattern}+")
_NUMERAL = re.compile("[〇一二三四五六七八九十百千万億兆]")
_NUMBER_WORD = (
    r"(?i:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|"
    r"thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|trillion|dozen)"
)
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_UNIT_WORDS = (
    r"(?i:hundred|thousand|million|billion|trillion|dozen|lakh|crore|per\s?cent|percentage|points?|degrees?|"
    r"(?:milli|micro|nano|kilo|centi|mega|giga)?(?:met(?:er|re)s?|grams?|lit(?:er|re)s?|seconds?|watts?|volts?|bytes?)|"
    r"inch(?:es)?|f(?:oo|ee)t|yards?|miles?|acres?|hectares?|pounds?|ounces?|ton(?:ne)?s?|gallons?|minutes?|hours?|"
    r"days?|weeks?|months?|quarters?|years?|decades?|centur(?:y|ies)|times|fold|euros?|dollars?|cents?|pence|yen|"
    r"francs?|rupees?|yuan|kronor|o'clock|[ap]\.?m\.?)"
)
_UNIT_SIGNS = (
    r"(?:[kKGMTmµμnpcdh]?(?:g|m|s|L|l|A|V|W|Hz|Pa|J|N|K|B|b|bit|mol|M|Wh|eV|Da|Ω|F|C)(?:[²³]|/\w+)?|bn|kbps|Mbps|Gbps|"
    r"rpm|ppm|ppb|mph|psi|dB|lbs?|oz|ft|yd|hrs?|min|USD|EUR|GBP|JPY|CHF|BC|AD)"
)
_AFTER_NUMBER = re.compile(
    rf"[・(]\w{{1,4}}\)|・\d|\sor\s[$€£¥]?(?:\d|{_NUMBER_WORD}\b)|\s?(?:[%‰°′″²³⁰-⁹×^±]|(?:{_UNIT_WORDS}|{_UNIT_SIGNS})(?![\w'-])|(?:-|~|to|through)\s?[$€£¥]?\d|[xX/]\s?\d|\s\d{{3}}(?!\d)|{_MONTH})|"
    r",?\s(?:1[5-9]|20)\d\d\b|[\u4e00-\u9fff\u30a1-\u30faヶ]|か月|つ"
)
_AFTER_NUMBER_WORD = re.compile(
    rf"\s(?:and\s(?:a|one|three)\s(?:half|quarters?|thirds?)|{_UNIT_WORDS}|(?:or|to)\s{_NUMBER_WORD})(?![\w'])|"
    rf"[\s-](?:and\s)?(?:{_NUMBER_WORD}|one)\b",
    re.IGNORECASE,
)
_ENDS_IN_NUMBER_WORD = re.compile(rf"(?<![\w'-])(?:{_NUMBER_WORD}|one)\Z", re.IGNORECASE)
# A range or a rate of which only the first half is quoted.
_RANGE = re.compile(r"\b(?:between|from)\s[^,.;]{0,20}\Z", re.IGNORECASE)
_AFTER_RANGE = re.compile(rf"(?:\s\w+)?\s(?:and|to|until|or)\s[$€£¥]?(?:\d|{_NUMBER_WORD}\b)")
_RATED = re.compile(rf"(?:\d\S{{0,12}}|\b{_NUMBER_WORD})(?:\s[^\s.,;]{{1,12}})?\Z")
_RATE = re.compile(r"\sper\s\w+")
_HEDGE = (
    r"(?i:max(?:imum)?\.?|min(?:imum)?\.?|(?:maximum|minimum|limit|cap|excess|upwards?) of|"
    r"as (?:many|much|few|little) as|(?:one|two|three|\d+) (?:in|out of)(?: every)?)|"
    r"about|around|approximately|approx\.|roughly|nearly|almost|over|under|above|below|than|at least|at most|up to|"
    r"minus|plus|circa|ca\.|USD|EUR|GBP|Rs\.?"
)
_BEFORE_NUMBER = re.compile(
    rf"(?:[$€£¥₩₹±≈≤≥<>×~+=]|(?<![^\s(\[])-|\b(?:{_HEDGE})|\d\S{{0,6}}\s?(?:-|~|・|to|or|through|x)|"
    rf"(?i:between|from)\s\S{{1,12}}(?:\s\w+)?\s(?:and|to)|\d\s?|{_MONTH}|"
    rf"\b{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?,?)\s?\Z"
)
_BEFORE_NUMBER_WORD = re.compile(
    rf"(?:(?<![\w'])(?:{_NUMBER_WORD}|one|an?|several|few|many)(?:\sand)?|\d|"
    r"(?i:\bthan|at (?:least|most)|up to|nearly|almost|"
    r"roughly|approximately|(?:maximum|minimum|limit|upwards?) of|(?:one|two|three) (?:in|out of)(?: every)?))[\s-]\Z",
    re.IGNORECASE,
)
_BEFORE_NUMBER_JA = re.compile(
    "(?:(?<![人件回個総枚点複手度関])数|何|幾|第|午前|午後|約|およそ|最大|最低|最小|最高|最長|最短|上限|下限|マイナス|零下|氷点下|令和|平成|昭和|月額|年額|日額|時給|日給|あたり|当たり|につき|(?<=[はがの、])[年月週日]|わずか|たった|ほぼ|"
    "[0-9〇一二三四五六七八九十百千万億兆][年月日時分]?)\\Z"
)
_RAISED = "\u00b2\u00b3\u00b9\u2070\u2074\u2075\u2076\u2077\u2078\u2079"
_DAY = re.compile(r"\d(?:st|nd|rd|th)?\s(?:of\s)?\Z")
_COUNTED = re.compile("[0-9〇一二三四五六七八九十百千万億兆][^\\s、。\u3041-\u3096]{0,4}\\Z|[%]\\Z")
_COUNTER = re.compile("[\u4e00-\u9fff\u30a1-\u30faヶ]|か月|つ")
_COUNTED_BY = re.compile("[日月年時分秒円人個件回割倍名歳枚冊台本階週泊度点位頁章条項号歩杯匹]")
_LIMITS = re.compile(
    "未満|以下|以上|以内|以降|以前|超|を超|を上回|を下回|まで|から|より|ほど|前後|程度|弱|強|余り|あまり|半(?!ば)"
)
_DIGIT_OR_NUMERAL = re.compile(r"[0-9]|" + _NUMERAL.pattern)
_STARTS_IN_NUMBER_WORD, _STARTS_IN_MONTH = re.compile(_NUMBER_WORD + r"\b"), re.compile(_MONTH)
# How a quote ends and how the text goes on where both together are one quantity. What follows is looked at first: it is
# tied to its place, so that most are ruled out at a glance.
_GO_ON = (
    (re.compile(_MONTH + r"\Z"), re.compile(r"\s\d{1,4}\b")),
    (_ENDS_IN_NUMBER_WORD, _AFTER_NUMBER_WORD),
    (_COUNTED, _LIMITS),
    (_RANGE, _AFTER_RANGE),
    (_RATED, _RATE),
)
_WINDOW = 40


def left_out_before(source: Prepared, at: int, floor: int) -> str:
    """What of a word or quantity a quote that begins at `at` leaves out; `floor` is where its block begins."""
    text = source.text
    if at <= floor:
        return ""
    if _splits(source, at, floor, len(text)):
        return _last_token(text[max(floor, at - _WINDOW) : at])
    before, first = text[max(floor, at - _WINDOW) : at], text[at : at + _WINDOW]
    if _HAN.match(first) and _DENYING.search(before):
        return before[-1]
    if not first[0].isascii() and not _is_spaced(source, at) and (found_within := _cut_run(before, first)):
        return found_within
    counter = _COUNTER if before[-1].isdigit() else _COUNTED_BY
    if (before[-1].isdigit() or _NUMERAL.match(before[-1])) and counter.match(first):
        return before[-1]
    found: re.Match[str] | None = None
    if first[0].isdigit() or (first[0] in "$€£¥-+" and first[1:2].isdigit()):
        found = _BEFORE_NUMBER.search(before) or _BEFORE_NUMBER_JA.search(before)
    elif _STARTS_IN_NUMBER_WORD.match(first):
        found = _BEFORE_NUMBER_WORD.search(before)
    elif _NUMERAL.match(first):
        found = _BEFORE_NUMBER_JA.search(before)
    elif _STARTS_IN_MONTH.match(first):
        found = _DAY.search(before)
    return found[0].strip() if found else ""


def _cut_run(before: str, after: str) -> str:
    """What of a run of Han a place leaves before it, where the run is one word: 東|京都, 副|部長."""
    if _PREFIXED.match(after) and (prefix := _PREFIX.search(before)):
        return prefix[0]
    if not (_HAN.match(before[-1]) and _HAN.match(after)):
        return ""
    run = _RUN.search(before)
    return run[0] if run and not _FREE.search(before) and not _NUMERAL.match(after) else ""


def left_out_after(source: Prepared, at: int, ceiling: int) -> str:
    """What of a word or quantity a quote that ends before `at` leaves out; `ceiling` is where its block ends."""
    text = source.text
    if at >= ceiling:
        return ""
    if _splits(source, at, 0, ceiling):
        return text[at : min(ceiling, at + _WINDOW)].split(maxsplit=1)[0]
    last, after = text[max(0, at - _WINDOW) : at], text[at : min(ceiling, at + _WINDOW)]
    run = _RUN_ON.match(after) if not after[0].isascii() and _HAN.match(last[-1]) else None
    if run and not (_FREE.search(last) or _NUMERAL.match(after) or _is_spaced(source, at)):
        return run[0]
    found: re.Match[str] | None = None
    if last[-1].isdigit():
        found = _AFTER_NUMBER.match(after)
    elif last[-1] in "年月日時" or _NUMERAL.match(last[-1]):
        found = _DIGIT_OR_NUMERAL.match(after)
    for ends, goes_on in _GO_ON:
        if found is None and (further := goes_on.match(after)) and ends.search(last):
            found = further
    return found[0].strip() if found else ""


def _splits(source: Prepared, at: int, floor: int, ceiling: int) -> bool:
    """Whether a place lies inside a token: between two letters or digits, or beside a joint between two of them."""
    text = source.text
    before, after = text[at - 1], text[at]
    if text.startswith("- ", at) or text.endswith("- ", floor, at):
        hyphen = at if after == "-" else at - 2
        inner = text[hyphen + 2 : hyphen + 3]
        return text[hyphen - 1].isalpha() and inner.isalpha() and _breaks_line(source, hyphen)
    if before.isalnum() and after.isalnum():
        if is_cjk(before) or is_cjk(after):
            return bool(_KATAKANA.match(before) and _KATAKANA.match(after))
        return True
    if before in _JOINTS and at - 2 >= floor:
        joint = at - 1
    elif after in _JOINTS and at + 1 < ceiling:
        joint = at
    else:
        return False
    return _joins(source, text[joint - 1], joint, text[joint + 1])


def _is_spaced(source: Prepared, at: int) -> bool:
    """Whether a space, which folding takes out between Han, stands before a place in the original."""
    gap = source.original[source.words.ends[at - 1] : source.words.starts[at]]
    return bool(gap) and not gap.strip() and "\n" not in gap


def _breaks_line(source: Prepared, at: int) -> bool:
    """Whether a hyphen stands at the end of a line, so that the word goes on in the next."""
    return "\n" in source.original[source.words.ends[at] : source.words.starts[at + 2]]


def _joins(source: Prepared, outer: str, at: int, inner: str) -> bool:
    """Whether a sign between two characters makes one token of them: non-public, 3.5, 12:30, can't, and/or."""
    if not (outer.isalnum() and inner.isalnum()) or is_cjk(outer) or is_cjk(inner):
        return False
    joint = source.text[at]
    if joint == "-":
        return source.original[source.words.starts[at]] not in "—―"
    if joint == ",":
        return outer.isdigit() and inner.isdigit()
    if joint == ":":
        return outer.isdigit() == inner.isdigit()
    return not (joint == "." and (inner in _RAISED or (outer.islower() and inner.isupper())))


def _last_token(text: str) -> str:
    return text.split()[-1] if text.split() else ""
