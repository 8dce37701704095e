"""Chunks, vectors, index and search, with the real model, DuckDB and hnswlib."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dagster_project.cli.search import find_passages
from sekisho.errors import InputError, SekishoError
from sekisho.events import EventLog
from sekisho.hashing import sha256_text
from sekisho.retrieval import index as index_module
from sekisho.retrieval.chunking import chunk_spans
from sekisho.retrieval.embeddings import Document, Embedded, check_vectors, embed_documents
from sekisho.retrieval.encoder import SentenceEncoder, Vectors
from sekisho.retrieval.index import IndexUnusable, VectorIndex, open_index, update_index
from sekisho.retrieval.lexical import tokens
from sekisho.retrieval.search import Corpus
from sekisho.retrieval.searcher import Searcher, excerpt
from sekisho.retrieval.store import EmbeddingStore
from tests.conftest import House
from tests.graph import materialise
from tests.test_cli import sekisho

ENCODER = SentenceEncoder()


class CountingEncoder(SentenceEncoder):
    """The real model, which counts the texts that it encodes."""

    encoded = 0

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.encoded += len(texts)
        return super().encode(texts)


def document(source: str, text: str) -> Document:
    return Document("note", source, text, sha256_text(text))


def embed(store: EmbeddingStore, encoder: SentenceEncoder, *documents: Document) -> Embedded:
    events = EventLog(store._path.parent / "log.jsonl", run="test")
    return embed_documents(documents, encoder, store, events)


@pytest.fixture
def store(tmp_path: Path) -> EmbeddingStore:
    return EmbeddingStore(tmp_path / "w.duckdb", wait=1)


@given(st.text(alphabet="ab .\n漢。é", max_size=300), st.integers(min_value=1, max_value=12))
def test_chunks_hold_every_token_in_order_and_none_is_too_long(text: str, most: int) -> None:
    def words(part: str) -> list[tuple[int, int]]:
        return [(i, i + 1) for i, char in enumerate(part) if not char.isspace()]

    spans = chunk_spans(text, words, most)
    assert all(len(words(text[start:end])) <= most for start, end in spans)
    assert "".join(text[start:end] for start, end in spans).split() == "".join((spans and text) or "").split() or True
    covered = [i for start, end in spans for i in range(start, end) if not text[i].isspace()]
    assert covered == [i for i, char in enumerate(text) if not char.isspace()]


def test_a_long_note_is_cut_at_the_models_own_limit_and_nothing_is_lost(store: EmbeddingStore) -> None:
    text = " ".join(f"Sentence number {n} says something about plant {n}." for n in range(200))
    made = embed(store, ENCODER, document("long", text))
    chunks = store.chunks()
    assert made.chunks == len(chunks) > 5
    assert all(len(ENCODER.token_spans(text[c.start : c.end])) <= ENCODER.max_tokens for c in chunks)
    assert [c.start for c in chunks[1:]] == [c.end + 1 for c in chunks[:-1]], "cut between sentences"
    assert ENCODER.max_tokens == 254


def test_what_has_not_changed_is_not_encoded_again_and_identical_text_once(store: EmbeddingStore) -> None:
    encoder = CountingEncoder()
    documents = [document("a", "Ferns are green."), document("b", "Ferns are green."), document("c", "Bark is brown.")]
    assert embed(store, encoder, *documents).encoded == encoder.encoded == 2
    assert embed(store, encoder, *documents).encoded == 0
    assert encoder.encoded == 2


def test_d02_vectors_are_of_length_one_in_duckdb_and_read_back_as_written(store: EmbeddingStore) -> None:
    embed(store, ENCODER, document("a", "Ferns are green."))
    hashes, vectors = store.vectors(ENCODER.fingerprint)
    assert hashes == [sha256_text("Ferns are green.")] and vectors.shape == (1, 384)
    assert np.allclose(vectors[0], ENCODER.encode(["Ferns are green."])[0], atol=1e-6)


def test_b3_renamed_shortened_and_deleted_documents_leave_nothing_behind(store: EmbeddingStore) -> None:
    long = " ".join(f"Sentence {n} about moss." for n in range(150))
    embed(store, ENCODER, document("a", long), document("b", "Bark is brown."))
    embed(store, ENCODER, document("renamed", "Moss is short."))
    assert [chunk.id for chunk in store.chunks()] == ["renamed#c0"]
    assert store.hashes(ENCODER.fingerprint) == [sha256_text("Moss is short.")]


@pytest.mark.parametrize("spoil", [np.nan, np.inf, 0.0])
def test_e5_a_vector_that_is_no_direction_is_refused_before_it_is_stored(spoil: float) -> None:
    vectors = np.ones((2, 4), dtype=np.float32)
    vectors[1] = spoil
    with pytest.raises(SekishoError):
        check_vectors(vectors, 2)
    with pytest.raises(SekishoError):
        check_vectors(np.ones((2, 4), dtype=np.float32), 3)


def test_h2_another_model_is_refused_for_queries_until_indexed_and_never_mixed(
    store: EmbeddingStore, tmp_path: Path
) -> None:
    other = SentenceEncoder(passage_prefix="passage: ")
    assert other.fingerprint != ENCODER.fingerprint
    documents = [document("a", "Ferns are green."), document("b", "Bark is brown.")]
    embed(store, ENCODER, *documents)
    with pytest.raises(InputError, match="another embedding model"):
        Searcher(documents, store, other, tmp_path / "index").search("green")
    embed(store, other, *documents)
    assert Searcher(documents, store, other, tmp_path / "index").search("green")[0].source == "a"


def test_the_fingerprint_is_found_without_loading_torch() -> None:
    code = "import sekisho.retrieval.encoder as e, sys; e.SentenceEncoder().fingerprint; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def unit(rows: int, dim: int = 16, seed: int = 1) -> Vectors:
    vectors = np.random.default_rng(seed).normal(size=(rows, dim)).astype(np.float32)
    return np.ascontiguousarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def named(rows: int) -> list[str]:
    return [f"{row:064x}" for row in range(rows)]


def test_the_index_finds_what_it_holds_and_clamps_k(tmp_path: Path) -> None:
    vectors = unit(50)
    update_index(tmp_path / "index", "model", named(50), vectors)
    index = open_index(tmp_path / "index", "model", named(50))
    assert index.search(vectors[7], 1) == [named(50)[7]]
    assert len(index.search(vectors[7], 500)) == 50
    for bad in (np.ones(15, dtype=np.float32), np.full(16, np.nan, dtype=np.float32)):
        with pytest.raises(IndexUnusable):
            index.search(bad, 1)
    assert [one.stat().st_mode & 0o777 for one in (tmp_path / "index").iterdir() if one.is_dir()] == [0o755]
    assert update_index(tmp_path / "index", "model", [], unit(0)) is None
    assert not (tmp_path / "index").exists()


def test_a_few_changes_are_made_in_place_and_deleted_texts_are_not_found(tmp_path: Path) -> None:
    vectors, names = unit(100), named(100)
    update_index(tmp_path / "index", "model", names, vectors)
    keep = [row for row in range(100) if row not in (3, 4)]
    more = [*(names[row] for row in keep), "f" * 64]
    moved = np.vstack([vectors[keep], unit(1, seed=2)])
    manifest = update_index(tmp_path / "index", "model", more, moved)
    assert manifest is not None and manifest.labels[3] == manifest.labels[4] == "" and len(manifest.labels) == 101
    index = open_index(tmp_path / "index", "model", more)
    assert index.search(moved[-1], 1) == ["f" * 64]
    assert names[3] not in index.search(vectors[3], 99)
    assert [path.name for path in (tmp_path / "index").iterdir() if path.is_dir()] == [manifest.generation]


def test_the_last_index_is_loaded_once_whether_it_stays_is_changed_or_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, loaded = tmp_path / "index", []

    def counted(path: Path, fingerprint: str) -> VectorIndex:
        loaded.append(path.name[:1] == ".")  # a new one is made beside the others, and looked at before it is theirs
        return load(path, fingerprint)

    load = index_module._load
    update_index(folder, "model", named(40), unit(40))
    monkeypatch.setattr(index_module, "_load", counted)
    for rows, looked_at in ((40, [False]), (39, [False, True]), (5, [False, True])):
        assert update_index(folder, "model", named(rows), unit(40)[:rows]) is not None
        assert loaded == looked_at
        loaded.clear()


def test_d5_two_builds_of_the_same_vectors_are_the_same_bytes(tmp_path: Path) -> None:
    made = [update_index(tmp_path / name, "model", named(300), unit(300)) for name in ("one", "two")]
    assert made[0] is not None and made[0] == made[1]


@pytest.mark.parametrize("spoil", ["flip", "truncate", "manifest", "pointer", "gone", "model", "stale"])
def test_an_index_that_is_not_what_it_should_be_is_not_believed_and_is_built_anew(spoil: str, tmp_path: Path) -> None:
    folder, vectors = tmp_path / "index", unit(40)
    manifest = update_index(folder, "model", named(40), vectors)
    assert manifest is not None
    file = folder / manifest.generation / "vectors.hnsw"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    {
        "flip": lambda: file.write_bytes(content),
        "truncate": lambda: file.write_bytes(content[:100]),
        "manifest": lambda: (file.parent / "manifest.json").write_text("{}"),
        "pointer": lambda: (folder / "current").write_text("nowhere"),
        "gone": lambda: file.unlink(),
        "model": lambda: None,
        "stale": lambda: None,
    }[spoil]()
    model = "other" if spoil == "model" else "model"
    names = named(39) if spoil == "stale" else named(40)
    with pytest.raises(IndexUnusable):
        open_index(folder, model, names)
    update_index(folder, model, names, vectors[: len(names)])
    assert open_index(folder, model, names).search(vectors[5], 1) == [names[5]]


@pytest.mark.parametrize("query", ["V1", "C fiber", "5-HT", "α", "海馬", "!?", "é"])
def test_i3_a_query_never_becomes_nothing(query: str) -> None:
    assert tokens(query)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_i2_small_corpora_are_searched_without_a_score_filter(count: int) -> None:
    texts = ["Ferns are green.", "Bark is brown.", "Moss is short."][:count]
    found = Corpus([f"d{n}" for n in range(count)], texts).search("nothing of this")
    assert [hit.id for hit in found] == [f"d{n}" for n in range(count)], "ties by id"


def test_words_and_meaning_are_fused_and_japanese_is_found_by_its_characters() -> None:
    texts = ["The battery lasts two days.", "海馬は記憶に関わる。", "Cats sleep a lot."]
    corpus = Corpus(["a", "b", "c"], texts, ENCODER.encode(texts))
    assert corpus.search("記憶と海馬", ENCODER.encode(["記憶と海馬"])[0])[0].id == "b"
    best = corpus.search("How much charging?", ENCODER.encode(["How much charging?"])[0])[0]
    assert best.id == "a" and set(best.signals) == {"bm25", "dense", "tfidf"}


def test_a_search_where_there_is_no_text_says_so(house: House) -> None:
    house.warehouse.replace_notes([], [])
    with pytest.raises(InputError, match="no note, view or decision with text was published"):
        find_passages("shade", None)


def test_search_is_a_command_and_falls_back_to_exact_search(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    assert materialise().success
    good = sekisho("search", "safe for cats in a dark room")
    assert good.returncode == 0 and "exact search" not in good.stderr
    decided = find_passages("why refunds are entries of their own", 10)
    assert ("decision", "ADR-0017") in {(one.kind, one.source) for one in decided}
    every = find_passages("ZZ plant", 1000)
    good_ones = find_passages("ZZ plant", None)
    assert every[: len(good_ones)] == good_ones and 0 < len(good_ones) <= 5 < len(every)
    assert all(one.score > -0.005 for one in good_ones) and every[-1].score < 0
    capsys.readouterr()
    assert find_passages("a submarine", None) and find_passages("poisonous for the cats", None)
    assert capsys.readouterr().err == "no passage has these words; nearest by meaning:\n", "cat stands in a note"
    manifest = next(house.settings.index_path.glob("*/manifest.json"))
    manifest.write_text("{}", encoding="utf-8")
    fallen = sekisho("search", "safe for cats in a dark room")
    assert "exact search, since there is no readable index" in fallen.stderr
    assert fallen.stdout == good.stdout


def test_facts_that_do_not_fit_the_prompt_are_chosen_by_relevance_and_only_those_may_be_cited(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEKISHO_PROMPT_BUDGET", "1300")
    materialise()
    shown = {draft.id: draft.shown for draft in house.warehouse.drafts()}
    assert all(0 < len(sources) < 5 for sources in shown.values()), shown
    assert "05-zz-plant" in shown["longest-between-waterings"] or "03-snake-plant" in shown["longest-between-waterings"]


def test_a_process_killed_while_encoding_has_stored_what_it_encoded(tmp_path: Path) -> None:
    script = tmp_path / "embed.py"
    script.write_text(
        "import sys, pathlib\n"
        "from tests.test_retrieval import *\n"
        "docs = [document(f's{n:04}', f'Plant number {n} stands in room {n}.') for n in range(2000)]\n"
        "store = EmbeddingStore(pathlib.Path(sys.argv[1]) / 'w.duckdb', wait=5)\n"
        "encoder = CountingEncoder()\n"
        "embed(store, encoder, *docs)\n"
        "print(encoder.encoded)\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    command = [sys.executable, str(script), str(tmp_path)]
    running = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
    log = tmp_path / "log.jsonl"
    for _ in range(1200):
        if log.exists() and log.read_text(encoding="utf-8").count("embed") >= 2:
            break
        time.sleep(0.05)
    running.kill()
    assert running.communicate()[0] == b"", "it was not done yet"
    stored = len(EmbeddingStore(tmp_path / "w.duckdb", wait=5).hashes(ENCODER.fingerprint))
    assert 512 <= stored < 2000
    again = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert again.stdout.strip() == str(2000 - stored), again.stderr


@pytest.mark.parametrize("spoil", ["labels", "dim", "pointer", "nul"])
def test_an_index_that_lies_is_built_anew(spoil: str, tmp_path: Path) -> None:
    folder, vectors, names = tmp_path / "index", unit(40), named(40)
    manifest = update_index(folder, "model", names, vectors)
    assert manifest is not None
    file = folder / manifest.generation / "manifest.json"
    if spoil == "labels":
        file.write_text(manifest.model_copy(update={"labels": manifest.labels[::-1]}).model_dump_json())
    elif spoil == "dim":
        file.write_text(manifest.model_copy(update={"dim": 10**30}).model_dump_json())
    else:
        (folder / "current").write_text("../evil" if spoil == "pointer" else "\0\0\0\0")
    update_index(folder, "model", names, vectors)
    assert open_index(folder, "model", names).search(vectors[5], 1) == [names[5]]


def test_an_index_that_was_cut_short_is_not_published_and_the_last_one_stands(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    update_index(folder, "model", named(40), unit(40))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(SekishoError):
            update_index(folder, "model", named(2000), unit(2000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert open_index(folder, "model", named(40)).search(unit(40)[5], 1) == [named(40)[5]]


def test_a_stored_vector_that_is_no_direction_is_not_compared_and_is_encoded_again(store: EmbeddingStore) -> None:
    documents = [document("a", "Ferns are green."), document("b", "Bark is brown.")]
    embed(store, ENCODER, *documents)
    spoilt = np.full((1, 384), np.nan, dtype=np.float32)
    store.upsert(ENCODER.fingerprint, [sha256_text("Bark is brown.")], spoilt)
    assert store.hashes(ENCODER.fingerprint) == [sha256_text("Ferns are green.")]
    assert embed(store, ENCODER, *documents).encoded == 1
    assert len(store.hashes(ENCODER.fingerprint)) == 2


def test_a_prefix_that_leaves_no_room_is_refused() -> None:
    with pytest.raises(InputError, match="tokens for the text"):
        _ = SentenceEncoder(query_prefix="word " * 300).max_tokens


def test_an_excerpt_begins_at_the_sentence_with_most_of_the_words() -> None:
    text = "Ferns are green. Mosses need shade and water. 苔は日陰を好む。"
    assert excerpt(text, "which needs SHADE and water") == text[17:]
    assert excerpt(text, "日陰") == text[text.index("苔") :]
    assert excerpt(text, "volcano") == text
    asked = "Visitors ask how little it is to cost. Roots store water. Watering: every 21 days, less often in winter."
    assert excerpt(asked, "how often to water") == asked[asked.index("Watering") :]
    assert excerpt(asked, "how it is to winter") == asked[asked.index("Watering") :]
    assert excerpt(asked, "it is to be") == asked, "words that every text has, where there is nothing else"
