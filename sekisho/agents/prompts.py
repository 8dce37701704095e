"""Prompts are files: `<prompts>/<stage>/<name>/` holds `prompt.md`, `params.yaml` and `output_schema.json`."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from sekisho.errors import InputError
from sekisho.hashing import canonical_json, sha256_json
from sekisho.text import shortened
from sekisho.yamlio import load_yaml

MOST_OUTPUT = 10_000_000  # tokens; no model writes as many
_FILES = ("prompt.md", "params.yaml", "output_schema.json")
_JINJA = jinja2.Environment(
    undefined=jinja2.StrictUndefined,
    autoescape=False,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)

_LINE_ENDS = re.compile("[\x7f-\x9f\u2028\u2029]")


def _as_json(value: Any) -> str:
    if isinstance(value, jinja2.Undefined):
        str(value)  # raises, naming the variable
    # JSON lets these stand raw, but they would end the line that a document's text is to stay inside.
    return _LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False, indent=2))


_JINJA.filters["json"] = _as_json


@dataclass(frozen=True)
class RenderedPrompt:
    """A prompt with its variables filled in; `sha256` is that of the files it was made from."""

    name: str
    text: str
    params: Mapping[str, Any]
    sha256: str


@dataclass(frozen=True)
class Prompt:
    """A prompt as it lies on disk."""

    name: str
    template: jinja2.Template
    params: Mapping[str, Any]
    schema: Mapping[str, Any]
    sha256: str
    path: Path

    def render(self, variables: Mapping[str, Any]) -> RenderedPrompt:
        """Fill in the variables; `InputError` where the template names one that is not given."""
        try:
            text = self.template.render(variables)
        except Exception as error:  # a template can fail in any way that Python can
            told = str(error) if isinstance(error, jinja2.UndefinedError) else f"{type(error).__name__}: {error}"
            raise InputError(told, file=self.path / "prompt.md", remedy="use the documented variables") from None
        return RenderedPrompt(self.name, text, self.params, self.sha256)


def built_in_prompt(name: str, text: str, params: Mapping[str, Any], schema: Mapping[str, Any]) -> Prompt:
    """A prompt that lies in the program itself; its digest is that of text, parameters and schema."""
    return Prompt(name, _JINJA.from_string(text), params, schema, sha256_json([text, params, schema]), Path("built-in"))


def load_prompt(prompts: Path, name: str, *, stage: str = "production") -> Prompt:
    """Read a prompt's three files; `InputError` names the one that is missing or broken."""
    path = prompts / stage / name
    text = _read(path / "prompt.md")
    try:
        template = _JINJA.from_string(text)
    except Exception as error:
        at = f"line {error.lineno}: " if isinstance(error, jinja2.TemplateSyntaxError) else f"{type(error).__name__}: "
        raise InputError(f"{at}{error}", file=path / "prompt.md", remedy="correct it") from None
    try:
        schema = json.loads(_read(path / "output_schema.json"))
    except (ValueError, RecursionError) as error:
        raise InputError(str(error), file=path / "output_schema.json", remedy="correct it") from None
    return Prompt(name, template, _params(path / "params.yaml"), schema, prompt_sha256(path), path)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=file, remedy="set SEKISHO_PROMPTS") from None
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", file=file, remedy="save the file as UTF-8") from None


def prompt_params(prompts: Path, *, stage: str = "production") -> dict[str, dict[str, Any]]:
    """The parameters of every prompt, by the prompt's name."""
    return {path.parent.name: _params(path) for path in sorted((prompts / stage).glob("*/params.yaml"))}


def _is_number(value: Any, most: float) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and 0 <= value <= most


_KINDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "model": (lambda value: isinstance(value, str), "write a model's name"),
    "temperature": (lambda value: _is_number(value, 2), "write a number from 0 to 2"),
    "top_p": (lambda value: _is_number(value, 1), "write a number from 0 to 1"),
    "seed": (lambda value: type(value) is int, "write a whole number"),
}


def _params(file: Path) -> dict[str, Any]:
    """The parameters in a params.yaml, none where it is empty; `InputError` names the one that no call can have."""
    params = load_yaml(file) or {}
    if not isinstance(params, dict):
        raise InputError("a mapping is expected", file=file, remedy="write `model: ...` lines")
    for name, value in params.items():
        try:
            canonical_json({name: value})
        except (TypeError, ValueError):
            raise InputError("not a value of JSON", file=file, item=str(name), remedy="correct it") from None
    for name, (fits, remedy) in _KINDS.items():
        value = params.get(name)
        if value is not None and not fits(value):
            raise InputError(f"not usable: {shortened(repr(value), 40)}", file=file, item=name, remedy=remedy)
    longest = params.get("max_tokens")
    if longest is not None and (type(longest) is not int or not 1 <= longest <= MOST_OUTPUT):
        remedy = f"write a whole number from 1 to {MOST_OUTPUT}, or leave it out"
        raise InputError(f"not usable: {shortened(repr(longest), 40)}", file=file, item="max_tokens", remedy=remedy)
    return params


def prompt_sha256(path: Path) -> str:
    """One digest over a prompt's three files; missing files count as empty."""
    digest = hashlib.sha256()
    for name in _FILES:
        file = path / name
        digest.update(f"{name}\0".encode() + (file.read_bytes() if file.is_file() else b"") + b"\0")
    return digest.hexdigest()
