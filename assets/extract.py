"""Extract: one typed fact per note, and the gates that stand before the knowledge base."""

import dagster as dg

from assets._results import check_result, gaps_table, preview
from assets._versions import data_version, prompt_version
from assets.ingest import notes
from sekisho import gates
from sekisho.agents.base import Agent
from sekisho.events import EventLog
from sekisho.extract import extract_facts, held_against, make_extractor
from sekisho.report import publish_gaps
from sekisho.rounds import Round, plan_notes
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder
from sekisho.warehouse import Warehouse


@dg.asset(deps=[notes], group_name="extract", kinds={"llm", "duckdb"}, code_version=prompt_version("extract"))
def facts(
    settings: dg.ResourceParam[Settings],
    warehouse: dg.ResourceParam[Warehouse],
    agent: dg.ResourceParam[Agent],
    events: dg.ResourceParam[EventLog],
    this_round: dg.ResourceParam[Round],
) -> dg.MaterializeResult[None]:
    """One typed fact per note, its source set by code; a candidate until the gates have passed it."""
    found, schema = warehouse.notes(), DataFolder(settings.data).notes_schema
    extractor, gaps = make_extractor(agent, settings.prompts, schema), warehouse.gaps()
    plan = plan_notes(this_round, found, warehouse.facts(), gaps, schema, extractor.prompt.sha256)
    made = extract_facts(found, extractor, events, workers=settings.workers, plan=plan)
    warehouse.replace_facts(made.facts, made.gaps, held_against(made, found, gaps, schema, round=this_round.number))
    publish_gaps(warehouse.gaps(), settings.gaps_path, this_round.limit)
    rows = [{"source": fact.source, **fact.fields} for fact in made.facts]
    return dg.MaterializeResult(
        data_version=data_version(agent, made.facts),
        metadata={
            "dagster/row_count": len(rows),
            "turned_back": len({gap.item for gap in made.gaps}),
            "preview": preview(rows),
            "gaps": gaps_table(made.gaps),
        },
    )


@dg.asset_check(asset=facts, blocking=True)
def fact_count_matches(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """There are as many facts as documents."""
    found, made, gaps = warehouse.notes(), warehouse.facts(), warehouse.gaps()
    findings = gates.guarded("fact_count_matches", gates.fact_count_matches, found, made, gaps)
    return check_result(findings, looked_at=len(made))


@dg.asset_check(asset=facts, blocking=True)
def sources_are_unique(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """No source gives more than one fact."""
    made = warehouse.facts()
    return check_result(gates.guarded("sources_are_unique", gates.sources_are_unique, made), looked_at=len(made))


@dg.asset_check(asset=facts, blocking=True)
def facts_fit_the_schema(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.AssetCheckResult:
    """Every reply and every stored fact has the shape that notes.schema.yaml describes now."""
    made, gaps = warehouse.facts(), warehouse.gaps()

    def predicate() -> list[gates.Finding]:
        return gates.facts_fit_the_schema(made, gaps, DataFolder(settings.data).notes_schema)

    return check_result(gates.guarded("facts_fit_the_schema", predicate), looked_at=len(made))


@dg.asset_check(asset=facts, blocking=True)
def evidence_is_verbatim(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """Every evidence quote stands in the original text of its own note."""
    found, made = warehouse.notes(), warehouse.facts()
    findings = gates.guarded("evidence_is_verbatim", gates.evidence_is_verbatim, made, found)
    return check_result(findings, looked_at=sum(len(fact.evidence) for fact in made))


@dg.asset_check(asset=facts, blocking=True)
def evidence_holds_the_value(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.AssetCheckResult:
    """Every number and date of a fact stands in the evidence of its field."""
    made = warehouse.facts()

    def predicate() -> list[gates.Finding]:
        return gates.evidence_holds_the_value(made, DataFolder(settings.data).notes_schema)

    return check_result(gates.guarded("evidence_holds_the_value", predicate), looked_at=len(made))
