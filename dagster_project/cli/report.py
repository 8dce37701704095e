"""What a run did, for people and programs: its gates, answers, and what was turned back."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table

from dagster_project.cli.console import safe, stdout
from dagster_project.cli.show import show_answer
from dagster_project.failures import is_refusal, run_cause, step_cause
from sekisho.agents.budget import Standing, dollars, standing
from sekisho.agents.local.agent import NO_SENTENCE
from sekisho.errors import InputError
from sekisho.records import Answer, Gap
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder
from sekisho.text import first_of
from sekisho.warehouse import Warehouse

if TYPE_CHECKING:
    import dagster as dg

_KEYS_SHOWN = 20
_MARKS = {True: "[green]passed", False: "[red]failed", None: "[yellow]not reached"}


@dataclass(frozen=True, slots=True)
class GateLine:
    """One gate as the report shows it; `passed` is None where the run did not reach it."""

    asset: str
    gate: str
    passed: bool | None
    severity: str
    told: str

    @property
    def warns(self) -> bool:
        """Whether it said no, and yet stops nothing."""
        return self.passed is False and self.severity == "WARN"


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did: its gates, what is published now, what was turned back, what failed, and where it lies.

    `stated` of the `slots` of all `facts` hold a value. `unasked` is the file of questions where it holds none.
    """

    run_id: str
    success: bool
    gates: list[GateLine]
    answers: list[Answer]
    gaps: list[Gap]
    failures: list[str]
    generation: str
    state: Path
    budget: Standing | None = None
    facts: int = 0
    stated: int = 0
    slots: int = 0
    unasked: Path | None = None

    @property
    def passed(self) -> bool:
        """Whether the run ended well, asked all it had to, reached every gate, and none of severity ERROR said no."""
        refused = any(gate.passed is None or (not gate.passed and gate.severity == "ERROR") for gate in self.gates)
        return self.success and not refused and not self.short_of_budget

    @property
    def short_of_budget(self) -> bool:
        """Whether something was not asked because the budget had no room for it."""
        return self.budget is not None and bool(self.budget.not_asked)

    def reached(self, asset: str) -> bool:
        """Whether the run got as far as the gates on an asset."""
        return any(gate.asset == asset and gate.passed is not None for gate in self.gates)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            "passed": self.passed,
            "run": self.run_id,
            "generation": self.generation,
            "answers": [answer.model_dump(mode="json", exclude={"reply"}) for answer in self.answers],
            "gaps": [gap.model_dump(mode="json") for gap in self.gaps],
            "gates": [asdict(gate) for gate in self.gates],
            "failures": self.failures,
            "state": str(self.state),
            "budget": asdict(self.budget) if self.budget else None,
        }


def report_of(result: dg.ExecuteInProcessResult, defs: dg.Definitions, settings: Settings) -> RunReport:
    """What came of a run that has ended, read from its events and from what is published now."""
    warehouse = Warehouse(settings.warehouse_path, wait=settings.lock_wait)
    gates = _gates(result, defs)
    facts = warehouse.knowledge().facts
    values = [value for fact in facts for value in fact.fields.values()]
    made = {event.step_key for event in result.filter_events(lambda event: event.is_step_start)}
    made |= {"knowledge_base"} if "facts" in made else set()  # whose gaps go with the old facts
    return RunReport(
        run_id=result.run_id,
        success=result.success,
        gates=gates,
        answers=warehouse.answers(),
        gaps=[gap for gap in warehouse.gaps() if gap.stage in made],
        failures=_failures(result),
        generation=warehouse.knowledge().generation,
        state=settings.state,
        budget=_budget(result, settings),
        facts=len(facts),
        stated=sum(value is not None for value in values),
        slots=len(values),
        unasked=_unasked(settings),
    )


