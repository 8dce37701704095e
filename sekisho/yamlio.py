"""Reading YAML that people wrote: safe, without silent key overwriting, with errors that name the place."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from sekisho.errors import InputError


class _StrictLoader(yaml.SafeLoader):
    """SafeLoader that refuses a key given twice in one mapping, where YAML would keep the last in silence."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                raise yaml.constructor.ConstructorError(None, None, "a key is a list or mapping", key_node.start_mark)
            if key in seen and key_node.tag != "tag:yaml.org,2002:merge":
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} stands twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


def parse_yaml(text: str, *, file: object, item: str | None = None) -> Any:
    """The value of one YAML document; `InputError` with line and column where it cannot be read."""
    try:
        return yaml.load(text, Loader=_StrictLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error)
        raise InputError(f"not valid YAML{where}: {problem}", file=file, item=item, remedy="correct the file") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"not usable YAML: {error}", file=file, item=item, remedy="correct the file") from None


def load_yaml(path: Path) -> Any:
    """The value in a UTF-8 YAML file; `InputError` where it cannot be opened, decoded or parsed."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", file=path, remedy="check the path and its rights"
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", file=path, remedy="save the file as UTF-8") from None
    return parse_yaml(text, file=path)
