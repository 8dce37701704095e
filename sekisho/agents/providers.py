"""The providers that Instructor reaches: what each needs, which mode it is asked in, which parameters it takes."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal

from sekisho.errors import SettingsError

Wire = Literal["chat", "messages", "own"]
_ALL = ("temperature", "top_p", "max_tokens", "seed")
_NO_SEED = ("temperature", "top_p", "max_tokens")
# o1, o3-mini, gpt-5-nano ...: HTTP 400 for temperature and top_p, and `max_completion_tokens` in place of `max_tokens`;
# gpt-5-chat-latest is no reasoning model.
_REASONING = re.compile(r"^(o\d|gpt-[5-9](?!.*chat))")


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider: `module` must be importable (`install` is what pip calls it), one of `keys` must be set.

    `wire` says whose format its replies have: OpenAI's chat completions, Anthropic's messages, or its own. `mode` is
    the name of an Instructor mode; `parameters` are those of `params.yaml` that it accepts.
    """

    name: str
    module: str = "openai"
    install: str = "openai"
    keys: tuple[str, ...] = ()
    wire: Wire = "chat"
    mode: str = "TOOLS"
    parameters: tuple[str, ...] = _NO_SEED
    url_variable: str = ""
    url: str = ""

    @property
    def credential(self) -> tuple[str, str]:
        """The variable that holds the key, and the key without white space around it; two empty texts without one."""
        return next(((name, _environment(name)) for name in self.keys if _environment(name)), ("", ""))

    @property
    def base_url(self) -> str:
        """Where it is reached; empty where its own client knows best."""
        return (_environment(self.url_variable) if self.url_variable else "") or self.url

    def check(self) -> None:
        """`SettingsError` where its client is not installed or its key is not set; nothing is imported for it."""
        if not _is_installed(self.module):
            remedy = f"pip install {self.install}"
            raise SettingsError(f"the client of {self.name} is not installed", item="IECQ_AGENT", remedy=remedy)
        if self.keys and not self.credential[1]:
            first = self.keys[0]
            raise SettingsError(f"not set, and {self.name} needs a key", item=first, remedy=f"set {first}")
        if self.base_url and not re.match(r"https?://[^/\s]", self.base_url):
            remedy = f"write {self.url_variable}=http://host:port/v1 or https://..."
            raise SettingsError(f"no URL: {shown_url(self.base_url)!r}", item=self.url_variable, remedy=remedy)
        variable, key = self.credential
        if not (key.isascii() and key.isprintable()) or " " in key:
            reason = "holds a line break, a space or another character that no key has"
            raise SettingsError(reason, item=variable, remedy=f"set {variable} to the key alone")

    def accepted(self, model: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the prompt's parameters that this model takes, under the names that it takes them."""
        taken = {name: params[name] for name in self.parameters if params.get(name) is not None}
        if self.name == "openai" and _REASONING.match(model):
            renamed = {"max_tokens": "max_completion_tokens", "seed": "seed"}
            taken = {renamed[name]: value for name, value in taken.items() if name in renamed}
        if self.wire == "messages":
            taken.setdefault("max_tokens", 4096)  # required there
        return taken


def _own(name: str, module: str, install: str, *keys: str) -> Provider:
    return Provider(name, module, install, keys, wire="own", parameters=())


_TABLE = (
    Provider("openai", keys=("OPENAI_API_KEY",), parameters=_ALL, url_variable="OPENAI_BASE_URL"),
    # The API of 2026-10-21, which version 2 of the client speaks, has no temperature, top_p or seed.
    Provider(
        "anthropic",
        module="anthropic",
        install="'sekisho[anthropic]'",
        keys=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
        wire="messages",
        parameters=("max_tokens",),
        url_variable="ANTHROPIC_BASE_URL",
    ),
    # Thinking is on by default there; JSON output works with and without it. Offers no JSON schema and no seed.
    Provider(
        "deepseek",
        keys=("DEEPSEEK_API_KEY",),
        mode="JSON",
        url_variable="DEEPSEEK_BASE_URL",
        url="https://api.deepseek.com",
    ),
    # A JSON schema constrains decoding for every model, tools work for some models only.
    Provider(
        "ollama",
        mode="JSON_SCHEMA",
        parameters=_ALL,
        url_variable="OLLAMA_BASE_URL",
        url="http://localhost:11434/v1",
    ),
    Provider(
        "openrouter",
        keys=("OPENROUTER_API_KEY",),
        parameters=_ALL,
        url_variable="OPENROUTER_BASE_URL",
        url="https://openrouter.ai/api/v1",
    ),
    Provider(
        "together",
        keys=("TOGETHER_API_KEY",),
        parameters=_ALL,
        url_variable="TOGETHER_BASE_URL",
        url="https://api.together.xyz/v1",
    ),
    Provider(
        "perplexity",
        keys=("PERPLEXITY_API_KEY",),
        mode="JSON_SCHEMA",
        url_variable="PERPLEXITY_BASE_URL",
        url="https://api.perplexity.ai",
    ),
    # From here on Instructor makes the client, which reads its own variables.
    _own("azure_openai", "openai", "openai", "AZURE_OPENAI_API_KEY"),
    _own("anyscale", "openai", "openai", "ANYSCALE_API_KEY"),
    _own("databricks", "openai", "openai", "DATABRICKS_TOKEN", "DATABRICKS_API_KEY"),
    _own("bedrock", "boto3", "boto3"),
    _own("cerebras", "cerebras.cloud.sdk", "cerebras_cloud_sdk", "CEREBRAS_API_KEY"),
    _own("cohere", "cohere", "cohere", "CO_API_KEY"),
    _own("fireworks", "fireworks", "fireworks-ai", "FIREWORKS_API_KEY"),
    _own("gemini", "google.generativeai", "google-generativeai", "GOOGLE_API_KEY"),
    _own("generative-ai", "google.genai", "google-genai", "GOOGLE_API_KEY"),
    _own("google", "google.genai", "google-genai", "GOOGLE_API_KEY"),
    _own("groq", "groq", "groq", "GROQ_API_KEY"),
    _own("litellm", "litellm", "litellm"),
    _own("mistral", "mistralai", "mistralai", "MISTRAL_API_KEY"),
    _own("vertexai", "vertexai", "google-cloud-aiplatform"),
    _own("writer", "writerai", "writer-sdk", "WRITER_API_KEY"),
    _own("xai", "xai_sdk", "xai-sdk", "XAI_API_KEY"),
)
PROVIDERS: Mapping[str, Provider] = {provider.name: provider for provider in _TABLE}


def find_provider(string: str, item: str = "IECQ_AGENT") -> tuple[Provider, str]:
    """The provider and the model that a string such as `openai/gpt-4o-mini` names; `SettingsError` for any other."""
    name, _, model = string.partition("/")
    if name not in PROVIDERS:
        known = ", ".join(sorted(PROVIDERS))
        raise SettingsError(f"no provider is called {name!r}", item=item, remedy=f"use one of {known}")
    if not model.strip():
        raise SettingsError(f"{string!r} names no model", item=item, remedy=f"write {name}/<model>")
    return PROVIDERS[name], model


def shown_url(url: str) -> str:
    """A URL as it may be shown: without user, password and query."""
    shown = re.sub(r"^([A-Za-z][A-Za-z0-9+.-]*://)?[^/?#\s]*@", r"\1", url.strip())
    return re.split(r"[?#;]", shown)[0] if re.search(r"[.:/]", shown) else "[not shown]"


def _environment(name: str) -> str:
    return os.environ.get(name, "").strip()


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # a parent package is missing
        return False
