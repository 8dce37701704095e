"""A model server for tests: real HTTP, replies from a script, every request kept."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

Answer = Response | Callable[[Request], Response]


@dataclass
class ModelServer:
    """Answers requests from a script, in order; the last entry answers all later ones.

    A scripted call of the tool `Reply` is one of the tool that was asked for. `most_at_once` is how many requests were
    being answered at a time.
    """

    http: HTTPServer
    requests: list[dict[str, Any]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    _script: list[Answer] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.http.expect_request("/v1/chat/completions", method="POST").respond_with_handler(self._answer)
        self.http.expect_request("/v1/messages", method="POST").respond_with_handler(self._answer)
        self.http.expect_request("/serving-endpoints/chat/completions").respond_with_handler(self._answer)

    @property
    def url(self) -> str:
        """The base URL as the OpenAI client wants it."""
        return self.http.url_for("/v1")

    def script(self, *answers: Answer) -> None:
        """What is answered from now on."""
        self._script = list(answers)

    def _answer(self, request: Request) -> Response:
        asked = json.loads(request.get_data())
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            self.requests.append(asked)
            self.headers.append(dict(request.headers))
            self.times.append(time.monotonic())
            answer = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        try:
            return _calling_the_asked_tool(answer if isinstance(answer, Response) else answer(request), asked)
        finally:
            with self._lock:
                self.at_once -= 1


def _calling_the_asked_tool(answer: Response, asked: dict[str, Any]) -> Response:
    if answer.is_streamed or not asked.get("tools"):
        return answer
    tool = asked["tools"][0]
    named = json.dumps({"name": tool.get("function", tool)["name"]})[1:-1].encode()
    body = answer.get_data().replace(b'"name": "Reply"', named)
    return Response(body, status=answer.status, headers=answer.headers.items())


def asked_text(request: Request) -> str:
    """All messages of a request, as one text."""
    return json.dumps(json.loads(request.get_data())["messages"], ensure_ascii=False)


def as_text(value: Any) -> str:
    """JSON as a model would write it; text stays as it is."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def tool_call(
    *values: Any, finish: str = "tool_calls", model: str = "gpt-4o-mini", tool: str = "Reply", **message: Any
) -> Response:
    """A chat completion that calls the asked tool once per value; 100 tokens read, 10 written."""
    calls = [
        {"id": f"call_{number}", "type": "function", "function": {"name": tool, "arguments": as_text(value)}}
        for number, value in enumerate(values)
    ]
    return completion({"content": None, "tool_calls": calls, **message}, finish, model)


def content(value: Any, *, finish: str = "stop", model: str = "gpt-4o-mini", **message: Any) -> Response:
    """A chat completion with text; 100 tokens read, 10 written."""
    return completion({"content": as_text(value), **message}, finish, model)


def completion(message: dict[str, Any], finish: str, model: str) -> Response:
    """A chat completion around a message."""
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }
    return Response(json.dumps(body), content_type="application/json")


def message(*blocks: dict[str, Any], stop: str = "tool_use") -> Response:
    """An Anthropic message; 100 tokens read, 10 written."""
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": list(blocks),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 10},
    }
    return Response(json.dumps(body), content_type="application/json")


def tool_use(value: Any, number: int = 0) -> dict[str, Any]:
    """A block of an Anthropic message that calls the asked tool."""
    return {"type": "tool_use", "id": f"toolu_{number}", "name": "Reply", "input": value}


def billed(answer: Response, read: int, written: int) -> Response:
    """The same chat completion with other numbers of tokens read and written."""
    body = json.loads(answer.get_data())
    body["usage"] = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    return Response(json.dumps(body), content_type="application/json")


def error(status: int, words: str = "not now", **headers: str) -> Response:
    """An error as OpenAI and Anthropic write it; keyword `retry_after` becomes the header Retry-After."""
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    body = {"type": "error", "error": {"message": words, "type": "error", "code": None}}
    return Response(json.dumps(body), status=status, content_type="application/json", headers=named)


def slowly(answer: Response, seconds: float) -> Answer:
    """The same answer after a while."""

    def wait(_request: Request) -> Response:
        time.sleep(seconds)
        return answer

    return wait


def trickling(pieces: Sequence[bytes], gap: float) -> Answer:
    """A body that arrives piece by piece, as from providers that send blank lines while they think."""

    def body() -> Any:
        for piece in pieces:
            time.sleep(gap)
            yield piece

    return lambda _request: Response(body(), content_type="application/json")
