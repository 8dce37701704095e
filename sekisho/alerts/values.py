"""The values of alerting: what was judged, and what is told about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from sekisho.hashing import sha256_json, sha256_text
from sekisho.records import Record
from sekisho.text import shortened

Severity = Literal["WARN", "ERROR"]
Moment = Annotated[float, Field(ge=0, lt=253_402_300_800, allow_inf_nan=False)]  # seconds since the epoch, to year 9999
OFFENCES_TOLD = 5
_LONGEST_ITEM, _LONGEST_REASON = 100, 240


class Offence(Record):
    """One offending item and its reason; a text that is no Unicode is refused, so make it `printable` first."""

    item: str
    reason: str = ""

    @property
    def digest(self) -> str:
        """Twelve hex digits for the item, whatever its reason: a reason may vary where the failure is the same."""
        return sha256_text(self.item)[:12]


class Subject(Record):
    """What passes or fails: the check `name` on the asset `on`, or the runs of the job `on`."""

    kind: Literal["check", "job"]
    on: str
    name: str = ""


class Verdict(Record):
    """One evaluation of a check, or how one run of a job ended; `at` is by the clock of then.

    `total` counts all that was found; `offences` may be only the first of it. `order` is the place of the run's end
    among those of its storage, from 1, whatever the clock said; 0 where it is not known.
    """

    subject: Subject
    passed: bool
    run: str
    at: Moment
    order: int = 0
    job: str = ""
    severity: Severity = "ERROR"
    total: int = 0
    offences: tuple[Offence, ...] = ()

    def brief(self) -> Verdict:
        """The same with as many offences, and as much of them, as an alert shows."""
        return self.model_copy(update={"offences": _brief(self.offences)})


class Alert(Record):
    """Something to tell: a failure, new offending items of a known one (`worse`), or that it is over (`recovered`).

    `also` names further checks on the same asset that said no, in the same run, to no other items.
    """

    kind: Literal["failed", "worse", "recovered"]
    verdict: Verdict
    since_run: str
    since_at: Moment
    also: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """A file name that sorts by time; the same alert has the same one."""
        told = (self.kind, self.verdict.subject.model_dump(), self.verdict.run, self.verdict.at)
        return f"{int(self.verdict.at * 1000):015d}-{sha256_json(told)[:12]}"


class Cursor(Record):
    """How far Dagster's record of ended runs has been read; `ends` holds the last number read of each kind of end."""

    storage: str
    ends: dict[str, Annotated[int, Field(ge=-1, lt=2**63)]]


def _brief(offences: Sequence[Offence]) -> tuple[Offence, ...]:
    return tuple(
        Offence(item=shortened(offence.item, _LONGEST_ITEM), reason=shortened(offence.reason, _LONGEST_REASON))
        for offence in offences[:OFFENCES_TOLD]
    )
