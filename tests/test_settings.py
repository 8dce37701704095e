"""The settings: each variable, its bounds, and paths that hold whatever the working directory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from sekisho.agents.backends import make_agent
from sekisho.errors import SettingsError
from sekisho.settings import Settings, load_settings, project_root
from tests.conftest import ROOT


@pytest.mark.parametrize(
    ("variable", "text", "field", "value"),
    [
        ("IECQ_AGENT", "claude", "agent", "claude"),
        ("SEKISHO_DATA", "/d", "data", Path("/d")),
        ("SEKISHO_PROMPTS", "/p", "prompts", Path("/p")),
        ("SEKISHO_STATE", "/s", "state", Path("/s")),
        ("SEKISHO_CACHE", "/c", "cache", Path("/c")),
        ("SEKISHO_FIXTURES", "/f.yaml", "fixtures", Path("/f.yaml")),
        ("SEKISHO_WORKERS", "8", "workers", 8),
        ("SEKISHO_MODEL_TIMEOUT", "0.5", "model_timeout", 0.5),
        ("SEKISHO_PROVIDER_CONCURRENCY", "3", "provider_concurrency", 3),
        ("SEKISHO_NORMALISE", "true", "normalise", True),
        ("SEKISHO_PROMPT_BUDGET", "1000", "prompt_budget", 1000),
        ("SEKISHO_LOCK_WAIT", "0", "lock_wait", 0.0),
        ("SEKISHO_ALERT_URLS", "json://127.0.0.1", "alert_urls", SecretStr("json://127.0.0.1")),
        ("SEKISHO_ALERT_MIN_SEVERITY", "WARN", "alert_min_severity", "WARN"),
        ("SEKISHO_ALERT_INTERVAL", "5", "alert_interval", 5),
        ("SEKISHO_UI_URL", "https://dagster.example/ui", "ui_url", "https://dagster.example/ui"),
        (
            "SEKISHO_OWNERS",
            "ana@plants.example, team:botany,ana@plants.example",
            "owners",
            ("ana@plants.example", "team:botany"),
        ),
        ("SEKISHO_CRON_NIGHTLY", "0 1 * * *", "cron_nightly", "0 1 * * *"),
        ("SEKISHO_CRON_RECALL_HEALTH", "0 1 * * *", "cron_recall_health", "0 1 * * *"),
        ("SEKISHO_CRON_SPEND", "0 1 * * *", "cron_spend", "0 1 * * *"),
        ("SEKISHO_CRON_TIDY", "0 1 * * *", "cron_tidy", "0 1 * * *"),
        ("SEKISHO_RUN_RETENTION_DAYS", "30", "run_retention_days", 30),
        ("RECALL_ENABLED", "false", "recall_enabled", False),
        ("RECALL_TOP_N", "5", "recall_top_n", 5),
        ("RECALL_CANDIDATES", "dense", "recall_candidates", "dense"),
        ("RECALL_DEGRADED_LIMIT", "0.5", "recall_degraded_limit", 0.5),
        ("SEKISHO_DAGSTER_YAML", "/e/dagster.yaml", "dagster_yaml", Path("/e/dagster.yaml")),
        ("MAP_USE_AI", "1", "map_use_ai", True),
        ("MAP_EMBEDDING", "1", "map_embedding", True),
        ("MAP_POLICY", "trust", "map_policy", "trust"),
        ("MAP_CONFIDENCE", "0.5", "map_confidence", 0.5),
    ],
)
def test_each_variable_sets_its_field(
    monkeypatch: pytest.MonkeyPatch, variable: str, text: str, field: str, value: Any
) -> None:
    assert getattr(load_settings(), field) != value
    monkeypatch.setenv(variable, text)
    assert getattr(load_settings(), field) == value


def test_every_field_is_set_by_a_variable_of_its_own() -> None:
    aliases = [field.validation_alias for field in Settings.model_fields.values()]
    names = [alias.choices[0] for alias in aliases]  # type: ignore[union-attr]
    assert len(set(names)) == len(Settings.model_fields)
    prefixes = ("SEKISHO_", "IECQ_", "CHROMA_STRIP_", "RECALL_", "MAP_")
    assert all(str(name).startswith(prefixes) for name in names)


def test_the_urls_of_alerts_are_not_shown_with_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEKISHO_ALERT_URLS", "slack://s3cr3t")
    shown = f"{load_settings()!r} {load_settings()} {load_settings().model_dump_json()}"
    assert "alert_urls" in shown and "s3cr3t" not in shown


def test_the_defaults_are_mock_five_workers_and_180_seconds() -> None:
    settings = load_settings()
    assert (settings.agent, settings.workers, settings.model_timeout) == ("mock", 5, 180.0)
    assert (settings.fixtures, settings.normalise, settings.lock_wait) == (None, False, 10.0)


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("SEKISHO_WORKERS", "0"),
        ("SEKISHO_WORKERS", "257"),
        ("SEKISHO_WORKERS", "five"),
        ("SEKISHO_WORKERS", "2.5"),
        ("SEKISHO_PROVIDER_CONCURRENCY", "0"),
        ("SEKISHO_PROVIDER_CONCURRENCY", "257"),
        ("SEKISHO_MODEL_TIMEOUT", "0"),
        ("SEKISHO_MODEL_TIMEOUT", "-1"),
        ("SEKISHO_MODEL_TIMEOUT", "nan"),
        ("SEKISHO_MODEL_TIMEOUT", "3 minutes"),
        ("SEKISHO_NORMALISE", "maybe"),
        ("SEKISHO_PROMPT_BUDGET", "999"),
        ("SEKISHO_LOCK_WAIT", "-0.1"),
        ("SEKISHO_LOCK_WAIT", "nan"),
        ("SEKISHO_ALERT_MIN_SEVERITY", "FATAL"),
        ("SEKISHO_ALERT_INTERVAL", "4"),
        ("SEKISHO_UI_URL", "dagster.example"),
        ("SEKISHO_UI_URL", "https://x <b>"),
        ("SEKISHO_OWNERS", "botany"),
        ("SEKISHO_OWNERS", "team:"),
        ("SEKISHO_OWNERS", "ana@plants"),
        ("SEKISHO_OWNERS", "ana@plants.example; ben@plants.example"),
        ("SEKISHO_RUN_RETENTION_DAYS", "0"),
        ("MAP_USE_AI", "perhaps"),
        ("MAP_POLICY", "hope"),
        ("MAP_CONFIDENCE", "1.1"),
        ("MAP_CONFIDENCE", "nan"),
        ("RECALL_ENABLED", "perhaps"),
        ("RECALL_TOP_N", "0"),
        ("RECALL_CANDIDATES", "rrf"),
        ("RECALL_DEGRADED_LIMIT", "1.1"),
    ],
)
def test_a_bad_value_is_refused_and_names_its_variable(
    monkeypatch: pytest.MonkeyPatch, variable: str, text: str
) -> None:
    monkeypatch.setenv(variable, text)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert caught.value.item == variable
    assert text in str(caught.value)


@pytest.mark.parametrize("text", ["inf", "1e300"])
def test_a_time_out_that_no_clock_can_count_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("SEKISHO_MODEL_TIMEOUT", text)
    with pytest.raises(SettingsError, match="SEKISHO_MODEL_TIMEOUT"):
        load_settings()


def test_a_home_of_nobody_is_refused_and_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEKISHO_DATA", "~no-such-user-here/data")
    with pytest.raises(SettingsError, match="SEKISHO_DATA"):
        load_settings()


def test_an_unknown_agent_is_refused_and_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IECQ_AGENT", "oracle")
    with pytest.raises(SettingsError, match=r"IECQ_AGENT: no agent is called 'oracle'"):
        make_agent(load_settings())


@pytest.mark.parametrize(
    "variable",
    [
        "SEKISHO_DATA",
        "SEKISHO_PROMPTS",
        "SEKISHO_STATE",
        "SEKISHO_CACHE",
        "SEKISHO_FIXTURES",
        "SEKISHO_DAGSTER_YAML",
    ],
)
def test_a_relative_path_becomes_absolute_from_the_working_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(variable, "here/it")
    field = variable.removeprefix("SEKISHO_").lower()
    assert getattr(load_settings(), field) == tmp_path / "here" / "it"


def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SEKISHO_DATA", "~/plants")
    assert load_settings().data == tmp_path / "plants"


@pytest.mark.parametrize("empty", [True, False])
def test_the_default_is_the_projects_root_whatever_the_working_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, empty: bool
) -> None:
    for name in ("SEKISHO_DATA", "SEKISHO_PROMPTS", "SEKISHO_STATE"):
        if empty:
            monkeypatch.setenv(name, "")
        else:
            monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    settings = load_settings()
    assert project_root() == ROOT
    assert (settings.data, settings.prompts, settings.state) == (ROOT / "data", ROOT / "prompts", ROOT / "state")


def test_the_files_of_the_state_lie_in_the_state_folder(tmp_path: Path) -> None:
    settings = Settings(state=tmp_path)
    assert settings.warehouse_path == tmp_path / "warehouse.duckdb"
    assert settings.compiled_path == tmp_path / "compiled.json"
    assert settings.gaps_path == tmp_path / "gap.md"
    assert settings.log_path == tmp_path / "log.jsonl"


def test_settings_are_frozen() -> None:
    with pytest.raises(ValidationError):
        load_settings().workers = 9  # type: ignore[misc]
