"""An alert as text: plain, of bounded size, and without anything that a channel would take for markup."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from urllib.parse import quote

from sekisho.alerts.values import Alert, Offence, Severity, Verdict
from sekisho.text import printable

Tone = Literal["failure", "warning", "success"]

# Full-width forms: they read the same, compare the same after NFKC, and mean nothing to any renderer.
_WIDE = {ord(char): chr(ord(char) + 0xFEE0) for char in "<>[]`*|~@&\\"}
_UNDERSCORE_AT_AN_EDGE = re.compile(r"\b_|_\b")
_SIGN = {"failed": "fails", "worse": "fails still, and it got worse", "recovered": "passes again"}
_JOB_SIGN = {"failed": "failed", "worse": "failed again, and otherwise", "recovered": "succeeds again"}

_TONE: dict[Severity, Tone] = {"ERROR": "failure", "WARN": "warning"}


@dataclass(frozen=True, slots=True)
class Message:
    """What goes to a channel: a title of one line, a body of some, and how it is meant."""

    title: str
    body: str
    tone: Tone


def message_of(alert: Alert, *, ui_url: str = "") -> Message:
    """The alert for people; `ui_url` is where Dagster's UI is, for links to the run and the asset."""
    verdict = alert.verdict
    subject = verdict.subject
    lines = [f"asset: {neutral(subject.on)}", f"check: {neutral(subject.name)} ({verdict.severity})"]
    title = f"Sekisho: {neutral(subject.name)} on {neutral(subject.on)} {_SIGN[alert.kind]}"
    if subject.kind == "job":
        lines = [f"job: {neutral(subject.on)}"]
        title = f"Sekisho: job {neutral(subject.on)} {_JOB_SIGN[alert.kind]}"
    lines.append(f"run: {verdict.run}{_job(verdict)}, {_time(verdict.at)}")
    if alert.since_run != verdict.run:
        lines.append(f"failing since: run {alert.since_run}, {_time(alert.since_at)}")
    lines += [_line(offence) for offence in verdict.offences]  # none where it passes again
    further = verdict.total - len(verdict.offences)
    lines += [f"and {further} more"] if further > 0 else []
    also = "passes again too" if alert.kind == "recovered" else "fails for the same items"
    lines += [f"{also}: {', '.join(map(neutral, alert.also))}"] if alert.also else []
    lines += _links(verdict, ui_url)
    return Message(title, "\n".join(lines), "success" if alert.kind == "recovered" else _TONE[verdict.severity])


def neutral(text: str) -> str:
    """Text from outside on one line in which nothing is markup, a mention or a link, for any kind of channel."""
    wide = printable(text).translate(_WIDE).replace("://", "：//")
    return _UNDERSCORE_AT_AN_EDGE.sub("＿", wide)


def _line(offence: Offence) -> str:
    return f"- {neutral(offence.item)}: {neutral(offence.reason)}" if offence.reason else f"- {neutral(offence.item)}"


def _job(verdict: Verdict) -> str:
    said = verdict.subject.on if verdict.subject.kind == "job" else ""
    return f" of {neutral(verdict.job)}" if verdict.job not in ("", said) else ""


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _links(verdict: Verdict, ui_url: str) -> list[str]:
    if not ui_url:
        return []
    base = ui_url.rstrip("/")
    links = [f"{base}/runs/{quote(verdict.run)}"]
    if verdict.subject.kind == "check":
        links.append(f"{base}/assets/{quote(verdict.subject.on)}?view=checks")
    return links
