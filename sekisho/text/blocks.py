"""Where the blocks of a Markdown or plain text begin and end, and the marks at the start of their lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from sekisho.text import line_marks as marks
from sekisho.text.hidden import Stretch, unseen

# A stretch of the original that is a mark, and what it shows instead, if anything.
Cut = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the original that is one paragraph, heading, item, cell or line of code.

    `lead` is the number of the block that introduces it: what stands before a list, or the head of a table's column;
    cells of one row share its number in `row`. Each is -1 where there is none. `numbers` are an item's own number as it
    is written and, where every item of a list has the same, as it is shown; empty where it has none.
    """

    start: int
    end: int
    is_prose: bool
    lead: int = -1
    row: int = -1
    numbers: tuple[str, ...] = ()


def read_blocks(text: str) -> tuple[list[Block], list[Cut], frozenset[str], list[Stretch]]:
    """The blocks in order, the marks at their lines' starts, the labels that the text defines for its links, and what
    its tags cross out."""
    reader = _Reader(text)
    for number in range(len(reader.lines)):
        reader.read(number)
    reader.close()
    return reader.blocks, reader.cuts, frozenset(reader.labels), reader.struck


@dataclass
class _Reader:
    """The blocks as they grow, line by line."""

    text: str
    blocks: list[Block] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.lines = [(m.start(), m.start() + len(m[0].rstrip("\r\n"))) for m in marks.LINE.finditer(self.text) if m[0]]
        self._hidden, self.struck = unseen(self.text)
        self.cuts += [(start, end, "") for start, end in self._hidden]
        self._hides = [start for start, _ in self._hidden]
        self._matter = _front_matter(self.text, self.lines)
        self._rows = _table_rows(self.text, self.lines)
        self._open: tuple[int, int, bool, bool] | None = None  # start, lead, is an item, is quoted
        self._numbers: tuple[str, ...] = ()  # of the open item
        self._counts: dict[int, tuple[str, int]] = {}  # by indent: the last item's number and its place in the list
        self._levels: frozenset[str] | None = None
        self._end = 0
        self._fence = ""
        self._lists: list[tuple[int, int]] = []  # indent and lead of each list around this line
        self._heads: dict[int, int] = {}  # the block at the head of each column of this table

    def read(self, number: int) -> None:
        """Take in one line."""
        start, end = self.lines[number]
        line = self.text[start:end]
        if self._fence or number < self._matter:
            self._code(start, end, line)
        elif not line.strip() or self._is_hidden(start, end):
            self.close()
        elif (fence := marks.FENCE.fullmatch(line)) and not self._is_underline(number):
            self._mark(start, end)
            self._fence = fence[1]
        elif number in self._rows:
            self._row(number, start, end)
        elif marks.RULE.fullmatch(line) or marks.TABLE_RULE.fullmatch(line):
            self._mark(start, end)
        elif label := marks.LABEL.match(line):
            self._label(start, end, label)
        else:
            self._words(number, start, end)

    def close(self) -> None:
        """End the block that is open."""
        if self._open is not None:
            self.blocks.append(Block(self._open[0], self._end, True, self._open[1], numbers=self._numbers))
            self._open, self._numbers = None, ()

    def _mark(self, start: int, end: int) -> None:
        self.close()
        self.cuts.append((start, end, ""))

    def _code(self, start: int, end: int, line: str) -> None:
        bare = line.strip()
        if self._fence and bare.startswith(self._fence) and not bare.strip(self._fence[0]):
            self._fence = ""
            self.cuts.append((start, end, ""))
        elif not self._fence and bare in ("---", "..."):
            self.cuts.append((start, end, ""))
        elif bare:
            self.blocks.append(Block(start, end, False))

    def _label(self, start: int, end: int, label: re.Match[str]) -> None:
        self.labels.add(label[1].casefold())
        self.close()
        if label[1].startswith("^"):
            self.cuts.append((start, start + label.end(), ""))
            self._begin(start + label.end(), end, -1)
        else:
            self.cuts.append((start, end, ""))

    def _row(self, number: int, start: int, end: int) -> None:
        """A table's row: each cell is a block, each bar a mark."""
        self.close()
        self._lists.clear()
        if marks.TABLE_RULE.fullmatch(self.text, start, end):
            self.cuts.append((start, end, ""))
            return
        if number - 1 not in self._rows:
            self._heads.clear()
        bars = [(bar.start(), bar.end()) for bar in marks.BARS.finditer(self.text, start, end)]
        self.cuts += [(first, last, " ") for first, last in bars]
        heads = not self._heads and number + 1 in self._rows and self._is_table_rule(number + 1)
        ends = [first for first, _ in bars] + [end]
        shift = 1 if self.text[start:end].lstrip().startswith("|") else 0
        for column, (at, stop) in enumerate(zip([start, *(last for _, last in bars)], ends, strict=True), -shift):
            if self.text[at:stop].strip():
                self.blocks.append(Block(at, stop, True, self._heads.get(column, -1), number))
                if heads:
                    self._heads[column] = len(self.blocks) - 1

    def _is_table_rule(self, number: int) -> bool:
        return marks.TABLE_RULE.fullmatch(self.text, *self.lines[number]) is not None

    def _is_underline(self, number: int) -> bool:
        """Whether a line of tildes is that of a heading in reStructuredText, not a fence: no shorter than its title."""
        start, end = self.lines[number]
        if not number or not marks.TILDES.fullmatch(self.text, start, end):
            return False
        title = self.text[slice(*self.lines[number - 1])].rstrip()
        above = self.text[slice(*self.lines[number - 2])] if number > 1 else ""
        return bool(title) and not title.endswith((":", "：")) and len(title) <= end - start and not above.strip()

    def _words(self, number: int, start: int, end: int) -> None:
        at, quoted = start, False
        mark_of = marks.QUOTED_ON if self._is_beside_quoted(number) else marks.QUOTE
        while mark := mark_of.match(self.text, at, end):
            at, quoted = mark.end(), True
        item = self._level(start, end) or marks.ITEM.match(self.text, at, end)
        heading = marks.HEADING.match(self.text, at, end)
        if quoted and (self._open is None or not self._open[3]):
            self.close()
        if item and item.end() < end and self._may_list(number, item):
            self.close()
            self._cut_lead(start, item.end())
            indent = len(item[0]) - len(item[0].lstrip())
            self._begin(item.end(), end, self._lead(indent), True, quoted)
            self._numbers = self._counted(item[0], indent)
        elif heading and not (self._open and self.text[heading.end() : heading.end() + 1].isdigit()):
            self.close()
            self._lists.clear()
            self._cut_lead(start, heading.end())
            closed = len(marks.HEADING_TAIL.sub("", self.text[heading.end() : end]))
            self.cuts.append((heading.end() + closed, end, ""))
            self._begin(heading.end(), end, -1)
            self.close()
        else:
            self._cut_lead(start, at)
            if self.text[at:end].strip():
                self._go_on(at, end, quoted)
            else:
                self.close()

    def _go_on(self, at: int, end: int, quoted: bool) -> None:
        """A line without a mark of its own: it goes on with the block that is open, or opens one."""
        if self._open is not None and not marks.OPENS.match(self.text, at, end):
            self._end = end
            return
        self.close()
        if not self.text[at].isspace():
            self._lists.clear()
        self._begin(at, end, -1, False, quoted)

    def _begin(self, start: int, end: int, lead: int, item: bool = False, quoted: bool = False) -> None:
        self._open, self._end = (start, lead, item, quoted), end

    def _cut_lead(self, start: int, end: int) -> None:
        if end > start:
            self.cuts.append((start, end, ""))

    def _is_beside_quoted(self, number: int) -> bool:
        """Whether the line and one next to it are quoted, so that its mark is no sign before a figure."""
        if not self.text.startswith(">", self.lines[number][0]):
            return False
        beside = self.lines[max(0, number - 1) : number] + self.lines[number + 1 : number + 2]
        return any(marks.QUOTED.match(self.text, *line) for line in beside)

    def _level(self, start: int, end: int) -> re.Match[str] | None:
        """A number of several levels that opens a line and has a neighbour in the text: 1.1 beside 1.2."""
        found = marks.LEVELS.match(self.text, start, end)
        if found is None:
            return None
        if self._levels is None:
            found_at = (marks.LEVELS.match(self.text, *line) for line in self.lines)
            self._levels = frozenset(mark[1] for mark in found_at if mark)
        head, _, last = found[1].rpartition(".")
        near = (f"{head}.{int(last) + step}" for step in (-1, 1))
        return found if not self._levels.isdisjoint(near) else None

    def _counted(self, mark: str, indent: int) -> tuple[str, ...]:
        """The number of an item, and where it repeats that of the item before, as Markdown counts, the one shown."""
        written = marks.number_of(mark)
        last, place = self._counts.get(indent, ("", 0))
        place = place + 1 if written == last else int(written) if written.isdecimal() else 0
        self._counts[indent] = written, place
        if not written:
            return ()
        return (written,) if not written.isdecimal() or str(place) == written else (written, str(place))

    def _lead(self, indent: int) -> int:
        """The block that introduces the list of an item with this indent."""
        while self._lists and self._lists[-1][0] > indent:
            self._lists.pop()
        if not self._lists or self._lists[-1][0] < indent:
            self._counts.pop(indent, None)
            in_table = bool(self.blocks) and self.blocks[-1].row >= 0
            self._lists.append((indent, -1 if in_table else len(self.blocks) - 1))
        return self._lists[-1][1]

    def _may_list(self, number: int, item: re.Match[str]) -> bool:
        """Whether a mark opens an item and is no minus, page number or dash that a line break brought to the front."""
        if self._open is None or self._open[2]:
            return True
        if marks.ENDED.search(self.text[self.lines[number - 1][0] : self.lines[number - 1][1]]):
            return True
        mark = item[0].strip()[0]
        follows = self.text[item.end()]
        after = self.lines[number + 1] if number + 1 < len(self.lines) else None
        below = self.text[after[0] : after[1]].strip() if after else ""
        short = not below and self.lines[number - 1][1] - self.lines[number - 1][0] <= marks.SHORT
        return (short or below.startswith(mark)) and not mark.isalnum() and not follows.isdigit()

    def _is_hidden(self, start: int, end: int) -> bool:
        at = bisect_right(self._hides, start) - 1
        return at >= 0 and end <= self._hidden[at][1]


def _front_matter(text: str, lines: list[tuple[int, int]]) -> int:
    """How many lines the YAML between two `---` takes, both included."""
    if not lines or text[slice(*lines[0])].rstrip() != "---":
        return 0
    for number, (start, end) in enumerate(lines[1:], start=2):
        if text[start:end].rstrip() in ("---", "..."):
            return number
        if not marks.YAML.match(text, start, end):
            return 0
    return 0


def _table_rows(text: str, lines: list[tuple[int, int]]) -> set[int]:
    """The numbers of lines that are rows of a table: with bars at both ends, or around a rule of dashes and bars."""
    rows: set[int] = set()
    barred = [text.find("|", start, end) >= 0 for start, end in lines]
    for number, (start, end) in enumerate(lines):
        bare = text[start:end].strip() if barred[number] else ""
        if not bare:
            continue
        if (bare[0] == bare[-1] == "|" and len(bare) > 1) or number - 1 in rows:
            rows.add(number)
        elif marks.TABLE_RULE.fullmatch(bare) and number and barred[number - 1]:
            rows |= {number - 1, number}
    return rows
