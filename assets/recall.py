"""Recall: the related past decisions for every draft, and what warns when recall cannot look."""

import dagster as dg

from assets._results import check_result, preview, table
from assets._versions import data_version, prompt_version
from assets.decisions import decisions
from sekisho import gates
from sekisho.agents.base import Agent
from sekisho.events import EventLog
from sekisho.recall.drafts import recall_drafts
from sekisho.recall.prompt import NAME
from sekisho.recall.published import PublishedFinder, make_node, read_drafts
from sekisho.retrieval.encoder import Embedder
from sekisho.retrieval.store import EmbeddingStore
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder
from sekisho.warehouse import Warehouse

_WARN = dg.AssetCheckSeverity.WARN


# No arrow from the index: recall is made also where that is broken, and comes after it by its priority.
@dg.asset(
    deps=[decisions],
    group_name="query",
    kinds={"llm", "duckdb"},
    code_version=prompt_version(NAME),
    op_tags={"dagster/priority": "-2"},
)
def recall_citations(
    settings: dg.ResourceParam[Settings],
    warehouse: dg.ResourceParam[Warehouse],
    agent: dg.ResourceParam[Agent],
    store: dg.ResourceParam[EmbeddingStore],
    embedder: dg.ResourceParam[Embedder],
    events: dg.ResourceParam[EventLog],
) -> dg.MaterializeResult[None]:
    """Up to five verified citations of past decisions for each draft; an empty list is a valid result."""
    drafts, told = read_drafts(DataFolder(settings.data).check())
    node = make_node(settings, PublishedFinder(settings, warehouse, store, embedder), agent, events)
    made = recall_drafts(drafts, node, warehouse.recalls(), events=events, workers=settings.workers)
    warehouse.replace_recalls(made)
    rows = [{"draft": r.draft, "status": r.status, "cites": [c.adr_id for c in r.citations]} for r in made]
    files = table({"file": file.path, "kind": file.kind, "why": file.message} for file in told)
    return dg.MaterializeResult(
        data_version=data_version(agent, made),
        metadata={
            "dagster/row_count": len(made),
            "citations": sum(len(r.citations) for r in made),
            "preview": preview(rows),
            "files": files,
        },
    )


@dg.asset_check(asset=recall_citations)
def citations_were_candidates(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """Every id that the model named was one of the candidates it was shown."""
    made = warehouse.recalls()
    findings = gates.guarded("citations_were_candidates", gates.citations_were_candidates, made)
    return check_result(findings, looked_at=sum(recall.returned for recall in made), severity=_WARN)


@dg.asset_check(asset=recall_citations)
def recall_is_not_degraded(
    settings: dg.ResourceParam[Settings], warehouse: dg.ResourceParam[Warehouse]
) -> dg.AssetCheckResult:
    """Every draft was read and looked at: no failure, no prompt that had to be replaced, no list dropped whole."""
    made = warehouse.recalls()

    def predicate() -> list[gates.Finding]:
        return gates.recall_is_not_degraded(made, read_drafts(DataFolder(settings.data))[1])

    findings = gates.guarded("recall_is_not_degraded", predicate)
    return check_result(findings, looked_at=len(made), severity=_WARN)
