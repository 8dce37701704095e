"""A provider's reply, read defensively: what it says, how it ended, whether it is one at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from sekisho.agents.secrets import holds_a_secret, scrub
from sekisho.text import shortened


@dataclass(frozen=True)  # no slots: what is looked up once is kept
class Received:
    """One reply of a provider: its text, the tools that it calls, and how it ended.

    `data` is the whole reply as plain values, its usage that of this attempt alone. Where `known` is false it has the
    shape of neither chat completions nor messages.
    """

    data: Mapping[str, Any] = field(default_factory=dict)
    known: bool = False
    text: str = ""
    tools: tuple[str, ...] = ()
    cut: bool = False
    refusal: str = ""

    @cached_property
    def tells_a_secret(self) -> bool:
        """Whether a key or password of this program stands anywhere in the reply."""
        return holds_a_secret(self.data)

    @property
    def size(self) -> int:
        """Characters that a re-ask would repeat."""
        return len(str(self.data.get("choices") or self.data.get("content") or ""))

    @property
    def model(self) -> str:
        """The model that answered, as the provider calls it; empty where it does not say."""
        model = self.data.get("model")
        return shortened(scrub(model), 100) if isinstance(model, str) else ""


def read_reply(response: Any) -> Received:
    """Read whatever a provider's client returned.

    Call it before Instructor adds up usage: that overwrites the usage of the reply with the sum so far.
    """
    data = response.model_dump(warnings=False) if isinstance(response, BaseModel) else {}
    choices = data.get("choices")
    if isinstance(choices, list) and choices:
        return _chat_completion(data, choices[0])
    if isinstance(data.get("content"), list) and "stop_reason" in data:
        return _message(data, data["content"])
    return Received(data)


def _chat_completion(data: Mapping[str, Any], choice: Any) -> Received:
    choice = choice if isinstance(choice, dict) else {}
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    finish = choice.get("finish_reason")
    refusal = message.get("refusal") or ("stopped by the content filter" if finish == "content_filter" else "")
    return Received(
        data,
        known=bool(message),
        text=_text(message.get("content")),
        tools=tuple(_tool(call) for call in message.get("tool_calls") or ()),
        cut=finish == "length",
        refusal=_text(refusal),
    )


def _message(data: Mapping[str, Any], content: list[Any]) -> Received:
    blocks = [block for block in content if isinstance(block, dict)]
    text = "".join(_text(block.get("text")) for block in blocks if block.get("type") == "text")
    stop = data.get("stop_reason")
    return Received(
        data,
        known=True,
        text=text,
        tools=tuple(_text(block.get("name")) for block in blocks if block.get("type") == "tool_use"),
        cut=stop in ("max_tokens", "model_context_window_exceeded"),
        refusal=(text or "stopped by the provider's classifier") if stop == "refusal" else "",
    )


def _tool(call: Any) -> str:
    function = call.get("function") if isinstance(call, dict) else None
    return _text(function.get("name")) if isinstance(function, dict) else ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
