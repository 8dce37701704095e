"""The network between the Instructor agent and a model: limits, lost connections, denied access, bodies of no use."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from werkzeug import Response

from sekisho.agents.transport import TRANSPORT_RETRIES
from sekisho.errors import (
    AccessDenied,
    AgentFailed,
    AgentTimeout,
    AgentUnavailable,
    RateLimited,
)
from tests.model_calls import CANARY, GOOD, Bench, bench, http, plant_call
from tests.wire import error, slowly, tool_call, trickling

__all__ = ["bench", "http"]
_PRICE = 100 * 0.15e-6 + 10 * 0.6e-6  # gpt-4o-mini, US dollars
ONCE = pytest.approx(_PRICE)


def test_429_waits_as_long_as_retry_after_says(bench: Bench) -> None:
    bench.server.script(error(429, retry_after="1"), tool_call(GOOD))
    assert bench.agent().propose(plant_call()).usage["cost_usd"] == ONCE
    first, second = bench.server.times
    assert 1.0 <= second - first < 3
    assert bench.outcomes == ["rate_limited", "ok"]
    assert bench.lines[0]["cost_usd"] == 0


def test_429_with_an_http_date_waits_until_then(bench: Bench) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=3), usegmt=True)  # whole seconds: 2 to 3 from now
    bench.server.script(error(429, retry_after=date), tool_call(GOOD))
    bench.agent().propose(plant_call())
    first, second = bench.server.times
    assert 1.5 < second - first < 4


@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5"])
def test_429_that_lasts_is_a_typed_failure_after_a_bounded_number_of_requests(model: str, bench: Bench) -> None:
    bench.server.script(error(429, "slow down", retry_after="0.01"))
    with pytest.raises(RateLimited, match="slow down") as caught:
        bench.agent(model).propose(plant_call())
    assert caught.value.retryable
    assert len(bench.server.requests) == 1 + TRANSPORT_RETRIES
    assert bench.outcomes == ["rate_limited"] * (1 + TRANSPORT_RETRIES)
    assert caught.value.usage["cost_usd"] == 0


@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5"])
def test_a_retry_after_of_hours_is_not_waited_for(model: str, bench: Bench) -> None:
    bench.server.script(error(429, retry_after="7200"))
    with pytest.raises(RateLimited, match="try again in 7200 s"):
        bench.agent(model).propose(plant_call())
    assert len(bench.server.requests) == 1


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_server_error_is_tried_again(status: int, bench: Bench) -> None:
    bench.server.script(error(status, retry_after="0.01"), tool_call(GOOD))
    assert bench.agent().propose(plant_call()).content == GOOD
    assert bench.outcomes == ["failed", "ok"]


def test_back_off_without_retry_after_grows_and_has_jitter(bench: Bench) -> None:
    bench.server.script(error(500), error(500), tool_call(GOOD))
    bench.agent().propose(plant_call())
    first, second, third = bench.server.times
    assert 0.3 < second - first < 0.8 and 0.7 < third - second < 1.5
    assert second - first != pytest.approx(0.5, abs=1e-5)


def test_a_refused_connection_is_tried_again_and_then_names_the_address(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://user:{CANARY}@127.0.0.1:{port}/v1")
    with pytest.raises(AgentUnavailable, match=f": http://127.0.0.1:{port} cannot be reached: Connection error"):
        bench.agent(back_offs=1).propose(plant_call())
    assert bench.outcomes == ["failed", "failed"]
    assert bench.lines[0]["cost_usd"] == 0, "nothing was sent"


@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5"])
@pytest.mark.parametrize("status", [401, 403])
def test_access_denied_is_one_request_and_no_further_call_makes_one(status: int, model: str, bench: Bench) -> None:
    bench.server.script(error(status, "no such key", x_should_retry="true"))
    agent = bench.agent(model)
    with pytest.raises(AccessDenied, match=f"HTTP {status}"):
        agent.propose(plant_call(retries=3))
    with pytest.raises(AccessDenied, match=f"not asked any more in this run: access denied .HTTP {status}."):
        agent.propose(plant_call("another"))
    assert len(bench.server.requests) == 1
    assert bench.outcomes == ["failed"]


def test_a_bad_request_is_not_repeated(bench: Bench) -> None:
    bench.server.script(error(404, "the model `gpt-9` does not exist"))
    with pytest.raises(AgentFailed, match="the model `gpt-9` does not exist"):
        bench.agent().propose(plant_call(retries=3))
    assert len(bench.server.requests) == 1


@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5"])
def test_a_time_out_is_one_request_of_unknown_cost(model: str, bench: Bench) -> None:
    bench.server.script(slowly(tool_call(GOOD), 1.5))
    started = time.monotonic()
    with pytest.raises(AgentTimeout) as caught:
        bench.agent(model, timeout=0.5).propose(plant_call(retries=3))
    assert time.monotonic() - started < 1.4
    assert len(bench.server.requests) == 1
    assert bench.outcomes == ["failed"] and bench.lines[0]["cost_usd"] is None
    assert caught.value.retryable and caught.value.usage["cost_usd"] is None


def test_blank_lines_do_not_hold_up_the_time_out(bench: Bench) -> None:
    bench.server.script(trickling([b"\n"] * 20, 0.2))
    started = time.monotonic()
    with pytest.raises(AgentTimeout):
        bench.agent(timeout=0.7).propose(plant_call())
    assert time.monotonic() - started < 1.5 and len(bench.server.requests) == 1


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\nX-A: ", b""])
def test_headers_that_trickle_do_not_hold_up_the_time_out(
    head: bytes, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.getsockname()[1]}/v1")
        thread = threading.Thread(target=_trickle, args=(server, head))
        thread.start()
        started = time.monotonic()
        with pytest.raises(AgentTimeout):
            bench.agent(timeout=0.6).propose(plant_call())
        assert time.monotonic() - started < 1.5 and bench.outcomes == ["failed"]
        assert bench.lines[0]["cost_usd"] is None
        thread.join()


def _trickle(server: socket.socket, head: bytes) -> None:
    peer, _ = server.accept()
    with peer, suppress(OSError):
        peer.recv(65536)
        for piece in (head, *(b"a" if head else b"" for _ in range(12))):
            peer.sendall(piece)
            time.sleep(0.1)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5"])
def test_a_redirect_is_not_followed_and_names_the_base_url(status: int, model: str, bench: Bench) -> None:
    path = "/v1/messages" if model.startswith("anthropic") else "/v1/chat/completions"
    elsewhere = {"Location": f"http://user:{CANARY}@127.0.0.1:9{path}", "x-should-retry": "true"}
    bench.server.script(Response(status=status, headers=elsewhere))
    with pytest.raises(AgentUnavailable, match=rf"sends elsewhere \(HTTP {status}\).*base URL") as caught:
        bench.agent(model).propose(plant_call(retries=3))
    assert len(bench.server.requests) == 1 and CANARY not in str(caught.value)
    assert bench.outcomes == ["failed"] and bench.lines[0]["cost_usd"] == 0


@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5"])
def test_a_body_that_cannot_be_decoded_is_booked_as_of_unknown_cost(model: str, bench: Bench) -> None:
    bench.server.script(Response(b"no gzip", headers={"Content-Encoding": "gzip"}, content_type="application/json"))
    with pytest.raises(AgentFailed, match="reply cannot be decoded"):
        bench.agent(model).propose(plant_call(retries=3))
    assert len(bench.server.requests) == 1
    assert bench.outcomes == ["failed"] and bench.lines[0]["cost_usd"] is None


def test_a_trickle_that_is_in_time_is_a_reply(bench: Bench) -> None:
    body = tool_call(GOOD, tool="Plant").get_data()
    bench.server.script(trickling([b"\n", b"\n", body[:40], body[40:]], 0.05))
    assert bench.agent(timeout=5).propose(plant_call()).content == GOOD


@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "ollama/llama3.2", "anthropic/claude-sonnet-4-5"])
@pytest.mark.parametrize(
    "body",
    [
        Response("", content_type="application/json"),
        Response("<html>Please sign in</html>", content_type="text/html"),
        Response("null", content_type="application/json"),
        Response("[]", content_type="application/json"),
        Response('{"choices": [], "model": "x"}', content_type="application/json"),
        Response('{"error": {"message": "upstream is down"}}', content_type="application/json"),
        Response('{"choices": [null]}', content_type="application/json"),
    ],
)
def test_a_body_that_is_no_reply_is_one_call_and_a_typed_failure(body: Response, model: str, bench: Bench) -> None:
    bench.server.script(body)
    with pytest.raises(AgentFailed) as caught:
        bench.agent(model).propose(plant_call(retries=3))
    assert caught.value.remedy and len(bench.server.requests) == 1
    assert bench.outcomes == ["failed"] and bench.lines[0]["cost_usd"] is None


def test_g3_a_429_after_an_invalid_answer_keeps_the_bill_of_the_answer(bench: Bench) -> None:
    bench.server.script(tool_call({"name": 1}), error(429, retry_after="0.01"))
    with pytest.raises(RateLimited) as caught:
        bench.agent().propose(plant_call())
    assert bench.outcomes == ["invalid"] + ["rate_limited"] * (1 + TRANSPORT_RETRIES)
    assert caught.value.usage["cost_usd"] == ONCE
