"""What a model is asked to reply when it chooses among candidates, and what is read of what it does reply.

The schema shown is strict; parsing is not: one bad entry must never cost the others.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

Relation = Literal["match", "larger", "smaller", "different"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
RELATIONS_JA: dict[Relation, str] = {
    "match": "一致",
    "larger": "より大きい",
    "smaller": "より小さい",
    "different": "異なる",
}


class ChoiceReply(BaseModel):
    """The choice for one query."""

    model_config = ConfigDict(extra="forbid", strict=True)

    query: int = Field(description="the number of the query, as shown")
    best_id: str = Field(description="the id of one of this query's candidates, exactly as shown")
    relation: Relation = Field(description="what that record is, seen from the query")
    confidence: float = Field(description="from 0 to 1")
    reason: str = Field(description="one short sentence")


class RerankReply(BaseModel):
    """One choice for each query."""

    model_config = ConfigDict(extra="ignore", strict=True, json_schema_extra={"additionalProperties": False})

    loose: ClassVar[bool] = True
    choices: Annotated[Any, WithJsonSchema({"type": "array", "items": ChoiceReply.model_json_schema()})]

    def entries(self, numbers: Collection[int]) -> dict[int, list[dict[str, Any]]]:
        """The entries by the number of their query; what is no entry, or of another query, is left out."""
        found: dict[int, list[dict[str, Any]]] = {}
        for entry in self.choices if isinstance(self.choices, list) else []:
            number = _number(entry.get("query")) if isinstance(entry, dict) else None
            if number in numbers and number is not None:
                found.setdefault(number, []).append(entry)
        return found


def as_id(value: Any) -> str:
    """An id as the model wrote it; a whole number is the same digits, anything else is no id and empty."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else ""


def as_relation(value: Any) -> Relation | None:
    """One of the four relations, letter for letter; None for anything else."""
    return next((relation for relation in RELATIONS if value == relation), None)


def as_confidence(value: Any) -> float | None:
    """A number from 0 to 1; None for anything else."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= 1 else None


def _number(value: Any) -> int | None:
    """The number of a query; digits in quotes are the same number."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
