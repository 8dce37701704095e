"""What the gates would turn back is not proposed: the agent holds its own evidence against them first."""

from __future__ import annotations

from typing import Any

from sekisho.agents.local.fields import Wanted
from sekisho.gates.numbers import holds_value
from sekisho.gates.quotes import Sources
from sekisho.schema import FieldSpec


def is_proved(wanted: Wanted, value: Any, evidence: str, text: str) -> bool:
    """Whether the gates would take the evidence of a field, for this value, from this document."""
    described = {"type": wanted.type, "items": wanted.items, "unit": wanted.unit, "description": wanted.description}
    spec = FieldSpec.model_validate({**described, "values": dict(wanted.values)})
    items = value if isinstance(value, list) else [value]
    held = all(holds_value(wanted.name, spec, item, evidence) for item in items)
    return held and stands(evidence, text)


def stands(quote: str, text: str) -> bool:
    """Whether the quote gate would take a quote from a text."""
    return Sources({"": text}).check("", quote).accepted
