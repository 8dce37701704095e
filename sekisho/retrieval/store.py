"""Chunks and vectors in DuckDB: `FLOAT[n]`, keyed by the hash of the text and the fingerprint of the model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from sekisho.records import Chunk
from sekisho.retrieval.encoder import Vectors
from sekisho.warehouse.connection import reading, table_names, writing
from sekisho.warehouse.rows import insert, select

# A vector that is not of length one, or not finite, counts as none: it is not compared, and encoded again.
_UNIT = "abs(array_inner_product(vector, vector) - 1) < 0.02"


class EmbeddingStore:
    """The live chunks and one vector per distinct text; `wait` is how long, in seconds, a held file is waited for."""

    def __init__(self, path: Path, *, wait: float = 10.0) -> None:
        self._path = path
        self._wait = wait

    def chunks(self) -> list[Chunk]:
        """All live chunks, by kind, source and place."""
        with reading(self._path, self._wait) as connection:
            return select(connection, "chunks", Chunk, order="kind, source, start")

    def replace_chunks(self, gone: Iterable[tuple[str, str]], chunks: Sequence[Chunk]) -> None:
        """Take out all chunks of some documents, named by kind and source, and put in others, in one transaction."""
        with writing(self._path, self._wait) as connection:
            keys = list(gone)
            columns = {"kind": [kind for kind, _ in keys], "source": [source for _, source in keys]}
            connection.register("gone", pa.table(columns, schema=pa.schema({name: pa.string() for name in columns})))
            connection.execute("DELETE FROM chunks WHERE (kind, source) IN (SELECT kind, source FROM gone)")
            connection.unregister("gone")
            insert(connection, "chunks", chunks)

    def missing(self, fingerprint: str) -> list[Chunk]:
        """The live chunks whose text has no vector of this model yet."""
        have = set(self.hashes(fingerprint))
        return [chunk for chunk in self.chunks() if chunk.text_sha256 not in have]

    def hashes(self, fingerprint: str) -> list[str]:
        """The hashes of all texts that have a vector of this model, sorted."""
        return self.vectors(fingerprint, only_hashes=True)[0]

    def vectors(self, fingerprint: str, *, only_hashes: bool = False) -> tuple[list[str], Vectors]:
        """Hashes, sorted, and their vectors, shape (count, dim); (0, 0) where the model has none."""
        with reading(self._path, self._wait) as connection:
            for table, dim in _tables(connection):
                columns = "text_sha256" if only_hashes else "text_sha256, vector"
                query = f"SELECT {columns} FROM {table} WHERE fingerprint = ? AND {_UNIT} ORDER BY text_sha256"
                rows: Any = connection.sql(query, params=[fingerprint]).to_arrow_table()
                if rows.num_rows:
                    hashes = rows.column("text_sha256").to_pylist()
                    if only_hashes:
                        return hashes, np.empty((0, 0), dtype=np.float32)
                    flat = rows.column("vector").combine_chunks().flatten().to_numpy(zero_copy_only=False)
                    return hashes, np.ascontiguousarray(flat, dtype=np.float32).reshape(len(hashes), dim)
        return [], np.empty((0, 0), dtype=np.float32)

    def upsert(self, fingerprint: str, hashes: Sequence[str], vectors: Vectors) -> None:
        """Store vectors, row by row for these hashes, in place of what stood there."""
        dim = int(vectors.shape[1])
        with writing(self._path, self._wait) as connection:
            connection.execute(
                f"CREATE TABLE IF NOT EXISTS embeddings_{dim} (text_sha256 VARCHAR NOT NULL,"
                f" fingerprint VARCHAR NOT NULL, vector FLOAT[{dim}] NOT NULL, PRIMARY KEY (text_sha256, fingerprint))"
            )
            flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1))
            table = pa.table({"hash": list(hashes), "vector": pa.FixedSizeListArray.from_arrays(flat, dim)})
            connection.register("incoming", table)
            connection.execute(
                f"INSERT OR REPLACE INTO embeddings_{dim} SELECT hash, ?, vector::FLOAT[{dim}] FROM incoming",
                [fingerprint],
            )
            connection.unregister("incoming")

    def prune(self) -> None:
        """Take out the vectors of texts that no live chunk holds."""
        orphans = "text_sha256 NOT IN (SELECT text_sha256 FROM chunks)"
        with reading(self._path, self._wait) as connection:
            tables = [table for table, _ in _tables(connection)]
            queries = [f"SELECT text_sha256 FROM {table} WHERE {orphans} LIMIT 1" for table in tables]
            found = [connection.execute(query).fetchall() for query in queries]
        if any(found):
            with writing(self._path, self._wait) as connection:
                for table in tables:
                    connection.execute(f"DELETE FROM {table} WHERE {orphans}")


def _tables(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, int]]:
    """The tables that hold vectors, one for each dimension, with that dimension."""
    names = [name for name in table_names(connection) if re.fullmatch(r"embeddings_[0-9]+", name)]
    return [(name, int(name.removeprefix("embeddings_"))) for name in names]
