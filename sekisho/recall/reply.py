"""What the model is asked for and what is taken from it: the schema shown is strict, the parsing is not.

Whatever comes in the list is kept as it came, so that the rules of `citations`, and not the parser, have the word on
each citation: one bad one costs no other.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from sekisho.recall.citations import MOST_CITATIONS

_CITATION = {
    "additionalProperties": False,
    "properties": {
        "adr_id": {
            "description": "the id of a candidate, exactly as shown",
            "pattern": r"^ADR-\d{4}$",
            "type": "string",
        },
        "relevance": {"enum": ["high", "med", "low"], "type": "string"},
        "relevance_reason": {
            "description": "one or two lines copied letter for letter from the draft or the candidate's summary",
            "type": "string",
        },
    },
    "required": ["adr_id", "relevance", "relevance_reason"],
    "type": "object",
}
_CITATIONS = {"items": _CITATION, "maxItems": MOST_CITATIONS, "type": "array"}


class RecallReply(BaseModel):
    """The related past decisions among the candidates, at most five."""

    model_config = ConfigDict(extra="ignore", strict=True, json_schema_extra={"additionalProperties": False})

    loose: ClassVar[bool] = True
    citations: Annotated[list[Any], WithJsonSchema(_CITATIONS)] = Field(alias="recallCitations")
