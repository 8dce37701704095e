"""What a provider's exception means: the typed error, in words that hold no key."""

from __future__ import annotations

from typing import Any

from sekisho.agents.secrets import scrub
from sekisho.agents.spend import Outcome
from sekisho.agents.transport import BROKEN_OFF, TOO_LONG, UNDECODED, retry_after
from sekisho.errors import AccessDenied, AgentError, AgentFailed, AgentTimeout, AgentUnavailable, RateLimited
from sekisho.text import printable

_LONGEST = 300
NO_REPLY = "no reply of a model"


def describe(problem: object) -> str:
    """A foreign message on one line, without keys, cut at 300 characters."""
    return printable(scrub(str(problem)).strip())[:_LONGEST]


def http_error(cause: BaseException, item: str) -> tuple[Outcome, AgentError]:
    """How a call without a reply is booked, and its error; read by shape, for each provider has its own classes."""
    status = _status(cause)
    words = describe(_message(cause))
    if status is not None and status < 400:  # never followed: what is sent holds a key and a document
        remedy = "set the provider's base URL to the address that answers"
        told = f"{_address(cause)} sends elsewhere (HTTP {status})"
        return "failed", AgentUnavailable(told, item=item, remedy=remedy).having_seen(f"HTTP {status}")
    if status in (401, 402, 403):
        remedy = "check the key, the account and its credit"
        denied = f"access denied (HTTP {status})"
        return "failed", AccessDenied(f"{denied}: {words}", item=item, remedy=remedy).having_seen(denied)
    if status == 429:
        wait = retry_after(cause.response) if hasattr(cause, "response") else None
        remedy = "lower SEKISHO_WORKERS, or try again " + (f"in {wait:.0f} s" if wait and wait > 0 else "later")
        return "rate_limited", RateLimited(f"the provider's rate limit: {words}", item=item, remedy=remedy)
    if status is not None:
        remedy = "check the model's name and the prompt" if status < 500 else "try again later"
        error = AgentFailed(f"HTTP {status}: {words}", item=item, remedy=remedy)
        return "failed", error.having_seen("" if status < 500 else f"HTTP {status}")
    return "failed", _without_status(cause, words, item)


def _without_status(cause: BaseException, words: str, item: str) -> AgentError:
    """The error of a call that ended without an HTTP status of the server's."""
    name = type(cause).__name__
    if name == "Expired" and words in (BROKEN_OFF, UNDECODED, TOO_LONG):
        remedy = "check the provider's base URL, and what is in between"
        return AgentFailed(words, item=item, remedy=remedy).having_seen(words)
    if name == "Expired" or "Timeout" in name:
        late = "no reply in time"
        return AgentTimeout(late, item=item, remedy="raise SEKISHO_MODEL_TIMEOUT").having_seen(late)
    if "Connection" in name or "Connect" in name:
        remedy = "check the network and the provider's base URL"
        far = f"{_address(cause)} cannot be reached"
        return AgentUnavailable(f"{far}: {words}", item=item, remedy=remedy).having_seen(far)
    remedy = "check the provider's base URL and the model"
    return AgentFailed(f"{name}: {words}", item=item, remedy=remedy).having_seen(NO_REPLY)


def _status(cause: BaseException) -> int | None:
    for name in ("status_code", "http_status", "code"):
        value = getattr(cause, name, None)
        if isinstance(value, int) and 300 <= value < 600:
            return value
    return None


def _address(cause: BaseException) -> str:
    """Scheme, host and port that were called, without what else a URL may hold."""
    url = getattr(getattr(cause, "request", None), "url", None)
    return f"{url.scheme}://{url.netloc.decode('ascii', 'replace')}" if url is not None else "the provider"


def _message(cause: BaseException) -> Any:
    """The provider's own sentence where the body of its reply holds one, else the whole text of the exception."""
    body = getattr(cause, "body", None)
    for _ in range(2):
        if isinstance(body, dict):
            if isinstance(body.get("message"), str):
                return body["message"]
            body = body.get("error")
    deeper = cause.__cause__
    return f"{cause} {deeper}" if deeper is not None else cause
