"""Telling what failed: the one way in which the sensor and the command line read the runs and deliver alerts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing

import dagster as dg

from dagster_project.verdicts import latest_verdicts, subject_of, verdicts_since
from sekisho.alerts import AlertBook, Delivery, channels_of, deliver
from sekisho.events import EventLog
from sekisho.settings import Settings

_LONGEST_READING = 15.0  # seconds after which the rest is left to the next look: Dagster gives a sensor's tick sixty


def tell_alerts(instance: dg.DagsterInstance, checks: Sequence[dg.AssetCheckKey], settings: Settings) -> Delivery:
    """Take in what is new in Dagster's records, then deliver what waits; safe to call from several processes.

    Raises `SekishoError` where the state or a URL cannot be used, for a URL after the taking in.
    """
    book = AlertBook(settings.state, wait=settings.lock_wait)
    with closing(EventLog(settings.log_path, run="alerts")) as events:
        _take_in(book, instance, checks, settings, events)
        channels = channels_of(settings.alert_urls.get_secret_value())
        return deliver(book, channels, events, ui_url=settings.ui_url)


def _take_in(
    book: AlertBook,
    instance: dg.DagsterInstance,
    checks: Sequence[dg.AssetCheckKey],
    settings: Settings,
    events: EventLog,
) -> None:
    """Read on from where anyone read last, batch by batch; the cursor moves in the step that remembers the alerts."""
    someone_listens = bool(settings.alert_urls.get_secret_value().strip())
    ends, cursor, more = time.monotonic() + _LONGEST_READING, book.read().cursor, True
    while more and time.monotonic() < ends:
        verdicts, cursor, more = verdicts_since(instance, cursor)
        book.record(
            verdicts if more else [*verdicts, *latest_verdicts(instance, checks, now=time.time())],
            events,
            cursor=cursor,
            checks={subject_of(check) for check in checks},
            minimum=settings.alert_min_severity if someone_listens else None,
        )
