"""Whether a cut in a Japanese sentence leaves out what turns the quoted words round.

Negation, denial, restriction and doubt stand behind the words that they reach; conditions, exceptions and the denial
of a noun stand before them. They reach through their own clause; from behind a clause that ends in が, ので, ため, から
and the like they do not reach back. In doubt the cut counts.
"""

from __future__ import annotations

import re


def _any(alternatives: str) -> str:
    return "|".join(alternatives.split())


# Verb and adjective forms of ない, ず, ぬ, まい, and the な that forbids.
_NOT = _any(r"""
    ない なかった なかろう なく なけれ なさ(?!い|れ) ません ませぬ まい(?![る]) ねば ざる
    (?:ず|ぬ)(?=[、。にともがまはしよ]|\Z) んで(?=した) [うくぐすつぬぶむる]な(?=[。．！!」、]|\Z)
    \A外(?=[とでのだにを、。]|\Z)
""")
_DENY = _any(r"""
    禁止 禁ず 禁じ 厳禁 不可 不能 不要 不許可 無効 無理 拒否 拒絶 拒む 拒ん 拒み 断[っらりるわ] 却下 棄却 否定 否認
    反対(?!側|方向) 誤り 誤っ 間違 嘘 うそ デマ 誤解 虚偽 偽[りっる] 俗説 迷信 噂 疑[わいうっ] 免除 除外
    (?<!取り)除[くきいか] もってのほか (?<=[はもがで])(?:稀|まれ)(?=[。だでなに、]|\Z) うわさ
    以外 対象外 中止 停止 廃止 取り?消 取り?やめ 撤回 見送 見合わせ 控え 遠慮 避け 防[ぐいぎが] 防止 やめ 止め 止まっ
    失敗 困難 難し かね[るまてた] がた[いく] にくい 欠[けくい] 怠[っるり] 違反 違法 不正
""")
_ONLY = _any("のみ だけ しか に限 限り 限定 限っ")
_MAYBE = _any("""
    かもしれ おそれ 恐れ 可能性 だろう でしょう らしい とされ とみられ と思われ と主張 と称 はずだ つもり 予定だ 見込み
    よう(?:だ|です|である) 仮定 想定 見通し
""")
_IF_AFTER = _any(r"""
    場合 とき (?<![一同当])時(?=[はにの、も]) (?<![国実間分手])際(?=[はにのし、]) なら たら だら
    (?:[えけげせてねべめれ])ば 限り まで(?:は|で\Z|だ|です|とし|とす) うち ても でも(?=[、よいか]) と(?=、) 前に
    か(?:どうか|否か|。|？|\?|、|は|を|が|も|に|と|\Z) か(?:確認|調|検討|不明|分から|わから|尋ね|聞|判断)
    (?<![ただ])こと(?:が|も)あ[りる]
    のでしょう という(?:の|こと|わけ|説|主張|話|意見|噂) と(?:は|も)(?:言|い|限|思|考) わけ べき
""")
_AFTER = re.compile(f"{_NOT}|{_DENY}|{_ONLY}|{_MAYBE}|{_IF_AFTER}")
_NEGATED = re.compile(f"{_NOT}|{_DENY}")
_EXCEPTED = re.compile(
    _any("ただし 但し (?<!取り)除[くきい] 除外 例外 以外 対象外 に限 のみ だけ しか この限り その限り")
)
# `…が、受付は平日のみである` limits a subject of its own.
_LIMITS_OWN = re.compile("のみ|だけ|しか")
_UNTRUE = re.compile("(?:本当|事実|真実)では|正しくな|誤り|間違い|嘘|うそ|デマ")
_CLOSED = re.compile("(?:が|けれども?|けど|ため(?:に)?|ので|から|ものの|一方で?|のに|反面|とともに)\\Z")
_JOINED = re.compile(
    "(?:[いきしちにひみりぎじびぴえけげせてでねへべめれ]|おり|ており|く|た|だ|る|う|つ|ぬ|ぶ|む|す|ぐ|です|ます)\\Z"
)
_OWN_SUBJECT = re.compile("(?:は|が|も)(?!、)")
_PARTICLE = re.compile("(?:は|が|を|に|も|と|へ|の|や|から|まで|より|では|には|とは|について|として|において)\\Z")
_CONDITION = re.compile(
    _any(r"""
    (?:場合|とき|(?<![一同当])時|際)(?:には|に|は|でも|も)?(?:、|\Z|は) [えけげせてねべめれ]ば(?:、|\Z) なら(?:ば|、|\Z)
    (?<=[っんいただ])たら(?:、|\Z) [ただ]ら、 (?:限り|うち)(?:は|、|\Z) (?<=[うくぐすつぬぶむるいだ])と、 かぎり もし
    仮に 万が?一 (?:を)?(?<!取り)除[きい]て?(?:、|は|\Z) 以外(?:は|の|に|、|\Z) ない(?:限り|と) までは?、 ても、
    でなければ ば(?:、|\Z) まで、?\Z
""")
)
_TIME = re.compile("(?:とき|時|際)(?:に)?、?\\Z")
_PAST = re.compile("(?:た|だ|でした|ました)[。．.]?\\Z")
_BEFORE = re.compile(
    "(?:ない|なかった|ません|ぬ|ずに|ないで|なく|なしに|なしで|無しに|無しで|"
    "(?:以外|のみ|だけ|しか|に限り|に限って|限定で|を除き|を除く|を除いて|を除いた)(?:は|が|を|に|の|も|で)?、?)"
    "[、\\s]?\\Z"
)
# What only looks like a negation or a condition.
_HARMLESS = re.compile(
    _any("""
    まもなく 間もなく ほどなく 程なく なんとなく やむなく 例えば たとえば そういえば といえば と言えば
    によると によれば (?:から|に)(?:する|見る|みる|言う|いう)と 比べると
    言い換え(?:れば|ると) 換言すれば もしくは ならび ならでは 少ない すくない 危ない 違いない ちがいない 間違いな
    もったいない とんでもない つまらない くだらない さりげない やむを得ない 限りない
""")
)
_LABEL = re.compile(
    f"(?:{_any('誤り? 誤答 誤解 NG × ✕ ✗ 禁止 禁止事項 嘘 うそ デマ 非対応 対象外 不可 悪い例')})"
    "\\s*[】\\])）」]?\\s*[:：、]?\\s*\\Z"
)
# What others say, and what makes less of the noun that it stands before or behind.
_HEARSAY = re.compile("一説に(?:は|よれば|よると)|(?:\\A|、)[^、]{1,20}によれば、?|(?:代わり|かわり)に\\Z")
# What makes less of the whole sentence that it opens: 通常、…
_HEDGED = re.compile(
    "(?:\\A|[、。])(?:通常|普通|ふつう|一般に|一般的に|たいてい|大抵|原則|原則として|基本的に|多くの場合|たいていの場合|ほとんどの場合|"
    "場合によって|おそらく|恐らく|たぶん|多分|主に|主として|概ね|おおむね|時々|ときどき|しばしば|ひょっとすると|もしかすると)は?、?\\Z"
)
_RUMOUR = re.compile("(?:批判|反対派|噂|うわさ|関係者|伝説|言い伝え|本人|住民|一部の)[^、]{0,8}によると、?\\Z")
_FAKE = re.compile("(?:自称|偽の?|にせの?|ニセの?|いわゆる|(?<![\u4e00-\u9fff])元)\\Z")
# What need not be done is not what is not done: 承認しない|ことができる.
_ENDS_DENIED = re.compile("(?:ない|ぬ|ず)\\Z")
_MAY = re.compile("(?:こと(?:が|も)(?:でき|可能)|(?:で)?も(?:よい|良い|いい|かまわ|構わ)|場合)")
_LACKS = re.compile("なし|無し|抜き")
_ASIDE = re.compile(r"[(（][^()（）]*[)）]")
_LIMITED = re.compile("休[館業日止み]|定休|除[くき]|のみ|だけ|限|不可|禁止|ない|ません|以外|対象外|中止|要予約")
_END = re.compile("[。．.！!」』）)】\\]\"'\\s]*\\Z")
# How a list of what is not so is announced, with what may follow the denial there.
_NO_ITEM = (
    f"(?:{_any('ません (?<!ばなら)(?<!くてはなら)(?<!といけ)(?<!忘れ)ない なかった 禁止 禁じる 不可 厳禁 対象外')}|"
    "除く|除外する|不要|お断り|ご遠慮)[^、。]{0,10}"
)
_LIST_DENIED = re.compile(
    f"{_NO_ITEM}[:：]\\Z|(?:次の|次に|次は|次が|以下の|以下に|以下は|以下が|下記の|下記に|下記は)(?:[^。、]*は、)?[^。、]*?{_NO_ITEM}[:：。]?\\Z"
)
# The same in a heading, and a heading that is a condition.
_TITLE = 40
_TITLE_DENIED = re.compile(
    "(?:(?:禁止|除外|免責)(?:さ?れて?いる|される|する)?|不可|対象外|お断り|(?<!忘れ)(?<!ばなら)(?<!欠かせ)ない|(?<!忘れ)ません|NG)"
    "(?:事項|行為|もの|物|こと|事|場所|例|点|品|人|方|損害)*\s*[:：]?\Z|"
    "(?:誤解|迷信|俗説|デマ|うわさ|噂|誤り|嘘|うそ)(?:例|集)?\s*[:：]?\Z|"
    "(?:場合|とき|際|時)(?:に)?は?\s*[:：]\Z|(?:場合|とき)(?:に)?は?\Z"
)


