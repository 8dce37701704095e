"""Yes or no behind a label or in a cell: `Open to visitors: no`, `| open | no |`, `[x] Open`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sekisho.agents.local.document import Document
from sekisho.agents.local.fields import Wanted
from sekisho.agents.local.grammar import AUXILIARIES, COPULAS, FUNCTION, MODALS, PREPOSITIONS, tokens
from sekisho.agents.local.polarity import is_no_word, is_yes_root, polarity
from sekisho.agents.local.statements import is_order
from sekisho.agents.local.words import ELSEWHERE, FORMER, NEGATOR, folded, is_japanese, stems

_SIGN = re.compile(r"\s*[:=]\s*|\s[-–—|]\s+")
# Where another label may begin: `no; automatic: yes`, `no, automatic: yes`.
_PART = re.compile(r"[;\n]\s*|[,、。.]\s*(?=[^,;:=、。.|]{1,40}[:=])")
_CELL = re.compile(r"(?<!\\)\|")
_BOX = re.compile(r"\A\s*(?:\[(?P<mark>[ x✓✔]?)\]|(?P<sign>[☐☑☒]))\s*")
_CHOICE = re.compile(r"(?:\[(?P<mark>[ x✓✔]?)\]|(?P<sign>[☐☑☒]))\s*(?P<word>[^\s\[\]☐☑☒|,;/]*)")
_MARKS = " \t\n*_`~\"'“”‘’|"
_END = r"(?=\s*(?:\Z|[,.;!()\[\]、。…]|[-–—]\s|--|for\b|until\b|since\b|as of\b|because\b|but\b))"
_YES = re.compile(
    rf"(?:yes(?!\s*(?:/|\||\bor\b|\band\b))\b|(?:true|y){_END}|[✓✔✅☑○◯〇]|(?:はい|あり|有り|有|可)(?=\Z|[\s,.、。()]))"
)
_NO = re.compile(
    rf"(?:no|none|false|nope|never|n){_END}|no longer\b|not\b|[✗✘❌✕✖×]|"
    r"(?:なし|無し|無|いいえ|不可|否)(?=\Z|[\s,.、。()])"
)
_NUMBERED = re.compile(r"no\.\s*[#\d]")
# `not known`, `not yet decided` say neither.
_OPEN = re.compile(
    r"not (?:\w+ )?(?:known|stated|specified|recorded|applicable|sure|clear|certain|decided|determined|checked|given|"
    r"available|noted|tested|assessed|only|relevant|reported|confirmed|verified|set|filled|documented|listed)\b"
)
_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|planned|unclear|unknown|unsure|uncertain|tb[cd]|n/a|to be|"
    r"depends|will be|partly|partially|sometimes|varies|ask|yes\s?(?:/|\||or|and)\s?no)\b|\?|不明|未定"
)
_ENDED = re.compile(r"\b(?:until|till|up to) (?:\w+ ){0,2}(?:1[89]|20)\d\d\b")
_BLANK = re.compile(r"\n[^\S\n]*\n")
_MOST_WORDS, _MOST_LETTERS = 9, 80
_PARTIAL = 20
_MEANT = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer says of the field: `side` above 0 yes, below 0 no, 0 neither; the lower `rank`, the nearer."""

    row: int
    side: float
    rank: int


def answers(document: Document, wanted: Wanted) -> dict[int, float]:
    """Sentence by sentence what an answer says behind the label that names the field best, and 0 behind all others.

    Where none names the field, 0 behind the labels that share no word with it, and nothing of the others.
    """
    found: list[Answer] = []
    labelled: set[int] = set()
    strange: set[int] = set()
    for row, label, answer in _labelled(document):
        labelled.add(row)
        sentence = document.sentences[row]
        rank = None if is_order(sentence, wanted) else _rank(label, wanted)
        if rank is None:
            is_asked = "?" in sentence.text or (row > 0 and document.sentences[row - 1].text.endswith("?"))
            if _definite(answer) and not is_asked and not wanted.stems & {*stems(label)} and not is_japanese(label):
                strange.add(row)
            continue
        side = _side(answer, wanted) * (-1.0 if _is_turned(label, wanted) else 1.0)
        if rank < _PARTIAL or side:
            found.append(Answer(row, side, rank))
    nearest = min((one.rank for one in found), default=0)
    said = dict.fromkeys(labelled if found else strange, 0.0)
    for one in found:
        if one.rank == nearest and (one.side or not said[one.row]):
            said[one.row] = one.side
    return said


def _labelled(document: Document) -> Iterator[tuple[int, str, str]]:
    """Each row of the document with a label and what stands behind it, both folded; a line may hold several."""
    heads: list[str] = []
    before = 0
    for row, sentence in enumerate(document.sentences):
        gap = document.original[before : sentence.original.start]
        before = sentence.original.end
        if sentence.kind not in ("head", "row") or _BLANK.search(gap):
            heads = []
        if sentence.kind in ("head", "row"):
            cells = _cells(document.original, sentence.original.start)
            if sentence.kind == "head":
                heads = cells
                if len(cells) == 2 and _definite(cells[1]) is not None:
                    yield row, cells[0], cells[1]
                continue
            yield from ((row, head, cell) for head, cell in zip(heads, cells, strict=False))
            if len(cells) == 2 or (len(cells) > 2 and len({_definite(cell) for cell in cells[1:]} - {None, 0.0}) == 1):
                sure = (cell for cell in cells[1:] if _definite(cell))
                yield row, cells[0], next(sure, cells[1])
        elif sentence.kind != "heading":
            yield from ((row, label, answer) for label, answer in _in_line(folded(sentence.text)))


