"""The agent that needs no model: extractive, through the embedding model."""

from sekisho.agents.local.agent import LocalAgent

__all__ = ["LocalAgent"]
