"""The candidates of recall, with the real model, DuckDB and hnswlib (R4, R15 of the specification)."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pytest

from benchmarks.recall.__main__ import rank_all, write_run
from benchmarks.recall.corpus import read_corpus, read_queries
from benchmarks.recall.scoring import score
from sekisho.decision import Decision, DecisionLink
from sekisho.errors import InputError, SettingsError, VectorsUnusable
from sekisho.events import EventLog
from sekisho.recall import candidates, words
from sekisho.recall.candidates import DecisionFinder, decision_documents
from sekisho.recall.terms import terms
from sekisho.retrieval.embeddings import embed_documents
from sekisho.retrieval.encoder import SentenceEncoder, Vectors
from sekisho.retrieval.index import update_index
from sekisho.retrieval.searcher import query_vector
from sekisho.retrieval.store import EmbeddingStore
from sekisho.sources.decisions import load_decisions, load_drafts
from sekisho.yamlio import load_yaml
from tests.conftest import ROOT


class RememberingEncoder(SentenceEncoder):
    """The real model, which encodes each query once."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, Vectors] = {}

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in texts if text not in self._known]
        self._known |= dict(zip(new, super().encode_queries(new), strict=True))
        return np.stack([self._known[text] for text in texts])


ENCODER = RememberingEncoder()