def left_out(left: str, quote: str, right: str) -> str:
    """The words of the sentence outside a quote that turn it round, or nothing."""
    return _before(left, quote) or _after(quote, right)


def denied_list(lead: str) -> str:
    """What denies the items of a list in the words that introduce it, or nothing."""
    if (found := _LIST_DENIED.search(lead)) and not re.search(
        "理由|(?:ない|ません|なかった)場合|場合(?:は|に|には)、", found[0]
    ):
        return found[0].rstrip(":：。")
    title = _HARMLESS.sub(lambda match: "　" * len(match[0]), lead) if len(lead) <= _TITLE else ""
    titled = _TITLE_DENIED.search(title)
    return titled[0].rstrip(":： ") if titled else ""


def _before(left: str, quote: str) -> str:
    left = left.rstrip()
    if not left or left[-1] in "。!?！？":
        return ""
    if found := _HEARSAY.search(left) or _HEDGED.search(left) or _RUMOUR.search(left) or _FAKE.search(left):
        return found[0].strip("、")
    masked = _HARMLESS.sub(lambda match: "　" * len(match[0]), left)
    if found := _LABEL.search(masked):
        return found[0].strip()
    if found := _BEFORE.search(masked):
        return found[0].strip("、 ")
    for found in _CONDITION.finditer(masked):
        if not (_TIME.search(masked[: found.end()]) and _PAST.search(quote)):
            return found[0].strip("、")
    return ""


