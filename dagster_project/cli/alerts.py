"""Alerts of a run from a shell: told the same way as those of the daemon, and never a reason for it to fail."""

from __future__ import annotations

from dagster_project.cli.console import safe, stderr
from sekisho.settings import Settings


def tell_after_run(settings: Settings) -> None:
    """Tell what failed in the runs so far, and say in one line on standard error what was sent or is waiting."""
    import dagster as dg

    from dagster_project.alerting import tell_alerts
    from dagster_project.definitions import defs

    try:
        with dg.DagsterInstance.get() as instance:
            line = tell_alerts(instance, sorted(defs.resolve_asset_graph().asset_check_keys), settings).line
    except Exception as error:  # whatever is wrong with the alerts, the run is what it is
        stderr.print(safe(f"alerts: not told: {error}"), style="red")
        return
    if line:
        stderr.print(safe(line))
