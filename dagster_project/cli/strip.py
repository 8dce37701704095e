"""`sekisho strip`: one text as the portal views' doc_text would hold it, byte for byte."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

from dagster_project.cli.console import print_json
from dagster_project.cli.progress import working
from sekisho.errors import InputError
from sekisho.settings import load_settings
from sekisho.strip import StripMethod, Stripped, StripRules, sanitize_ai_purpose_for_chroma

_LARGE = 200_000  # bytes; YAML of that size takes about a second


def strip_file(file: Path | None) -> None:
    """Write the text to standard output and its diagnostics, one JSON line, to standard error."""
    rules = load_settings().strip_rules
    raw = _read(file)
    with working("stripping") if len(raw) > _LARGE else nullcontext():
        out, done = _strip(raw, rules)
    sys.stdout.buffer.write(out)
    sys.stdout.buffer.flush()
    print_json(done.diagnostics(), indent=None, file=sys.stderr)


def _strip(raw: bytes, rules: StripRules) -> tuple[bytes, Stripped]:
    """Bytes that are no UTF-8 pass unchanged, like everything that cannot be stripped."""
    try:
        done = sanitize_ai_purpose_for_chroma(raw.decode("utf-8"), rules)
    except UnicodeDecodeError as error:
        method: StripMethod = "failed" if rules.enabled else "none"
        told = f"not UTF-8 at byte {error.start}" if rules.enabled else ""
        return raw, Stripped("", False, method, told, len(raw), len(raw))
    return done.text.encode("utf-8"), done


def _read(file: Path | None) -> bytes:
    if file is None or str(file) == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed", remedy="name a file")
        return sys.stdin.buffer.read()
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=file, remedy="check the path") from None
