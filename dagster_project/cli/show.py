"""How an answer looks on a terminal."""

from __future__ import annotations

from dagster_project.cli.console import safe, stdout
from sekisho.records import Answer


def show_answer(answer: Answer) -> None:
    """Print the question, the answer, and each citation with its quotes."""
    stdout.print("Q", safe(answer.question, "bold"))
    stdout.print("A", safe(answer.answer or answer.silence, "green" if answer.answer else "yellow"))
    if answer.kept:
        stdout.print("  kept from an earlier run: the model gave no new answer", style="yellow")
    for citation in answer.citations:
        stdout.print("  cites", safe(citation, "bold cyan"))
        for quote in answer.quotes:
            if quote.source == citation:
                stdout.print("    “", safe(quote.text, "italic"), "”", sep="")
    stdout.print()