def _cells(text: str, at: int) -> list[str]:
    line = text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0].strip()
    line = line.removeprefix("|").removesuffix("|")
    return [folded(cell).strip(_MARKS) for cell in _CELL.split(line)]


def _in_line(text: str) -> Iterator[tuple[str, str]]:
    box = _BOX.match(text)
    if box:
        rest = text[box.end() :]
        if _is_label(rest) and not _SIGN.search(rest):
            yield rest.strip(_MARKS + ".。"), _ticked(box)
            return
    for part in _PART.split(text):
        opened = 0
        for sign in _SIGN.finditer(part):
            label, answer = part[opened : sign.start()].strip(_MARKS), part[sign.end() :]
            if _is_label(label):
                yield label, answer
            opened = sign.end()


def _ticked(box: re.Match[str]) -> str:
    return "yes" if (box["mark"] or "").strip() or box["sign"] in ("☑", "☒") else "?"


def _is_label(words: str) -> bool:
    """Whether words name something and state nothing: no finite verb, but that of a question before its subject."""
    verbs = COPULAS | AUXILIARIES | MODALS
    found = [one for one in tokens(words) if one[0].isalnum()]
    if not any(char.isalnum() for char in words) or len(found) > _MOST_WORDS or len(words) > _MOST_LETTERS:
        return False
    return not verbs & {*found} or found[0] in verbs


def _rank(label: str, wanted: Wanted) -> int | None:
    """How far a label is from the field's name, None where it names something else or another time."""
    if ELSEWHERE.search(label) or FORMER.search(label):
        return None
    own, title = frozenset(stems(label)), wanted.title_stems
    if folded(wanted.title) == label.strip(" .?"):
        return 0
    if not own or own & wanted.excluded:
        return None
    if title and title <= own:
        return len(own - title) + _is_attribute(label, wanted)
    meant = frozenset(stems(wanted.meaning))
    if meant and (meant <= own or (is_japanese(label) and not is_japanese(wanted.title) and own <= meant)):
        return _MEANT + len(own - meant)
    # `Dogs` of dogs_allowed, `open` of open_to_visitors, `Dogs forbidden`: what is not said goes without saying.
    rest = frozenset(stem for stem in own if not any(is_no_word(word) for word in tokens(label) if stem in stems(word)))
    missing = title - own
    implied = all(is_yes_root(stem) or stem in _complement(wanted.title) for stem in missing)
    return _PARTIAL + len(own - rest) if rest and rest <= title and implied else None


def _is_attribute(label: str, wanted: Wanted) -> int:
    """Far where the field's one word stands before another noun: `open` in `Open fires`."""
    words = tokens(label)
    last = max((at for at, word in enumerate(words) if wanted.title_stems & {*stems(word)}), default=len(words))
    after = words[last + 1] if last + 1 < len(words) else ""
    is_noun = after.isalpha() and after.isascii() and after not in FUNCTION and not wanted.stems & {*stems(after)}
    return _PARTIAL if len(wanted.title_stems) == 1 and is_noun else 0


def _complement(title: str) -> frozenset[str]:
    """The words behind the preposition of a name: `visitors` of `open to visitors`."""
    words = tokens(folded(title))
    first = next((at for at, word in enumerate(words) if at and word in PREPOSITIONS), len(words))
    return frozenset(stem for word in words[first:] for stem in stems(word))


def _is_turned(label: str, wanted: Wanted) -> bool:
    """Whether a label asks for the contrary: `Dogs forbidden`, `Not open`."""
    own = set(tokens(folded(wanted.title)))
    words = [word for word in tokens(label) if word not in own]
    denied = sum(is_no_word(word) or NEGATOR.fullmatch(word) is not None for word in words)
    return denied % 2 == 1


def _side(answer: str, wanted: Wanted) -> float:
    """1, -1 or 0: what a folded answer says, or the polarity of the clause that it is."""
    said = _definite(answer)
    if said is not None:
        return said
    clause = re.split(r"[;(。]|\.\s|\s[-–—]\s", answer.strip(_MARKS), maxsplit=1)[0]
    if _UNSURE.search(answer) or FORMER.search(answer) or ELSEWHERE.search(clause):
        return 0.0
    said = polarity(clause, field=f"{wanted.title}. {wanted.meaning}")
    return (said > 0) - (said < 0)


def _definite(answer: str) -> float | None:
    """1 or -1 where an answer begins with yes or no, 0 where it takes that back, None where it is neither."""
    answer = answer.strip(_MARKS)
    boxes = list(_CHOICE.finditer(answer))
    if boxes and boxes[0].start() == 0:
        ticked = [box for box in boxes if _ticked(box) == "yes"]
        words = [box["word"] for box in boxes if box["word"]]
        if len(ticked) != 1:
            return 0.0
        return _definite(ticked[0]["word"]) if words else 1.0
    if re.match(r"n/a\b|n\.a\.", answer) or _NUMBERED.match(answer):
        return 0.0
    if yes := _YES.match(answer):
        rest = answer[yes.end() :]
        is_open = rest.lstrip().startswith(("?", "(?")) or _ENDED.search(rest) or _NO.match(rest.lstrip(" /|"))
        return 0.0 if is_open else 1.0
    if no := _NO.match(answer):
        if _OPEN.match(answer) or answer[no.end() :].lstrip().startswith(("?", "(?")):
            return 0.0
        if no[0] == "not" and polarity(answer) > 0:
            return 1.0
        return -1.0
    return None
