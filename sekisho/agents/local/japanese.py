"""Yes and no in a Japanese clause: the same words of permission, validity and safety, and the same parts they play."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from sekisho.agents.local.words import NEGATOR_JA, stems

# What ends or carries a predicate. Before another noun the word is only a part of its name: 安全点検, 有効期限, 許可証.
_ENDS = (
    r"(?=$|[\s、。・，,.）)」！!／/？?]|です|だ|で(?![きぎ])|と(?=な|言|い|さ|認|判)|では|じゃ|に(?=な|使|利|行|通|歩)|"
    r"な(?:の|もの)(?=で|だ|は))"
)
_DONE = r"(?=さ[れせ]|し[てたま]|する|いた|済|があ|が(?:出|下)|を(?:出|与)|の(?:上|もと))"
_YES = re.compile(
    rf"(?:可能|安全|有効|無害|大丈夫|歓迎|合格|許可|OK){_ENDS}|(?:許可|歓迎|合格){_DONE}|(?<![許認裁])可{_ENDS}|"
    r"でき(?:る(?!だけ|限り|かぎり)|ます)|済み(?!ません)|済の|(?<!なく)(?<!なくて)(?:て|(?<!なくて)も|は)(?P<good>よい|良い)(?!う)|"
    r"(?:有効|安全|可能)な(?P<noun>[\u3400-\u9fff\u30a0-\u30ff]+)"
)
_NO = re.compile("禁止|不可|危険|有毒|有害|失効|期限切れ|切れ|お断り|断って|遠慮|不合格|中止|故障|毒")
# 食べてはいけない forbids; what it forbids is the verb before it.
_FORBIDDEN = re.compile(
    r"(?P<verb>[\u3400-\u9fff]+)[\u3041-\u309f]{0,4}(?:ては|では|ちゃ)(?:いけ(?:ない|ません)|なら(?:ない|ぬ|ず)|なりません|だめ|ダメ|駄目)"
)
# What is told, thought, planned or not certain.
_DOUBT = re.compile(
    r"と(?:言|い)(?:われ|う(?:噂|話|説))|らし(?:い|く)|かもしれ|はず(?=$|[。だでな])|噂|うわさ|だろう|でしょう|とされ|と思|と考え|と聞|とのこと|"
    r"(?:確|定)かで(?:は|も)?(?:な|あり)|不確か|不明|(?:分|わ)から(?:な|ず|ぬ)|疑(?:い|わ|問|う)|恐らく|おそらく|たぶん|多分|"
    r"予定|計画|検討|見込|つもり|期待|そうだ(?=[。]|\Z)|ようだ|ようで"
)
# Where a reason or an aside ends: a denial after it is no denial of it.
_PART_END = re.compile(r"[、。]|ので|から|ため|けれ?ど|のに")
_ORDER = re.compile(r"(?:くださ[いる]|下さい|ましょう|なさい|願い(?:ます|致します|いたします)?|こと)[\s。！!）)」]*\Z")
_CONDITION = re.compile(
    r"前(?:に|は|には)|とき|(?<=[るたい])時(?![間期代])|場合|なら|たら|れば|(?<=[るたい])際|まで|かどうか|ため(?:に|の)|よう(?:に|、)|\Aか(?!ら)"
)
_IF = re.compile("れば|たら(?!す)|(?:る|い|た|の)なら(?!ない)")
_NEAR = 8
_ONLY = re.compile(r"(?P<who>[\u3400-\u9fff\u30a0-\u30ff々ー]{1,12})(?:の方|の人)?(?:のみ|だけ|に限|しか)")
# Said of the field's own word right before, or of whatever comes in between.
_THERE = re.compile("(?:が|も)(?:あ[るり]|い(?:る|ます))|付き")
_MAY = re.compile("(?:入れ|使え|られ)(?:る|ます)|され(?:て|る|ます)")
_PART = re.compile("[、。]")


def polarity(text: str, field: str | None) -> float:
    """As `sekisho.agents.local.polarity.polarity` counts it, for the Japanese words of yes and no."""
    if _DOUBT.search(text):
        return 0.0
    forbidden = [one["verb"] for one in _FORBIDDEN.finditer(text)]
    if forbidden:
        # What is forbidden may be another thing than the field is called after: 毒があるので触ってはいけない.
        is_own = field is None or any(set(verb) & set(field) for verb in forbidden)
        return -1.0 if is_own else 0.0
    total = 0.0
    for match in _YES.finditer(text):
        is_own = not match["noun"] or field is None or _is_of(match["noun"], field)
        if is_own and not is_silent(text, match.end(), field):
            total += -1.0 if _is_turned(text, match.start(), match.end()) else 1.0
    for match in _NO.finditer(text):
        total -= -1.0 if _is_turned(text, match.start(), match.end()) else 1.0
    return total


def denies(text: str) -> bool:
    """Whether a word forbids or fails."""
    return _NO.search(text) is not None


def own(text: str, roots: Iterable[str], start: int, end: int, field: str | None) -> float:
    """1, -1 or 0: whether the field's own words in this stretch of a clause are there, are denied, or a mere topic."""
    if _DOUBT.search(text) or _FORBIDDEN.search(text):
        return 0.0
    stop = max(place + len(root) for root in roots if (place := text.rfind(root, start, end)) >= 0)
    if text.startswith("の", stop):
        return 0.0
    is_denied = NEGATOR_JA.search(text, stop) is not None
    if is_silent(text, stop, field):
        return -1.0 if is_denied and _ORDER.search(text) else 0.0
    return -1.0 if is_denied else float(bool(_THERE.match(text, stop) or _MAY.search(text, stop)))


def is_silent(text: str, at: int, field: str | None) -> bool:
    """Whether a clause orders, supposes what is said up to this place, or says it of some alone."""
    rest = _PART.split(text[at : at + _NEAR], maxsplit=1)[0]
    if _CONDITION.search(rest) or _IF.search(text, _last_stop(text, at), at):
        return True
    return _is_no_statement(text, field)


@lru_cache(maxsize=64)
def _is_no_statement(text: str, field: str | None) -> bool:
    """Whether the whole clause is an order, or holds for others alone than those that the field names."""
    if _ORDER.search(text):
        return True
    return field is not None and any(not _is_of(match["who"], field) for match in _ONLY.finditer(text))


def _last_stop(text: str, at: int) -> int:
    return max(text.rfind("、", 0, at), text.rfind("。", 0, at)) + 1


def _is_turned(text: str, start: int, end: int) -> bool:
    part = _PART_END.search(text, end)
    is_denied = NEGATOR_JA.search(text, end, part.start() if part else len(text)) is not None
    return is_denied != text[:start].endswith(("未", "非", "不", "無"))


def _is_of(words: str, field: str) -> bool:
    pairs = frozenset(stems(words))
    return words in field or (bool(pairs) and pairs <= frozenset(stems(field)))
