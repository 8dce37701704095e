"""Mapping: the catalogue, and the records that the queries of the query file mean."""

import base64
from dataclasses import asdict

import dagster as dg

from assets._results import check_result, preview, table
from assets._versions import data_version, prompt_version
from sekisho import gates
from sekisho.agents.base import Agent
from sekisho.events import EventLog
from sekisho.mapping.files import read_catalogue, read_queries
from sekisho.mapping.nightly import map_file
from sekisho.scorecards.baseline import read_baseline
from sekisho.scorecards.mapping import MappingScore, score_mappings, worse_than
from sekisho.scorecards.mapping_plot import plot_mapping
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
    findings = gates.guarded("every_file_was_read", gates.every_term_was_read, problems)
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
        metadata={"dagster/row_count": len(rows), "model calls": len(calls), "preview": preview(rows)},
    )


@dg.asset_check(asset=term_mappings)
def chosen_terms_were_candidates(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """Every chosen id was one of its query's candidates, and every candidate is a record of the catalogue."""
    mapped, known = warehouse.mappings(), {term.id for term in warehouse.terms()}
    predicate = gates.chosen_terms_were_candidates
    findings = gates.guarded("chosen_terms_were_candidates", predicate, mapped, known)
    return check_result(findings, looked_at=len(mapped), severity=_WARN)


def _scored(settings: Settings, warehouse: Warehouse) -> MappingScore:
    return score_mappings(warehouse.mappings(), warehouse.mapping_calls(), confidence=settings.map_confidence)


@dg.asset(deps=[term_mappings], group_name="report", kinds={"json"})
def mapping_scorecard(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.MaterializeResult[None]:
    """How many of the queries with a known record are mapped to it: at first, after the choice, and among the ten."""
    score = _scored(settings, warehouse)
    rows = {"all": score.rates, **score.by_difficulty, **score.by_kind} if score.rates is not None else {}
    rates = [{"queries of": name, **asdict(one)} for name, one in rows.items() if one is not None]
    picture = base64.b64encode(plot_mapping(score)).decode("ascii")
    plot = f"![rates by kind](data:image/png;base64,{picture})" if picture else "No query has a known record."
    return dg.MaterializeResult(
        metadata={
            **score.figures,
            "rates": preview(rates),
            "relations": score.relations,
            "cases": table(asdict(case) for case in score.cases),
            "spending": asdict(score.spending),
            "plot": dg.MetadataValue.md(plot),
        }
    )


@dg.asset_check(asset=mapping_scorecard)
def no_regression(settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """No rate is below that of data/golden/baselines/mapping.json, where there is such a file."""

    def predicate() -> list[gates.Finding]:
        score, baseline = _scored(settings, warehouse), read_baseline(settings.mapping_baseline_path)
        return worse_than(score, baseline) if baseline is not None else []

    looked_at = sum(bool(one.asked.expected_id) for one in warehouse.mappings())
    return check_result(gates.guarded("no_regression", predicate), looked_at=looked_at, severity=_WARN)
