"""What Instructor is given in place of a reply type: it shows the asked schema and keeps the JSON as it came.

Instructor would fill in defaults and drop aliases. The sub-agent's own parse shall have the last word, so what is
handed on is the JSON value that the model sent.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from sekisho.agents.base import Call
from sekisho.agents.subagent import json_from_text, parse_reply
from sekisho.errors import InvalidReply

# A re-ask repeats the reasons to the model; this many characters say enough.
_REASONS = 2_000

Objection = Callable[[], str]


def asked(call: Call, objection: Objection) -> type[Any]:
    """The response model for one call; an instance of it holds the JSON value as `content`.

    Its schema is the one the call shows, which may be stricter than what its type accepts. `objection` says what is
    wrong with the reply around the JSON, or nothing. What does not fit is Instructor's error for a re-ask.
    """
    return _asked(call.reply_type, json.dumps(dict(call.schema), ensure_ascii=False), objection)


def tool_name(call: Call) -> str:
    """What the tool is called that the model has to call; it is the schema's title, as far as a tool may have it."""
    return _tool_name(call.reply_type, call.schema)


def _tool_name(reply_type: type[BaseModel], schema: Mapping[str, Any]) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", str(schema.get("title") or reply_type.__name__))[:64]


@lru_cache(maxsize=64)
def _asked(reply_type: type[BaseModel], schema: str, objection: Objection) -> type[Any]:
    import instructor  # late: with the clients it brings it takes seconds
    from instructor.core.exceptions import ResponseParsingError

    shown = json.loads(schema)
    shown["title"] = _tool_name(reply_type, shown)
    shown.setdefault("properties", {})

    class Asked(instructor.ResponseSchema):
        content: Any = None

        @classmethod
        def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
            return copy.deepcopy(shown)

        @classmethod
        def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Asked:
            text = json_data if isinstance(json_data, str) else bytes(json_data).decode("utf-8", "replace")
            try:
                return cls(content=_fitting(text, reply_type, objection))
            except InvalidReply as error:
                raise ResponseParsingError("; ".join(error.reasons)[:_REASONS]) from None

        @classmethod
        def model_validate(cls, obj: Any, **options: Any) -> Asked:
            return cls.model_validate_json(json.dumps(obj, ensure_ascii=False))

    Asked.__name__ = shown["title"]
    Asked.__doc__ = reply_type.__doc__
    return Asked


def _fitting(text: str, reply_type: type[BaseModel], objection: Objection) -> Any:
    problem = objection()
    if problem:
        raise InvalidReply([problem])
    content = json_from_text(text, reply_type)
    parse_reply(reply_type, content)
    return content
