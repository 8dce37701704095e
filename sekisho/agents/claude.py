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
from sekisho.agents.subagent import json_from_text
from sekisho.errors import AgentFailed, AgentTimeout, AgentUnavailable, InvalidReply
from sekisho.text import printable


class ClaudeAgent:
    """Runs the program once per call; it has no tools, no MCP servers and an empty folder to stand in.

    `timeout` is in seconds. A document never becomes part of a command line.
    """

    name = fingerprint = "claude"

    def __init__(self, *, program: str = "claude", timeout: float = 180.0) -> None:
        self._program = program
        self._timeout = timeout

    def propose(self, call: Call) -> Reply:
        """The program's reply as JSON; a typed failure where it is missing, late, unhappy or talks no JSON."""
        code, out, err = self._run(self._command(call.prompt.params), call)
        if code != 0:
            words = printable((err or out).strip())[-300:]
            raise AgentFailed(
                f"claude ended with exit code {code}: {words}", item=call.key, remedy="try `claude -p hi`"
            )
        envelope = _envelope(out)
        if envelope is None:
            return Reply(json_from_text(out), model=str(call.prompt.params.get("model", "")))
        if envelope.get("is_error"):
            words = printable(str(envelope.get("result", "")))[:300]
            raise AgentFailed(f"claude reports an error: {words}", item=call.key, remedy="try `claude -p hi`")
        result = envelope.get("result")
        if not isinstance(result, str):
            raise InvalidReply(["reply: the result is no text"], item=call.key)
        return Reply(json_from_text(result), model=_model(envelope, call), usage=_usage(envelope))

    def _command(self, params: Mapping[str, Any]) -> list[str]:
        command = [self._program, "-p", "--output-format", "json", "--tools", "", "--strict-mcp-config"]
        command.append("--no-session-persistence")
        model = str(params.get("model") or "").removeprefix("anthropic/")
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
                ) from None
            try:
                out, err = process.communicate(call.prompt.text.encode("utf-8"), timeout=self._timeout)
            except subprocess.TimeoutExpired:
                late = f"no reply within {self._timeout:g} s"
                raise AgentTimeout(late, item=call.key, remedy="raise SEKISHO_MODEL_TIMEOUT") from None
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
    except ValueError:
        return None
    return value if isinstance(value, dict) and value.get("type") == "result" else None


def _model(envelope: Mapping[str, Any], call: Call) -> str:
    used = envelope.get("modelUsage")
    return ",".join(sorted(used)) if isinstance(used, dict) and used else str(call.prompt.params.get("model", ""))


def _usage(envelope: Mapping[str, Any]) -> dict[str, float]:
    usage = envelope.get("usage")
    tokens = usage if isinstance(usage, dict) else {}
    numbers = {name: tokens.get(name) for name in ("input_tokens", "output_tokens")}
    numbers["cost_usd"] = envelope.get("total_cost_usd")
    return {name: float(value) for name, value in numbers.items() if isinstance(value, int | float)}
