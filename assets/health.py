"""Health: what only shows over weeks of runs."""

import dagster as dg

from assets._results import table
from sekisho import health
from sekisho.settings import Settings


@dg.asset(group_name="report", kinds={"json"})
def recall_health(settings: dg.ResourceParam[Settings]) -> dg.MaterializeResult[None]:
    """How recall fared, by ISO week: runs, skips, failures and dropped citations, from the event log."""
    found = health.recall_health(settings.log_path)
    latest = found.weeks[-1] if found.weeks else health.RecallWeek("none")
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": len(found.weeks),
            "latest_week": latest.week,
            "runs": latest.runs,
            "failure_rate": latest.failure_rate,
            "no_candidates_rate": latest.no_candidates_rate,
            "dropped": latest.dropped,
            "weeks": table(week.as_row() for week in reversed(found.weeks)),
            "malformed_lines": found.malformed,
        }
    )
