"""The user's fact type: `data/notes.schema.yaml` read into a Pydantic model, without touching code."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    WithJsonSchema,
    create_model,
    model_validator,
)

from sekisho.errors import InputError
from sekisho.records import Visible
from sekisho.refusal import refusal
from sekisho.text import is_blank
from sekisho.yamlio import load_yaml

FieldType = Literal["str", "int", "float", "bool", "date", "enum", "list"]


def _iso_date(value: str) -> str:
    # Not Pydantic's own date: that takes "0" as well, for seconds since 1970.
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value) and datetime.date.fromisoformat(value):
            return value
    except ValueError as error:
        raise ValueError(f"no date: {error}") from None
    raise ValueError("a date is written YYYY-MM-DD")


_Text = Annotated[Visible, StringConstraints(min_length=1)]
_SCALARS: dict[str, Any] = {
    "str": _Text,
    "int": int,
    "float": Annotated[float, Field(allow_inf_nan=False)],
    "bool": bool,
    "date": Annotated[str, AfterValidator(_iso_date), WithJsonSchema({"type": "string", "format": "date"})],
}


class FieldSpec(BaseModel):
    """One field of a fact as the user describes it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: FieldType
    description: str = ""
    values: dict[str, str] = Field(default_factory=dict)
    items: Literal["str", "int", "float", "bool", "date", "enum"] = "str"
    unit: str = ""
    required: bool = True
    evidence: bool = True

    @model_validator(mode="before")
    @classmethod
    def _values_may_be_a_plain_list(cls, raw: Any) -> Any:
        values = raw.get("values") if isinstance(raw, dict) else None
        if not isinstance(values, list | dict):
            return raw
        if not all(isinstance(value, str) for value in values):
            raise ValueError("values must be text: quote yes, no, on, off and numbers")
        return raw if isinstance(values, dict) else {**raw, "values": dict.fromkeys(values, "")}

    @model_validator(mode="after")
    def _an_enum_has_values(self) -> FieldSpec:
        if "enum" in (self.type, self.items if self.type == "list" else "") and not self.values:
            raise ValueError("an enum needs values")
        return self

    @property
    def python_type(self) -> Any:
        """The annotation that a value of this field must satisfy."""
        if self.type == "list":
            return list.__class_getitem__(self._scalar(self.items))
        return self._scalar(self.type)

    def _scalar(self, name: str) -> Any:
        return Literal.__getitem__(tuple(self.values)) if name == "enum" else _SCALARS[name]


class NotesSchema(BaseModel):
    """The fact type of a data folder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str = "Fact"
    fields: dict[str, FieldSpec]

    @property
    def evidenced(self) -> tuple[str, ...]:
        """Names of the fields whose values need a quote."""
        return tuple(name for name, spec in self.fields.items() if spec.evidence)

    def reply_type(self) -> type[FactReply]:
        """The type of one extracted fact; forbids keys that the schema does not name."""
        fields: dict[str, Any] = {}
        evidence: dict[str, Any] = {}
        # The user's names are aliases: any text may be a field's name, `model_config` or 水やり included.
        for number, (name, spec) in enumerate(self.fields.items()):
            note = f"{spec.description} [{spec.unit}]" if spec.unit else spec.description
            fields[f"field_{number}"] = _slot(spec.python_type, spec.required, name, note)
            if spec.evidence:
                words = f"the words of the document that show {name}"
                evidence[f"field_{number}"] = _slot(_Text, spec.required, name, words)
        strict = ConfigDict(extra="forbid", strict=True)
        return create_model(
            "FactReply",
            __base__=FactReply,
            fields=(create_model("Fields", __config__=strict, **fields), ...),
            evidence=(create_model("Evidence", __config__=strict, **evidence), ...),
        )


class FactReply(BaseModel):
    """One typed fact and, field by field, the verbatim words of the document that show it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    fields: Any
    evidence: Any

    @model_validator(mode="after")
    def _a_value_has_its_evidence(self) -> FactReply:
        if isinstance(self.evidence, BaseModel):
            for name, slot in type(self.evidence).model_fields.items():
                if getattr(self.fields, name) is not None and getattr(self.evidence, name) is None:
                    raise ValueError(f"{slot.alias} has a value but no evidence")
        return self


def load_notes_schema(path: Path) -> NotesSchema:
    """Read and check a schema file; `InputError` names the field and what is wrong with it."""
    raw = load_yaml(path)
    if not isinstance(raw, dict) or not raw.get("fields") or not isinstance(raw["fields"], dict):
        raise InputError("a mapping with `title` and `fields` is expected", file=path, remedy="see docs/schema.md")
    for name in raw["fields"]:
        if not isinstance(name, str) or is_blank(name):
            raise InputError("a field's name is text", file=path, item=f"fields.{name}", remedy="quote the name")
    try:
        return NotesSchema.model_validate(raw)
    except ValidationError as error:
        raise refusal(error, path, (NotesSchema, FieldSpec), example="its keys below it, `type: str` say") from None


def _slot(kind: Any, required: bool, name: str, description: str) -> tuple[Any, Any]:
    if required:
        return kind, Field(alias=name, description=description)
    return kind | None, Field(default=None, alias=name, description=description)
