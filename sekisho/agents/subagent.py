"""A sub-agent: one model call behind one thin class, typed on the way out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from sekisho.agents.base import Agent, Call
from sekisho.agents.loose import is_loose, keepable, once_each, whole_number
from sekisho.agents.prompts import Prompt, RenderedPrompt
from sekisho.errors import InvalidReply
from sekisho.gates.finding import validation_reasons
from sekisho.hashing import sha256_json
from sekisho.records import Provenance

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Proposal(Generic[T]):
    """A reply of the asked shape, the same as it came, and where it came from. Nothing in it is verified yet.

    `usage` has the tokens and US dollars that it cost when it was made; a figure that is not known is None or missing.
    """

    value: T
    provenance: Provenance
    reply: Any
    usage: Mapping[str, float | None] = field(default_factory=dict)


class SubAgent(Generic[T]):
    """Asks one prompt of one backend and returns one type; knows the backend only by its protocol.

    `schema` is what the model is shown where that is not the reply type's own.
    """

    def __init__(
        self,
        agent: Agent,
        prompt: Prompt,
        reply_type: type[T],
        constants: Mapping[str, Any] | None = None,
        *,
        schema: Mapping[str, Any] | None = None,
    ) -> None:
        self.agent = agent
        self.prompt = prompt
        self.reply_type = reply_type
        self.schema = reply_type.model_json_schema() if schema is None else dict(schema)
        self._constants = constants or {}

    def ask(
        self,
        key: str,
        variables: Mapping[str, Any],
        *,
        pass_through: Mapping[str, Any] | None = None,
        round: int = 1,
        feedback: Sequence[str] = (),
    ) -> Proposal[T]:
        """One call and its typed reply; an `AgentError` where there is none.

        `feedback` holds the reasons why the last reply to the same call was turned back.
        """
        variables = {**self._constants, **variables, "feedback": list(feedback)}
        rendered = self._render(variables)
        repeats = self._render({**variables, "feedback": []}).text if feedback else ""
        call = Call(key, rendered, self.reply_type, self.schema, variables, pass_through, round, repeats)
        reply = self.agent.propose(call)
        value = parse_reply(self.reply_type, reply.content)
        kept = keepable(reply.content) if is_loose(self.reply_type) else reply.content
        content = json.loads(json.dumps(kept))  # as it will be read from the store, whatever its keys were
        made_by = Provenance(
            agent=self.agent.name,
            model=reply.model,
            prompt_sha256=rendered.sha256,
            reply_sha256=sha256_json(content),
            round=round,
        )
        return Proposal(value, made_by, content, reply.usage)

    def _render(self, variables: Mapping[str, Any]) -> RenderedPrompt:
        return self.prompt.render({**variables, "schema": self.schema})


def parse_reply(reply_type: type[T], content: Any) -> T:
    """The content as the asked type, strictly and without repair; `InvalidReply` lists what does not fit."""
    content = keepable(content) if is_loose(reply_type) else content
    try:
        text = json.dumps(content, ensure_ascii=False, allow_nan=False)
        text.encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidReply([f"reply: not JSON: {error}"]) from None
    try:
        return reply_type.model_validate_json(text, strict=True)
    except ValidationError as error:
        raise InvalidReply(validation_reasons(error)) from None


def fits(reply_type: type[BaseModel], content: Any) -> bool:
    """Whether the content is of the asked type."""
    try:
        parse_reply(reply_type, content)
    except InvalidReply:
        return False
    return True


def json_from_text(text: str, reply_type: type[BaseModel]) -> Any:
    """The JSON value of a model's text, which may stand in one fenced block; nothing else is unwrapped or repaired.

    What is not JSON costs the whole reply, and only itself where the reply type is loose.
    """
    body = text.strip()
    lines = body.split("\n")  # not splitlines: U+2028 may stand inside a JSON string
    if len(lines) >= 2 and lines[0].strip() in ("```", "```json") and lines[-1].strip() == "```":
        body = "\n".join(lines[1:-1])
    try:
        if is_loose(reply_type):
            return keepable(
                json.loads(body, parse_constant=lambda _: None, parse_int=whole_number, object_pairs_hook=once_each)
            )
        return json.loads(body, parse_constant=_refuse_constant, object_pairs_hook=_refuse_doubled_keys)
    except (ValueError, RecursionError) as error:
        raise InvalidReply([f"reply: not JSON: {error}"]) from None


def _refuse_doubled_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice")
    return value


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")
