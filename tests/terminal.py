"""A command on a terminal of its own, as a person sees it: what it shows, and answers to what it asks."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress

OURS = ("SEKISHO_", "IECQ_", "DAGSTER_", "RECALL_", "CHROMA_", "MAP_")


def bare_environment() -> dict[str, str]:
    """The environment without any setting of ours, for fixtures that live longer than a test."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS)}


def on_a_terminal(
    command: Sequence[str], *, environment: Mapping[str, str], answers: Sequence[str] = ()
) -> tuple[int, str]:
    """The exit code and all that was shown; each answer is typed when a question with a colon is waiting."""
    master, slave = pty.openpty()
    wide = {**environment, "TERM": "xterm", "COLUMNS": "160", "LINES": "50"}
    running = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=wide, close_fds=True)
    os.close(slave)
    shown, left, seen = "", list(answers), 0
    with suppress(OSError):  # on Linux the end of a terminal is an error
        while piece := os.read(master, 65536):
            shown += piece.decode("utf-8", "replace")
            if left and shown[seen:].rstrip(" ").endswith(":"):
                seen = len(shown)
                os.write(master, f"{left.pop(0)}\n".encode())
    os.close(master)
    return running.wait(timeout=120), shown


def plain(shown: str) -> str:
    """What was shown without colours and movements of the cursor."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
