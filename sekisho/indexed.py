"""What is indexed: every text that `sekisho search` and recall find by its meaning."""

from __future__ import annotations

from sekisho.recall.vectors import decision_documents
from sekisho.retrieval.embeddings import Document, documents_in, view_documents
from sekisho.warehouse import Warehouse


def indexed_documents(warehouse: Warehouse) -> list[Document]:
    """The published sources, the portal views and the past decisions, as what is embedded of them."""
    documents = documents_in(warehouse.knowledge()) + view_documents(warehouse.views())
    return documents + decision_documents(warehouse.decisions())
