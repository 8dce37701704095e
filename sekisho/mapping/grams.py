"""Character and word weights as sparse matrices, by NumPy and SciPy alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from sekisho.mapping.words import deep

Floats = np.ndarray[Any, np.dtype[np.float32]]
_K1 = 1.5
_B = 0.75
Ints = np.ndarray[Any, np.dtype[np.int32]]


def char_grams(text: str) -> Counter[str]:
    """The runs of 2 to 4 characters of a text, a space at either end of it and between words."""
    padded = f" {text} "
    return Counter([padded[at : at + size] for size in (2, 3, 4) for at in range(len(padded) - size + 1)])


def grams_and_stems(words: Sequence[str]) -> Counter[str]:
    """The character grams of words, and the stem of each behind a sign that no gram has."""
    found = char_grams(" ".join(words))
    found.update([f"\t{deep(word)}" for word in words])
    return found


def vocabulary(bags: Iterable[Iterable[str]]) -> list[str]:
    """All that stands in the bags, in order."""
    return sorted({item for bag in bags for item in bag})


def idf(matrix: csr_matrix) -> Floats:
    """How rare each column is among the rows: ln((1 + n) / (1 + df)) + 1."""
    counts = np.bincount(matrix.indices, minlength=matrix.shape[1])
    return np.asarray(np.log((1 + matrix.shape[0]) / (1 + counts)) + 1, dtype=np.float32)


def as_matrix(bags: Sequence[Mapping[str, float]], places: Mapping[str, int]) -> csr_matrix:
    """One row for each bag; what has no place is left out. Columns are in order, so that sums always add up alike."""
    starts = [0]
    columns: list[int] = []
    values: list[float] = []
    for bag in bags:
        row = {places[item]: weight for item, weight in bag.items() if item in places}
        ordered = sorted(row)
        columns += ordered
        values += [row[column] for column in ordered]
        starts.append(len(columns))
    shape = (len(bags), len(places))
    return csr_matrix(
        (np.array(values, dtype=np.float32), np.array(columns, dtype=np.int32), np.array(starts, dtype=np.int32)), shape
    )


def unit_rows(matrix: csr_matrix, weights: Floats, *, damped: bool = True) -> csr_matrix:
    """The rows with each count (1 + ln where damped) times its column's weight, at length 1."""
    data = (1 + np.log(matrix.data)) if damped else matrix.data
    data = (data * weights[matrix.indices]).astype(np.float32)
    lengths = np.sqrt(np.add.reduceat(np.append(data**2, 0), np.minimum(matrix.indptr[:-1], len(data))))
    counts = np.diff(matrix.indptr)
    lengths[(counts == 0) | (lengths == 0)] = 1
    data = data / np.repeat(lengths, counts).astype(np.float32)
    return csr_matrix((data.astype(np.float32), matrix.indices, matrix.indptr), matrix.shape)


def bm25(matrix: csr_matrix) -> csr_matrix:
    """What each column adds to a row's BM25 (Robertson and Zaragoza, 2009).

    With the idf of Lucene, which is never negative.
    """
    weight = bm25_idf(matrix)
    sizes = np.asarray(matrix.sum(axis=1)).ravel()
    mean = sizes.mean() if len(sizes) else 1.0
    length = np.repeat(_K1 * (1 - _B + _B * sizes / mean), np.diff(matrix.indptr))
    data = weight[matrix.indices] * matrix.data / (matrix.data + length)
    return csr_matrix((data.astype(np.float32), matrix.indices, matrix.indptr), matrix.shape)


def bm25_idf(matrix: csr_matrix) -> Floats:
    """How rare each column is: ln(1 + (n - df + 0.5) / (df + 0.5))."""
    counts = np.bincount(matrix.indices, minlength=matrix.shape[1])
    return np.asarray(np.log1p((matrix.shape[0] - counts + 0.5) / (counts + 0.5)), dtype=np.float32)


def add_rows(matrix: csr_matrix, places: Sequence[int], weights: Sequence[float]) -> Floats:
    """The sum of some rows of a matrix, each times its weight, in the order given."""
    if not places:
        return np.zeros(matrix.shape[1], dtype=np.float32)
    bounds = [(matrix.indptr[at], matrix.indptr[at + 1]) for at in places]
    columns = np.concatenate([matrix.indices[begin:end] for begin, end in bounds])
    values = np.concatenate([matrix.data[begin:end] for begin, end in bounds])
    values = values * np.repeat(np.array(weights, dtype=np.float32), [end - begin for begin, end in bounds])
    return np.bincount(columns, values, matrix.shape[1]).astype(np.float32)
