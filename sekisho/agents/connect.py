"""From a provider to an Instructor client: key, address, time-out, back-off and mode."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from sekisho.agents.providers import Provider
from sekisho.agents.transport import Place, TimedClient

if TYPE_CHECKING:
    import instructor


def connect(
    provider: Provider, model: str, watcher: Any, *, timeout: float, retries: int, place: Place
) -> instructor.Instructor:
    """The client for one model; `watcher` returns who is told of the HTTP attempts of the calling thread.

    `timeout` is in seconds and per HTTP attempt, each of which holds a `place`; `retries` bounds the back-off.
    `SettingsError` where the provider's package or key is missing.
    """
    provider.check()
    import instructor  # late, like the providers' own clients: together they take seconds

    # Its error lines repeat a provider's words unfiltered, keys included; ours are filtered, and come once.
    logging.getLogger("instructor").setLevel(logging.CRITICAL)
    mode = instructor.Mode[provider.mode]
    if provider.wire == "chat":
        return _chat(provider, mode, watcher, timeout, retries, place)
    if provider.wire == "messages":
        return _messages(provider, mode, watcher, timeout, retries, place)
    client: instructor.Instructor = instructor.from_provider(f"{provider.name}/{model}", mode=mode)
    for name, value in (("timeout", timeout), ("max_retries", retries)):
        if hasattr(client.client, name):
            setattr(client.client, name, value)
    return client


def _chat(
    provider: Provider, mode: instructor.Mode, watcher: Any, timeout: float, retries: int, place: Place
) -> instructor.Instructor:
    import instructor
    import openai

    class Expired(openai.OpenAIError):
        """A time-out that is not to be repeated; a connection error of the client's own would be."""

    client = openai.OpenAI(
        api_key=provider.credential[1] or "none",  # the client insists on one, a local server ignores it
        base_url=provider.base_url or None,
        timeout=timeout,
        max_retries=retries,
        http_client=TimedClient(timeout, Expired, watcher, place),
    )
    return instructor.from_openai(client, mode=mode)


def _messages(
    provider: Provider, mode: instructor.Mode, watcher: Any, timeout: float, retries: int, place: Place
) -> instructor.Instructor:
    import anthropic
    import instructor

    class Expired(anthropic.AnthropicError):
        """A time-out that is not to be repeated; a connection error of the client's own would be."""

    variable, secret = provider.credential
    token = variable.endswith("AUTH_TOKEN")
    client = anthropic.Anthropic(
        api_key=None if token else secret,
        auth_token=secret if token else None,
        base_url=provider.base_url or None,
        timeout=timeout,
        max_retries=retries,
        http_client=TimedClient(timeout, Expired, watcher, place),
    )
    return instructor.from_anthropic(client, mode=mode)
