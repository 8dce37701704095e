"""The agent seam: what a model is asked, what it replies, and the protocol every backend meets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import BaseModel

from sekisho.agents.prompts import RenderedPrompt


@dataclass(frozen=True, slots=True)
class Call:
    """One question to a model.

    `key` names the call for people and fixtures (`extract:01-pothos`); `prompt` is what a model reads, `variables` what
    it was rendered from, for an agent that reads no prose; `schema` is the JSON schema of the reply;
    `pass_through` is what a backend without a model may return in place of one; `round` counts from 1. `repeats` is the
    prompt's text as it was before the last reply was turned back; empty where none was. `keep` is what is done with a
    paid reply the moment it is here.
    """

    key: str
    prompt: RenderedPrompt
    reply_type: type[BaseModel]
    schema: Mapping[str, Any]
    variables: Mapping[str, Any] = field(default_factory=dict)
    pass_through: Mapping[str, Any] | None = None
    round: int = 1
    repeats: str = ""
    keep: Callable[[Reply], None] | None = field(default=None, compare=False)

    def arrived(self, reply: Reply) -> Reply:
        """Have the reply kept, where somebody keeps them; an agent calls it before it writes anything else."""
        if self.keep is not None:
            self.keep(reply)
        return reply


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: a JSON value, not yet checked against the asked shape.

    `usage` holds tokens and US dollars over all attempts, None where a figure is unknown; `params` are the parameters
    that were really sent.
    """

    content: Any
    model: str = ""
    usage: Mapping[str, float | None] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)


class Agent(Protocol):
    """A backend: it answers one call, or raises an `AgentError`. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """How the backend is called in provenance and logs."""
        ...

    @property
    def fingerprint(self) -> str:
        """What else than the call decides the reply: the fixtures' digest, say."""
        ...

    def propose(self, call: Call) -> Reply:
        """Answer one call."""
        ...


class AroundAgent:
    """What stands around another agent, and goes by its name."""

    def __init__(self, inner: Agent) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """The name of the agent that was really asked."""
        return self._inner.name

    @property
    def fingerprint(self) -> str:
        """That of the agent that was really asked."""
        return self._inner.fingerprint
