"""Ten thousand chunks unchanged: what the second pass costs beside the first.

    python -m benchmarks.incremental [--chunks 10000] [--json]

Encodes synthetic notes with the bundled model into a new warehouse, then does the same again, each pass in a process
of its own. Prints both times, their ratio, and how many texts the second pass encoded and whether it loaded the model.
The limit named in the issue is 3 %.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

_PASS = """
import json, pathlib, sys, time
began = time.perf_counter()
from sekisho.events import EventLog
from sekisho.hashing import sha256_text
from sekisho.retrieval.embeddings import Document, embed_documents
from sekisho.retrieval.encoder import SentenceEncoder
from sekisho.retrieval.index import update_index
from sekisho.retrieval.store import EmbeddingStore
folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
texts = [f"Plant number {n} stands in room {n % 97}, is watered every {n % 31 + 2} days and tolerates {n % 20} degrees."
         for n in range(count)]
documents = [Document("note", f"n{n:06}", text, sha256_text(text)) for n, text in enumerate(texts)]
encoder, store = SentenceEncoder(), EmbeddingStore(folder / "warehouse.duckdb")
made = embed_documents(documents, encoder, store, EventLog(folder / "log.jsonl", run="benchmark"))
hashes, vectors = store.vectors(encoder.fingerprint)
update_index(folder / "index", encoder.fingerprint, hashes, vectors)
print(json.dumps({"seconds": time.perf_counter() - began, "chunks": made.chunks, "encoded": made.encoded,
                  "model_loaded": "torch" in sys.modules}))
"""


def measure(chunks: int) -> dict[str, object]:
    """Both passes and the ratio of their times."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "embed.py"
        script.write_text(_PASS, encoding="utf-8")
        command = [sys.executable, str(script), folder, str(chunks)]
        passes = [
            json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(2)
        ]
    return {
        "first": passes[0],
        "second": passes[1],
        "ratio": passes[1]["seconds"] / passes[0]["seconds"],
        "limit": 0.03,
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    figures = measure(arguments.chunks)
    if arguments.json:
        print(json.dumps(figures, indent=2))
        return
    for name in ("first", "second"):
        print(name, figures[name])
    print(f"second / first: {figures['ratio']:.2%} (limit 3 %)")


if __name__ == "__main__":
    main()
