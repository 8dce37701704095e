"""The `claude -p` agent: one sub-process a call, the prompt on its standard input, no shell and no tools."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from typing import Any

from sekisho.agents.base import Call, Reply
from sekisho.agents.budget import Account, Budget
from sekisho.agents.circuit import Circuit
from sekisho.agents.faults import describe
from sekisho.agents.prices import MOST_TOKENS, NOTHING, UNKNOWN, Spent
from sekisho.agents.secrets import scrub
from sekisho.agents.slots import slot
from sekisho.agents.spend import Outcome, SpendLedger
from sekisho.agents.subagent import fits, json_from_text
from sekisho.errors import AgentFailed, AgentTimeout, AgentUnavailable, InvalidReply
from sekisho.text import printable


class ClaudeAgent:
    """Runs the program once per call; it has no tools, no MCP servers and an empty folder to stand in.

    `timeout` is in seconds. A document never becomes part of a command line. Each call is booked in the `ledger`. The
    program says what a call cost only afterwards, so under a `budget` calls go one at a time, each while there is room
    for one as dear as the dearest so far: the last one may pass the cap, none begins after it. `concurrency` is how
    many of them run at once in this process. After several outages in a row it is not run any more.
    """

    name = fingerprint = "claude"

    def __init__(
        self,
        *,
        program: str = "claude",
        ledger: SpendLedger | None = None,
        budget: Budget | None = None,
        timeout: float = 180.0,
        concurrency: int = 5,
    ) -> None:
        self._program = program
        self._ledger = ledger
        self._budget = budget
        self._timeout = timeout
        self._concurrency = concurrency
        self._circuit = Circuit(self.name)

    def propose(self, call: Call) -> Reply:
        """The program's reply as JSON; a typed failure where it is missing, late, unhappy or talks no JSON."""
        with self._circuit.call(), slot(self.name, self._concurrency):
            self._circuit.check()  # it may have opened while this call waited
            return self._ask(call)

    def _ask(self, call: Call) -> Reply:
        about = {"key": call.key, "prompt": call.prompt.name, "model": ledger_name(call.prompt.params)}
        account = Account(self._ledger, self._budget, **about)
        account.reserve(None)
        outcome: Outcome = "failed"
        spent = UNKNOWN
        try:
            code, out, err = self._run(self._command(call.prompt.params), call)
            envelope = _envelope(out)
            spent = _spent(envelope)
            reply = _reply(code, out, err, envelope, call)
            outcome = "ok" if fits(call.reply_type, reply.content) else "invalid"
            return call.arrived(reply)
        except InvalidReply:
            outcome = "invalid"
            raise
        except AgentUnavailable:
            spent = NOTHING
            raise
        finally:
            account.book(outcome, spent)

    def _command(self, params: Mapping[str, Any]) -> list[str]:
        # No --max-budget-usd: it is looked at between turns and here is only one; what passes it is thrown away, paid.
        command = [self._program, "-p", "--output-format", "json", "--tools", "", "--strict-mcp-config"]
        command.append("--no-session-persistence")
        model = _wanted(params)
        return [*command, "--model", model] if model else command

    def _run(self, command: list[str], call: Call) -> tuple[int, str, str]:
        with tempfile.TemporaryDirectory(prefix="sekisho-") as folder:
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    cwd=folder,
                    start_new_session=True,
                )
            except OSError as error:
                raise AgentUnavailable(
                    f"{self._program} cannot be started: {error.strerror}",
                    item=call.key,
                    remedy="install the Claude command line, or choose another IECQ_AGENT",
                ).having_seen("it cannot be started") from None
            try:
                out, err = process.communicate(call.prompt.text.encode("utf-8"), timeout=self._timeout)
            except subprocess.TimeoutExpired:
                late = f"no reply within {self._timeout:g} s"
                remedy = "raise SEKISHO_MODEL_TIMEOUT"
                raise AgentTimeout(late, item=call.key, remedy=remedy).having_seen(late) from None
            finally:
                _end(process)
        return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process and all of its group, without waiting for a child that left the group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def _envelope(out: str) -> dict[str, Any] | None:
    """The program's own JSON around the reply, or None where it printed the reply itself."""
    try:
        value = json.loads(out)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and value.get("type") == "result" else None


def ledger_name(params: Mapping[str, Any]) -> str:
    """How the ledger calls the model of a prompt: `claude`, with the prompt's own model after it."""
    return f"claude/{_wanted(params)}".removesuffix("/")


def _wanted(params: Mapping[str, Any]) -> str:
    return str(params.get("model") or "").removeprefix("anthropic/")


def _reply(code: int, out: str, err: str, envelope: Mapping[str, Any] | None, call: Call) -> Reply:
    remedy = "try `claude -p hi`"
    if code != 0:
        words = printable(scrub(err or out).strip())[-300:]
        ended = f"claude ended with exit code {code}"
        raise AgentFailed(f"{ended}: {words}", item=call.key, remedy=remedy).having_seen(ended)
    if envelope is None:
        return Reply(json_from_text(out, call.reply_type), model=str(call.prompt.params.get("model", "")))
    if envelope.get("is_error"):
        words = describe(envelope.get("result", ""))
        told = "claude reports an error"
        raise AgentFailed(f"{told}: {words}", item=call.key, remedy=remedy).having_seen(told)
    result = envelope.get("result")
    if not isinstance(result, str):
        raise InvalidReply(["reply: the result is no text"], item=call.key)
    return Reply(json_from_text(result, call.reply_type), model=_model(envelope, call), usage=_usage(envelope))


def _model(envelope: Mapping[str, Any], call: Call) -> str:
    used = envelope.get("modelUsage")
    return ",".join(sorted(used)) if isinstance(used, dict) and used else str(call.prompt.params.get("model", ""))


def _usage(envelope: Mapping[str, Any]) -> dict[str, float]:
    usage = envelope.get("usage")
    tokens = usage if isinstance(usage, dict) else {}
    numbers = {name: _number(tokens.get(name)) for name in ("input_tokens", "output_tokens")}
    numbers["cost_usd"] = _number(envelope.get("total_cost_usd"))
    return {name: value for name, value in numbers.items() if value is not None}


def _spent(envelope: Mapping[str, Any] | None) -> Spent:
    if envelope is None:
        return UNKNOWN
    usage = envelope.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    read, *cached = (
        _number(usage.get(name)) for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    )
    written = _number(usage.get("output_tokens"))
    return Spent(
        None if read is None else int(read + sum(one or 0 for one in cached)),
        None if written is None else int(written),
        _number(envelope.get("total_cost_usd")),
    )


def _number(value: Any) -> float | None:
    usable = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS
    return float(value) if usable else None
