"""Alerts: each failure once, its end too, through whatever channel, and nothing lost on the way."""

from sekisho.alerts.book import AlertBook, Page
from sekisho.alerts.channels import channels_of
from sekisho.alerts.delivery import Channel, Delivery, deliver
from sekisho.alerts.message import Message, message_of
from sekisho.alerts.outbox import Attempt, Letter, Outbox
from sekisho.alerts.standing import Standing, judge
from sekisho.alerts.values import Alert, Cursor, Offence, Severity, Subject, Verdict

__all__ = [
    "Alert",
    "AlertBook",
    "Attempt",
    "Channel",
    "Cursor",
    "Delivery",
    "Letter",
    "Message",
    "Offence",
    "Outbox",
    "Page",
    "Severity",
    "Standing",
    "Subject",
    "Verdict",
    "channels_of",
    "deliver",
    "judge",
    "message_of",
]
