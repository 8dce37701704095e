"""The sensor that tells what failed."""

import dagster as dg

from dagster_project.alerting import tell_alerts
from sekisho.settings import load_settings


@dg.sensor(
    minimum_interval_seconds=load_settings().alert_interval,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Tells each failed check, and each run that failed by itself, once, and when it is over.",
)
def gate_alerts(context: dg.SensorEvaluationContext) -> dg.SkipReason:
    """Read the runs that ended since the last look and deliver the alerts that wait."""
    assert context.repository_def is not None
    checks = sorted(context.repository_def.asset_graph.asset_check_keys)
    return dg.SkipReason(tell_alerts(context.instance, checks, load_settings()).line or "nothing to tell")
