"""The local agent's part in recall: it names the best candidates as they are ranked and quotes their own summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sekisho.retrieval.encoder import Encoder
from sekisho.sentences import sentences

_MOST = 5


def recall_candidates(
    draft: Mapping[str, str], candidates: Sequence[Mapping[str, str]], encoder: Encoder
) -> dict[str, Any]:
    """The first five candidates that have a summary, each with the sentence of it that is nearest to the draft.

    Nobody has judged how relevant they are, so all are `low`.
    """
    about = encoder.encode(["\n".join(part for part in draft.values() if part.strip())])[0]
    told = [one for one in candidates if one["summary"].strip()][:_MOST]
    return {
        "recallCitations": [
            {"adr_id": one["id"], "relevance": "low", "relevance_reason": _nearest(one["summary"], about, encoder)}
            for one in told
        ]
    }


def _nearest(summary: str, about: Any, encoder: Encoder) -> str:
    """The sentence, as it stands in the summary, with the highest cosine; the first of equals."""
    spans = [span.of(summary) for span in sentences(summary)]
    texts = [text for text in spans if text.strip()] or [summary]
    return texts[int(np.argmax(encoder.encode(texts) @ about))]
