"""Cron strings from the settings: held against what Dagster takes, and how far apart their ticks lie."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise, takewhile

from dagster._utils.schedules import cron_string_iterator, is_valid_cron_schedule

from sekisho.errors import SettingsError

_LOOKED_AT = 2_000  # ticks: eight years of nights, or a week of every five minutes
_FROM = datetime(2024, 1, 1, tzinfo=UTC)  # any fixed day will do; this year is a leap year
_UNTIL = datetime(2034, 1, 1, tzinfo=UTC)


def checked_cron(text: str, variable: str) -> str:
    """The cron string of a variable; `SettingsError` where Dagster would not take it, or where it never ticks."""
    cron = text.strip()
    if not is_valid_cron_schedule(cron):
        raise SettingsError(f"no cron schedule: {text!r}", item=variable, remedy='five fields, like "0 3 * * *"')
    try:
        next(cron_string_iterator(_FROM.timestamp(), cron, "UTC"))
    except ValueError:  # croniter's own errors are
        raise SettingsError(f"a day that never comes: {text!r}", item=variable, remedy="name another") from None
    return cron


def longest_gap(cron: str, timezone: str) -> timedelta:
    """The longest time between two ticks of a cron string in a time zone."""
    ticks = cron_string_iterator(_FROM.timestamp(), cron, timezone)
    seen = [tick.timestamp() for tick in islice(takewhile(lambda at: at < _UNTIL, ticks), _LOOKED_AT)]
    return timedelta(seconds=max(later - earlier for earlier, later in pairwise(seen)))
