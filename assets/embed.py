"""Embed: one vector per distinct text, and the index beside them."""

from collections import Counter
from datetime import UTC, datetime

import dagster as dg

from assets._results import check_result, preview
from assets.decisions import decisions
from assets.ingest import notes
from assets.views import portal_views
from sekisho.events import EventLog
from sekisho.gates import Finding, decisions_are_indexed, guarded
from sekisho.indexed import indexed_documents
from sekisho.recall.candidates import DecisionFinder
from sekisho.retrieval import checks
from sekisho.retrieval.embeddings import embed_documents
from sekisho.retrieval.encoder import Embedder
from sekisho.retrieval.index import manifest_summary, update_index
from sekisho.retrieval.store import EmbeddingStore
from sekisho.settings import Settings
from sekisho.warehouse import Warehouse

_WARN = dg.AssetCheckSeverity.WARN
# What is published is what is searched, also when this run publishes nothing: no arrow from the knowledge base, which
# would stop these assets with it, but a lower priority, so that they come after it in one process.
_LATER = {"dagster/priority": "-1"}


@dg.asset(
    deps=[notes, portal_views, decisions],
    group_name="extract",
    kinds={"sentence-transformers", "duckdb"},
    op_tags=_LATER,
)
def embeddings(
    warehouse: dg.ResourceParam[Warehouse],
    store: dg.ResourceParam[EmbeddingStore],
    embedder: dg.ResourceParam[Embedder],
    events: dg.ResourceParam[EventLog],
) -> dg.MaterializeResult[None]:
    """One vector per distinct published text, view and decision, in DuckDB; the unchanged are not encoded again."""
    made = embed_documents(indexed_documents(warehouse), embedder, store, events)
    counts = Counter((chunk.kind, chunk.source) for chunk in store.chunks())
    rows = [{"kind": kind, "source": source, "chunks": count} for (kind, source), count in counts.items()]
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": made.texts,
            "chunks": made.chunks,
            "encoded_now": made.encoded,
            "model": made.fingerprint,
            "preview": preview(rows),
        }
    )


@dg.asset(deps=[embeddings], group_name="compile", kinds={"hnswlib"}, op_tags=_LATER)
def vector_index(
    settings: dg.ResourceParam[Settings],
    warehouse: dg.ResourceParam[Warehouse],  # held for its lock: one run writes at a time
    store: dg.ResourceParam[EmbeddingStore],
    embedder: dg.ResourceParam[Embedder],
) -> dg.MaterializeResult[None]:
    """An hnswlib index that agrees with the embeddings table."""
    hashes, vectors = store.vectors(embedder.fingerprint)
    manifest = update_index(settings.index_path, embedder.fingerprint, hashes, vectors)
    rows = [{"entry": name, "value": value} for name, value in manifest_summary(manifest).items()] if manifest else []
    return dg.MaterializeResult(metadata={"dagster/row_count": len(hashes), "manifest": preview(rows)})


@dg.asset_check(asset=vector_index)
def vectors_match_chunks(
    store: dg.ResourceParam[EmbeddingStore], embedder: dg.ResourceParam[Embedder]
) -> dg.AssetCheckResult:
    """Every live chunk has one vector of this model, and every vector a chunk."""
    chunks, (hashes, vectors) = store.chunks(), store.vectors(embedder.fingerprint)
    values = (chunks, embedder.fingerprint, hashes, vectors)
    findings = guarded("vectors_match_chunks", checks.vectors_match_chunks, *values)
    return check_result(findings, looked_at=len(chunks), severity=_WARN)


@dg.asset_check(asset=vector_index)
def index_finds_itself(
    settings: dg.ResourceParam[Settings],
    store: dg.ResourceParam[EmbeddingStore],
    embedder: dg.ResourceParam[Embedder],
) -> dg.AssetCheckResult:
    """Over a sample, the index finds what exact search finds."""
    hashes, vectors = store.vectors(embedder.fingerprint)
    values = (settings.index_path, embedder.fingerprint, hashes, vectors)
    findings = guarded("index_finds_itself", checks.index_finds_itself, *values)
    return check_result(findings, looked_at=len(hashes), severity=_WARN)


@dg.asset_check(asset=vector_index)
def index_is_fresh(
    settings: dg.ResourceParam[Settings],
    warehouse: dg.ResourceParam[Warehouse],
    store: dg.ResourceParam[EmbeddingStore],
    embedder: dg.ResourceParam[Embedder],
) -> dg.AssetCheckResult:
    """The index is of the vectors and the model as they are now, and no decision is without its vector."""
    hashes, known, today = store.hashes(embedder.fingerprint), warehouse.decisions(), datetime.now(UTC).date()

    def decisions_have_vectors() -> list[Finding]:
        indexed = DecisionFinder(known, store, embedder, settings.index_path).indexed
        return decisions_are_indexed(known, indexed, today)

    values = (settings.index_path, embedder.fingerprint, hashes)
    findings = guarded("index_is_fresh", checks.index_is_fresh, *values)
    findings += guarded("index_is_fresh", decisions_have_vectors)
    return check_result(findings, looked_at=len(hashes), severity=_WARN)
