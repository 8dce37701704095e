"""Ranking decisions by their words: BM25 and the cosine of TF-IDF, prepared once as sparse matrices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sekisho.retrieval.lexical import tokens

Scores = NDArray[np.float64]
_K1, _B = 1.5, 0.75


class WordIndex:
    """Texts to be ranked by the words they share with a query.

    BM25 as in Robertson and Zaragoza (2009), with the never negative idf of Lucene; TF-IDF with 1 + ln(tf), of length
    one.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        from scipy.sparse import csr_matrix  # late, as all that only ranking needs

        counts = [Counter(tokens(text)) for text in texts]
        self._count = len(counts)
        self._vocabulary = {word: row for row, word in enumerate(sorted({word for words in counts for word in words}))}
        rows = np.array([self._vocabulary[word] for words in counts for word in words], dtype=np.int32)
        columns = np.repeat(np.arange(self._count, dtype=np.int32), [len(words) for words in counts])
        often = np.array([number for words in counts for number in words.values()], dtype=np.float32)
        shape = (len(self._vocabulary), self._count)
        document_frequency = np.bincount(rows, minlength=shape[0])
        lengths = np.array([words.total() for words in counts], dtype=np.float32)
        mean = float(lengths.mean()) if self._count else 1.0
        idf = np.log1p((self._count - document_frequency + 0.5) / (document_frequency + 0.5))
        share = often / (often + _K1 * (1 - _B + _B * lengths[columns] / max(mean, 1.0)))
        self._bm25 = csr_matrix(((idf[rows] * share).astype(np.float32), (rows, columns)), shape=shape)
        self._idf = (np.log((1 + self._count) / (1 + document_frequency)) + 1).astype(np.float32)
        weights = (1 + np.log(often)) * self._idf[rows]
        norms = np.sqrt(np.bincount(columns, weights**2, minlength=self._count))
        self._tfidf = csr_matrix(
            ((weights / np.maximum(norms[columns], 1e-12)).astype(np.float32), (rows, columns)), shape=shape
        )

    def scores(self, query: str) -> dict[str, Scores]:
        """The scores of all texts for a query by `bm25` and `tfidf`."""
        counts = Counter(word for word in tokens(query) if word in self._vocabulary)
        if not counts:
            return {"bm25": np.zeros(self._count), "tfidf": np.zeros(self._count)}
        rows = np.array([self._vocabulary[word] for word in counts], dtype=np.int32)
        often = np.array(list(counts.values()), dtype=np.float32)
        weights = (1 + np.log(often)) * self._idf[rows]
        weights /= np.linalg.norm(weights)
        return {
            "bm25": np.asarray(often @ self._bm25[rows], dtype=np.float64),
            "tfidf": np.asarray(weights @ self._tfidf[rows], dtype=np.float64),
        }