class Log:
    """The sample log, embedded and indexed under a folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.decisions, _ = load_decisions(ROOT / "data" / "decisions")
        self.drafts = {
            draft.id: f"{draft.title}\n\n{draft.context}\n\n{draft.options}"
            for draft in load_drafts(ROOT / "data" / "drafts")[0]
        }
        self.store = EmbeddingStore(home / "warehouse.duckdb", wait=1)
        self.embed(self.decisions)

    def embed(self, decisions: list[Decision]) -> None:
        embed_documents(decision_documents(decisions), ENCODER, self.store, EventLog(self.home / "log.jsonl", run="t"))
        update_index(self.home / "index", ENCODER.fingerprint, *self.store.vectors(ENCODER.fingerprint))

    def finder(
        self, decisions: Iterable[Decision] | None = None, *, dense: bool = False, index: str = "index"
    ) -> DecisionFinder:
        chosen = self.decisions if decisions is None else list(decisions)
        return DecisionFinder(chosen, self.store, ENCODER, self.home / index, dense_only=dense)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return Log(tmp_path_factory.mktemp("recall"))


def ids(found: Iterable[candidates.Candidate]) -> list[str]:
    return [one.decision.id for one in found]


def decision(number: int, title: str = "", body: str = "", **more: object) -> Decision:
    name = f"ADR-{number:04}"
    return Decision.model_validate(
        {"id": name, "original_id": name, "path": f"{number:04}.md", "title": title, "body": body, "text": body} | more
    )


def test_r4_the_expected_records_of_every_sample_draft_are_among_the_first_ten_candidates(log: Log) -> None:
    golden = load_yaml(ROOT / "data" / "golden" / "recall.yaml")
    wanted = {row["draft"]: {one["adr_id"] for one in row["expected"]} for row in golden if row["expected"]}
    finder = log.finder()
    assert len(wanted) == 4
    for draft, expected in wanted.items():
        assert expected <= set(ids(finder.find(log.drafts[draft], k=10))), draft


def test_r4_twenty_candidates_come_by_default_best_first_and_their_signals_add_up(log: Log) -> None:
    found = log.finder().find(log.drafts["extend-hold"])
    assert len(found) == 20
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert set(found[0].signals) == {"bm25", "tfidf", "dense", "names", "cited", "beside"}
    assert all(one.score == pytest.approx(sum(one.signals.values())) for one in found)


def test_r15_a_japanese_draft_finds_the_japanese_record_that_the_english_model_cannot_read(log: Log) -> None:
    draft = log.drafts["会員の顔認証入場"]
    assert ENCODER.unknown_share(draft) > 0.2 > 0.05 > ENCODER.unknown_share(log.drafts["extend-hold"])
    assert ids(log.finder().find(draft, k=1)) == ["ADR-0018"]
    found = log.finder().find("個人データの保存期間", k=1)
    assert ids(found) == ["ADR-0023"]
    assert found[0].signals["dense"] < 0.4 * found[0].signals["bm25"], "what it cannot read counts little"


def test_the_drafts_own_record_is_left_out_and_no_other(log: Log) -> None:
    own = log.decisions[5]
    whole = log.finder().find(own.text, k=99)
    assert whole[0].decision == own
    rest = log.finder().find(own.text, k=99, without={own.id, "ADR-7777"})
    assert set(ids(rest)) == set(ids(whole)) - {own.id}


def test_what_is_left_out_sways_nothing(log: Log) -> None:
    """What stays gets the same dense, cited and beside as if the other were not in the log at all."""
    gone = {one.id for one in log.decisions[::3]}
    query = log.drafts["void-tickets-at-gates"]
    beside = log.finder().find(query, k=99, without=gone)
    alone = {one.decision.id: one for one in log.finder(d for d in log.decisions if d.id not in gone).find(query, k=99)}
    for one in beside:
        for signal in ("dense", "cited"):
            assert one.signals[signal] == pytest.approx(alone[one.decision.id].signals[signal], abs=1e-5)


def test_a_superseded_record_is_marked_by_its_status_and_not_hidden(log: Log) -> None:
    found = {one.decision.id: one.decision.status for one in log.finder().find(log.drafts["extend-hold"], k=5)}
    assert found["ADR-0006"] == "superseded"


def test_dense_only_is_the_order_of_the_cosines(log: Log) -> None:
    query = log.drafts["partner-graphql"]
    found = log.finder(dense=True).find(query, k=99)
    vector = query_vector(query, ENCODER)
    hashes, vectors = log.store.vectors(ENCODER.fingerprint)
    pieces: dict[str, list[int]] = {}
    for chunk in log.store.chunks():
        pieces.setdefault(chunk.source, []).append(hashes.index(chunk.text_sha256))
    means = {name: vectors[rows].mean(axis=0) for name, rows in pieces.items()}
    cosine = {name: float(mean @ vector / np.linalg.norm(mean)) for name, mean in means.items()}
    assert ids(found) == sorted(cosine, key=lambda name: -cosine[name])
    assert [one.score for one in found] == pytest.approx([cosine[name] for name in ids(found)], abs=1e-5)
    assert all(one.signals == {"dense": one.score} for one in found)


def test_r15_a_decision_without_a_current_vector_is_named_found_by_words_and_not_dense(log: Log) -> None:
    fresh = decision(901, "Use zeppelins for gate upgrades", "Zeppelins carry the upgraded gates.")
    changed = log.decisions[0].model_copy(update={"body": "Something else is decided now."})
    finder = log.finder([changed, *log.decisions[1:], fresh])
    assert {one.id for one in log.decisions} - {changed.id} == finder.indexed
    assert ids(finder.find("zeppelins", k=1)) == ["ADR-0901"]
    assert finder.find("zeppelins", k=1)[0].signals["dense"] == 0
    dense = log.finder([changed, *log.decisions[1:], fresh], dense=True).find("zeppelins", k=99)
    assert set(ids(dense)) == finder.indexed


def test_the_order_of_the_log_changes_nothing(log: Log) -> None:
    query = log.drafts["extend-hold"]
    straight = [(one.decision.id, one.score) for one in log.finder().find(query, k=99)]
    mixed = random.Random(7).sample(log.decisions, len(log.decisions))
    assert [(one.decision.id, one.score) for one in log.finder(mixed).find(query, k=99)] == straight


def test_ties_are_broken_by_id(log: Log) -> None:
    twins = [decision(number, "Same", "The same words.") for number in (904, 902, 903, 901)]
    assert ids(log.finder(twins).find("the same words")) == ["ADR-0901", "ADR-0902", "ADR-0903", "ADR-0904"]


def test_a_record_that_is_linked_with_a_related_one_comes_before_its_like(log: Log) -> None:
    link = DecisionLink(kind="supersedes", target="ADR-0901")
    others = [decision(number, f"Paint {number}", "Walls are painted.") for number in (902, 903)]
    related = decision(901, "Ferries", "Ferries cross the strait.")
    linked = others[1].model_copy(update={"links": (link,)})
    assert ids(log.finder([related, *others]).find("ferries")) == ["ADR-0901", "ADR-0902", "ADR-0903"]
    assert ids(log.finder([related, others[0], linked]).find("ferries")) == ["ADR-0901", "ADR-0903", "ADR-0902"]


def test_an_empty_log_has_no_candidates_and_a_draft_of_signs_ends_too(log: Log) -> None:
    assert log.finder([]).find("anything") == log.finder([], dense=True).find("anything") == []
    assert log.finder([]).indexed == frozenset()
    assert len(log.finder().find("→ → →")) == 20
    assert log.finder().find("x", without={one.id for one in log.decisions}) == []


def test_without_a_model_it_raises(log: Log) -> None:
    finder = DecisionFinder(log.decisions, log.store, SentenceEncoder("/nowhere/model"), log.home / "index")
    with pytest.raises(SettingsError):
        finder.find("a draft")


@pytest.mark.parametrize("dense", [False, True])
def test_r2_vectors_that_cannot_be_used_are_a_failure_and_one_of_them_costs_no_other(
    log: Log, tmp_path: Path, dense: bool
) -> None:
    path = Path(shutil.copy(log.home / "warehouse.duckdb", tmp_path))
    gone = log.decisions[3]
    finder = partial(
        DecisionFinder, log.decisions, EmbeddingStore(path, wait=1), ENCODER, log.home / "index", dense_only=dense
    )
    spoil = "UPDATE embeddings_384 SET vector = list_transform(vector::FLOAT[], lambda x: 'nan'::FLOAT)::FLOAT[384]"
    with duckdb.connect(path) as connection:
        connection.execute(f"{spoil} WHERE text_sha256 IN (SELECT text_sha256 FROM chunks WHERE source = ?)", [gone.id])
    assert gone.id not in finder().indexed and len(finder().find("graphql", k=5)) == 5
    with duckdb.connect(path) as connection:
        connection.execute(spoil)
    with pytest.raises(VectorsUnusable, match=r"none of \d+ decisions has a vector: \d+ .* cannot be used"):
        finder().find("graphql")


def test_r2_a_log_of_which_nothing_is_embedded_is_a_failure_by_meaning_alone(log: Log) -> None:
    new = [decision(901, "Ferries", "Ferries cross the strait.")]
    assert ids(log.finder(new).find("ferries")) == ["ADR-0901"]
    with pytest.raises(VectorsUnusable, match="nothing was embedded as it is now"):
        log.finder(new, dense=True).find("ferries")


@pytest.mark.parametrize("value", [np.nan, 0.0])
def test_r2_a_model_that_gives_no_vector_for_a_draft_is_a_failure(log: Log, value: float) -> None:
    class Blank(SentenceEncoder):
        def encode_queries(self, texts: Sequence[str]) -> Vectors:
            return np.full((len(texts), 384), value, dtype=np.float32)

    with pytest.raises(VectorsUnusable, match="no usable vector for the draft"):
        DecisionFinder(log.decisions, log.store, Blank(), log.home / "index").find("ferries")


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("spoil", ["missing", "broken", "stale", "sound"])
def test_a_spoilt_index_gives_the_list_of_exact_search(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: str, dense: bool
) -> None:
    query = log.drafts["extend-hold"]
    exact = log.finder(dense=dense).find(query, k=20)
    monkeypatch.setattr(candidates, "_ALL", 5)  # so that this log counts as a large one
    monkeypatch.setattr(candidates, "_BEST", 40)
    folder = log.home / spoil
    hashes, vectors = log.store.vectors(ENCODER.fingerprint)
    if spoil != "missing":
        take = len(hashes) - (spoil == "stale")
        update_index(folder, ENCODER.fingerprint, hashes[:take], vectors[:take])
    if spoil == "broken":
        next(folder.glob("*/vectors.hnsw")).write_bytes(b"no index")
    finder = log.finder(dense=dense, index=spoil)
    found = finder.find(query, k=20)
    assert isinstance(finder.index, str) == (spoil != "sound")
    assert ids(found) == ids(exact)
    assert [one.score for one in found] == pytest.approx([one.score for one in exact], abs=1e-4)


def test_of_a_large_log_only_the_best_of_each_signal_are_compared(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    query = log.drafts["partner-graphql"]
    exact = log.finder().find(query, k=4)
    monkeypatch.setattr(candidates, "_ALL", 5)
    monkeypatch.setattr(candidates, "_BEST", 8)
    found = log.finder().find(query, k=4)
    assert ids(found) == ids(exact)
    assert [one.score for one in found] == pytest.approx([one.score for one in exact], abs=1e-4)


def test_the_spread_of_the_cosines_is_that_of_all_of_them(log: Log) -> None:
    vectors = log.finder()._vectors
    vector = query_vector("holds in Redis", ENCODER)
    some = np.array([1, 4, 9])
    kept = np.delete(vectors.cosines(vector), some)
    mean, spread = vectors.spread(vector, some)
    assert (mean, spread) == (pytest.approx(kept.mean(), abs=1e-6), pytest.approx(kept.std(), abs=1e-5))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Deciding decisions", ["decid", "decis"]),
        ("ChatHistory in front-end", ["chat", "histori", "chathistory", "in", "front", "end"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("認証基盤に Keycloak を採用する", ["認証", "証基", "基盤", "keycloak", "採用"]),
        ("Ｋｕｂｅ のテスト", ["kube", "テスト"]),
        ("鍵", ["鍵"]),
        ("café", ["café"]),
        ("데이터", ["데이", "이터"]),
        ("→", ["→"]),
        ("", []),
    ],
)
def test_terms_are_stems_parts_of_identifiers_and_pairs_of_han(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_the_benchmark_ranks_only_what_a_draft_may_find_and_writes_it_as_ids(tmp_path: Path) -> None:
    texts = {"a/ADR-0001": "Ferries cross.", "a/ADR-0002": "Later: ferries cross again.", "b/ADR-0001": "Trains run."}
    rows = [
        {"repo": name[0], "id": name[2:], "path": f"adr/{name[-4:]}-x.md", "title": "X", "text": f"# X\n\n{text}\n"}
        for name, text in texts.items()
    ]
    query = {"qid": "q", "repo": "a", "adr_id": "ADR-0002", "title": "Ferries", "context": "They cross.", "options": ""}
    asked = query | {"expected": ["ADR-0001"], "candidates": ["ADR-0001"]}
    corpus, queries = tmp_path / "corpus.jsonl", tmp_path / "queries.jsonl"
    corpus.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    queries.write_text(json.dumps(asked), encoding="utf-8")
    logs, drafts = read_corpus(corpus), read_queries(queries)
    for pooled, expected in ((False, ["ADR-0001"]), (True, ["a/ADR-0001", "b/ADR-0001"])):
        runs = rank_all(logs, drafts, pooled, ENCODER, tmp_path / str(pooled))
        write_run(tmp_path / "run.jsonl", runs["candidates"], pooled)
        assert json.loads((tmp_path / "run.jsonl").read_text(encoding="utf-8")) == {"qid": "q", "ranked": expected}
        assert score(drafts, runs["candidates"])["micro"] == [1.0, 1.0, 1.0]
    corpus.write_text(json.dumps(rows[0] | {"path": "../x.md"}), encoding="utf-8")
    with pytest.raises(InputError, match="leads outside"):
        read_corpus(corpus)


def test_in_a_large_log_a_term_of_every_tenth_record_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    decisions = [decision(n, body=f"ferry {'harbour' if n == 7 else 'quay'} {n}") for n in range(1, 31)]
    small = words.WordIndex(decisions).scores("ferry harbour")
    monkeypatch.setattr(words, "_LARGE", 20)
    large = words.WordIndex(decisions).scores("ferry harbour")
    assert (small["bm25"] > 0).all() and (small["tfidf"] > 0).all()
    assert np.flatnonzero(large["bm25"]).tolist() == np.flatnonzero(large["tfidf"]).tolist() == [6]
