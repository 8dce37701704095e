"""Query: draft answers, the gates on them, and the answers that passed."""

import dagster as dg

from assets._results import check_result, gaps_table, preview
from assets._versions import data_version, prompt_version
from assets.compile import knowledge_base
from sekisho import gates
from sekisho.agents.base import Agent
from sekisho.answer import source_texts, verify_drafts
from sekisho.draft import draft_answers as make_drafts
from sekisho.draft import make_answerer
from sekisho.events import EventLog
from sekisho.report import publish_gaps
from sekisho.retrieval.embeddings import documents_in
from sekisho.retrieval.encoder import Embedder
from sekisho.retrieval.searcher import Searcher, make_ranker
from sekisho.retrieval.store import EmbeddingStore
from sekisho.rounds import Round, plan_questions
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder
from sekisho.warehouse import Warehouse


@dg.asset(
    deps=[knowledge_base],
    group_name="query",
    kinds={"llm", "duckdb"},
    code_version=prompt_version("query"),
    op_tags={"dagster/priority": "-2"},  # after the vectors of what was published just now
)
def draft_answers(
    settings: dg.ResourceParam[Settings],
    warehouse: dg.ResourceParam[Warehouse],
    agent: dg.ResourceParam[Agent],
    store: dg.ResourceParam[EmbeddingStore],
    embedder: dg.ResourceParam[Embedder],
    events: dg.ResourceParam[EventLog],
    this_round: dg.ResourceParam[Round],
) -> dg.MaterializeResult[None]:
    """The model's answer to each question; a candidate, not to be shown to anyone."""
    questions, answerer = DataFolder(settings.data).questions, make_answerer(agent, settings.prompts)
    base, sha256 = warehouse.knowledge(), answerer.prompt.sha256
    plan = plan_questions(this_round, questions, warehouse.drafts(), warehouse.gaps(), base, sha256)
    ranker = make_ranker(Searcher(documents_in(base), store, embedder, settings.index_path), events)
    limits = {"budget": settings.prompt_budget, "workers": settings.workers}
    drafts = make_drafts(questions, base, answerer, events, plan=plan, ranker=ranker, **limits)
    warehouse.replace_drafts(drafts)
    rows = [{"id": d.id, "status": d.status, "citations": d.citations, "answer": d.answer} for d in drafts]
    return dg.MaterializeResult(
        data_version=data_version(agent, drafts),
        metadata={"dagster/row_count": len(rows), "preview": preview(rows)},
    )


@dg.asset_check(asset=draft_answers)
def citations_are_present(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """Every answered question cites something, and every question has a draft.

    It does not block: the answer is withheld all the same.
    """
    drafts = warehouse.drafts()
    findings = gates.guarded("citations_are_present", gates.citations_are_present, drafts)
    return check_result(findings, looked_at=len(drafts))


@dg.asset_check(asset=draft_answers)
def citations_exist(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """Every cited id is a compiled source that the model was shown.

    It does not block: the answer is withheld all the same.
    """
    drafts, known = warehouse.drafts(), warehouse.knowledge().known
    return check_result(gates.guarded("citations_exist", gates.citations_exist, drafts, known), looked_at=len(drafts))


@dg.asset_check(asset=draft_answers)
def quotes_are_verbatim(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """Every quote stands in the original text of the source it names, and every citation has one.

    It does not block: the answer is withheld all the same.
    """
    drafts, texts = warehouse.drafts(), source_texts(warehouse.knowledge())
    findings = gates.guarded("quotes_are_verbatim", gates.quotes_are_verbatim, drafts, texts)
    return check_result(findings, looked_at=sum(len(draft.quotes) for draft in drafts))


@dg.asset(deps=[knowledge_base, draft_answers], group_name="query", kinds={"duckdb"})
def answers(
    settings: dg.ResourceParam[Settings],
    warehouse: dg.ResourceParam[Warehouse],
    events: dg.ResourceParam[EventLog],
    this_round: dg.ResourceParam[Round],
) -> dg.MaterializeResult[None]:
    """Only answers whose every citation and quote was verified; verified again here, whoever launches it."""
    folder, base = DataFolder(settings.data), warehouse.knowledge()
    questions = folder.questions
    if not questions and not folder.questions_path.exists() and warehouse.answers():
        raise dg.Failure(f"{folder.questions_path} is missing: the published answers stand", allow_retries=False)
    verdict = verify_drafts(warehouse.drafts(), questions, base, warehouse.answers(), events, round=this_round.number)
    warehouse.publish_answers(verdict.answers, verdict.gaps)
    publish_gaps(warehouse.gaps(), settings.gaps_path, this_round.limit)
    counts = {status: sum(a.status == status for a in verdict.answers) for status in ("answered", "unanswerable")}
    rows = [{"question": a.question, "answer": a.answer or a.status, "citations": a.citations} for a in verdict.answers]
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": len(rows),
            **counts,
            "withheld": len({gap.item for gap in verdict.gaps}),
            "preview": preview(rows),
            "gaps": gaps_table(verdict.gaps),
        }
    )


@dg.asset_check(asset=answers, blocking=True)
def answers_are_verified(warehouse: dg.ResourceParam[Warehouse]) -> dg.AssetCheckResult:
    """Every published answer holds against the published knowledge base."""
    published, base = warehouse.answers(), warehouse.knowledge()
    predicate = gates.answers_are_verified
    findings = gates.guarded("answers_are_verified", predicate, published, base, source_texts(base))
    return check_result(findings, looked_at=len(published))
