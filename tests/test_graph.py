"""The shape of the graph: a change of any line here is a change of what users see in Dagster."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import dagster as dg

from dagster_project.definitions import defs
from tests.conftest import ROOT

GRAPH = {
    "notes": ("ingest", [], {"file", "duckdb"}),
    "decisions": ("ingest", [], {"file", "duckdb"}),
    "portal_views": ("ingest", [], {"yaml", "duckdb"}),
    "catalogue": ("ingest", [], {"file", "duckdb"}),
    "facts": ("extract", ["notes"], {"llm", "duckdb"}),
    "embeddings": ("extract", ["decisions", "notes", "portal_views"], {"sentence-transformers", "duckdb"}),
    "vector_index": ("compile", ["embeddings"], {"hnswlib"}),
    "knowledge_base": ("compile", ["facts", "notes"], {"duckdb", "json"}),
    "draft_answers": ("query", ["knowledge_base"], {"llm", "duckdb"}),
    "answers": ("query", ["draft_answers", "knowledge_base"], {"duckdb"}),
    "term_mappings": ("query", ["catalogue"], {"llm", "duckdb"}),
    "recall_citations": ("query", ["decisions"], {"llm", "duckdb"}),
    "answer_scorecard": ("report", ["answers"], {"yaml"}),
    "recall_scorecard": ("report", ["recall_citations"], {"yaml"}),
    "gaps": ("report", ["answers"], {"markdown"}),
    "evidence_report": ("report", [], {"html"}),
    "mapping_scorecard": ("report", ["term_mappings"], {"json"}),
    "llm_spend": ("report", [], {"json"}),
    "recall_health": ("report", [], {"json"}),
}
LOOKS_BACK = {"recall_health"}  # over weeks of runs, so a schedule of its own makes it
CHECKS = {
    ("notes", "every_file_was_read", True),
    ("decisions", "every_file_was_read", False),
    ("portal_views", "every_file_was_read", False),
    ("catalogue", "every_file_was_read", False),
    ("facts", "fact_count_matches", True),
    ("facts", "sources_are_unique", True),
    ("facts", "facts_fit_the_schema", True),
    ("facts", "evidence_is_verbatim", True),
    ("facts", "evidence_holds_the_value", True),
    ("knowledge_base", "knowledge_base_is_complete", True),
    ("vector_index", "vectors_match_chunks", False),
    ("vector_index", "index_finds_itself", False),
    ("vector_index", "index_is_fresh", False),
    ("draft_answers", "citations_are_present", False),
    ("draft_answers", "citations_exist", False),
    ("draft_answers", "quotes_are_verbatim", False),
    ("answers", "answers_are_verified", True),
    ("evidence_report", "report_shows_every_quote", False),
    ("term_mappings", "chosen_terms_were_candidates", False),
    ("mapping_scorecard", "no_regression", False),
    ("recall_citations", "citations_were_candidates", False),
    ("recall_citations", "recall_is_not_degraded", False),
    ("recall_scorecard", "no_regression", False),
    ("answer_scorecard", "no_regression", False),
    ("recall_health", "recall_is_healthy", False),
}


def test_p01_d01_the_line_is_ingest_extract_compile_query_as_assets() -> None:
    graph = defs.resolve_asset_graph()
    found = {}
    for node in graph.asset_nodes:
        name = node.key.to_user_string()
        parents = sorted(key.to_user_string() for key in node.parent_keys)
        found[name] = (node.group_name, parents, node.kinds)
        assert node.description, f"{name} needs a sentence"
    assert found == GRAPH


def test_d04_the_gates_are_asset_checks_and_the_deciding_ones_block() -> None:
    graph = defs.resolve_asset_graph()
    found = set()
    for key in graph.asset_check_keys:
        check = graph.get(key)
        assert check.description, f"{key.name} needs a sentence"
        found.add((key.asset_key.to_user_string(), key.name, check.blocking))
    assert found == CHECKS


def test_the_pipeline_covers_the_whole_graph_in_one_process() -> None:
    job = defs.resolve_job_def("pipeline")
    assert {key.to_user_string() for key in job.asset_layer.executable_asset_keys} == set(GRAPH) - LOOKS_BACK
    assert job.executor_def is dg.in_process_executor


def test_the_sensor_of_alerts_is_on_wherever_a_daemon_runs() -> None:
    assert defs.resolve_sensor_def("gate_alerts").default_status is dg.DefaultSensorStatus.RUNNING


def test_f09_loading_the_definitions_imports_nothing_heavy() -> None:
    heavy = ("torch", "sentence_transformers", "instructor", "transformers", "sklearn", "apprise")
    code = f"import dagster_project.definitions, sys; print([m for m in {heavy!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_d06_the_top_level_is_as_given() -> None:
    for name in ("pyproject.toml", "dagster_project", "assets", "prompts", "data", "tests", "workspace.yaml"):
        assert (ROOT / name).exists(), name


def test_f07_the_workspace_loads_from_another_folder(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("dagster")
    run = subprocess.run(
        [program, "definitions", "validate", "-w", ROOT / "workspace.yaml"],
        cwd=tmp_path,
        env={**os.environ, "DAGSTER_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr + run.stdout
