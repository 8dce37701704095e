"""Channels through Apprise: Slack, e-mail, webhooks and a hundred others, each from one URL that holds its secrets.

Such a URL is never shown: a channel is known by its scheme and place in the list, and by a digest.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, unquote_plus

from sekisho.alerts.message import Message
from sekisho.errors import SettingsError
from sekisho.hashing import sha256_text
from sekisho.text import shortened

if TYPE_CHECKING:
    from apprise import NotifyBase

_VARIABLE = "SEKISHO_ALERT_URLS"
_BETWEEN_URLS = re.compile(r"[\s,]+(?=[A-Za-z][A-Za-z0-9+.-]*://)")
_PARTS = re.compile(r"[/?#&;,:=@\s]+")
_SEND_TIMEOUT = 15.0  # seconds for one message


class AppriseChannel:
    """One service that Apprise knows."""

    def __init__(self, url: str, name: str) -> None:
        self.id = sha256_text(url)[:16]
        self.name = name
        self._url = url
        self._service = _service(url, name)

    def send(self, message: Message) -> str | None:
        """Deliver a message; else say in one line, without a secret, why not."""
        from apprise import Apprise, NotifyFormat, NotifyType

        sender = Apprise(services=self._service)
        try:
            result = sender.notify(message.body, message.title, NotifyType(message.tone), body_format=NotifyFormat.TEXT)
        except Exception as error:  # a plugin of Apprise may raise anything; its words may hold the URL
            return f"{type(error).__name__} in Apprise"
        if result:
            return None
        told = [entry.message for entry in result.logs()]
        return shortened(scrubbed(told[-1], self._url)) if told else "not accepted"


def channels_of(urls: str) -> list[AppriseChannel]:
    """The channels of a list of URLs, separated by white space or commas; a `SettingsError` names a bad one by place.

    A comma or space belongs to the URL before it unless another URL follows.
    """
    found = [url for url in _BETWEEN_URLS.split(urls.strip().strip(",").strip()) if url]
    names = [f"{_scheme(url)} (URL {number} of {len(found)})" for number, url in enumerate(found, 1)]
    unique = dict(zip(found, names, strict=True))
    return [AppriseChannel(url, name) for url, name in unique.items()]


def scrubbed(text: str, url: str) -> str:
    """A text in which no part of a URL after its scheme is left, however it was quoted."""
    raw = [url, *_PARTS.split(url.partition("://")[2])]
    read = [spelling for part in raw for spelling in (part, unquote(part), unquote_plus(part))]
    parts = {piece for spelling in read for piece in (spelling, *_PARTS.split(spelling))}
    spellings = {spelling for part in parts for spelling in (part, quote(part), quote(part, safe=""))}
    for spelling in sorted(spellings, key=len, reverse=True):
        if len(spelling) > 2:
            text = text.replace(spelling, "***")
    return text


def _service(url: str, name: str) -> NotifyBase:
    """Apprise's own object for a URL."""
    from apprise import Apprise, AppriseAsset

    logging.getLogger("apprise").propagate = False  # what it logs may hold parts of a URL
    asset = AppriseAsset(
        async_mode=False,
        service_timeout=_SEND_TIMEOUT,
        storage_mode="memory",
        app_id="Sekisho",
        app_desc="Sekisho",
        app_url="",
    )
    service = None if re.search(r"\s", url) else Apprise.instantiate(url, asset=asset)
    if service is None:
        remedy = (
            "write a service's URL as Apprise's documentation has it, and json:// or jsons:// for a webhook of your own"
        )
        raise SettingsError(f"Apprise cannot use the {name}", item=_VARIABLE, remedy=remedy)
    return service


def _scheme(url: str) -> str:
    """The scheme where it has the form of one; anything else may be a secret."""
    found = re.match(r"[A-Za-z][A-Za-z0-9+.-]{0,31}(?=://)", url)
    return found[0].lower() if found else "text"
