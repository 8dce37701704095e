"""Whether a quote is long enough to say anything: two words with a meaning of their own, or their like in Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sekisho.gates.quotes.english_words import listed
from sekisho.text.folding import fold_needle, is_cjk

_EDGES = " -*_`#>|\\•・\"'「」『』()[]{}<>《》〈〉【】〔〕"
_WORD = re.compile(r"[^\W_]+(?:['./:@_%-][^\W_]+)*%?")
_RUN = re.compile(
    r"[\u4e00-\u9fff\u3400-\u4dbf々〆]+|[\u30a1-\u30fa\u30fc]+|[\u3041-\u3096\u309d\u309e]+|[\uac00-\ud7af]+|"
    r"[^\u4e00-\u9fff\u3400-\u4dbf々〆\u30a1-\u30fa\u30fc\u3041-\u3096\u309d\u309e\uac00-\ud7af]+"
)
_LONG_RUN = re.compile(r"[\u4e00-\u9fff\u3400-\u4dbf々〆]{2,}|[\u30a1-\u30fa\u30fc]{2,}")
_STOP = listed("""
    a about above after again all also am an and any are as at be because been before being below between both
    but by can could did do does doing down during each every few for from further had has have having he her
    here hers him his how i if in into is it its just may me might more most much must my now of off on once one
    only or other our out over own per same shall she should so some such than that the their them then there
    these they this those through to too under until up upon us very was we were what when where whether which
    while who whom whose why will with within would yes yet you your
""")
# Japanese that says nothing alone: endings, particles, formal nouns.
_STOP_JA = re.compile(
    "(?:です|ます|ました|ません|でした|である|であった|だった|する|した|して|される|された|いる|ある|なる|なった|こと|もの|ため|とき|ところ|よう|これ|それ|あれ|"
    "この|その|あの|ここ|そこ|また|しかし|そして|および|または|など|まで|から|より|ので|のに|けれど|ない|なかった|なく|しない|"
    "[はがをにでとものへやかねよ])+"
)
_FORMAL = listed("場合 時 事 物 者 所 方 為 上 下 中 内 外 間 際 後 前 他 等 的 性 化 点 件 例 今 次 各")
_FEW_LETTERS = 4
_FEW_CJK = 6
_SURE = 3
_MANY_WORDS, _MANY_LETTERS = 8, 24


def is_empty(words: str) -> bool:
    """Whether folded words show nothing but white space, quotation marks, brackets and marks."""
    return not (words[:1].isalnum() or words.strip(_EDGES))


def is_too_short(words: str) -> bool:
    """Whether words are a single word, stop words alone, or under four letters and digits (one of Chinese,
    Japanese or Korean counts twice; two are enough where one is a digit)."""
    if _are_plain(words) if words.isascii() else _are_runs(words):
        return False
    found = tokens = meant = weight = 0
    for word in _WORD.finditer(words):
        found += 1
        for token in _tokens(word[0]):
            tokens += 1
            if _means(token):
                meant += 1
                weight += 2 if is_cjk(token[0]) else 1  # at least
                if meant >= _SURE or (meant > 1 and weight >= _FEW_LETTERS):
                    return False
    if found > _MANY_WORDS or (not words.isascii() and sum(map(len, _WORD.findall(words))) > _MANY_LETTERS):
        return False
    weight = sum(2 if is_cjk(char) else 1 for char in words if char.isalnum())
    if weight < (2 if any(char.isdigit() for char in words) else _FEW_LETTERS):
        return True
    if meant > 1 or (meant and tokens > _SURE):
        return False
    return not meant or sum(map(is_cjk, words)) < _FEW_CJK or tokens == 1


def are_lines(quote: str) -> bool:
    """Whether a quote shows several words by its lines alone, as items of a list in Japanese do."""
    lines = [line for line in (fold_needle(line).strip(_EDGES) for line in quote.splitlines()) if line]
    says = all(len(line) > 1 and any(map(_means, _tokens(line))) for line in lines)
    return len(lines) > 1 and says and sum(map(is_cjk, "".join(lines))) >= _FEW_CJK


def _are_plain(words: str) -> bool:
    """Whether two English words with a meaning of their own stand among the first of some: the most quotes have."""
    meant = size = 0
    for word in words.split(" ", _MANY_WORDS)[:_MANY_WORDS]:
        bare = word.strip(",.;:()\"'")
        if bare.isalpha() and bare.isascii() and bare.lower() not in _STOP:
            meant += 1
            size += len(bare)
            if meant > 1 and size >= _FEW_LETTERS:
                return True
    return False


def _are_runs(words: str) -> bool:
    """Whether two runs of Han or katakana with a meaning of their own stand in words: the most Japanese quotes have."""
    meant = 0
    for run in _LONG_RUN.finditer(words):
        meant += run[0] not in _FORMAL
        if meant > 1:
            return True
    return False


def _tokens(word: str) -> Iterator[str]:
    """A word, or the runs of one script that a stretch of Japanese is made of."""
    if word.isascii() or not any(map(is_cjk, word)):
        yield word
        return
    for run in _RUN.finditer(word):
        if any(map(str.isalnum, run[0])):
            yield run[0]


def _means(token: str) -> bool:
    if is_cjk(token[0]):
        return token not in _FORMAL and not (token[0] < "\u30a0" and _STOP_JA.fullmatch(token))
    return token.casefold() not in _STOP
