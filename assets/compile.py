"""Compile: the facts that passed every gate, published."""

import dagster as dg

from assets._results import check_result, preview
from assets.extract import facts
from assets.ingest import notes
from sekisho import gates
from sekisho.compiled import read_compiled
from sekisho.errors import GateRefused
from sekisho.events import EventLog
from sekisho.knowledge import publish_knowledge
from sekisho.report import publish_gaps
from sekisho.rounds import Round
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder
from sekisho.warehouse import Warehouse


@dg.asset(deps=[notes, facts], group_name="compile", kinds={"duckdb", "json"})
def knowledge_base(
    settings: dg.ResourceParam[Settings],
    warehouse: dg.ResourceParam[Warehouse],
    events: dg.ResourceParam[EventLog],
    this_round: dg.ResourceParam[Round],
) -> dg.MaterializeResult[None]:
    """The facts that passed every gate, in DuckDB and compiled.json; verified again here, whoever launches it."""
    schema = DataFolder(settings.data).notes_schema
    try:
        base = publish_knowledge(warehouse, schema, settings.compiled_path, events, round=this_round.number)
    except GateRefused as refused:
        raise dg.Failure(str(refused), metadata={"reasons": list(refused.reasons)}, allow_retries=False) from None
    finally:
        publish_gaps(warehouse.gaps(), settings.gaps_path, this_round.limit)
    rows = [{"source": fact.source, **fact.fields} for fact in base.facts]
    return dg.MaterializeResult(
        data_version=dg.DataVersion(base.generation),
        metadata={
            "dagster/row_count": len(rows),
            "generation": base.generation,
            "compiled": dg.MetadataValue.path(settings.compiled_path),
            "preview": preview(rows),
        },
    )


@dg.asset_check(asset=knowledge_base, blocking=True)
def knowledge_base_is_complete(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.AssetCheckResult:
    """The published base holds one fact per document, over the texts as they are, and compiled.json is of it."""
    found, base = warehouse.notes(), warehouse.knowledge()
    compiled = read_compiled(settings.compiled_path)
    predicate = gates.knowledge_base_is_complete
    findings = gates.guarded("knowledge_base_is_complete", predicate, found, base, compiled)
    return check_result(findings, looked_at=len(base.facts))
