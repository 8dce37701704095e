"""Reading YAML that people wrote: safe, without silent key overwriting, with errors that name the place."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from sekisho.errors import InputError

_MOST_VALUES = 1_000_000
_DEEPEST = 100  # brackets within each other
_LONGEST_NUMBER = 4_096  # bits
# `question: Which glaze: the blue one?`, of which YAML says only this.
_REMEDIES = {"mapping values are not allowed here": "put the text in quotes where it holds a colon"}
_MERGE = "tag:yaml.org,2002:merge"


class _StrictLoader(yaml.SafeLoader):
    """SafeLoader that refuses a key given twice in one mapping, where YAML would keep the last in silence.

    Dates stay text: JSON has no dates, and `2022-21-11` in one file must not cost the rest of it.
    """

    def fetch_flow_collection_start(self, TokenClass: Any) -> None:
        if self.flow_level >= _DEEPEST:  # the scanner's time grows with the square of the open brackets
            raise yaml.scanner.ScannerError(None, None, "brackets are nested too deeply", self.get_mark())
        super().fetch_flow_collection_start(TokenClass)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            if key_node.tag == _MERGE:
                continue
            key = self.construct_object(key_node, deep=True)
            mark = key_node.start_mark
            if not isinstance(key, Hashable):
                raise yaml.constructor.ConstructorError(None, None, "a key is a list or mapping", mark)
            if key in seen:
                raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands twice", mark)
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


_StrictLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


class _PlainLoader(_StrictLoader):
    """The same, but every scalar is the text that stands there: `0012` is no octal ten, `no` no truth value."""


_PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag == _MERGE]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def parse_yaml(text: str, *, file: object, item: str | None = None, lines_before: int = 0, plain: bool = False) -> Any:
    """The value of one YAML document; `InputError` with line and column where it cannot be read.

    `lines_before` is how many lines of the file stand before the text, so that the message counts the file's.
    With `plain`, every scalar stays text.
    """
    try:
        value = yaml.load(text, Loader=_PlainLoader if plain else _StrictLoader)
        _expanded_size(value, {})
        return value
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1 + lines_before}, column {mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error)
        remedy = _REMEDIES.get(problem, "correct the file")
        raise InputError(f"not valid YAML{where}: {problem}", file=file, item=item, remedy=remedy) from None
    except Exception as error:  # PyYAML's constructors raise KeyError, AttributeError, IndexError, ... on odd scalars
        reason = f"{type(error).__name__}: {error}"
        raise InputError(f"not usable YAML: {reason}", file=file, item=item, remedy="correct the file") from None


def _expanded_size(value: Any, known: dict[int, int]) -> int:
    """How many values a value comes to when aliases are written out; refuses what JSON or memory could not hold."""
    if isinstance(value, str):
        value.encode("utf-8")  # half a surrogate pair ends here
        return 1
    if isinstance(value, int) and value.bit_length() > _LONGEST_NUMBER:
        raise ValueError("a number that is too long")  # `0xff…` is read in any length, and can then not be written
    if not isinstance(value, dict | list):
        return 1
    if id(value) not in known:
        known[id(value)] = -1
        parts = [*value.keys(), *value.values()] if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_expanded_size(part, known) for part in parts)
    if known[id(value)] < 0:
        raise ValueError("a value that holds itself")
    if known[id(value)] > _MOST_VALUES:
        raise ValueError(f"aliases that come to more than {_MOST_VALUES} values")
    return known[id(value)]


def load_yaml(path: Path) -> Any:
    """The value in a UTF-8 YAML file; `InputError` where it cannot be opened, decoded or parsed."""
    if path.exists() and not path.is_file():
        raise InputError("not a regular file", file=path, remedy="put a YAML file here")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", file=path, remedy="check the path and its rights"
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", file=path, remedy="save the file as UTF-8") from None
    return parse_yaml(text, file=path)
