"""`sekisho run --dry-run`: what a run would ask and cost."""

from __future__ import annotations

from rich import box
from rich.table import Table

from dagster_project.cli.console import safe, stdout
from sekisho.agents.budget import dollars
from sekisho.agents.estimate import FREE
from sekisho.bill import shown_usd
from sekisho.forecast import Forecast


def show_forecast(forecast: Forecast) -> None:
    """Print a row per prompt and model, the sums, and what is to be known about them; no sums where all is free."""
    if forecast.agent not in FREE:
        _show_prompts(forecast)
    for remark in forecast.remarks:
        stdout.print(safe(remark))
    if forecast.agent not in FREE:
        _show_sums(forecast)
    stdout.print("dry run: nothing was asked, nothing was written")


def _show_prompts(forecast: Forecast) -> None:
    table = Table("prompt", "model", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("calls", "stored", "tokens in", "tokens out", "likely USD", "at most USD"):
        table.add_column(name, justify="right")
    for row in forecast.prompts:
        counts = (row.calls, row.stored, row.input_tokens, row.output_tokens)
        costs = (shown_usd(row.likely_usd), shown_usd(row.at_most_usd))
        table.add_row(safe(row.prompt), safe(row.model), *(f"{count:,}" for count in counts), *costs)
    stdout.print(table)
    for row in forecast.prompts:
        if row.estimated:
            stdout.print(safe(f"{row.prompt} is estimated, {row.estimated}"))


def _show_sums(forecast: Forecast) -> None:
    likely, at_most = _told(forecast.likely_usd), _told(forecast.at_most_usd)
    stdout.print(f"calls: {forecast.calls}, likely cost: {likely}, at most: {at_most}", style="bold")
    if forecast.budget_usd is not None:
        covered = forecast.at_most_usd is not None and forecast.at_most_usd <= forecast.budget_usd
        verdict = "covers all of it" if covered else "may not cover all of it"
        stdout.print(f"budget: {dollars(forecast.budget_usd)} {verdict}")


def _told(amount: float | None) -> str:
    return "unknown" if amount is None else dollars(amount)
