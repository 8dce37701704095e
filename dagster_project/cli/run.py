"""`sekisho run`: the graph in this process."""

from __future__ import annotations

from dagster_project.cli.console import safe, stderr
from dagster_project.cli.home import open_instance, prepare_home
from dagster_project.cli.progress import Progress
from dagster_project.cli.report import RunReport, report_of
from sekisho.agents.backends import check_backend, make_agent
from sekisho.agents.prompts import load_prompt
from sekisho.events import EventLog
from sekisho.settings import load_settings
from sekisho.sources.folder import DataFolder
from sekisho.warehouse import run_lock


def run_pipeline(*, progress: bool = True) -> RunReport:
    """Check the input, materialise the graph in this process, and say what came of it.

    Raises `InputError` before anything runs where a setting or a file of the data folder cannot be used.
    """
    settings = load_settings()
    DataFolder(settings.data).check()
    check_backend(settings)
    agent = make_agent(settings)
    for name in ("ingest", "extract", "query"):
        load_prompt(settings.prompts, name)
    if progress:
        stderr.print(safe(f"agent {agent.name}, data {settings.data}"))
        stderr.print("loading the graph …", style="dim")
    prepare_home(settings)
    EventLog(settings.log_path, run="check").close()

    from dagster_project.definitions import defs  # late: Dagster takes seconds, and bad input is told before
    from dagster_project.resources import follow

    follower = Progress() if progress else None
    follow(follower)
    try:
        # Held around the instance too: two first runs would make its tables at once.
        with run_lock(settings.state, wait=settings.lock_wait), open_instance(settings) as instance:
            result = defs.resolve_job_def("pipeline").execute_in_process(
                instance=instance,
                raise_on_error=False,
                run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            )
    finally:
        follow(None)
        if follower is not None:
            follower.finish()
    return report_of(result, defs, settings)
