"""Mapping: the catalogue, and the records that the queries of the query file mean."""

import dagster as dg

from assets._results import check_result, preview, table
from assets._versions import data_version, prompt_version
from sekisho import gates
from sekisho.agents.base import Agent
from sekisho.events import EventLog
from sekisho.mapping.files import read_catalogue, read_queries
from sekisho.mapping.nightly import map_file
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder
from sekisho.warehouse import Warehouse

_WARN = dg.AssetCheckSeverity.WARN


@dg.asset(group_name="ingest", kinds={"file", "duckdb"})
def catalogue(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.MaterializeResult[None]:
    """Every record of the catalogue: id, name, acronym, synonyms, parent."""
    folder = DataFolder(settings.data).check()
    found, problems = read_catalogue(folder)
    problems += read_queries(folder)[1]
    warehouse.replace_catalogue(found.terms if found is not None else None, problems)
    rows = [{"id": t.id, "name": t.name, "acronym": t.acronym, "parent": t.parent_id} for t in warehouse.terms()]
    told = table({"file": p.path, "item": p.item, "kind": p.kind, "why": p.message} for p in problems)
    sha256 = found.sha256 if found is not None else "as it was before"
    return dg.MaterializeResult(
        metadata={"dagster/row_count": len(rows), "sha256": sha256, "preview": preview(rows), "problems": told}
    )


@dg.asset_check(asset=catalogue)
def every_file_was_read(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """No record of data/catalogue, no curated row and no query is unusable; the rest is there."""
    problems = warehouse.catalogue_problems()
    findings = gates.guarded("every_file_was_read", gates.every_row_was_read, problems)
    return check_result(findings, looked_at=len(warehouse.terms()), severity=_WARN)


@dg.asset(deps=[catalogue], group_name="query", kinds={"llm", "duckdb"}, code_version=prompt_version("rerank"))
def term_mappings(
    settings: dg.ResourceParam[Settings],
    warehouse: dg.ResourceParam[Warehouse],
    agent: dg.ResourceParam[Agent],
    events: dg.ResourceParam[EventLog],
) -> dg.MaterializeResult[None]:
    """Per query of the query file ten scored candidates and, where a model is to choose, the chosen one."""
    made = map_file(settings, agent, events)
    if made is not None:
        warehouse.replace_mappings(made.mapped, made.calls)
    mapped, calls = warehouse.mappings(), warehouse.mapping_calls()
    rows = [{"query": m.asked.query, "record": m.best_name, "relation": m.relation, "why not": m.error} for m in mapped]
    return dg.MaterializeResult(
        data_version=data_version(agent, mapped),
        metadata={
            "dagster/row_count": len(rows),
            "with a record": sum(bool(m.best_id) for m in mapped),
            "model calls": len(calls),
            "preview": preview(rows),
        },
    )


@dg.asset_check(asset=term_mappings)
def chosen_terms_were_candidates(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """Every chosen id was one of its query's candidates, and every candidate is a record of the catalogue."""
    mapped, known = warehouse.mappings(), {term.id for term in warehouse.terms()}
    predicate = gates.chosen_terms_were_candidates
    findings = gates.guarded("chosen_terms_were_candidates", predicate, mapped, known)
    return check_result(findings, looked_at=len(mapped), severity=_WARN)
