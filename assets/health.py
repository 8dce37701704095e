"""Health: what only shows over weeks of runs."""

import dagster as dg

from assets._results import check_result, table
from sekisho import health
from sekisho.bill import read_bill, shown_usd
from sekisho.gates import guarded
from sekisho.recall.prompt import NAME
from sekisho.settings import Settings


@dg.asset(group_name="report", kinds={"json"})
def recall_health(settings: dg.ResourceParam[Settings]) -> dg.MaterializeResult[None]:
    """How recall fared, by ISO week: runs, skips, failures and dropped citations; and what its calls cost, by month."""
    found = health.recall_health(settings.log_path)
    latest = found.weeks[-1] if found.weeks else health.RecallWeek("none")
    bill = [row for row in read_bill(settings.spend_path).rows if row.prompt == NAME]
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": len(found.weeks),
            "latest_week": latest.week,
            "runs": latest.runs,
            "failure_rate": latest.failure_rate,
            "no_candidates_rate": latest.no_candidates_rate,
            "dropped": latest.dropped,
            "misattributed": latest.misattributed,
            "weeks": table(week.as_row() for week in reversed(found.weeks)),
            "months": table(
                {"month": r.month, "model": r.model, "calls": r.calls, "usd": shown_usd(r.usd)} for r in bill
            ),
            "malformed_lines": found.malformed,
        }
    )


@dg.asset_check(asset=recall_health)
def recall_is_healthy(settings: dg.ResourceParam[Settings]) -> dg.AssetCheckResult:
    """In the last week not more runs than the limit allows could not look."""
    found = health.recall_health(settings.log_path)
    findings = guarded("recall_is_healthy", health.recall_is_healthy, found, settings.recall_degraded_limit)
    runs = found.weeks[-1].runs if found.weeks else 0
    told = health.in_words(found, settings.recall_degraded_limit)
    return check_result(findings, looked_at=runs, severity=dg.AssetCheckSeverity.WARN, told=told)
