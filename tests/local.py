"""The local agent with the real model, for tests that ask it directly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sekisho.agents.backends import make_agent
from sekisho.agents.local.agent import LocalAgent
from sekisho.settings import load_settings


def local_agent(state: Path) -> LocalAgent:
    """The agent as `IECQ_AGENT=local` makes it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IECQ_AGENT", "local")
        patch.setenv("SEKISHO_STATE", str(state))
        made = make_agent(load_settings())
    assert isinstance(made, LocalAgent)
    return made


def only(agent: LocalAgent, text: str, **spec: Any) -> tuple[Any, str | None]:
    """The value and evidence of one optional field."""
    spec = {"required": False, **spec}
    name = spec.pop("name")
    reply = agent.extract("note", text, {name: spec})
    return reply["fields"][name], reply["evidence"][name]
