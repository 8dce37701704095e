"""`sekisho run`: the graph in this process, once or round after round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dagster_project.cli.alerts import tell_after_run
from dagster_project.cli.console import safe, stderr
from dagster_project.cli.home import check_room, instance_settings, open_instance, prepare_home
from dagster_project.cli.progress import Progress
from dagster_project.cli.report import RunReport, report_of
from sekisho.agents.backends import check_backend, check_choice, make_agent
from sekisho.agents.base import Agent
from sekisho.agents.prompts import load_prompt
from sekisho.alerts import channels_of
from sekisho.events import EventLog
from sekisho.retrieval.encoder import encoder_of
from sekisho.settings import Settings, load_settings
from sekisho.sources.folder import DataFolder
from sekisho.warehouse import lock_holder, run_lock, run_lock_is_free

if TYPE_CHECKING:
    import dagster as dg

_ASKED = ("extract", "query")


@dataclass
class Runner:
    """The graph, ready to be materialised in this process; it alone writes to the state while it lives.

    `asked` counts the documents and questions put to the agent so far; `began` says that Dagster has a run of it.
    """

    settings: Settings
    instance: dg.DagsterInstance
    defs: dg.Definitions
    progress: Progress | None
    asked: int = 0
    began: bool = False

    def __call__(self, event: Mapping[str, Any]) -> None:
        """Take one event of the log."""
        self.asked += event["event"] in _ASKED
        if self.progress is not None:
            self.progress(event)

    def run(self, job: str, tags: Mapping[str, str]) -> RunReport:
        """Materialise the graph once, and say what came of it."""
        self.began = True
        try:
            result = self.defs.resolve_job_def(job).execute_in_process(
                instance=self.instance,
                raise_on_error=False,
                run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
                tags=tags,
            )
        except Exception:
            check_room(self.settings)  # Dagster's own record of the run has no room: say so, not how SQLite puts it
            raise
        if self.progress is not None:
            self.progress.finish()
        return report_of(result, self.defs, self.settings)


def run_pipeline(*, progress: bool = True) -> RunReport:
    """Check the input, materialise the graph in this process, and say what came of it.

    Raises `InputError` before anything runs where a setting or a file of the data folder cannot be used.
    """
    with ready(progress=progress) as runner:
        return runner.run("pipeline", {})


def check_input(settings: Settings) -> None:
    """What a run and a dry run need alike; `InputError` names what cannot be used. No key, no program, no writing."""
    DataFolder(settings.data).check()
    check_choice(settings)
    encoder_of(settings).check()
    channels_of(settings.alert_urls.get_secret_value())
    for name in ("ingest", "extract", "query"):
        load_prompt(settings.prompts, name)
    instance_settings(settings.dagster_yaml)


def usable_agent(settings: Settings) -> Agent:
    """The agent of the runs to come; `InputError` where the input, the agent's program or its key cannot be used."""
    check_input(settings)
    check_backend(settings)
    return make_agent(settings)


@contextmanager
def ready(*, progress: bool) -> Iterator[Runner]:
    """Check the input, load the graph and hold the run lock; `InputError` before anything is written.

    What failed in its runs is told at the end, also where an error ends it: what a run said is in Dagster's records.
    """
    settings = load_settings()
    agent = usable_agent(settings)
    if progress:
        stderr.print(safe(f"agent {agent.name}, data {settings.data}"))
        stderr.print("loading the graph …", style="dim")
    prepare_home(settings)
    EventLog(settings.log_path, run="check").close()

    from dagster_project.definitions import defs  # late: Dagster takes seconds, and bad input is told before
    from dagster_project.resources import follow

    if progress and not run_lock_is_free(settings.state):
        waiting = f"{lock_holder(settings.state)} holds run.lock: waiting up to {settings.lock_wait:g} s"
        stderr.print(safe(waiting), style="yellow")
    # The lock is held around the instance too: two first runs would make its tables at once.
    with (
        _alerts_after(settings) as runners,
        run_lock(settings.state, wait=settings.lock_wait),
        open_instance(settings) as instance,
    ):
        runner = Runner(settings, instance, defs, Progress() if progress else None)
        runners.append(runner)
        follow(runner, runner.progress)
        try:
            yield runner
        finally:
            follow(None)
            if runner.progress is not None:
                runner.progress.finish()


@contextmanager
def _alerts_after(settings: Settings) -> Iterator[list[Runner]]:
    """Tell what failed once the lock is free, where a runner that was added has made a run."""
    runners: list[Runner] = []
    try:
        yield runners
    finally:
        if any(runner.began for runner in runners):
            tell_after_run(settings)
