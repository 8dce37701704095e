"""The secrets of this process: found in the environment, taken out of what is told, and in no reply that is kept."""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import quote, quote_plus, unquote

from sekisho.agents.base import AroundAgent, Call, Reply
from sekisho.agents.providers import PROVIDERS
from sekisho.errors import AgentError, InvalidReply

HOLDS_A_SECRET = "reply: holds a key or password of this program"
# Shorter ones are placeholders for local servers (`x`, `ollama`) and words, which documents hold too.
_LEAST = 8
_LEAST_PASSWORD = 4  # where words about a failure are told, and no document is
_USER = re.compile(r"^(?:[A-Za-z][A-Za-z0-9+.-]*://)?([^/?#\s@]+)@")
_QUERY = re.compile(r"[?&;][^=&;#\s]*(?:key|token|secret|sig|pass|auth|cred)[^=&;#\s]*=([^&;#\s]+)", re.IGNORECASE)
_KEY_NAME = re.compile(r"_(?:API_?KEY|ACCESS_KEY|SECRET|SECRET_KEY|TOKEN|PASSWORD)$")
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


def scrub(text: str) -> str:
    """The text without any key of a provider, or password of a URL, that the environment holds; cut it afterwards."""
    spellings = _spellings(_keys(), _LEAST) | _spellings(_passwords(), _LEAST_PASSWORD)
    for value in sorted(spellings, key=len, reverse=True):
        text = text.replace(value, "[key]")
    return text


def holds_a_secret(value: Any) -> bool:
    """Whether one of them stands anywhere in a JSON value."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):  # no value of JSON: it will be refused, and stored nowhere
        return False
    return any(spelling in text for spelling in _spellings([*_keys(), *_passwords()], _LEAST))


class Discreet(AroundAgent):
    """Answers as the inner agent does; its errors tell no secret, and a reply that holds one is refused.

    A server that echoes what it was sent cannot have a key stored, published or shown in that way.
    """

    def propose(self, call: Call) -> Reply:
        """The inner agent's reply; `InvalidReply` where it holds a secret."""
        clean: list[Reply] = []

        def keep(reply: Reply) -> None:
            if not _tells(reply):
                clean.append(reply)
                call.arrived(reply)

        try:
            reply = self._inner.propose(replace(call, keep=keep))
        except AgentError as error:
            raise error.reworded(scrub) from None
        if not any(reply is one for one in clean) and _tells(reply):
            raise InvalidReply([HOLDS_A_SECRET], item=call.key).costing(reply.usage)
        return reply


def _tells(reply: Reply) -> bool:
    return holds_a_secret([reply.content, reply.model])


def _spellings(secrets: Iterable[str], least: int) -> set[str]:
    """Every secret as it is, and as URLs, JSON and basic authentication spell it, where it is not too short."""
    found: set[str] = set()
    for secret in secrets:
        for plain in (secret, unquote(secret)):
            found |= {plain, quote(plain), quote(plain, safe=""), quote_plus(plain), json.dumps(plain)[1:-1]}
            found.add(b64encode(plain.encode("utf-8", "replace")).decode("ascii").rstrip("="))
    return {one for one in found if len(one) >= least}


def _keys() -> list[str]:
    """The keys of all providers, and what else is called one: some clients read variables of their own."""
    named = {name for provider in PROVIDERS.values() for name in provider.keys}
    return [value.strip() for name, value in os.environ.items() if name in named or _KEY_NAME.search(name.upper())]


def _passwords() -> Iterator[str]:
    """Of each URL that is called: user and password together and apart, and the values of its query that are secret."""
    for name in (*(provider.url_variable for provider in PROVIDERS.values()), *_PROXIES):
        url = os.environ.get(name, "").strip() if name else ""
        if user := _USER.match(url):
            yield from (user[1], user[1].partition(":")[2])
        yield from (found[1] for found in _QUERY.finditer(url))
