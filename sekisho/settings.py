"""The settings: one frozen object, and the one place where the environment is read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from platformdirs import user_cache_path
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, EnvSettingsSource, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from sekisho.errors import SettingsError
from sekisho.paths import Paths
from sekisho.strip.rules import DEFAULT_BEGIN, DEFAULT_END, FallbackRule, StripRules


def project_root() -> Path:
    """The checkout that holds `data/`, `prompts/` and `state/`; the working directory without one."""
    checkout = Path(__file__).resolve().parent.parent
    return checkout if (checkout / "workspace.yaml").is_file() else Path.cwd()


def _env(name: str) -> AliasChoices:
    """The variable `name`; an instance made in code uses the field's own name."""
    return AliasChoices(name)


Dtype = Literal["auto", "float32", "bfloat16"]
_PATHS = ("data", "prompts", "state", "cache", "fixtures", "dagster_yaml")
# What Dagster takes: an address whose last part has two to seven letters, or a team.
_OWNER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._%+-]*@[A-Za-z0-9.-]+\.[A-Za-z]{2,7}|team:[^\s\x00-\x1f\x7f]+")

_REMEDIES = {"SEKISHO_OWNERS": "write: ana@example.org, team:library"}  # of what names the wrong value by itself


class Settings(Paths, BaseSettings):
    """Everything a run can be told from outside; relative paths are taken from the working directory."""

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", populate_by_name=True, env_ignore_empty=True, validate_default=False
    )

    agent: str = Field("mock", validation_alias=_env("IECQ_AGENT"))
    data: Path = Field(default_factory=lambda: project_root() / "data", validation_alias=_env("SEKISHO_DATA"))
    prompts: Path = Field(default_factory=lambda: project_root() / "prompts", validation_alias=_env("SEKISHO_PROMPTS"))
    state: Path = Field(default_factory=lambda: project_root() / "state", validation_alias=_env("SEKISHO_STATE"))
    cache: Path = Field(default_factory=lambda: user_cache_path("sekisho"), validation_alias=_env("SEKISHO_CACHE"))
    fixtures: Path | None = Field(None, validation_alias=_env("SEKISHO_FIXTURES"))
    workers: int = Field(5, ge=1, le=256, validation_alias=_env("SEKISHO_WORKERS"))
    model_timeout: float = Field(
        180.0, gt=0, le=86_400, allow_inf_nan=False, validation_alias=_env("SEKISHO_MODEL_TIMEOUT")
    )
    provider_concurrency: int | None = Field(None, ge=1, le=256, validation_alias=_env("SEKISHO_PROVIDER_CONCURRENCY"))
    normalise: bool = Field(False, validation_alias=_env("SEKISHO_NORMALISE"))
    max_rounds: int = Field(3, ge=1, le=100, validation_alias=_env("SEKISHO_MAX_ROUNDS"))
    prompt_budget: int = Field(60_000, ge=1_000, validation_alias=_env("SEKISHO_PROMPT_BUDGET"))
    budget_usd: float | None = Field(None, gt=0, le=1e12, validation_alias=_env("SEKISHO_BUDGET_USD"))
    embedding_model: str = Field("", validation_alias=_env("SEKISHO_EMBEDDING_MODEL"))
    embedding_dtype: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", validation_alias=_env("SEKISHO_EMBEDDING_DTYPE")
    )
    query_prefix: str = Field("", validation_alias=_env("SEKISHO_EMBEDDING_QUERY_PREFIX"))
    passage_prefix: str = Field("", validation_alias=_env("SEKISHO_EMBEDDING_PASSAGE_PREFIX"))
    lock_wait: float = Field(10.0, ge=0, le=86_400, allow_inf_nan=False, validation_alias=_env("SEKISHO_LOCK_WAIT"))
    alert_urls: SecretStr = Field(SecretStr(""), validation_alias=_env("SEKISHO_ALERT_URLS"))
    alert_min_severity: Literal["WARN", "ERROR"] = Field("ERROR", validation_alias=_env("SEKISHO_ALERT_MIN_SEVERITY"))
    alert_interval: int = Field(30, ge=5, le=86_400, validation_alias=_env("SEKISHO_ALERT_INTERVAL"))
    ui_url: str = Field("", pattern=r"^https?://[^\s<>]+$", validation_alias=_env("SEKISHO_UI_URL"))
    owners: Annotated[tuple[str, ...], NoDecode] = Field((), validation_alias=_env("SEKISHO_OWNERS"))
    # Cron strings are looked at where the schedules are made: only Dagster knows what it takes.
    cron_nightly: str = Field("0 3 * * *", validation_alias=_env("SEKISHO_CRON_NIGHTLY"))
    cron_recall_health: str = Field("0 6 * * 1", validation_alias=_env("SEKISHO_CRON_RECALL_HEALTH"))
    cron_spend: str = Field("0 6 1 * *", validation_alias=_env("SEKISHO_CRON_SPEND"))
    cron_tidy: str = Field("30 6 * * 0", validation_alias=_env("SEKISHO_CRON_TIDY"))
    run_retention_days: int = Field(90, ge=1, le=36_500, validation_alias=_env("SEKISHO_RUN_RETENTION_DAYS"))
    dagster_yaml: Path = Field(
        default_factory=lambda: project_root() / "dagster.yaml", validation_alias=_env("SEKISHO_DAGSTER_YAML")
    )
    recall_enabled: bool = Field(True, validation_alias=_env("RECALL_ENABLED"))
    recall_top_n: int = Field(20, ge=1, le=200, validation_alias=_env("RECALL_TOP_N"))
    recall_candidates: Literal["hybrid", "dense"] = Field("hybrid", validation_alias=_env("RECALL_CANDIDATES"))
    recall_degraded_limit: float = Field(
        0.2, ge=0, le=1, allow_inf_nan=False, validation_alias=_env("RECALL_DEGRADED_LIMIT")
    )
    strip_decikg: bool = Field(False, validation_alias=_env("CHROMA_STRIP_DECIKG"))
    strip_fallback: FallbackRule = Field("none", validation_alias=_env("CHROMA_STRIP_DECIKG_FALLBACK"))
    strip_begin: str = Field(DEFAULT_BEGIN, validation_alias=_env("CHROMA_STRIP_DECIKG_REGEX_BEGIN"))
    strip_end: str = Field(DEFAULT_END, validation_alias=_env("CHROMA_STRIP_DECIKG_REGEX_END"))

    map_use_ai: bool = Field(False, validation_alias=_env("MAP_USE_AI"))
    map_embedding: bool = Field(False, validation_alias=_env("MAP_EMBEDDING"))
    map_policy: Literal["trust", "guarded"] = Field("guarded", validation_alias=_env("MAP_POLICY"))
    map_confidence: float = Field(0.9, ge=0, le=1, allow_inf_nan=False, validation_alias=_env("MAP_CONFIDENCE"))

    @field_validator("strip_begin", "strip_end")
    @classmethod
    def _compiles(cls, pattern: str) -> str:
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(f"no regular expression: {error}") from None
        return pattern

    @field_validator("owners", mode="before")
    @classmethod
    def _owners(cls, value: object) -> object:
        """The names of a list with commas, each once, in the order given."""
        if not isinstance(value, str):
            return value
        names = [name.strip() for name in value.split(",") if name.strip()]
        bad = [name for name in names if not _OWNER.fullmatch(name)]
        if bad:
            raise ValueError(f"neither an e-mail address nor team:NAME: {', '.join(repr(name) for name in bad)}")
        return tuple(dict.fromkeys(names))

    @property
    def strip_rules(self) -> StripRules:
        """What is stripped from a portal view, and how."""
        return StripRules(
            self.strip_decikg, self.strip_fallback, re.compile(self.strip_begin), re.compile(self.strip_end)
        )


