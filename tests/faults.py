"""What a provider can do wrong, each as a model server does it, and what an agent should make of it."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from werkzeug import Request, Response

from tests.wire import Answer, content, error, slowly, tool_call, trickling

TIME_OUT = 0.2  # seconds, of the faults that take longer
_LATE = 0.5

Again = Literal["never", "sent", "asked"]


@dataclass(frozen=True)
class Fault:
    """One fault: the server's answer, made of a good reply and one of wrong types, and what follows.

    `again` says what is repeated: nothing, the request that was turned away, or the question. `cost` is 0, None where
    nobody knows it, or 1: the price of each reply. `told` stands in the reason, `word` is recall's for it.
    """

    answer: Callable[[Any, Any], Answer]
    outcome: str
    cost: Literal[0, 1] | None
    told: str
    word: str
    again: Again = "never"


def _reset(request: Request) -> Response:
    request.environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
    return Response(b"")


def _body(good: Any) -> bytes:
    return tool_call(good).get_data()


def _other_tool(good: Any) -> Response:
    return tool_call(good, tool="search")


def _long(good: Any) -> Response:
    return Response(_body(good) + b" " * 10_000_000, content_type="application/json")


def _cut(good: Any) -> Answer:
    """A good status, the length of the whole body, half of it, and the end of the connection."""
    whole = _body(good)
    length = {"Content-Length": str(len(whole))}
    return lambda _: Response(iter([whole[: len(whole) // 2]]), headers=length, content_type="application/json")


def _denied(status: int) -> Fault:
    return Fault(lambda *_: error(status, "no"), "failed", 0, f"access denied (HTTP {status}): no", "access_denied")


def _down(status: int) -> Fault:
    return Fault(lambda *_: error(status, "down"), "failed", 0, f"HTTP {status}: down", "failed", "sent")


def _limited(**headers: str) -> Fault:
    told = "the provider's rate limit: slow down"
    return Fault(lambda *_: error(429, "slow down", **headers), "rate_limited", 0, told, "rate_limited", "sent")


def _late(answer: Callable[[Any, Any], Answer]) -> Fault:
    return Fault(answer, "failed", None, "no reply in time", "timeout")


def _no_reply(answer: Callable[[Any, Any], Answer], told: str) -> Fault:
    return Fault(answer, "failed", None, told, "failed")


def _refused(answer: Callable[[Any, Any], Answer], told: str) -> Fault:
    return Fault(answer, "refusal", 1, f"the model refused: {told}", "refused")


def _invalid(answer: Callable[[Any, Any], Answer], told: str) -> Fault:
    return Fault(answer, "invalid", 1, told, "invalid_reply", "asked")


FAULTS: dict[str, Fault] = {
    "401": _denied(401),
    "403": _denied(403),
    "429 with Retry-After": _limited(retry_after="0.01"),
    "429 without Retry-After": _limited(),
    "500": _down(500),
    "502": _down(502),
    "time-out": _late(lambda good, _: slowly(tool_call(good), _LATE)),
    "slow stream": _late(lambda good, _: trickling([b"\n"] * 20 + [_body(good)], _LATE / 20)),
    "reset": Fault(lambda *_: _reset, "failed", None, "cannot be reached", "unavailable", "sent"),
    "empty body": _no_reply(lambda *_: Response("", content_type="application/json"), "JSONDecodeError"),
    "HTML": _no_reply(lambda *_: Response("<html>Sign in</html>", content_type="text/html"), "no model reply"),
    "body cut off": _no_reply(lambda good, _: _cut(good), "the reply broke off"),
    "10 MB reply": _no_reply(lambda good, _: _long(good), "the reply is longer than 8,000,000 bytes"),
    "truncated JSON": _invalid(lambda good, _: tool_call(json.dumps(good)[:-9]), "not JSON"),
    "length": Fault(
        lambda good, _: tool_call(json.dumps(good)[:-9], finish="length"), "length", 1, "token limit", "reply_cut"
    ),
    "refusal": _refused(lambda *_: content("", refusal="I would rather not"), "I would rather not"),
    "content filter": _refused(lambda *_: content("", finish="content_filter"), "stopped by the content filter"),
    "two tool calls": _invalid(lambda good, _: tool_call(good, good), "2 tool calls in place of one"),
    "wrong tool": _invalid(lambda good, _: _other_tool(good), "a call of the tool 'search'"),
    "extra keys": _invalid(lambda good, _: tool_call({**good, "certainty": 1}), "certainty: Extra inputs"),
    "wrong types": _invalid(lambda _, wrong: tool_call(wrong), "Input should be"),
}


def names(rows: Iterable[str]) -> list[str]:
    """The first cells of a table's rows."""
    return [row.split("|")[1].strip() for row in rows]
