"""The bill: what model calls cost."""

from dataclasses import asdict

import dagster as dg

from assets._results import picture, preview
from sekisho.bill import BillRow, read_bill, shown_usd
from sekisho.bill_plot import plot_bill
from sekisho.settings import Settings


# A low priority: in a run of the whole graph only the report comes later, so it has that run's calls too.
@dg.asset(group_name="report", kinds={"json"}, op_tags={"dagster/priority": "-10"})
def llm_spend(settings: dg.ResourceParam[Settings]) -> dg.MaterializeResult[None]:
    """What model calls cost by month, prompt and model, rejected output apart: the ledger as far as it goes."""
    bill = read_bill(settings.spend_path)
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": len(bill.rows),
            "usd": bill.usd,
            "unknown_cost": bill.unknown_cost,
            "calls": sum(row.calls for row in bill.rows),
            "rejected": sum(row.rejected for row in bill.rows),
            "problem": bill.problem or "none",
            "ledger": dg.MetadataValue.path(settings.spend_path),
            "preview": preview([_shown(row) for row in bill.rows]),
            "plot": picture(plot_bill(bill), "cost by month and model", without="No call has a known cost."),
        }
    )


def _shown(row: BillRow) -> dict[str, object]:
    return asdict(row) | {"usd": shown_usd(row.usd), "rejected_usd": shown_usd(row.rejected_usd)}