def show_report(report: RunReport) -> None:
    """Print the answers, what was turned back, the gates, and where the state lies."""
    if not report.reached("answers"):
        standing = f"generation {report.generation}" if report.generation else "nothing"
        stands = f"What was published before stands: {standing}, answers: {len(report.answers)}."
        stdout.print(f"This run published no answers. {stands}\n", style="yellow")
    else:
        for answer in report.answers:
            show_answer(answer)
    if report.facts:
        values = f"values: {report.stated} of {report.slots} (sekisho report shows them)"
        stdout.print(f"facts: {report.facts}, {values}")
        if report.unasked is not None:
            told = f'no question is asked yet: write some into {report.unasked}, or sekisho ask "…"'
            stdout.print(safe(told, "yellow"))
        stdout.print()
    if report.gaps:
        stdout.print("Turned back", style="bold red")
        for gap in report.gaps:
            stdout.print("  ✗", safe(gap.item, "bold"), safe(gap.reason))
        if any(NO_SENTENCE in gap.reason for gap in report.gaps):  # `local` found nothing for a required field
            remedy = "required: false in notes.schema.yaml for what a note may leave out, or a model (IECQ_AGENT)"
            stdout.print(f"  → {remedy}", style="yellow")
        stdout.print(safe(f"  also in {report.state / 'gap.md'}", "dim"))
        stdout.print()
    table = Table("gate", "on", "verdict", "why", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in table.columns[:3]:
        column.no_wrap = True
    for gate in report.gates:
        mark = "[yellow]warned" if gate.warns else _MARKS[gate.passed]
        table.add_row(gate.gate, gate.asset, mark, safe("" if gate.passed else gate.told))
    stdout.print(table)
    for failure in report.failures:
        stdout.print(safe(failure, "red"))
    if report.budget is not None:
        show_budget(report.budget)
    files = ("compiled.json", "gap.md", "log.jsonl", "report.html", "warehouse.duckdb")
    stdout.print(safe(f"state: {report.state} ({', '.join(name for name in files if (report.state / name).exists())})"))
    stdout.print(_verdict(report), style="bold")


def _verdict(report: RunReport) -> str:
    if report.passed:
        warned = [f"{gate.gate} on {gate.asset}" for gate in report.gates if gate.warns]
        return f"passed, with warnings: {', '.join(warned)}" if warned else "passed"
    if report.failures:
        return "the run failed: see above"
    return "the budget was reached: see above" if report.short_of_budget else "a gate said no: see above"


def show_budget(budget: Standing) -> None:
    """Print what was spent of how much, and what was not asked for want of the rest."""
    known = f", {dollars(budget.unknown_usd)} of it as upper bounds of unknown costs" if budget.unknown_usd else ""
    stdout.print(safe(f"budget: spent {dollars(budget.spent_usd)} of {dollars(budget.cap_usd)}{known}"))
    if budget.not_asked:
        stdout.print(safe(f"not asked: {first_of(budget.not_asked, _KEYS_SHOWN)}", "yellow"))


def _unasked(settings: Settings) -> Path | None:
    with suppress(InputError):  # a file that was changed while the run read it
        folder = DataFolder(settings.data)
        return None if folder.questions else folder.questions_path
    return None


def _budget(result: dg.ExecuteInProcessResult, settings: Settings) -> Standing | None:
    if settings.budget_usd is None:
        return None
    root = result.dagster_run.tags.get("sekisho/root", result.run_id)
    return standing(settings.spend_path, root, settings.budget_usd, result.run_id)


def _gates(result: dg.ExecuteInProcessResult, defs: dg.Definitions) -> list[GateLine]:
    """The gates on the assets of the run's job, in the order of the graph: another job's are none of this run's."""
    told = {(e.asset_key, e.check_name): e for e in result.get_asset_check_evaluations()}
    graph = defs.resolve_asset_graph()
    made = defs.resolve_job_def(result.dagster_run.job_name).asset_layer.executable_asset_keys
    order = {key: number for number, key in enumerate(graph.toposorted_asset_keys)}
    lines = []
    ours = [key for key in graph.asset_check_keys if key.asset_key in made]
    for key in sorted(ours, key=lambda key: (order[key.asset_key], key.name)):
        found = told.get((key.asset_key, key.name))
        lines.append(
            GateLine(
                asset=key.asset_key.to_user_string(),
                gate=key.name,
                passed=bool(found.passed) if found else None,
                severity=found.severity.value if found else "ERROR",
                told=(found.description or "") if found else "",
            )
        )
    return lines


def _failures(result: dg.ExecuteInProcessResult) -> list[str]:
    """One line per step that failed of itself; a failed blocking check already has its line among the gates."""
    lines = []
    refused = False
    for event in result.filter_events(lambda event: event.is_step_failure):
        data = event.step_failure_data
        if is_refusal(data):
            refused = True
        else:
            lines.append(f"{event.step_key}: {step_cause(data)}")
    if not result.success and not refused and not lines:  # it never came to a step: a resource failed, say
        lines = [run_cause(event) for event in result.filter_events(lambda event: event.is_failure)]
    return lines