def load_settings() -> Settings:
    """Read the environment once; a value that cannot be used is a `SettingsError` naming its variable."""
    try:
        return _with_absolute_paths(Settings())
    except ValidationError as error:
        raise _problems(error)[0] from None


def usable_settings() -> tuple[Settings, list[SettingsError]]:
    """The settings with the default in place of every value that cannot be used, and an error for each of those."""
    problems: list[SettingsError] = []
    while True:
        try:
            return _with_absolute_paths(_settings_without({str(problem.item) for problem in problems})), problems
        except ValidationError as error:
            found = _problems(error)
        except SettingsError as error:
            found = [error]
        if {problem.item for problem in found} <= {problem.item for problem in problems}:
            raise found[0]  # a default that cannot be used, which no variable is the reason of
        problems += found


def variables() -> dict[str, str]:
    """Every variable that is read here, with the field that it sets."""
    return {
        str(field.validation_alias.choices[0]): name
        for name, field in Settings.model_fields.items()
        if isinstance(field.validation_alias, AliasChoices)
    }


def _told(name: str, found: ErrorDetails) -> str:
    told = found["msg"].removeprefix("Value error, ")  # Pydantic's words before ours
    return told if name in _REMEDIES else f"{told}: {found['input']!r}"


def _problems(error: ValidationError) -> list[SettingsError]:
    found = {str(one["loc"][0]): one for one in reversed(error.errors())}
    return [
        SettingsError(_told(name, one), item=name, remedy=_REMEDIES.get(name, f"set or unset {name}"))
        for name, one in reversed(found.items())
    ]


def _settings_without(names: set[str]) -> Settings:
    """The settings as if some variables were not set."""
    lowered = {name.lower() for name in names}

    class Rest(Settings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            assert isinstance(env_settings, EnvSettingsSource)
            env_settings.env_vars = {
                name: value for name, value in env_settings.env_vars.items() if name.lower() not in lowered
            }
            return (env_settings,)

    return Rest() if names else Settings()


def _with_absolute_paths(settings: Settings) -> Settings:
    paths = {name: getattr(settings, name) for name in _PATHS}
    absolute = {name: _absolute(path, name) for name, path in paths.items() if path is not None}
    return settings.model_copy(update=absolute)


def _absolute(path: Path, name: str) -> Path:
    try:
        return path.expanduser().absolute()
    except RuntimeError as error:
        variable = f"SEKISHO_{name.upper()}"
        raise SettingsError(str(error), file=path, item=variable, remedy=f"set or unset {variable}") from None
