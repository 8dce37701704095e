"""From the library's values to what Dagster shows: check results and previews."""

import base64
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import dagster as dg

from sekisho.gates import Finding
from sekisho.records import Gap
from sekisho.report import escape_markdown
from sekisho.text import printable

_ROWS_SHOWN = 50


def check_result(
    findings: Sequence[Finding],
    *,
    looked_at: int,
    severity: dg.AssetCheckSeverity = dg.AssetCheckSeverity.ERROR,
    told: str = "",
) -> dg.AssetCheckResult:
    """Passed where there are no findings; else failed, with the offending items as a table.

    `told` is what a passed check says in place of how many were looked at.
    """
    metadata: dict[str, Any] = {"looked_at": looked_at, "findings": len(findings)}
    if findings:
        rows = [{"item": found.item, "reason": found.message} for found in findings[:_ROWS_SHOWN]]
        metadata["offending_items"] = table(rows)
    more = f" (findings: {len(findings)})" if len(findings) > 1 else ""
    return dg.AssetCheckResult(
        passed=not findings,
        severity=severity,
        description=f"{printable(findings[0].message)}{more}"
        if findings
        else told or f"{looked_at} looked at, all in order",
        metadata=metadata,
    )


def table(rows: Iterable[Mapping[str, Any]]) -> dg.TableMetadataValue:
    """Rows of text as a Dagster table."""
    records = [dg.TableRecord({name: printable(_cell(value)) for name, value in row.items()}) for row in rows]
    columns = [dg.TableColumn(name) for name in records[0].data] if records else []
    return dg.MetadataValue.table(records[:_ROWS_SHOWN], schema=dg.TableSchema(columns))


def preview(rows: Sequence[Mapping[str, Any]]) -> dg.MarkdownMetadataValue:
    """Rows as a Markdown table, at most fifty of them."""
    if not rows:
        return dg.MetadataValue.md("No rows.")
    names = list(rows[0])
    lines = [" | ".join(map(escape_markdown, names)), " | ".join("---" for _ in names)]
    lines += [" | ".join(escape_markdown(_cell(row[name])) for name in names) for row in rows[:_ROWS_SHOWN]]
    return dg.MetadataValue.md("\n".join(f"| {line} |" for line in lines))


def _cell(value: object) -> str:
    """A value for a reader: items with commas, a float with six digits, nothing for None."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_cell, value))
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else str(value)


def picture(png: bytes, alt: str, *, without: str) -> dg.MarkdownMetadataValue:
    """A PNG as the UI shows it, in Markdown; the text `without` where there is none."""
    encoded = base64.b64encode(png).decode("ascii")
    return dg.MetadataValue.md(f"![{alt}](data:image/png;base64,{encoded})" if png else without)


def gaps_table(gaps: Sequence[Gap]) -> dg.TableMetadataValue:
    """Gaps as a table: item, gate, reason and the round of the loop."""
    return table({"item": gap.item, "gate": gap.gate, "reason": gap.reason, "round": gap.round} for gap in gaps)
