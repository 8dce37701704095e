"""Moments as a reader is told them."""

from __future__ import annotations

from datetime import UTC, datetime

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")  # in every locale


def shown_moment(text: str) -> str:
    """A time of ISO 8601 with its zone as `30 Nov 2026, 17:30 UTC`; what is none stays as it is."""
    try:
        moment = datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        return text
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment:%Y, %H:%M} UTC"
