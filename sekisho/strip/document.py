"""The YAML method: parse, drop the top-level key, dump, and compare what both texts say."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

import yaml

from sekisho.strip.rules import KEY

# In C where it is there, three times as fast; dumping is always Python's, for C escapes what Python does not.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STR = "tag:yaml.org,2002:str"
_INT = "tag:yaml.org,2002:int"
_MERGE = "tag:yaml.org,2002:merge"
# What aliases may come to when they are written out, in values and characters, over what the text itself holds.
_SLACK = 1_000_000
_DIGITS = 4_300  # Python's own limit; PyYAML's time for `1:10:10` is quadratic in it


class CannotParse(ValueError):
    """The text is not one YAML document that can be loaded safely."""


class CannotStrip(ValueError):
    """The document was read, but cannot be written without its block and say the same."""


@contextmanager
def _uncollected() -> Iterator[None]:
    """No search for cycles meanwhile: with many nodes alive it made time(2n) / time(n) 2.4; without it that is 2.0."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@_uncollected()
def strip_key(text: str) -> str | None:
    """The document dumped anew without its top-level `decikg`; None where it has none.

    Comments and layout are lost, values and their order are not: both texts are loaded and compared. Raises
    `CannotParse` or `CannotStrip`.
    """
    root = _compose(text)
    if not isinstance(root, yaml.MappingNode) or not _has_key(root):
        return None
    _refuse_bombs(root, len(text))
    kept = [(key, value) for key, value in root.value if not _is_key(key)]
    doubled = _doubled_key(kept)
    if doubled is not None:
        raise CannotStrip(f"the key {doubled[:40]!r} stands twice")
    value = _construct(root)
    value.pop(KEY, None)
    try:
        dumped = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=sys.maxsize)
        again = _construct(_compose(dumped))
    except Exception as error:
        raise CannotStrip(f"cannot be written again: {_told(error)}") from None
    if not _same(value, again):
        raise CannotStrip("the text written anew does not say the same")
    return dumped


def _is_key(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.value == KEY and node.tag == _STR


def _has_key(root: yaml.MappingNode) -> bool:
    """Whether the key stands in the mapping, or comes into it by a merge."""
    for node in _nodes(root, _merge_targets):
        if isinstance(node, yaml.MappingNode) and any(_is_key(key) for key, _ in node.value):
            return True
    return False


def _compose(text: str) -> Any:
    try:
        return yaml.compose(text, Loader=LOADER)
    except Exception as error:
        raise CannotParse(_told(error)) from None


def _construct(node: Any) -> Any:
    try:
        loader = LOADER("")
        try:
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except Exception as error:
        raise CannotParse(_told(error)) from None


def _told(error: Exception) -> str:
    problem = getattr(error, "problem", None)
    mark = getattr(error, "problem_mark", None)
    where = f" at line {mark.line + 1}" if mark is not None else ""
    return f"{type(error).__name__}{where}: {problem or str(error).partition(chr(10))[0]}"


def _nodes(root: yaml.Node, parts: Callable[[yaml.Node], list[yaml.Node]]) -> Iterator[yaml.Node]:
    """Every node once, an alias being the node it stands for; no recursion, for depth is the writer's choice."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        waiting.extend(parts(node))


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _refuse_bombs(root: yaml.Node, length: int) -> None:
    """`CannotStrip` where merges or aliased scalars come to far more than the text, `CannotParse` at a huge number.

    PyYAML copies a merged mapping's pairs, merges of merges included, and writes an aliased scalar out each time.
    """
    most = length + _SLACK
    merged: dict[int, int] = {}
    written = 0
    for node in _nodes(root, _children):
        if isinstance(node, yaml.MappingNode):
            written += _merged_size(node, merged, most)
        elif node.tag == _INT and len(node.value) > _DIGITS:
            raise CannotParse(f"a number of {len(node.value)} digits")
        written += sum(len(part.value) for part in _children(node) if isinstance(part, yaml.ScalarNode))
        if written > most:
            raise CannotStrip("its aliases come to far more than the text")


def _merged_size(node: yaml.Node, known: dict[int, int], most: int) -> int:
    """How many pairs a mapping has once its merges are written out; stops counting above `most`."""
    stack = [(node, iter(_merge_targets(node)))]
    opened = {id(node)}
    while stack:
        one, waiting = stack[-1]
        target = next((part for part in waiting if id(part) not in known and id(part) not in opened), None)
        if target is not None and len(stack) < 1_000:
            stack.append((target, iter(_merge_targets(target))))
            opened.add(id(target))
            continue
        own = len(one.value) if isinstance(one, yaml.MappingNode) else 0
        sizes = [known.get(id(part), most + 1) for part in _merge_targets(one)]
        known[id(one)] = min(most + 1, own + sum(sizes))
        stack.pop()
    return known[id(node)]


def _merge_targets(node: yaml.Node) -> list[yaml.Node]:
    if not isinstance(node, yaml.MappingNode):
        return []
    found: list[yaml.Node] = []
    for key, value in node.value:
        if key.tag == _MERGE:
            found += value.value if isinstance(value, yaml.SequenceNode) else [value]
    return found


def _doubled_key(pairs: list[tuple[yaml.Node, yaml.Node]]) -> str | None:
    """The first key that stands twice in one mapping, where loading would keep the last of them in silence."""
    tops = yaml.MappingNode("tag:yaml.org,2002:map", pairs)
    for node in _nodes(tops, _children):
        if not isinstance(node, yaml.MappingNode):
            continue
        seen: set[Hashable] = set()
        for key, _ in node.value:
            if key.tag == _MERGE or not isinstance(key, yaml.ScalarNode):
                continue
            value = _construct(key) if key.tag != _STR else key.value
            if isinstance(value, Hashable):
                if value in seen:
                    return str(key.value)
                seen.add(value)
    return None


def _same(one: Any, other: Any) -> bool:
    """Whether two loaded documents are the same, as graphs: each pair of nodes is compared once."""
    seen: set[tuple[int, int]] = set()
    waiting = [(one, other)]
    while waiting:
        a, b = waiting.pop()
        if type(a) is not type(b):
            return False
        if not isinstance(a, dict | list | tuple | set):
            if a != b and not (a != a and b != b):  # a NaN is the same NaN
                return False
            continue
        if (id(a), id(b)) in seen:
            continue
        seen.add((id(a), id(b)))
        if len(a) != len(b):
            return False
        if isinstance(a, dict):
            waiting += zip(a.keys(), b.keys(), strict=True)
            waiting += zip(a.values(), b.values(), strict=True)
        elif isinstance(a, set):
            if a != b:
                return False
        else:
            waiting += zip(a, b, strict=True)
    return True
