"""What is failing and since when, and when that is told: each failure once, and its end."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from sekisho.alerts.values import Alert, Moment, Severity, Subject, Verdict
from sekisho.records import Record

_RANK: dict[Severity, int] = {"WARN": 0, "ERROR": 1}


class Standing(Record):
    """How a subject stands by the last verdict on it.

    `items` are digests of the offending items that the verdict listed, `listed` how many findings that were; `since_*`
    is where it began to fail. `told` says that an alert covers all of it, `announced` that one covers some of it, so
    that its end is told too. `owed` is such an end that came while nobody listened.
    """

    verdict: Verdict
    since_run: str
    since_at: Moment
    items: tuple[str, ...] = ()
    listed: int = 0
    told: bool = False
    announced: bool = False
    owed: Alert | None = None

    @property
    def failing(self) -> bool:
        """Whether the last verdict was no."""
        return not self.verdict.passed

    def unordered(self) -> Standing:
        """The same for another storage of runs, which numbers their ends anew."""
        return self.model_copy(update={"verdict": self.verdict.model_copy(update={"order": 0})})


def judge(
    standings: Mapping[Subject, Standing],
    verdicts: Iterable[Verdict],
    minimum: Severity | None,
    *,
    now: float = math.inf,
) -> tuple[dict[Subject, Standing], list[Alert]]:
    """The standings after some verdicts, and the alerts that follow, in the order of time.

    A verdict older than the last one on its subject changes nothing. `minimum` is the least severity that is told;
    None is for nobody listening: what fails or ends meanwhile is told as soon as somebody does. `now`, in seconds since
    the epoch, tells which verdicts were dated by a clock that was ahead.
    """
    after, told = dict(standings), list[tuple[Alert, Standing]]()
    if minimum is not None:
        _pay(after, told)
    for verdict in sorted(verdicts, key=lambda verdict: (not verdict.order, verdict.order, verdict.at)):
        known = after.get(verdict.subject)
        if known is not None and _is_older(verdict, known.verdict, now):
            continue
        standing = _after(known, verdict)
        if known is not None and known.announced and verdict.passed:
            over = _alert("recovered", known, verdict)
            if minimum is None:
                standing = standing.model_copy(update={"owed": over})
            else:
                told.append((over, known))
        after[verdict.subject] = _tell(standing, told) if _is_due(standing, minimum) else standing
    for subject, standing in after.items():  # what failed while nobody listened, or below the severity of then
        if _is_due(standing, minimum):
            after[subject] = _tell(standing, told)
    return after, _folded(told)


def _pay(standings: dict[Subject, Standing], told: list[tuple[Alert, Standing]]) -> None:
    """Tell the ends that are owed."""
    for subject, standing in standings.items():
        if standing.owed is not None:
            told.append((standing.owed, standing))
            standings[subject] = standing.model_copy(update={"owed": None})


def _is_older(verdict: Verdict, known: Verdict, now: float) -> bool:
    """Whether a verdict is older than, or the same as, one that is known; a time that has not come is not believed."""
    if verdict.order and known.order:
        return (verdict.order, verdict.at) <= (known.order, known.at)
    return verdict.at <= known.at and (known.at <= now or verdict.run == known.run)


def _after(known: Standing | None, verdict: Verdict) -> Standing:
    items = tuple(dict.fromkeys(offence.digest for offence in verdict.offences))
    new = Standing(
        verdict=verdict.brief(),
        since_run=verdict.run,
        since_at=verdict.at,
        items=items,
        listed=len(verdict.offences),
        owed=known.owed if known else None,
    )
    if verdict.passed or known is None or not known.failing:
        return new
    risen = _RANK[verdict.severity] > _RANK[known.verdict.severity]
    told = known.told and not risen and not _has_new_items(known, new)
    since = {"since_run": known.since_run, "since_at": known.since_at}
    return new.model_copy(update={**since, "told": told, "announced": known.announced})


def _has_new_items(known: Standing, new: Standing) -> bool:
    """Whether an item fails that did not before; where a check lists only its first ones, as far as that shows."""
    unlisted = max(0, known.verdict.total - known.listed)
    fresh = len(set(new.items) - set(known.items))
    return fresh > unlisted or new.verdict.total > max(new.listed, known.verdict.total)


def _is_due(standing: Standing, minimum: Severity | None) -> bool:
    if minimum is None or not standing.failing or standing.told:
        return False
    return _RANK[standing.verdict.severity] >= _RANK[minimum]


def _tell(standing: Standing, told: list[tuple[Alert, Standing]]) -> Standing:
    told.append((_alert("worse" if standing.announced else "failed", standing, standing.verdict), standing))
    return standing.model_copy(update={"told": True, "announced": True})


def _folded(told: Iterable[tuple[Alert, Standing]]) -> list[Alert]:
    """The alerts, with those that tell of no item of their own folded into the one that tells of it: a citation that
    points nowhere has no quote either, and is still one failure.
    """
    kept: list[tuple[Alert, Standing]] = []
    for alert, standing in told:
        for place, (first, other) in enumerate(kept):
            if _tells_all(first, other, alert, standing):
                also = (*first.also, alert.verdict.subject.name)
                kept[place] = first.model_copy(update={"also": also}), other
                break
        else:
            kept.append((alert, standing))
    return [alert for alert, _ in kept]


def _tells_all(first: Alert, other: Standing, alert: Alert, standing: Standing) -> bool:
    """Whether one alert tells of every item that another would tell of."""
    alike = [
        (told.kind, told.verdict.subject.kind, told.verdict.subject.on, told.verdict.run, told.since_run)
        for told in (first, alert)
    ]
    graver = _RANK[standing.verdict.severity] > _RANK[other.verdict.severity]
    all_listed = standing.listed >= standing.verdict.total
    return alike[0] == alike[1] and not graver and all_listed and set(standing.items) <= set(other.items)


def _alert(kind: str, standing: Standing, verdict: Verdict) -> Alert:
    since = {"since_run": standing.since_run, "since_at": standing.since_at}
    return Alert.model_validate({"kind": kind, "verdict": verdict.brief(), **since})