def _after(quote: str, right: str) -> str:
    if not right:
        return ""
    if (aside := _ASIDE.match(right)) and (found := _LIMITED.search(aside[0])):
        return found[0]
    if found := _LACKS.match(right) or (_ENDS_DENIED.search(quote) and _MAY.match(right)):
        return found[0]
    if quote[-1] in "。!?！？" or right[0] in "。!！":
        right = right.partition("」")[2] or right.partition("』")[2]  # what follows within the quotation is said apart
    right = right.lstrip("」』\"')】] ")
    if _END.fullmatch(right):
        return ""
    if right[0] in "?？":
        return "" if quote[-1] in "かのねよな" else "？"
    head, comma, rest = right.partition("、")
    masked = _HARMLESS.sub(lambda match: "　" * len(match[0]), head)
    if found := _AFTER.search(masked):
        return found[0]
    if not comma:
        return ""
    clause = quote[-20:] + head
    if _CLOSED.search(clause):
        found = _EXCEPTED.search(rest) or _UNTRUE.search(rest)
        if found and _LIMITS_OWN.fullmatch(found[0]) and _OWN_SUBJECT.search(rest[: found.start()]):
            return ""
        return found[0] if found else ""
    found = _NEGATED.search(_HARMLESS.sub(lambda match: "　" * len(match[0]), rest)) or _EXCEPTED.search(rest)
    if found is None:
        return ""
    own = _JOINED.search(clause) and not _PARTICLE.search(clause) and _OWN_SUBJECT.search(rest[: found.start()])
    return "" if own and _NEGATED.search(found[0]) else found[0]
