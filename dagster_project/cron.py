"""Cron strings from the settings: held against what Dagster takes, and how far apart their ticks lie."""

from __future__ import annotations

import re
from bisect import bisect_right
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise, takewhile

from dagster._utils.schedules import cron_string_iterator, is_valid_cron_schedule
from dagster._vendored.croniter.croniter import croniter

from sekisho.errors import SettingsError

_LOOKED_AT = 2_000  # ticks: eight years of nights, or a week of every five minutes
_FROM = datetime(2024, 1, 1, tzinfo=UTC)  # any fixed day will do; this year is a leap year
_UNTIL = datetime(2034, 1, 1, tzinfo=UTC)
_RANDOM = re.compile(r"(?<![A-Za-z])R(?![A-Za-z])", re.IGNORECASE)  # another time at each look


def checked_cron(text: str, variable: str) -> str:
    """The cron string of a variable; `SettingsError` where Dagster would not take it, or where it never ticks."""
    cron = text.strip()
    if _RANDOM.search(cron):
        raise SettingsError(f"a random time: {text!r}", item=variable, remedy="write the time as numbers")
    if not is_valid_cron_schedule(cron):
        raise SettingsError(f"no cron schedule: {text!r}", item=variable, remedy='five fields, like "0 3 * * *"')
    try:
        next(cron_string_iterator(_FROM.timestamp(), cron, "UTC"))
    except ValueError:  # croniter's own errors are
        raise SettingsError(f"a day that never comes: {text!r}", item=variable, remedy="name another") from None
    return cron


def longest_gap(cron: str, timezone: str) -> timedelta:
    """The longest time between two ticks of a cron string in a time zone."""
    seen = _ticks(cron, timezone)
    gaps = [later - earlier for earlier, later in pairwise(seen)]
    if len(seen) == _LOOKED_AT and not cron.startswith("@"):  # those shorthands have no days without a tick
        gaps += _gaps_between_days(cron, timezone)
    return timedelta(seconds=max(gaps))


def _gaps_between_days(cron: str, timezone: str) -> list[float]:
    """From the last tick of each day that has any to the first of the next: a gap of a day or more is one of them."""
    fields, *_ = croniter.expand(cron)  # type: ignore[no-untyped-call]
    minutes, hours = (
        [one for one in field if isinstance(one, int)] or [0, most]
        for field, most in zip(fields[:2], (59, 23), strict=True)
    )
    days = " ".join(cron.split()[2:])
    firsts = _ticks(f"{min(minutes)} {min(hours)} {days}", timezone)
    lasts = _ticks(f"{max(minutes)} {max(hours)} {days}", timezone)
    return [firsts[bisect_right(firsts, last)] - last for last in lasts if last < firsts[-1]]


def _ticks(cron: str, timezone: str) -> list[float]:
    ticks = cron_string_iterator(_FROM.timestamp(), cron, timezone)
    return [tick.timestamp() for tick in islice(takewhile(lambda at: at < _UNTIL, ticks), _LOOKED_AT)]
