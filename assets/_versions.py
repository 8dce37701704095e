"""Versions: an asset made by a prompt is another asset once the prompt, the fixtures or the replies have changed."""

from collections.abc import Iterable

import dagster as dg

from sekisho.agents.base import Agent
from sekisho.agents.prompts import prompt_sha256
from sekisho.hashing import sha256_json
from sekisho.records import Record
from sekisho.settings import load_settings


def prompt_version(name: str) -> str:
    """The code version of an asset: the first digits of the digest of its production prompt's files."""
    return prompt_sha256(load_settings().prompts / "production" / name)[:12]


def data_version(agent: Agent, rows: Iterable[Record]) -> dg.DataVersion:
    """The data version of what an agent proposed: its fingerprint and the rows."""
    # The same reply is the same data, whether the loop got it in its second round or a later run found it stored.
    content = [row.model_dump(mode="json", exclude={"provenance": {"round"}}) for row in rows]
    return dg.DataVersion(sha256_json([agent.fingerprint, content])[:16])
