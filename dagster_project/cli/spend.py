"""`sekisho spend`: the bill."""

from __future__ import annotations

from rich import box
from rich.table import Table

from dagster_project.cli.console import safe, stderr, stdout
from sekisho.bill import Bill, read_bill, shown_usd
from sekisho.settings import load_settings


def the_bill() -> Bill:
    """The bill of the state's ledger."""
    return read_bill(load_settings().spend_path)


def show_bill(bill: Bill) -> None:
    """Print a row per month, prompt and model, and the sum."""
    if not bill.rows:
        stdout.print("no model call was booked")
    else:
        table = Table("month", "prompt", "model", box=box.SIMPLE_HEAD, pad_edge=False)
        for name in ("calls", "attempts", "tokens in", "tokens out", "USD", "rejected", "USD of it"):
            table.add_column(name, justify="right")
        for row in bill.rows:
            numbers = (row.calls, row.attempts, row.input_tokens, row.output_tokens, shown_usd(row.usd), row.rejected)
            cells = [f"{number:,}" if isinstance(number, int) else number for number in numbers]
            table.add_row(row.month, safe(row.prompt), safe(row.model), *cells, shown_usd(row.rejected_usd))
        stdout.print(table)
        unknown = f", and {bill.unknown_cost} attempts of unknown cost" if bill.unknown_cost else ""
        stdout.print(f"spent: {bill.usd:.4f} USD{unknown}")
    if bill.problem:
        stderr.print(safe(f"llm_spend.jsonl: {bill.problem}", "yellow"))
