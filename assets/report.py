"""Report: what people and the next round read."""

import dagster as dg

from assets._results import gaps_table
from assets.query import answers
from sekisho.report import publish_gaps
from sekisho.rounds import Round
from sekisho.settings import Settings
from sekisho.warehouse import Warehouse


@dg.asset(deps=[answers], group_name="report", kinds={"markdown"})
def gaps(
    settings: dg.ResourceParam[Settings],
    warehouse: dg.ResourceParam[Warehouse],
    this_round: dg.ResourceParam[Round],
) -> dg.MaterializeResult[None]:
    """gap.md: every item that a gate turned back, and why; written by each stage that turns something back, too."""
    found = warehouse.gaps()
    text = publish_gaps(found, settings.gaps_path, this_round.limit)
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": len(found),
            "path": dg.MetadataValue.path(settings.gaps_path),
            "gap.md": dg.MetadataValue.md(text),
            "gaps": gaps_table(found),
        }
    )
