"""The assets of mapping: the catalogue, what its queries were mapped to, and how good that is; nothing good is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dagster_project.cli.evaluate_mapping import evaluate_mapping
from sekisho.agents.fixtures import FixtureAgent
from sekisho.catalogue import Term
from sekisho.forecast import forecast_run
from sekisho.gates import chosen_terms_were_candidates
from sekisho.mapping.mapped import Choice, Said
from tests.conftest import House
from tests.graph import materialise
from tests.model_calls import Bench, bench, http
from tests.rerank import answering, good, mapped_by
from tests.test_instructor_pipeline import spend

__all__ = ["bench", "http"]
ASSETS = ("catalogue", "term_mappings", "mapping_scorecard")


def test_m06_by_default_the_queries_get_candidates_and_no_choice_and_all_checks_pass(house: House) -> None:
    outcome = materialise(*ASSETS)
    assert outcome.success and not outcome.failed_checks, outcome.failures
    mapped = house.warehouse.mappings()
    assert len(house.warehouse.terms()) == 481 and len(mapped) == 72 and house.warehouse.mapping_calls() == []
    assert all(one.ai is None and len(one.candidates) <= 10 for one in mapped)
    (index,) = (house.state / "catalogue").iterdir()
    before, stamp = mapped, index.stat().st_mtime_ns
    assert materialise(*ASSETS).success and house.warehouse.mappings() == before
    assert index.stat().st_mtime_ns == stamp, "the index is built once for a catalogue"


def test_m08_with_a_model_the_choices_the_calls_and_what_they_cost_are_kept(
    house: House, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"IECQ_AGENT": "openai/gpt-4o-mini", "MAP_USE_AI": "1", "MAP_POLICY": "trust"}.items():
        monkeypatch.setenv(name, value)
    house.add_drafts()  # and the golden baselines beside them
    said = forecast_run(house.settings)
    assert {row.prompt: row.calls for row in said.prompts}["rerank"] == 9 and not house.state.exists()
    bench.server.script(*answering(good))
    outcome = materialise(*ASSETS)
    assert outcome.success and outcome.failed_checks == {"no_regression"}, "a model that takes the second is worse"
    mapped, calls = house.warehouse.mappings(), house.warehouse.mapping_calls()
    askable = [one for one in mapped if one.candidates]
    assert len(bench.server.requests) == len(calls) == len(spend(house)) == -(-len(askable) // 8)
    assert all(one.best_id == one.candidates[1].id for one in askable if len(one.candidates) > 1)
    assert all(call.input_tokens == 100 and call.usd for call in calls)
    requests = len(bench.server.requests)
    assert materialise(*ASSETS).success and len(bench.server.requests) == requests, "stored replies are not asked for"
    assert house.warehouse.mappings() == mapped
    assert {row.prompt: (row.calls, row.stored) for row in forecast_run(house.settings).prompts}["rerank"] == (0, 9)


def test_a_catalogue_that_cannot_be_used_warns_and_the_last_one_stands(house: House) -> None:
    assert materialise("catalogue", "term_mappings").success
    terms, mapped = house.warehouse.terms(), house.warehouse.mappings()
    (house.data / "catalogue" / "terms.tsv").write_bytes(b"id\tname\nB:1\t\x8a\x43\n")
    outcome = materialise(*ASSETS)
    assert outcome.success and outcome.failed_checks == {"every_file_was_read"}
    assert ("terms.tsv", "terms.tsv: line 2: is not UTF-8 (save it as UTF-8)") in outcome.items("every_file_was_read")
    assert (house.warehouse.terms(), house.warehouse.mappings()) == (terms, mapped)


def test_a_bad_row_of_the_queries_is_named_and_the_others_are_mapped(house: House) -> None:
    queries = house.data / "catalogue" / "queries.tsv"
    queries.write_bytes(
        b"query\texpected_id\tcontexts\nPAG\tBR:0264\n\tBR:0001\nbad \xff\t\nDorsal raphe nucleus\tBR:0280\n"
    )
    outcome = materialise(*ASSETS)
    assert outcome.success and [one.asked.query for one in house.warehouse.mappings()] == [
        "PAG",
        "Dorsal raphe nucleus",
    ]
    told = [reason for _, reason in outcome.items("every_file_was_read", "catalogue")]
    assert [reason.split(": ")[1] for reason in told] == [
        "nobody reads the column 'contexts'; the nearest is 'context'",
        "line 3",
        "line 4",
    ]


def test_without_a_catalogue_there_are_no_rows_and_nothing_fails(house: House) -> None:
    house.warehouse.replace_catalogue([Term(id="B:1", name="of another time")], [])
    for path in (house.data / "catalogue").iterdir():
        path.unlink()
    (house.data / "catalogue").rmdir()
    house.settings.mapping_baseline_path.unlink(missing_ok=True)
    outcome = materialise(*ASSETS)
    assert outcome.success and not outcome.failed_checks
    assert house.warehouse.terms() == house.warehouse.mappings() == []


def test_a_choice_that_was_no_candidate_is_found_whether_it_stands_or_not() -> None:
    (mapped,), _ = mapped_by(FixtureAgent({}), ["herb garden"])
    known = {candidate.id for candidate in mapped.candidates}

    def reasons(**changed: Any) -> list[str]:
        found = chosen_terms_were_candidates([mapped.model_copy(update=changed)], known)
        return [finding.message for finding in found]

    assert reasons() == []
    assert reasons(ai=Choice(best_id="G:99", relation="match")) == ["the term that stands was no candidate: G:99"]
    assert reasons(ai=Choice()) == ["no term stands, though there are candidates"]
    assert reasons(said=Said(id="")) == ["the model chose what was no candidate: no id"]
    assert chosen_terms_were_candidates([mapped], set())[0].message.startswith(
        "a candidate that is not in the catalogue"
    )


def test_m08_the_committed_baseline_is_that_of_the_sample_as_it_is(house: House) -> None:
    house.add_drafts()  # with the committed baselines
    found = evaluate_mapping(ai=True, plot=None, write=False)
    assert found.baseline is not None and found.worse == () and found.stale == (), (
        "run `sekisho eval mapping --ai --write-baseline`"
    )
    assert found.baseline.figures == found.score.figures
    json.dumps(found.as_dict(), allow_nan=False)
